#include "sluice/lab/key_list.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "sluice/file/errors.hpp"
#include "sluice/lab/experiment.hpp"
#include "sluice/spec/document.hpp"
#include "sluice/spec/suggest.hpp"

namespace sluice::lab {
namespace {

/// What stands here for what a spec has to say: a file, and the channels of convolutions.
const std::string kGiven = "\"FILE\"", kChannels = "network.channels", kGivenChannels = "[64]";

bool stands_for_given(const spec::KeyInfo& key) {
  return key.value == kGiven || (key.path == kChannels && key.value == kGivenChannels);
}

/// A key whose word decides which other keys there are, and what a spec must say to have it.
struct Switch {
  std::string key;
  std::vector<std::string> choices;        ///< as TOML
  std::vector<std::string> settings = {};  ///< "network.kind=deep-gated"
};

/// Where the search begins: the kinds, and the values that no list of words shows. A dataset is drawn or loaded, images may be of a
/// folder of their own, a file of weights may hold biases, hard gates have no ε: they have other keys accordingly.
std::vector<Switch> first_switches() {
  const auto all = [](spec::Choices kinds) {
    std::vector<std::string> words;
    for (const spec::Choice& kind : kinds) words.push_back(fmt::format("\"{}\"", kind.name));
    return words;
  };
  return {{"task.kind", all(task::kinds())},
          {"task.path", {"\"\"", "\"FILE.npz\""}, {"task={kind=\"dataset\"}"}},
          {"task.path", {"\"\"", "\"FOLDER\""}, {"task={kind=\"mnist\"}"}},
          {"task.path", {"\"\"", "\"FOLDER\""}, {"task={kind=\"cifar10\"}"}},
          {"network.kind", all(net::kinds())},
          {"network.init.law", {"\"xavier-normal\"", "\"file\""}, {"network.bias=learned"}},
          {"network.gate_shape", {"\"logistic\"", "\"Phi(q)\""}, {"network.kind=deep-gated"}},
          {"network.beta", {"1", "2", "3", "inf"}, {"network.kind=deep-gated"}},
          {"dynamics.kind", all(dynamics_kinds())}};
}

/// The keys of a spec that says no more than these settings and what they need; none where they do not go together.
std::vector<spec::KeyInfo> keys_with(const std::vector<std::string>& settings) {
  const auto read = [&](const std::string& needed) -> std::optional<std::vector<spec::KeyInfo>> {
    spec::Document document = spec::Document::from_text(
        "[task]\nkind = \"nlgp\"\n[network]\nkind = \"two-layer\"\n[dynamics]\nkind = \"sgd\"\n", "spec");
    try {
      for (const std::string& setting : settings) document.set(setting);
      if (!needed.empty()) document.set(needed);
      if (needed.starts_with("task.inputs")) document.set("task.network={kind=\"two-layer\"}");
      Experiment experiment;
      document.read([&](spec::Keys& keys) { experiment.describe(keys); });
      return keys_of(experiment);
    } catch (const InputError&) {
      return std::nullopt;
    }
  };
  const std::string last = settings.empty() ? "" : settings.back();
  const std::string section = last.substr(0, last.rfind('.', last.find('=')) + 1);
  for (const std::string& needed :
       {std::string(), std::string("task.from={kind=\"nlgp\"}"), std::string("task.inputs={kind=\"nlgp\"}"),
        fmt::format("{}path={}", section, kGiven), fmt::format("{}={}", kChannels, kGivenChannels)})
    if (auto keys = read(needed)) return *keys;
  return {};
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
  for (std::size_t i = 0; i < brings.size(); ++i) (brings[i] ? having : lacking).push_back(each.choices[i]);
  if (lacking.empty()) return "";
  return having.size() <= lacking.size() + 1
             ? fmt::format("{} = {}", each.key, fmt::join(having, ", "))
             : fmt::format("{} other than {}", each.key, fmt::join(lacking, ", "));
}

/// A key that two kinds have takes the words of both (the laws of an init differ from family to family).
void take_words(spec::KeyInfo& known, const spec::KeyInfo& other) {
  const std::string before = spec::list_of_words(known.words);
  for (const std::string& word : other.words)
    if (std::ranges::find(known.words, word) == known.words.end()) known.words.push_back(word);
  if (const std::size_t at = known.expected.find(before); at != std::string::npos && !before.empty())
    known.expected.replace(at, before.size(), spec::list_of_words(known.words));
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
                                       "start.",
                                       "sweep."};
  const std::string section = listed.key.path.substr(0, listed.key.path.rfind('.') + 1);
  return std::find(order.begin(), order.end(), section) - order.begin();
}

std::string last_part_of(const std::string& path) { return path.substr(path.rfind('.') + 1); }

}  // namespace

