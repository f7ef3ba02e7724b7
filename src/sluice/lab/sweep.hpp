/// A grid of runs: one folder per point, a table and a page that compare them.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "sluice/lab/report.hpp"
#include "sluice/lab/run.hpp"

namespace sluice::lab {

/// "task.gain=0.01,3,100"
struct SweepAxis {
  std::string key;
  std::vector<std::string> values;
};
/// Commas inside brackets or quotes belong to a value: "task.xi=[2,1],[1,2]" has two. Throws InputError.
SweepAxis parse_axis(const std::string& text);

struct SweepOutcome {
  bool complete = true;  ///< false: stopped in the middle; the points before are whole
  SummaryTable table;
  std::vector<Outcome> runs;
  std::vector<std::vector<Setting>> settings;  ///< of each run
};

/// Runs every combination of values, the last axis fastest, in options.out/gain=0.01 and so on. Every point is
/// checked before the first one runs. `begins` is told each point's label.
SweepOutcome sweep(const Source& source, const std::vector<SweepAxis>& axes, const RunOptions& options,
                   const std::function<void(const std::string& label)>& begins,
                   const std::function<void(const std::string& label, const Outcome&)>& ends);

}  // namespace sluice::lab
