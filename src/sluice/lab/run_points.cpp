#include "sluice/lab/run_points.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "sluice/file/atomic_file.hpp"
#include "sluice/file/errors.hpp"
#include "sluice/file/json.hpp"
#include "sluice/file/system.hpp"
#include "sluice/lab/run_index.hpp"

namespace sluice::lab {
namespace fs = std::filesystem;
namespace {

const file::Cell* find_cell(const RunRow& row, const std::string& column) {
  const auto at = std::ranges::find(row, column, &RunRow::value_type::first);
  return at == row.end() || file::is_absent(at->second) ? nullptr : &at->second;
}

/// As somebody would type it: "[2,1]" for [2.0, 1.0], 1e30 for 1e+30.
std::string typed(const file::Cell& cell) {
  std::string text = file::to_text(cell);
  if (std::holds_alternative<std::string>(cell) && !text.starts_with('[')) return text;
  std::erase_if(text, [](char c) { return c == ' ' || c == '+'; });
  for (const std::string_view end : {",", "]"}) {
    const std::string whole = ".0" + std::string(end);
    for (std::size_t at = text.find(whole); at != std::string::npos; at = text.find(whole, at))
      text.replace(at, whole.size(), end);
  }
  return text;
}

/// Keys of an experiment, not words for people; samples of another seed are a repetition as a start of another is.
bool tells_apart(const std::string& key) { return key == "seed" || key.find('.') != std::string::npos; }

/// Gives every run as its settings the keys in which they differ. A key that only some have and all of these alike goes with what makes
/// them have it.
void tell_points_apart(RunPoints& points) {
  std::map<std::string, std::set<std::string>> values;
  for (const RunPoint& run : points.runs)
    for (const auto& [name, cell] : run.row)
      if (tells_apart(name) && !file::is_absent(cell)) values[name].insert(typed(cell));
  std::vector<std::string> keys = points.columns.keys();
  std::erase_if(keys, [&](const std::string& key) { return values[key].size() < 2; });
  for (RunPoint& run : points.runs)
    for (const std::string& key : keys)
      run.settings.push_back({points.columns.short_name(key), run.text(key)});
}

/// The runs of a sweep as its plan has them; others that lie there are not of it.
void follow_plan(std::vector<RunPoint>& runs, const fs::path& sweep, const std::vector<PlannedPoint>& plan) {
  std::map<fs::path, RunPoint> found;
  for (RunPoint& run : runs) found.emplace(run.folder, std::move(run));
  runs.clear();
  for (const PlannedPoint& point : plan) {
    const auto at = found.find(file::normal_path(sweep / point.folder));
    if (at == found.end()) continue;
    runs.push_back(std::move(at->second));
    runs.back().settings = point.settings;
  }
}

/// What run.json says that loss was measured on.
record::Evaluated evaluated_on(const fs::path& run) {
  const std::optional<file::Json> json = file::json_in(run / "run.json", file::kMostText);
  return record::evaluated_from(json ? json->text_at("evaluated_on") : "")  // an unfinished run says nothing
      .value_or(record::Evaluated::new_samples);
}

/// The runs below a folder, and what in it could not be looked into: "seed=1: Permission denied".
struct Below {
  std::vector<RunPoint> runs;
  std::vector<std::string> unreadable;
};

Below rows_below(const fs::path& folder, const std::string& where) {
  RunIndex index(folder);
  Below below{.unreadable = index.unreadable()};
  if (index.size() == 0) return below;
  RunTable table = index.select({.where = where});
  for (std::vector<file::Cell>& cells : table.rows) {
    RunPoint& run = below.runs.emplace_back();
    for (std::size_t i = 0; i < cells.size(); ++i)
      run.row.emplace_back(table.columns[i], std::move(cells[i]));
    const fs::path path = file::normal_path(folder / run.text("path"));
    run.folder = path.has_filename() ? path : path.parent_path();
  }
  return below;
}

/// A figure of some points is not one of the sweep.
void require_points_readable(const fs::path& sweep, const Below& below,
                             const std::vector<PlannedPoint>& plan) {
  for (const std::string& each : below.unreadable)
    for (const PlannedPoint& point : plan)
      if (each.starts_with(point.folder + ": ")) throw InputError((sweep / each).string());
}

RunColumns columns_of(const std::vector<RunPoint>& runs) {
  std::vector<std::string> names;
  std::set<std::string> known;
  for (const RunPoint& run : runs)
    for (const auto& [name, cell] : run.row)
      if (!file::is_absent(cell) && known.insert(name).second) names.push_back(name);
  return RunColumns(std::move(names));
}

/// The numbers of a list, or one; nothing of a word.
std::optional<std::vector<double>> numbers_in(std::string text) {
  if (text.starts_with('[') && text.ends_with(']')) text = text.substr(1, text.size() - 2);
  std::vector<double> numbers;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    std::string part = text.substr(at, end - at);
    std::erase(part, ' ');
    const std::optional<double> number = number_in(part);
    if (!number) return std::nullopt;
    numbers.push_back(*number);
    at = end + 1;
  }
  return numbers;
}

}  // namespace

