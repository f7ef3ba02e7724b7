/// Numbers of runs over two columns: runs that agree in both are a cell, its number their mean.
#pragma once

#include <string>
#include <vector>

#include "sluice/figure/figure.hpp"
#include "sluice/lab/run_points.hpp"

namespace sluice::lab {

struct PhaseRequest {
  std::string x, y;  ///< columns; both empty: the two keys beside seed in which the runs differ
  std::string z;     ///< a column of numbers; empty: IPR, localized share, accuracy, error, three of them
  std::vector<std::string> boundaries = {};  ///< names of theory::gain_boundaries(), where x or y is the gain
};

/// Why there is none; empty where there is one.
std::string no_phase_diagram(const RunPoints& points, const PhaseRequest& request);

/// Throws InputError where there is no such column, it has too many values or too few, or a boundary is not known for these runs.
figure::Figure draw_phase_diagram(const RunPoints& points, const PhaseRequest& request);

/// Where a value lies among those of an axis with a cell each: ½ is the middle of the first. Between two middles it goes with the
/// logarithm where values span more than a decade, and on in the same way for half a cell at both ends; not a number beyond.
double place_among(const std::vector<double>& values, double value);

}  // namespace sluice::lab
