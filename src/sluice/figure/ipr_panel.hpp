/// The panel of IPR over training: one run with all its units, or several runs compared.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sluice/figure/canvas.hpp"
#include "sluice/figure/populations.hpp"
#include "sluice/figure/run_view.hpp"

namespace sluice::figure {

/// The IPR of one run's units over training, copied out of its record.
struct IprHistory {
  std::string label;  ///< empty: the curve needs no name
  Color color = category(0);
  std::int64_t sites = 0;
  std::vector<double> steps;
  struct Group {
    std::string name;  ///< as it stands at the end of its line
    bool localized;    ///< or not, or not known
    Spread spread;
  };
  std::vector<Group> groups;       ///< those that end localized, and the others
  std::vector<double> unit_steps;  ///< thinned: a hundred faint lines of ten thousand points are only ink
  std::vector<std::vector<double>> units;  ///< [unit][time]; empty: draw the population only
};

IprHistory ipr_history(const RunView& run);  ///< with a faint line per unit, for a panel of its own
IprHistory ipr_population(const RunView& run, std::string label,
                          const Color& color);  ///< without, to be compared

/// Mean and quartile band of each run over training steps: of the units that are localized at the end as a full line, of the others
/// dashed, or of all units where they are of one kind. The last `end_labels_mm` to the right of the box
/// hold the names of the curves and of the reference values 1/n (a flat field) and 3/n (independent Gaussian
/// weights), which are drawn when all runs have the same number of sites.
void draw_ipr_panel(Canvas& canvas, const Box& box, std::span<const IprHistory> runs, double end_labels_mm);

}  // namespace sluice::figure
