#include "sluice/lab/theory_figure.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sluice/figure/table_view.hpp"
#include "sluice/file/errors.hpp"

namespace sluice::lab {
namespace {

std::vector<double> column(const theory::Table& table, std::size_t index) {
  std::vector<double> values;
  for (const auto& row : table.rows) values.push_back(row[index]);
  return values;
}

std::string label(const std::string& given, const std::string& column) {
  return given.empty() ? column : given;
}

figure::Figure curves(const std::string& name, const theory::Table& table) {
  figure::LinesView view{.name = name,
                         .title = table.picture.title,
                         .x_label = label(table.picture.x, table.columns.at(0)),
                         .y_label = label(table.picture.y, table.columns.at(1)),
                         .x = column(table, 0),
                         .curves = {},
                         .most = table.picture.most,
                         .mark_lowest = table.picture.lowest_wins};
  for (std::size_t c = 1; c < table.columns.size(); ++c) {
    if (table.columns[c].starts_with("± "))
      view.curves.back().error = column(table, c);
    else if (table.columns[c].starts_with("ideal "))
      view.curves.back().ideal = column(table, c);
    else
      view.curves.push_back({.name = table.columns[c],
                             .y = column(table, c),
                             .ranked = table.columns[c] != table.picture.beside});
  }
  return figure::table_lines(view);
}

/// The distinct values in the order of the rows.
std::vector<double> places(const std::vector<double>& values) {
  std::vector<double> distinct;
  for (const double value : values)
    if (std::ranges::find(distinct, value) == distinct.end()) distinct.push_back(value);
  return distinct;
}

figure::Figure map(const std::string& name, const theory::Table& table) {
  figure::MapView view{.name = name,
                       .title = table.picture.title,
                       .x_label = label(table.picture.x, table.columns.at(0)),
                       .y_label = label(table.picture.y, table.columns.at(1)),
                       .x = places(column(table, 0)),
                       .y = places(column(table, 1)),
                       .panels = {}};
  for (std::size_t c = 2; c < table.columns.size(); ++c)
    view.panels.push_back({table.columns[c], column(table, c)});
  return figure::table_map(view);
}

}  // namespace

figure::Figure theory_figure(const std::string& quantity, const theory::Table& table) {
  switch (table.picture.kind) {
    case theory::Picture::Kind::curves:
      return curves(quantity, table);
    case theory::Picture::Kind::map:
      return map(quantity, table);
    case theory::Picture::Kind::none:
      break;
  }
  throw InputError(fmt::format("{}: has no picture; choose --out FILE.txt, .csv, .json or .npy", quantity));
}

}  // namespace sluice::lab
