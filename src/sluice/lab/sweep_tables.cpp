#include "sluice/lab/sweep_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "sluice/file/csv.hpp"
#include "sluice/record/metrics.hpp"

namespace sluice::lab {

using file::csv_cell;

/// The kinds of number that some run has, in their order.
std::vector<const record::NumberKind*> kinds_in(const std::vector<Recorded>& runs, bool in_tables) {
  std::vector<const record::NumberKind*> kinds;
  for (const record::NumberKind& kind : record::number_kinds()) {
    const bool somewhere = std::ranges::any_of(
        runs, [&](const Recorded& run) { return run.recording.summary.find(kind.key).has_value(); });
    const bool twice = in_tables && std::ranges::all_of(runs, [&](const Recorded& run) {
                         return run.recording.summary.repeats(kind);
                       });
    if (somewhere && !twice && (kind.in_tables || !in_tables) && kind.style != record::Style::count)
      kinds.push_back(&kind);
  }
  return kinds;
}

std::string summary_csv(const std::vector<Recorded>& runs) {
  const std::vector<const record::NumberKind*> kinds = kinds_in(runs, false);
  std::string csv;
  for (const Setting& setting : runs.front().settings) csv += csv_cell(setting.name) + ",";
  for (std::size_t i = 0; i < kinds.size(); ++i) csv += fmt::format("{}{}", i > 0 ? "," : "", kinds[i]->key);
  csv += "\n";
  for (const Recorded& run : runs) {
    for (const Setting& setting : run.settings) csv += csv_cell(setting.value) + ",";
    for (std::size_t i = 0; i < kinds.size(); ++i) {
      const std::optional<double> value = run.recording.summary.find(kinds[i]->key);
      csv += fmt::format("{}{}", i > 0 ? "," : "", value ? fmt::format("{}", *value) : "");
    }
    csv += "\n";
  }
  return csv;
}

std::string sweep_csv(const std::vector<Recorded>& runs) {
  std::vector<std::vector<record::MetricsColumn>> metrics;
  std::vector<std::string> names;  // in the order in which runs have them first
  for (const Recorded& run : runs) {
    metrics.push_back(record::metrics_columns(run.arrays(), run.recording.axes));
    for (const record::MetricsColumn& column : metrics.back())
      if (std::ranges::find(names, column.name) == names.end()) names.push_back(column.name);
  }
  std::string csv = "run";
  for (const Setting& setting : runs.front().settings) csv += "," + csv_cell(setting.name);
  for (const std::string& name : names) csv += "," + csv_cell(name);
  csv += "\n";
  for (std::size_t i = 0; i < runs.size(); ++i) {
    std::string prefix = csv_cell(runs[i].recording.folder.filename().string());
    for (const Setting& setting : runs[i].settings) prefix += "," + csv_cell(setting.value);
    std::vector<const record::MetricsColumn*> columns;
    for (const std::string& name : names) {
      const auto found = std::ranges::find(metrics[i], name, &record::MetricsColumn::name);
      columns.push_back(found == metrics[i].end() ? nullptr : &*found);
    }
    const std::size_t rows = metrics[i].empty() ? 0 : metrics[i].front().cells.size();
    for (std::size_t row = 0; row < rows; ++row) {
      csv += prefix;
      for (const record::MetricsColumn* column : columns)
        csv += column == nullptr ? "," : "," + column->cells[row];
      csv += "\n";
    }
  }
  return csv;
}

}  // namespace sluice::lab
