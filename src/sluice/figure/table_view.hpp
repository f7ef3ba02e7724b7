/// Recipes of a table of numbers: curves over a common x, and maps over a grid.
#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "sluice/figure/color.hpp"
#include "sluice/figure/figure.hpp"

namespace sluice::figure {

/// One curve over the common x of its table.
struct TableCurve {
  std::string name;
  std::vector<double> y;
  std::vector<double> error = {};   ///< standard errors; empty: exact
  bool ranked = true;               ///< may be the lowest where that is marked
  std::vector<double> ideal = {};   ///< what y should be: dashed, in the same colour; empty: not known
  std::optional<Color> color = {};  ///< none: by its place among the others
};

struct LinesView {
  std::string name;  ///< file stem
  std::string title;
  std::string x_label, y_label;
  std::vector<double>
      x;  ///< logarithmic where positive and over more than two decades; inf is a place of its own
  std::vector<TableCurve> curves;
  double most = std::numeric_limits<double>::infinity();  ///< larger y are left out
  bool mark_lowest = false;  ///< the lowest curve at every x is underlaid and named below the title
  bool power_law = false;    ///< y is logarithmic as well, where it is positive
};

/// Numbers over a grid.
struct MapView {
  std::string name;
  std::string title;
  std::string x_label, y_label;
  std::vector<double> x, y;  ///< of the columns and rows of pixels, evenly spaced
  struct Panel {
    std::string name;
    std::vector<double> value;  ///< [x, y]; not finite: white
  };
  std::vector<Panel> panels;  ///< one to three
};

/// Signed numbers in rows and columns, one pixel each.
struct MatrixView {
  std::string name;
  std::string title;
  std::string x_label, y_label;
  std::string value_label;  ///< above the colour bar
  std::size_t columns = 0, rows = 0;
  std::vector<double> values;  ///< [row, column]; row 0 is at the bottom
};

/// Curves in panels that share their x, as many in each: numbers of the same runs.
struct PanelsView {
  std::string name;
  std::string title;
  std::string x_label;
  std::vector<double> x;
  struct Panel {
    std::string y_label;
    std::vector<TableCurve> curves;
    bool adaptive = false;  ///< logarithmic where positive and over more than two decades
  };
  std::vector<Panel> panels;  ///< one to four
};

/// The columns of a table as curves, named at their right ends when there are several. Rows with x = inf stand apart, right
/// of the axis, as discs; curves that lie above `most` are only named. Throws std::invalid_argument when a curve is not as long as x.
Figure table_lines(const LinesView& view);

/// Curves with bands of one standard error to both sides, named at the right ends of the last panel when there are several. Throws
/// std::invalid_argument when a curve is not as long as x, when panels differ in their curves, and for none or more than four of them.
Figure table_panels(const PanelsView& view);

/// Blue below zero, vermilion above. Throws std::invalid_argument when the values do not fill rows and columns.
Figure table_matrix(const MatrixView& view);

/// A heat map of each panel with its own colour bar; logarithmic where positive and over more than two decades.
/// Throws std::invalid_argument when a panel does not fill the grid or there are none or more than three.
Figure table_map(const MapView& view);

}  // namespace sluice::figure
