/// A grid of runs: a plan (points and their folders), its execution one point after the other, and a comparison of what came out.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sluice/lab/report.hpp"
#include "sluice/lab/run.hpp"
#include "sluice/lab/sweep_axis.hpp"

namespace sluice::lab {

struct SweepPoint {
  std::vector<std::string> assignments;  ///< "task.gain=3"
  std::vector<Setting> settings;         ///< {"gain", "3"}
  std::string folder;                    ///< "gain=3,n=40"
};

/// Every combination of values, the last axis fastest. Throws InputError where two points would share a folder.
std::vector<SweepPoint> sweep_points(const std::vector<SweepAxis>& axes);

/// What became of a point: an outcome, or the reason why there is none.
struct PointOutcome {
  SweepPoint point;
  std::optional<Outcome> outcome;
  std::string failure = {};
};

struct SweepOutcome {
  bool complete = true;  ///< false: stopped in the middle; the points before are whole
  figure::ReportTable table;
  std::vector<PointOutcome> points;

  bool failed() const;
};

/// Who is told of a sweep's progress.
struct SweepHooks {
  std::function<void(const std::string& label, std::size_t index, std::size_t count)> begins =
      [](const std::string&, std::size_t, std::size_t) {};
  std::function<void(const std::string& label, const Outcome&)> ends = [](const std::string&,
                                                                          const Outcome&) {};
  std::function<void(const std::string& label, const std::string& reason)> fails = [](const std::string&,
                                                                                      const std::string&) {};
};

/// Runs every point in options.out/gain=0.01 and so on. Every point is set up, and its folder looked at, before the first one runs: what
/// can fail on the user's input fails then, and nothing was touched. A point that fails later (a full disk) is recorded with its reason
/// and does not stop the others. The plan and what became of it are sweep.json.
SweepOutcome sweep(const Source& source, const std::vector<SweepAxis>& axes, const RunOptions& options,
                   const SweepHooks& hooks);

}  // namespace sluice::lab
