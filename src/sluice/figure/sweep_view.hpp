/// Recipes of a sweep: numbers over two of its axes, and curves over seeds.
#pragma once

#include <string>
#include <vector>

#include "sluice/figure/figure.hpp"
#include "sluice/figure/run_view.hpp"

namespace sluice::figure {

/// Numbers over two axes of a sweep, whatever their spacing: one cell per point.
struct PhaseView {
  std::string title;
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

/// One condition of a sweep, run with several seeds.
struct SeedsView {
  std::string label;  ///< "gain = 3"; empty: there is but one
  std::vector<RunView> runs{};
};

/// Mean IPR, loss and accuracy over training: mean over seeds (line) and one standard deviation to both sides (band). At
/// most seven conditions, which must have been probed at the same steps in all their runs.
Figure seeds(const std::vector<SeedsView>& conditions);

}  // namespace sluice::figure
