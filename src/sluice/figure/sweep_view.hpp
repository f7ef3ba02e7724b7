/// Recipes of many runs: numbers over one column or two, and curves over seeds.
#pragma once

#include <string>
#include <vector>

#include "sluice/figure/color.hpp"
#include "sluice/figure/figure.hpp"
#include "sluice/figure/run_view.hpp"

namespace sluice::figure {

/// Numbers over two columns of some runs, whatever their spacing: one cell per pair of values.
struct PhaseView {
  std::string title;  ///< how runs became one number, for the caption: "means over seeds"; may be empty
  std::string x_label, y_label;
  std::vector<std::string> x, y;  ///< values as the spec has them, in their order
  struct Panel {
    std::string name;
    int decimals = 2;
    std::vector<double> value{};   ///< [x, y]; not finite: an empty cell
    std::vector<double> spread{};  ///< [x, y], below the value in small type; not finite: none; may be empty
  };
  std::vector<Panel> panels{};  ///< one to three
  /// A line across the cells of every panel.
  struct Boundary {
    std::string label;
    struct Place {
      double x, y;  ///< in cells from the lower left corner: the middle of the first is (½, ½)
    };
    std::vector<Place> places{};  ///< one that is not finite breaks the line
  };
  std::vector<Boundary> boundaries{};
  std::vector<Boundary::Place> dots{};  ///< what was measured between cells, beside a boundary
  std::string note{};                   ///< the end of the caption
};

/// One panel per number: a cell per pair, its colour, its value and its spread, boundaries over them and named above. Throws std::invalid_argument when a panel does not fill
/// the grid or there are none or more than three.
Figure phase_diagram(const PhaseView& view);

/// A number of runs against a key or against another of their numbers.
struct CurveView {
  std::string x_label, y_label;
  struct Place {
    double value;  ///< inf: a place of its own, right of the axis; not used where places are categories
    std::string name;
  };
  std::vector<Place> places{};  ///< the values of the key, in their order
  bool categories = false;      ///< equally far apart: values that are no numbers
  bool measured = false;        ///< x is a number of the runs: ticks are round, nothing steps aside
  bool log_x = false, log_y = false;
  struct Dot {
    std::size_t place;
    double low, mean, high;  ///< low, high: the ends of the bar; equal where there is none
  };
  struct Line {
    std::string label;  ///< "xi = [2,1]"; empty: there is but one
    Color color = category(0);
    std::vector<Dot> dots{};     ///< by place
    std::vector<Dot> singles{};  ///< single runs, faint; low and high not used
  };
  std::vector<Line> lines{};
  /// A dashed line upright across the plot, named above it.
  struct Boundary {
    std::string label;
    double at;
    double error = 0;  ///< a band so wide to both sides
    Color color = ink;
  };
  std::vector<Boundary> boundaries{};
  /// A place on a line that was found between its dots: a ring, and a bar along x.
  struct Crossing {
    double at;
    double error;
    double height;
    Color color = ink;
  };
  std::vector<Crossing> crossings{};
  std::string caption;
};

/// Means as a line through dots with bars, single runs as faint points beside them; lines are named at their right ends. Throws
/// std::invalid_argument when a dot has no place, or a boundary stands among categories.
Figure curve(const CurveView& view);

/// One condition of a sweep, run with several seeds.
struct SeedsView {
  std::string label;  ///< "gain = 3"; empty: there is but one
  std::vector<RunView> runs{};
  Color color = category(0);
};

/// Mean IPR, loss and accuracy over training: mean over seeds (line) and one standard deviation to both sides (band). At
/// most seven conditions, which must have been probed at the same steps in all their runs.
Figure seeds(const std::vector<SeedsView>& conditions);

}  // namespace sluice::figure
