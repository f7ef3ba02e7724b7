#include "sluice/lab/key_list.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>

#include "sluice/lab/experiment.hpp"
#include "sluice/net/activation.hpp"

namespace sluice::lab {
namespace {

/// A key whose choice decides which other keys there are, and how to make that choice in an experiment.
struct Switch {
  std::string key;
  spec::Choices choices;
  std::function<void(Experiment&, const std::string& choice)> turn;
};

std::vector<Switch> switches() {
  return {
      {"task.kind", task::kinds(),
       [](Experiment& e, const std::string& kind) { e.task = task::Section(kind); }},
      {"network.activation", net::activation_choices(),
       [](Experiment& e, const std::string& name) { e.network.activation = name; }},
      {"network.readout", net::readout_choices(),
       [](Experiment& e, const std::string& readout) { e.network.readout = readout; }},
      {"network.readout_init.law", net::readout_init_laws(),
       [](Experiment& e, const std::string& law) {
         e.network.readout = "learned";
         e.network.readout_init.law = law;
       }},
      {"network.init.law", net::init_laws(),
       [](Experiment& e, const std::string& law) { e.network.init.law = law; }},
      {"dynamics.kind", learn::optimizer_choices(),
       [](Experiment& e, const std::string& kind) { e.dynamics.kind = kind; }},
  };
}

bool holds(const std::vector<spec::KeyInfo>& keys, const std::string& path) {
  return std::any_of(keys.begin(), keys.end(), [&](const spec::KeyInfo& key) { return key.path == path; });
}

/// Sections in the order of a spec.
std::ptrdiff_t rank(const ListedKey& listed) {
  const std::vector<std::string> order{
      "", "task.", "network.", "network.init.", "network.readout_init.", "dynamics.", "probe.", "record."};
  const std::string section = listed.key.path.substr(0, listed.key.path.rfind('.') + 1);
  return std::find(order.begin(), order.end(), section) - order.begin();
}

}  // namespace

std::vector<ListedKey> all_keys() {
  std::vector<ListedKey> listed;
  for (const Switch& each : switches()) {
    std::vector<std::vector<spec::KeyInfo>> keys;  // of each choice
    for (const spec::Choice& choice : each.choices) {
      Experiment experiment;
      each.turn(experiment, std::string(choice.name));
      keys.push_back(spec::list_keys([&](spec::Keys& k) { experiment.describe(k); }));
    }
    for (const auto& list : keys) {
      for (const spec::KeyInfo& key : list) {
        std::vector<std::string> having;  // the choices that bring the key
        for (std::size_t i = 0; i < keys.size(); ++i) {
          if (holds(keys[i], key.path)) having.push_back(fmt::format("\"{}\"", each.choices[i].name));
        }
        const std::string only_when =
            having.size() == keys.size() ? "" : fmt::format("{} = {}", each.key, fmt::join(having, ", "));
        const auto known = std::find_if(listed.begin(), listed.end(),
                                        [&](const ListedKey& other) { return other.key.path == key.path; });
        if (known == listed.end()) {
          listed.push_back({key, only_when});
        } else if (known->only_when.empty()) {
          known->only_when = only_when;
        }
      }
    }
  }
  std::stable_sort(listed.begin(), listed.end(),
                   [](const ListedKey& a, const ListedKey& b) { return rank(a) < rank(b); });
  return listed;
}

}  // namespace sluice::lab
