#include "sluice/lab/key_list.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <functional>
#include <string_view>

#include "sluice/lab/experiment.hpp"
#include "sluice/net/activation.hpp"
#include "sluice/spec/document.hpp"

namespace sluice::lab {
namespace {

/// A key whose choice decides which other keys there are, and how to make that choice in an experiment.
struct Switch {
  std::string key;
  spec::Choices choices;
  std::function<void(Experiment&, const std::string& choice)> turn;
};

/// A dataset is drawn or loaded, images may be of a folder of their own: they have other keys accordingly.
constexpr std::string_view kFile = "FILE.npz";
constexpr std::string_view kFolder = "FOLDER";
constexpr std::array<spec::Choice, 3> kPaths{{{"", "drawn"}, {kFile, "loaded"}, {kFolder, "images"}}};

task::Section task_at(const std::string& path) {
  spec::Document document =
      spec::Document::from_text(path == kFolder ? "kind = \"mnist\"\n"
                                : path == kFile ? "kind = \"dataset\"\n"
                                                : "kind = \"dataset\"\nfrom.kind = \"nlgp\"\n",
                                "");
  document.set(fmt::format("path=\"{}\"", path));
  task::Section section;
  document.read([&](spec::Keys& keys) { section.describe(keys); });
  return section;
}

std::vector<Switch> switches() {
  return {
      {"task.kind", task::kinds(),
       [](Experiment& e, const std::string& kind) { e.task = task::Section(kind); }},
      {"task.path", kPaths, [](Experiment& e, const std::string& path) { e.task = task_at(path); }},
      {"network.kind", net::kinds(), [](Experiment& e, const std::string& kind) { e.network.kind = kind; }},
      {"network.gates", net::gate_choices(),
       [](Experiment& e, const std::string& gates) {
         e.network.kind = "deep-gated";
         e.network.deep.gates = gates;
       }},
      {"network.layers", net::layer_choices(),
       [](Experiment& e, const std::string& layers) {
         e.network.kind = "deep-gated";
         e.network.deep.layers = layers;
       }},
      {"network.activation", net::activation_choices(),
       [](Experiment& e, const std::string& name) { e.network.two_layer.activation = name; }},
      {"network.readout", net::readout_choices(),
       [](Experiment& e, const std::string& readout) { e.network.two_layer.readout = readout; }},
      {"network.readout_init.law", net::readout_init_laws(),
       [](Experiment& e, const std::string& law) {
         e.network.two_layer.readout = "learned";
         e.network.two_layer.readout_init.law = law;
       }},
      {"network.init.law", net::init_laws(),
       [](Experiment& e, const std::string& law) { e.network.two_layer.init.law = law; }},
      {"dynamics.kind", dynamics_kinds(),
       [](Experiment& e, const std::string& kind) { e.dynamics.kind = kind; }},
  };
}

bool holds(const std::vector<spec::KeyInfo>& keys, const std::string& path) {
  return std::any_of(keys.begin(), keys.end(), [&](const spec::KeyInfo& key) { return key.path == path; });
}

/// Tasks made of another task, and a teacher's network, have the keys of those; listing them again would say nothing new.
bool listed_elsewhere(const std::string& path) {
  for (const std::string part : {"task.inputs.", "task.from.", "task.network."}) {
    if (path.starts_with(part)) return path != part + "kind";
  }
  return false;
}

/// Which choices bring a key, in as few words as possible.
std::string only_when(const Switch& each, const std::vector<bool>& brings) {
  std::vector<std::string> having;
  std::vector<std::string> lacking;
  for (std::size_t i = 0; i < brings.size(); ++i) {
    (brings[i] ? having : lacking).push_back(fmt::format("\"{}\"", each.choices[i].name));
  }
  if (lacking.empty()) return "";
  return having.size() <= lacking.size() + 1
             ? fmt::format("{} = {}", each.key, fmt::join(having, ", "))
             : fmt::format("{} other than {}", each.key, fmt::join(lacking, ", "));
}

/// Sections in the order of a spec.
std::ptrdiff_t rank(const ListedKey& listed) {
  const std::vector<std::string> order{
      "",         "task.",         "task.inputs.",       "task.network.",         "task.from.",
      "network.", "network.init.", "network.gate_init.", "network.readout_init.", "dynamics.",
      "probe.",   "record."};
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
        if (listed_elsewhere(key.path)) continue;
        std::vector<bool> brings;
        for (const auto& other : keys) brings.push_back(holds(other, key.path));
        const std::string when = only_when(each, brings);
        const auto known = std::find_if(listed.begin(), listed.end(),
                                        [&](const ListedKey& other) { return other.key.path == key.path; });
        if (known == listed.end()) {
          listed.push_back({key, when});
        } else if (known->only_when.empty()) {
          known->only_when = when;
        }
      }
    }
  }
  std::stable_sort(listed.begin(), listed.end(),
                   [](const ListedKey& a, const ListedKey& b) { return rank(a) < rank(b); });
  return listed;
}

}  // namespace sluice::lab
