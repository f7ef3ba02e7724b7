#include "sluice/lab/key_list.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sluice/lab/experiment.hpp"
#include "sluice/net/activation.hpp"

namespace sluice::lab {
namespace {

struct Variant {
  std::string condition;
  Experiment experiment;
};

/// One experiment per choice that brings its own keys.
std::vector<Variant> variants_of_task() {
  std::vector<Variant> variants;
  for (const spec::Choice& kind : task::kinds()) {
    Variant variant{fmt::format("task.kind = \"{}\"", kind.name), {}};
    variant.experiment.task = task::Section(std::string(kind.name));
    variants.push_back(std::move(variant));
  }
  return variants;
}

std::vector<Variant> variants_of_init() {
  std::vector<Variant> variants;
  for (const spec::Choice& law : net::init_laws()) {
    Variant variant{fmt::format("network.init.law = \"{}\"", law.name), {}};
    variant.experiment.network.init.law = law.name;
    variants.push_back(std::move(variant));
  }
  return variants;
}

std::vector<Variant> variants_of_activation() {
  std::vector<Variant> variants;
  for (const spec::Choice& activation : net::activation_choices()) {
    Variant variant{fmt::format("network.activation = \"{}\"", activation.name), {}};
    variant.experiment.network.activation = activation.name;
    variants.push_back(std::move(variant));
  }
  return variants;
}

std::vector<Variant> variants_of_optimizer() {
  std::vector<Variant> variants;
  for (const spec::Choice& kind : learn::optimizer_choices()) {
    Variant variant{fmt::format("dynamics.kind = \"{}\"", kind.name), {}};
    variant.experiment.dynamics.kind = kind.name;
    variants.push_back(std::move(variant));
  }
  return variants;
}

}  // namespace

std::vector<ListedKey> all_keys() {
  std::vector<ListedKey> listed;
  for (auto variants :
       {&variants_of_task, &variants_of_activation, &variants_of_init, &variants_of_optimizer}) {
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
    for (std::size_t v = 0; v < each.size(); ++v) {
      for (const spec::KeyInfo& key : keys[v]) {
        const auto known = std::find_if(listed.begin(), listed.end(),
                                        [&](const ListedKey& other) { return other.key.path == key.path; });
        const bool everywhere =
            std::all_of(keys.begin(), keys.end(), [&](const auto& list) { return holds(list, key.path); });
        if (known == listed.end()) {
          listed.push_back({key, everywhere ? "" : each[v].condition});
        } else if (!everywhere && known->only_when.find(each[v].condition) == std::string::npos) {
          known->only_when += (known->only_when.empty() ? "" : " or ") + each[v].condition;
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