std::vector<std::string> keys_ending_in(const std::string& word) {
  std::vector<std::string> alike, ends;
  static const std::vector<ListedKey> keys = all_keys();  // thousands of specs are read to list them
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
  std::vector<Switch> queue = first_switches();
  std::set<std::pair<std::string, std::vector<std::string>>>
      seen;  // a key with other words is another switch
  for (std::size_t next = 0; next < queue.size(); ++next) {
    Switch each = std::exchange(queue[next], {});
    std::vector<std::vector<spec::KeyInfo>> keys;  // of each choice
    for (const std::string& choice : std::exchange(each.choices, {})) {
      std::vector<std::string> settings = each.settings;
      settings.push_back(fmt::format("{}={}", each.key, choice));
      keys.push_back(keys_with(settings));
      if (keys.back().empty()) {  // it wants other settings
        keys.pop_back();
        continue;
      }
      each.choices.push_back(choice);
      for (const spec::KeyInfo& key : keys.back()) {
        const bool one_word = key.value.starts_with('"') && key.words.size() > 1;
        if (!one_word || key.required || listed_elsewhere(key.path) ||
            !seen.insert({key.path, key.words}).second)
          continue;
        Switch found{key.path, {}, settings};
        for (const std::string& word : key.words) found.choices.push_back(fmt::format("\"{}\"", word));
        queue.push_back(std::move(found));
      }
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
          listed.push_back({.key = key,
                            .default_by = key.path == "dynamics.rate" ? "kind and network" : "",
                            .only_when = when});
          listed.back().key.required |= stands_for_given(key);
          continue;
        }
        take_words(known->key, key);
        if (known->only_when.empty())
          known->only_when = when;
        else if (known->only_when.starts_with(each.key + " = ") && when.starts_with(each.key + " = "))
          for (std::size_t i = 0; i < brings.size(); ++i)  // the same key of two kinds
            if (brings[i] && known->only_when.find(each.choices[i]) == std::string::npos)
              known->only_when += ", " + each.choices[i];
      }
    }
  }
  std::stable_sort(listed.begin(), listed.end(),
                   [](const ListedKey& a, const ListedKey& b) { return rank(a) < rank(b); });
  return listed;
}

std::vector<ListedKey> keys_of_part(const std::string& part) {
  std::vector<ListedKey> keys = all_keys();
  if (part.empty()) return keys;
  std::set<std::string> known;  // what could have been meant
  for (const ListedKey& listed : keys)
    for (std::size_t end = 0; end != std::string::npos;)
      known.insert(listed.key.path.substr(0, end = listed.key.path.find('.', end + 1)));
  std::erase_if(keys, [&](const ListedKey& listed) {
    const std::string& path = listed.key.path;
    const bool last_word = part.find('.') == std::string::npos && path.ends_with("." + part);
    return path != part && !path.starts_with(part + ".") && !last_word;
  });
  if (keys.empty())
    throw InputError(fmt::format("keys {}: no such key{}", part,
                                 spec::hint(part, std::vector<std::string>(known.begin(), known.end()))));
  return keys;
}

file::Json to_json(const std::vector<ListedKey>& keys) {
  file::Json all = file::Json::array();
  for (const ListedKey& listed : keys) {
    file::Json words = file::Json::array();
    for (const std::string& word : listed.key.words) words.push_back(word);
    all.push_back(file::Json{
        {"key", listed.key.path},
        {"required", listed.key.required},
        {"default",
         listed.key.required || !listed.default_by.empty() ? file::Json() : file::Json(listed.key.value)},
        {"expected", listed.key.expected},
        {"words", words},
        {"meaning", listed.key.meaning},
        {"only_when", listed.only_when}});
  }
  return all;
}

}  // namespace sluice::lab