std::string RunPoint::text(const std::string& name) const {
  const auto set = std::ranges::find(settings, name, &Setting::name);
  if (set != settings.end()) return set->value;
  const file::Cell* cell = find_cell(row, name);
  return cell == nullptr ? kNoValue : typed(*cell);
}

std::optional<double> RunPoint::number(const std::string& column) const {
  const file::Cell* cell = find_cell(row, column);
  const std::optional<double> number = cell == nullptr ? std::nullopt : file::number_in(*cell);
  return number && std::isfinite(*number) ? number : std::nullopt;
}

std::vector<Settings> RunPoints::settings() const {
  std::vector<Settings> all;
  for (const RunPoint& run : runs) all.push_back(run.settings);
  return all;
}

std::string RunPoints::meant(const std::string& word) const {
  std::vector<std::string> set;
  for (const Setting& setting : runs.front().settings) set.push_back(setting.name);
  if (std::ranges::find(set, word) != set.end()) return word;
  std::string column = columns.require(word);
  for (const std::string& name : set)
    if (!name.empty() && column.ends_with("." + name)) return name;
  return column;
}

bool RunPoints::is_key(const std::string& name) const {
  const std::vector<std::string> keys = columns.keys();
  return std::ranges::find(keys, name) != keys.end() ||
         std::ranges::find(runs.front().settings, name, &Setting::name) != runs.front().settings.end();
}

std::string RunPoints::whole_name(const std::string& name) const {
  const std::string column = columns.find(name).column;
  return column.empty() ? name : column;
}

std::string RunPoints::short_name(const std::string& name) const {
  return columns.holds(name) ? columns.short_name(name) : name;
}

std::vector<std::string> RunPoints::values(const std::string& name) const {
  std::vector<std::string> values;
  std::set<std::string> known{kNoValue};
  for (const RunPoint& run : runs)
    if (const std::string value = run.text(name); known.insert(value).second) values.push_back(value);
  const bool ordered =
      std::ranges::all_of(values, [](const std::string& value) { return numbers_in(value).has_value(); });
  if (ordered)
    std::ranges::stable_sort(values, {}, [](const std::string& value) { return *numbers_in(value); });
  return values;
}

RunPoints read_points(const Sources& folders, const std::string& where,
                      const std::vector<std::string>& names) {
  RunPoints points;
  const std::vector<std::string> called = distinct_names(folders);
  std::vector<std::string> folder_of_run, unreadable;
  bool planned = true;
  for (std::size_t i = 0; i < folders.size(); ++i) {
    Below below = rows_below(folders[i], where);
    std::vector<RunPoint>& runs = below.runs;
    const std::vector<PlannedPoint> plan = planned_points(folders[i]);
    require_points_readable(folders[i], below, plan);
    for (const std::string& each : below.unreadable) unreadable.push_back((folders[i] / each).string());
    if (!plan.empty()) follow_plan(runs, folders[i], plan);
    planned = planned && !plan.empty();
    for (RunPoint& run : runs) {
      folder_of_run.push_back(called[i]);
      points.runs.push_back(std::move(run));
    }
  }
  points.columns = columns_of(points.runs);
  if (!planned) {
    for (RunPoint& run : points.runs) run.settings.clear();
    tell_points_apart(points);
  }
  if (folders.size() > 1)
    for (std::size_t i = 0; i < points.runs.size(); ++i)
      points.runs[i].settings.insert(points.runs[i].settings.begin(), {"", folder_of_run[i]});
  if (points.runs.empty())
    throw InputError(!unreadable.empty() ? unreadable.front()
                     : where.empty()
                         ? fmt::format("{}: no runs below it", folders.front().string())
                         : fmt::format("{}: no run for which {}", folders.front().string(), where));
  keep_chosen(points.runs, names, [](const RunPoint& run) { return run.folder; });
  points.planned = points.settings();
  points.left_out = leave_out(points.runs, [](const RunPoint& run) { return run.text("status"); });
  for (const std::string& each : unreadable)
    points.left_out += fmt::format("{}{}; it is left out", points.left_out.empty() ? "" : "; ", each);
  if (!points.runs.empty()) points.on = evaluated_on(points.runs.front().folder);
  return points;
}

RunPoints points_of(const std::vector<Recorded>& runs) {
  RunPoints points;
  for (const Recorded& run : runs)
    points.runs.push_back({run.recording.folder, run.settings, row_of(run.recording),
                           run.recording.folder.empty() ? run.recording.spec : ""});
  points.columns = columns_of(points.runs);
  points.planned = points.settings();
  if (!runs.empty()) points.on = runs.front().recording.summary.on;
  return points;
}

}  // namespace sluice::lab
