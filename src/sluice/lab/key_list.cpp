#include "sluice/lab/key_list.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sluice/lab/experiment.hpp"

namespace sluice::lab {
namespace {

struct Variant {
  std::string_view key;  // the choice, "task.kind"
  std::string name;      // what it is in this variant, "nlgp"
  Experiment experiment;
};

/// One experiment per choice that brings its own keys.
std::vector<Variant> variants_of_task() {
  std::vector<Variant> variants;
  for (const spec::Choice& kind : task::kinds()) {
    Variant variant{"task.kind", std::string(kind.name), {}};
    variant.experiment.task = task::Section(std::string(kind.name));
    variants.push_back(std::move(variant));
  }
  return variants;
}

std::vector<Variant> variants_of_init() {
  std::vector<Variant> variants;
  for (const char* law : {"xavier-normal", "normal", "file"}) {
    Variant variant{"network.init.law", law, {}};
    variant.experiment.network.init.law = law;
    variants.push_back(std::move(variant));
  }
  return variants;
}

}  // namespace

std::vector<ListedKey> all_keys() {
  std::vector<ListedKey> listed;
  for (auto variants : {&variants_of_task, &variants_of_init}) {
    std::vector<Variant> each = variants();
    std::vector<std::vector<spec::KeyInfo>> keys;
    keys.reserve(each.size());
    for (Variant& variant : each) {
      keys.push_back(spec::list_keys([&](spec::Keys& k) { variant.experiment.describe(k); }));
    }
    const auto holds = [](const std::vector<spec::KeyInfo>& list, const std::string& path) {
      return std::any_of(list.begin(), list.end(),
                         [&](const spec::KeyInfo& key) { return key.path == path; });
    };
    // "task.kind = "nlgp", "gaussian-clone"": the variants that have the key, nothing when all do.
    const auto condition = [&](const std::string& path) {
      std::string names;
      bool everywhere = true;
      for (std::size_t v = 0; v < each.size(); ++v) {
        const bool here = holds(keys[v], path);
        everywhere = everywhere && here;
        if (here) names += fmt::format("{}\"{}\"", names.empty() ? "" : ", ", each[v].name);
      }
      return everywhere ? "" : fmt::format("{} = {}", each[0].key, names);
    };
    for (const auto& list : keys) {
      for (const spec::KeyInfo& key : list) {
        const auto known = std::find_if(listed.begin(), listed.end(),
                                        [&](const ListedKey& other) { return other.key.path == key.path; });
        if (known == listed.end()) {
          listed.push_back({key, condition(key.path)});
        } else if (known->only_when.empty()) {
          known->only_when = condition(key.path);
        }
      }
    }
  }
  std::stable_sort(listed.begin(), listed.end(), [](const ListedKey& a, const ListedKey& b) {
    const auto section = [](const std::string& path) { return path.substr(0, path.rfind('.') + 1); };
    const std::vector<std::string> order{"",          "task.",  "network.", "network.init.",
                                         "dynamics.", "probe.", "record."};
    const auto rank = [&](const ListedKey& key) {
      return std::find(order.begin(), order.end(), section(key.key.path)) - order.begin();
    };
    return rank(a) < rank(b);
  });
  return listed;
}

}  // namespace sluice::lab
