/// A summary number of the runs of a sweep against one of its keys, runs that differ in the seed alone taken together.
#pragma once

#include <string>
#include <vector>

#include "sluice/figure/figure.hpp"
#include "sluice/lab/recorded.hpp"

namespace sluice::lab {

struct CurveRequest {
  std::string
      x;  ///< a key of the sweep, "task.gain" or "gain"; empty: the first but the seed whose values are numbers
  std::string
      y;  ///< a number of summary.csv, "ipr_mean_end", or how it begins or is called; empty: what the sweep asks about
  enum class Bars { error, deviation, range, none };
  Bars bars = Bars::error;
  enum class Log { automatic, none, x, y, xy };
  Log log = Log::automatic;  ///< x where its values are positive and span more than a decade
};

/// Why there is no such curve of these runs; empty where there is one.
std::string no_curve(const std::vector<Recorded>& runs);

/// Throws InputError, naming what there is, where there is no such key or number.
figure::Figure draw_curve(const std::vector<Recorded>& runs, const CurveRequest& request);

}  // namespace sluice::lab
