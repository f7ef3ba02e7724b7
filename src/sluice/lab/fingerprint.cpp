#include "sluice/lab/fingerprint.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <sstream>
#include <unordered_map>
#include <utility>

#include "sluice/file/errors.hpp"
#include "sluice/record/checkpoint.hpp"
#include "sluice/spec/document.hpp"

namespace sluice::lab {
namespace {

bool changes_bits(const std::string& path) {
  constexpr std::array<std::string_view, 5> kSections{"task.", "network.", "dynamics.", "probe.", "start."};
  return path == "seed" || path == "sample_seed" ||
         std::ranges::any_of(kSections, [&](std::string_view name) { return path.starts_with(name); });
}

/// Files are known by what stands in them: a task's by its checksum, a start's by the copy that the run folder keeps.
bool is_checked_path(const std::string& path, const std::vector<spec::KeyInfo>& keys) {
  if (!path.ends_with("path")) return false;
  if (path.starts_with("network.")) return true;
  return std::ranges::any_of(keys, [](const spec::KeyInfo& key) {
    return key.path.starts_with("task.") && key.path.ends_with("checksum") && key.value != "\"\"";
  });
}

/// Once the default of every spec, and left out of the fingerprints of folders that are there; the default of today is written out.
constexpr std::string_view kRate = "dynamics.rate";
constexpr std::string_view kRateBefore = "0.01";

/// The keys of a spec that says no more than these.
std::vector<spec::KeyInfo> keys_saying(const std::vector<spec::KeyInfo>& said) {
  std::string text;
  for (const spec::KeyInfo& key : said) text += fmt::format("{} = {}\n", key.path, key.value);
  return keys_of(parse_spec(text, "spec"));
}

/// Every key's default, that is what it is when a spec says all the others. Words decide which keys there are, so they are left out one
/// by one; numbers, all at once, but for those that a number decides on. A key without a default is not listed: a spec has to say it.
std::map<std::string, std::string> defaults_of(const std::vector<spec::KeyInfo>& keys) {
  const auto is_word = [](const spec::KeyInfo& key) { return key.value.starts_with('"'); };
  std::map<std::string, std::string> defaults;
  std::vector<spec::KeyInfo> words;
  std::ranges::copy_if(keys, std::back_inserter(words), is_word);
  try {
    for (const spec::KeyInfo& key : keys_saying(words)) defaults[key.path] = key.value;
  } catch (const InputError&) {
    // Words that only some numbers allow: then every key by itself.
  }
  for (const spec::KeyInfo& key : keys) {
    if (!is_word(key) && defaults.contains(key.path)) continue;
    std::vector<spec::KeyInfo> others;
    std::ranges::copy_if(keys, std::back_inserter(others),
                         [&](const spec::KeyInfo& other) { return other.path != key.path; });
    defaults.erase(key.path);
    try {
      for (const spec::KeyInfo& other : keys_saying(others))
        if (other.path == key.path) defaults[key.path] = other.value;
    } catch (const InputError&) {
      // A kind, or a key that others need.
    }
  }
  return defaults;
}

using Defaults = std::map<std::string, std::string>;

/// The same, remembered: of the points of a sweep most differ in their seeds alone, on which no default depends; all are asked for twice,
/// when they are planned and when they run; and nearly all have the same ones, which are then kept once.
std::shared_ptr<const Defaults> known_defaults_of(const std::vector<spec::KeyInfo>& keys) {
  constexpr std::size_t kMost = 20'000;
  static std::mutex mutex;
  static std::unordered_map<std::string, std::shared_ptr<const Defaults>> known;
  static std::shared_ptr<const Defaults> last;
  std::string said;
  for (const spec::KeyInfo& key : keys)
    if (!key.path.ends_with("seed")) said += fmt::format("{} = {}\n", key.path, key.value);
  {
    const std::lock_guard guard(mutex);
    if (const auto found = known.find(said); found != known.end()) return found->second;
  }
  auto defaults = std::make_shared<const Defaults>(defaults_of(keys));
  const std::lock_guard guard(mutex);
  if (known.size() >= kMost) known.clear();
  if (last == nullptr || *last != *defaults) last = std::move(defaults);
  return known[said] = last;
}

std::string hash_text(std::string_view text) {
  return fmt::format("{:016x}", static_cast<std::uint64_t>(record::fingerprint(text)));
}

/// As version 0.1.0 looked at a spec: line by line, without comments.
std::string lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    line.resize(std::min(line.find("  #"), line.size()));
    line.resize(line.find_last_not_of(' ') + 1);
    lines.push_back(line);
  }
  return fmt::format("{}", fmt::join(lines, "\n"));
}

