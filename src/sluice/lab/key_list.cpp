#include "sluice/lab/key_list.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "sluice/lab/experiment.hpp"
#include "sluice/net/activation.hpp"
#include "sluice/net/deep_options.hpp"
#include "sluice/net/gates.hpp"
#include "sluice/net/options.hpp"
#include "sluice/spec/document.hpp"
#include "sluice/spec/suggest.hpp"

namespace sluice::lab {
namespace {

/// A key whose choice decides which other keys there are, and what a spec must say to have it.
struct Switch {
  std::string key;
  spec::Choices choices;
  std::vector<std::string> also = {};
};

/// A dataset is drawn or loaded, images may be of a folder of their own: they have other keys accordingly.
constexpr std::array<spec::Choice, 3> kPaths{{{"", "drawn"}, {"FILE.npz", "loaded"}, {"FOLDER", "images"}}};

/// Biases that are learned have a start, and a file of weights then holds them, too.
constexpr std::array<spec::Choice, 2> kBiases{{{"none", "none"}, {"learned", "trained"}}};

std::vector<Switch> switches() {
  const std::vector<std::string> deep{"network.kind=deep-gated"};
  return {
      {"task.kind", task::kinds()},
      {"task.path", kPaths},
      {"network.kind", net::kinds()},
      {"network.gates", net::gate_choices(), deep},
      {"network.layers", net::layer_choices(), deep},
      {"network.activation", net::activation_choices()},
      {"network.readout", net::readout_choices()},
      {"network.readout_init.law", net::readout_init_laws(), {"network.readout=learned"}},
      {"network.bias", kBiases},
      {"network.bias_init.law", net::bias_init_laws(), {"network.bias=learned"}},
      {"network.init.law", net::init_laws(), {"network.bias=learned"}},
      {"network.gate.law", net::gate_laws(), {"network.kind=gated-linear"}},
      {"dynamics.kind", dynamics_kinds()},
      {"dynamics.schedule.law", learn::schedule_laws()},
  };
}

/// The keys of a spec that says no more than a choice and what it needs.
std::vector<spec::KeyInfo> keys_with(const Switch& each, const std::string& choice) {
  spec::Document document = spec::Document::from_text(
      "[task]\nkind = \"nlgp\"\n[network]\nkind = \"two-layer\"\n[dynamics]\nkind = \"sgd\"\n", "spec");
  for (const std::string& assignment : each.also) document.set(assignment);
  if (each.key == "task.path")
    document.set(choice == "FOLDER" ? "task={kind=\"mnist\"}" : "task={kind=\"dataset\"}");
  document.set(fmt::format("{}=\"{}\"", each.key, choice));
  const bool drawn =
      (each.key == "task.kind" && choice == "dataset") || (each.key == "task.path" && choice.empty());
  if (drawn) document.set("task.from={kind=\"nlgp\"}");
  if (each.key == "task.kind" && choice == "teacher")
    for (const char* part : {"task.inputs={kind=\"nlgp\"}", "task.network={kind=\"two-layer\"}"})
      document.set(part);
  if (each.key == "network.init.law" && choice == "file") document.set("network.init.path=\"FILE\"");
  if (each.key == "network.gate.law" && (choice == "file" || choice == "run"))
    document.set("network.gate.path=\"FILE\"");
  Experiment experiment;
  document.read([&](spec::Keys& keys) { experiment.describe(keys); });
  return keys_of(experiment);
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
  const std::vector<std::string> order{"",
                                       "task.",
                                       "task.inputs.",
                                       "task.network.",
                                       "task.from.",
                                       "network.",
                                       "network.gate.",
                                       "network.init.",
                                       "network.gate_init.",
                                       "network.bias_init.",
                                       "network.readout_init.",
                                       "dynamics.",
                                       "dynamics.schedule.",
                                       "probe.",
                                       "record.",
                                       "start."};
  const std::string section = listed.key.path.substr(0, listed.key.path.rfind('.') + 1);
  return std::find(order.begin(), order.end(), section) - order.begin();
}

std::string last_part_of(const std::string& path) { return path.substr(path.rfind('.') + 1); }

}  // namespace

std::vector<std::string> keys_ending_in(const std::string& word) {
  std::vector<std::string> alike, ends;
  const std::vector<ListedKey> keys = all_keys();
  const auto with_end = [&](const std::string& end) {
    std::vector<std::string> paths;
    for (const ListedKey& listed : keys)
      if (last_part_of(listed.key.path) == end) paths.push_back(listed.key.path);
    return paths;
  };
  if (alike = with_end(last_part_of(word)); !alike.empty()) return alike;
  for (const ListedKey& listed : keys) ends.push_back(last_part_of(listed.key.path));
  const std::optional<std::string> near = spec::nearest(last_part_of(word), ends);
  return near ? with_end(*near) : alike;
}

std::vector<ListedKey> all_keys() {
  std::vector<ListedKey> listed;
  for (const Switch& each : switches()) {
    std::vector<std::vector<spec::KeyInfo>> keys;  // of each choice
    for (const spec::Choice& choice : each.choices) keys.push_back(keys_with(each, std::string(choice.name)));
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
