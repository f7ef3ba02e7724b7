#include "sluice/lab/theory_figure.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sluice/figure/field_panel_view.hpp"
#include "sluice/figure/table_view.hpp"
#include "sluice/file/errors.hpp"
#include "sluice/theory/field_panel.hpp"
#include "sluice/theory/localized.hpp"

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
  for (std::size_t c = 1; c < std::min(table.columns.size(), table.picture.drawn); ++c) {
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

figure::Figure matrix(const std::string& name, const theory::Table& table) {
  figure::MatrixView view{.name = name,
                          .title = table.picture.title,
                          .x_label = label(table.picture.x, table.columns.at(0)),
                          .y_label = table.picture.y,
                          .value_label = table.picture.value,
                          .columns = table.rows.size(),
                          .rows = table.columns.size() - 1,
                          .values = {}};
  for (std::size_t c = 1; c < table.columns.size(); ++c)
    for (const double value : column(table, c)) view.values.push_back(value);
  return figure::table_matrix(view);
}

/// Examples of one size, with the shares of the table's rows. On 40 sites n/40 is 1, and those kinds would stand there twice.
figure::FieldPanelView::Section section(const theory::Table& table, std::span<const theory::PanelKind> panel,
                                        std::int64_t n, bool torus) {
  constexpr std::uint32_t kExamples = 5;
  const std::int64_t side = torus ? n : 0;
  const theory::Localization criterion(torus ? n * n : n, side);
  figure::FieldPanelView::Section section{
      torus ? fmt::format("Torus of {} × {} sites", n, n) : fmt::format("Ring of {} sites", n),
      static_cast<std::size_t>(side),
      {}};
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    const std::vector<double>& row = table.rows[r];
    const auto kind = std::ranges::find(panel, table.labels[r], &theory::PanelKind::name);
    if ((row[0] == 1) != torus || row[1] != static_cast<double>(n) || kind == panel.end() ||
        kind->name.ends_with("n/40"))
      continue;
    section.kinds.push_back({kind->name, kind->counts, row[3], row[4], {}});
    for (std::uint32_t i = 0; i < kExamples; ++i) {
      const std::vector<float> field = theory::panel_field(*kind, n, i);
      section.kinds.back().examples.push_back({field, criterion.localized(field)});
    }
  }
  return section;
}

figure::Figure fields(const std::string& name, const theory::Table& table) {
  return figure::field_panel({.name = name,
                              .sections = {section(table, theory::ring_panel(), 40, false),
                                           section(table, theory::torus_panel(), 16, true)}});
}

}  // namespace

figure::Figure theory_figure(const std::string& quantity, const theory::Table& table) {
  switch (table.picture.kind) {
    case theory::Picture::Kind::curves:
      return curves(quantity, table);
    case theory::Picture::Kind::map:
      return map(quantity, table);
    case theory::Picture::Kind::matrix:
      return matrix(quantity, table);
    case theory::Picture::Kind::fields:
      return fields(quantity, table);
    case theory::Picture::Kind::none:
      break;
  }
  throw InputError(
      fmt::format("{}: has no picture; choose a file ending in .txt, .csv, .json or .npy", quantity));
}

}  // namespace sluice::lab