constexpr std::string_view kPrefix = "2-";

}  // namespace

std::vector<std::string> chosen_keys(const Experiment& experiment) {
  std::vector<spec::KeyInfo> keys = keys_of(experiment);
  std::erase_if(keys, [](const spec::KeyInfo& key) { return !changes_bits(key.path); });
  const std::shared_ptr<const Defaults> defaults = known_defaults_of(keys);
  std::vector<std::string> chosen;
  for (const spec::KeyInfo& key : keys) {
    if (is_checked_path(key.path, keys)) continue;
    if (key.path == kRate) {
      if (key.value != kRateBefore) chosen.push_back(fmt::format("{} = {}", key.path, key.value));
      continue;
    }
    const auto usual = defaults->find(key.path);
    if (usual == defaults->end() || usual->second != key.value)
      chosen.push_back(fmt::format("{} = {}", key.path, key.value));
  }
  return chosen;
}

std::optional<Difference> first_difference(const Experiment& before, const Experiment& now) {
  const std::vector<spec::KeyInfo> old_keys = keys_of(before);
  const std::vector<spec::KeyInfo> new_keys = keys_of(now);
  const auto said = [](const std::vector<spec::KeyInfo>& keys, const std::string& path) {
    const auto key = std::ranges::find(keys, path, &spec::KeyInfo::path);
    return key == keys.end() ? std::string("nothing") : fmt::format("{} = {}", key->path, key->value);
  };
  const std::vector<std::string> old_chosen = chosen_keys(before);
  const std::vector<std::string> new_chosen = chosen_keys(now);
  for (const auto* keys : {&new_keys, &old_keys}) {
    for (const spec::KeyInfo& key : *keys) {
      const std::string text = fmt::format("{} = {}", key.path, key.value);
      const bool in_old = std::ranges::find(old_chosen, text) != old_chosen.end();
      const bool in_new = std::ranges::find(new_chosen, text) != new_chosen.end();
      if (in_old != in_new) return Difference{said(old_keys, key.path), said(new_keys, key.path)};
    }
  }
  return std::nullopt;
}

void require_same_spec(const Experiment& now, const std::string& text, const std::filesystem::path& folder) {
  Experiment begun = parse_spec(text, (folder / "spec.toml").string());
  begun.start_from_kept();
  if (const auto differs = first_difference(begun, now))
    throw InputError(
        fmt::format("{}: it was begun with '{}', not '{}'", folder.string(), differs->before, differs->now));
}

std::string fingerprint(const Experiment& experiment) {
  return std::string(kPrefix) + hash_text(fmt::format("{}", fmt::join(chosen_keys(experiment), "\n")));
}

std::int64_t fingerprint_number(const std::string& fingerprint) {
  const std::size_t digits = fingerprint.starts_with(kPrefix) ? kPrefix.size() : 0;
  return static_cast<std::int64_t>(std::stoull(fingerprint.substr(digits), nullptr, 16));
}

bool made_by(const std::string& recorded, const Experiment& experiment, const std::string& text) {
  return recorded.starts_with(kPrefix) ? recorded == fingerprint(experiment)
                                       : recorded == hash_text(lines_of(text));
}

bool made_by(std::int64_t number, const Experiment& experiment, const std::string& text) {
  const std::string digits = fmt::format("{:016x}", static_cast<std::uint64_t>(number));
  return made_by(std::string(kPrefix) + digits, experiment, text) || made_by(digits, experiment, text);
}

}  // namespace sluice::lab
