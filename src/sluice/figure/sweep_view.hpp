/// Recipes of a sweep: numbers over one of its axes or two, and curves over seeds.
#pragma once

#include <string>
#include <vector>

#include "sluice/figure/color.hpp"
#include "sluice/figure/figure.hpp"
#include "sluice/figure/run_view.hpp"

namespace sluice::figure {

/// Numbers over two axes of a sweep, whatever their spacing: one cell per point.
struct PhaseView {
  std::string title;  ///< how runs became one number, for the caption: "means over seeds"; may be empty
  std::string x_label, y_label;
  std::vector<std::string> x, y;  ///< values as the spec has them, in the order of the sweep
  struct Panel {
    std::string name;
    int decimals = 2;
    std::vector<double> value{};  ///< [x, y]; not finite: an empty cell
  };
  std::vector<Panel> panels{};  ///< one to three
};

/// One panel per number: a cell per point, its colour and its value. Throws std::invalid_argument when a panel does not fill
/// the grid or there are none or more than three.
Figure phase_diagram(const PhaseView& view);

/// A number at the end of runs against a key of a sweep.
struct CurveView {
  std::string x_label, y_label;
  struct Place {
    double value;  ///< inf: a place of its own, right of the axis; not used where places are categories
    std::string name;
  };
  std::vector<Place> places{};  ///< the values of the key, in their order
  bool categories = false;      ///< equally far apart: values that are no numbers
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
  std::string caption;
};

/// Means as a line through dots with bars, single runs as faint points beside them; lines are named at their right ends. Throws
/// std::invalid_argument when a dot has no place.
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
