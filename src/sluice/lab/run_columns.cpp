#include "sluice/lab/run_columns.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "sluice/file/errors.hpp"
#include "sluice/lab/run_row.hpp"
#include "sluice/spec/suggest.hpp"

namespace sluice::lab {
namespace {

bool is_common(std::string_view name) {
  return std::ranges::find(common_columns(), name) != common_columns().end();
}
bool is_number(std::string_view name) {
  const auto kinds = record::number_kinds();
  return std::ranges::find(kinds, name, &record::NumberKind::key) != kinds.end();
}

/// Sections in the order of a spec; a key without one comes first, those of a later version last.
std::ptrdiff_t section_of(const std::string& key) {
  constexpr std::array<std::string_view, 6> kSections{"task",  "network", "dynamics",
                                                      "probe", "record",  "start"};
  const std::size_t dot = key.find('.');
  if (dot == std::string::npos) return -1;
  return std::ranges::find(kSections, std::string_view(key).substr(0, dot)) - kSections.begin();
}

std::string last_word(const std::string& name) { return name.substr(name.rfind('.') + 1); }

/// "localized" of "localized_share".
std::string stem(std::string word) {
  for (const std::string_view ending : {"_end", "_share"})
    if (word.ends_with(ending)) word.resize(word.size() - ending.size());
  return word;
}

}  // namespace

RunColumns::RunColumns(std::vector<std::string> names) {
  std::vector<std::string> keys;
  for (std::string& name : names)
    if (!is_common(name) && !is_number(name)) keys.push_back(std::move(name));
  std::ranges::stable_sort(keys, {}, section_of);
  names_.assign(common_columns().begin(), common_columns().end());
  names_.insert(names_.end(), keys.begin(), keys.end());
  for (const record::NumberKind& kind : record::number_kinds()) {
    if (std::ranges::find(names, kind.key) == names.end()) continue;
    names_.emplace_back(kind.key);
    numbers_.push_back(&kind);
  }
}

bool RunColumns::holds(std::string_view name) const {
  return std::ranges::find(names_, name) != names_.end();
}

std::vector<std::string> RunColumns::keys() const {
  std::vector<std::string> keys;
  for (const std::string& name : names_)
    if (!is_common(name) && !is_number(name)) keys.push_back(name);
  return keys;
}

const record::NumberKind* RunColumns::number(std::string_view name) const {
  const auto found = std::ranges::find(numbers_, name, &record::NumberKind::key);
  return found == numbers_.end() ? nullptr : *found;
}

std::vector<std::string> RunColumns::ending_in(const std::string& word) const {
  std::vector<std::string> found;
  for (const std::string& name : names_)
    if (name.ends_with("." + word)) found.push_back(name);
  return found;
}

RunColumns::Meant RunColumns::find(const std::string& word) const {
  if (holds(word)) return {word, ""};
  const std::vector<std::string> ending = ending_in(word);
  if (ending.size() == 1) return {ending.front(), ""};
  if (ending.size() > 1)
    return {"", fmt::format("'{}' is more than one column: {}", word, fmt::join(ending, ", "))};
  if (const record::NumberKind* kind = record::meant_by(word, numbers_)) return {std::string(kind->key), ""};
  std::vector<std::string> known = names_;
  if (word.find('.') == std::string::npos) std::ranges::transform(known, known.begin(), last_word);
  for (const record::NumberKind* kind : numbers_) known.push_back(stem(std::string(kind->key)));
  const std::optional<std::string> near = spec::nearest(word, known);
  return {"", fmt::format("no column '{}'{}", word,
                          near ? fmt::format("; did you mean '{}'?", *near) : " in any of these runs")};
}

std::string RunColumns::require(const std::string& word) const {
  Meant meant = find(word);
  if (meant.column.empty()) throw InputError(meant.complaint);
  return std::move(meant.column);
}

std::string RunColumns::short_name(const std::string& column) const {
  std::string word = stem(last_word(column));
  return find(word).column == column ? word : column;
}

}  // namespace sluice::lab
