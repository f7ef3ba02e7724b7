/// A number of runs against one of their columns. Runs that differ in the seed alone are one dot; further keys in which they differ make
/// lines. Where x is a number of the runs, too, dots stand at their means, and of each kind of runs the key with most values runs along
/// the line.
#pragma once

#include <string>
#include <vector>

#include "sluice/figure/figure.hpp"
#include "sluice/lab/run_points.hpp"

namespace sluice::lab {

struct CurveRequest {
  std::string
      x;  ///< a column, "task.gain" or "gain"; empty: the first key but the seed in which runs differ and whose values are numbers
  std::string y;  ///< a column of numbers; empty: what the runs ask about
  enum class Bars { error, deviation, range, none };
  Bars bars = Bars::error;
  enum class Log { automatic, none, x, y, xy };
  Log log = Log::automatic;                  ///< x where its values are positive and span more than a decade
  std::vector<std::string> boundaries = {};  ///< names of theory::gain_boundaries(), where x is the gain
};

/// Why there is no such curve of these runs; empty where there is one.
std::string no_curve(const RunPoints& points, const CurveRequest& request = {});

/// Throws InputError, naming what is near or what there is, where there is no such column; where x has one value, or a boundary is not
/// known for these runs.
figure::Figure draw_curve(const RunPoints& points, const CurveRequest& request);

}  // namespace sluice::lab
