#include "sluice/record/metrics.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <vector>

#include "sluice/math/quantile.hpp"

namespace sluice::record {
namespace {

std::string cell(double value) { return std::isnan(value) ? "nan" : fmt::format("{}", value); }
std::string cell(std::int64_t value) { return std::to_string(value); }

void add_scalar(const std::string& name, const file::Array& array, std::vector<MetricsColumn>& columns) {
  MetricsColumn column{name, {}};
  std::visit(
      [&](const auto& values) {
        for (const auto value : values) column.cells.push_back(cell(value));
      },
      array.data);
  columns.push_back(std::move(column));
}

void add_quartiles(const std::string& name, const file::Array& array, std::vector<MetricsColumn>& columns) {
  const auto units = static_cast<std::ptrdiff_t>(array.shape[1]);
  struct Quartile {
    const char* suffix;
    double p;
  };
  for (const Quartile& quartile : {Quartile{"median", 0.5}, Quartile{"q25", 0.25}, Quartile{"q75", 0.75}}) {
    MetricsColumn column{fmt::format("{}_{}", name, quartile.suffix), {}};
    std::visit(
        [&](const auto& values) {
          for (auto row = values.begin(); row != values.end(); row += units) {
            column.cells.push_back(cell(math::quantile(std::vector(row, row + units), quartile.p)));
          }
        },
        array.data);
    columns.push_back(std::move(column));
  }
}

void add_each(const std::string& name, const file::Array& array, std::vector<MetricsColumn>& columns) {
  const auto width = static_cast<std::size_t>(array.shape[1]);
  std::visit(
      [&](const auto& values) {
        for (std::size_t i = 0; i < width; ++i) {
          MetricsColumn column{fmt::format("{}_{}", name, i + 1), {}};
          for (std::size_t at = i; at < values.size(); at += width) column.cells.push_back(cell(values[at]));
          columns.push_back(std::move(column));
        }
      },
      array.data);
}

}  // namespace

std::vector<MetricsColumn> metrics_columns(const file::NamedArrays& arrays, const ArrayAxes& axes) {
  using Axes = std::vector<std::string>;
  std::vector<MetricsColumn> columns;
  for (const auto& [name, array] : arrays) {
    const auto found = axes.find(name);
    if (found == axes.end()) continue;
    if (found->second == Axes{"step"}) add_scalar(name, array, columns);
    if (found->second == Axes{"step", "unit"}) add_quartiles(name, array, columns);
    if (found->second == Axes{"step", "layer"}) add_each(name, array, columns);
  }
  return columns;
}

std::string metrics_csv(const file::NamedArrays& arrays, const ArrayAxes& axes) {
  const std::vector<MetricsColumn> columns = metrics_columns(arrays, axes);
  std::vector<std::string> names;
  for (const MetricsColumn& column : columns) names.push_back(column.name);
  std::string text = fmt::format("{}\n", fmt::join(names, ","));
  for (std::size_t row = 0; !columns.empty() && row < columns[0].cells.size(); ++row) {
    std::vector<std::string_view> cells;
    for (const MetricsColumn& column : columns) cells.emplace_back(column.cells[row]);
    text += fmt::format("{}\n", fmt::join(cells, ","));
  }
  return text;
}

}  // namespace sluice::record
