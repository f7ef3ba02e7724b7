/// A grid of runs: a plan (sweep_plan.hpp), its execution (executor.hpp), and a comparison of what came out.
///
/// Folders are the record (point_state.hpp): whoever takes a point holds its lock, what is finished stays, and any number of processes, on any
/// number of machines that see the folder, can work on one sweep by being told to go on with it.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sluice/lab/estimate.hpp"
#include "sluice/lab/needs.hpp"
#include "sluice/lab/point_state.hpp"
#include "sluice/lab/report.hpp"
#include "sluice/lab/run.hpp"
#include "sluice/lab/sweep_plan.hpp"

namespace sluice::lab {

/// What became of a point: an outcome, or the reason why there is none.
struct PointOutcome {
  SweepPoint point;
  std::optional<Outcome> outcome;
  std::string failure = {};
};

struct SweepOutcome {
  bool complete =
      true;  ///< every point is finished, diverged or failed; false: some are left, for others or for later
  std::string stopped_by = {};  ///< what the world did (a full disk); empty: nothing
  figure::ReportTable table;
  std::vector<PointOutcome> points;  ///< large arrays only of those that stand for all

  bool failed() const;
};

/// How far a sweep has come.
struct SweepProgress {
  std::size_t over = 0, count = 0;  ///< points
  double share = 0;                 ///< of all steps of all points, those of points at work among them
};

/// Which part of a sweep this process does.
struct Part {
  Shard shard = {};
  bool shared = false;  ///< other processes are at work on it, too
  bool worker =
      false;  ///< leaves when there is no point that nobody has; otherwise waits for the others, or takes over from the dead
};

/// Who is told of a sweep's progress; one call at a time, whatever the threads.
struct SweepHooks {
  std::function<void(const std::string& label, std::size_t index, std::size_t count)> begins =
      [](const std::string&, std::size_t, std::size_t) {};
  std::function<void(const std::string& label, const Outcome&)> ends = [](const std::string&,
                                                                          const Outcome&) {};
  std::function<void(const std::string& label, const std::string& reason)> fails = [](const std::string&,
                                                                                      const std::string&) {};
  std::function<void(const SweepProgress&)> advances = [](const SweepProgress&) {};
  std::function<void(const std::string& label, const std::string& remark)> remarks =
      [](const std::string&, const std::string&) {};
  /// So many points were finished before; so many are at work elsewhere, and are waited for.
  std::function<void(std::size_t)> found = [](std::size_t) {};
  std::function<void(std::size_t)> waits = [](std::size_t) {};
};

/// The axes of the spec's own sweep.over, with the values that are given instead where they name the same key, and those that are given
/// beside. Throws InputError where there are none.
std::vector<SweepAxis> planned_axes(const Source& source, const std::vector<SweepAxis>& given);

/// Points that move together, or one alone.
using PointGroup = std::vector<std::size_t>;

/// The points of a source over these axes and its own; where they share their samples, all have those of its own seed.
std::vector<SweepPoint> planned_points(const Source& source, const std::vector<SweepAxis>& axes);

/// What a sweep would do, told before it does it. Every point is set up: what can fail on the user's input fails here, too.
struct Preview {
  std::size_t points = 0;
  std::map<PointState, std::size_t> states;  ///< how many are there already, and how far
  std::vector<SweepPoint> left;
  std::vector<PointGroup> groups;  ///< of those that are left: each moves together
  Room room;
};
/// options.progress hears of points that were looked at.
Preview preview(const Source& source, const std::vector<SweepAxis>& axes, const RunOptions& options,
                const Part& part = {});
/// What it would take to do what is left, on these threads: by a short try of some points, or of as many as move together, in the place where they would be trained.
/// Threads share a device: its seconds are those of one group after the other, runs that move alone among them.
Estimate estimate(const Source& source, const Preview& preview, const RunOptions& options);

/// Waits until somebody has planned this sweep in options.out; nobody within ten minutes: throws IoError.
void await_plan(const Source& source, const std::vector<SweepAxis>& axes, const RunOptions& options);

/// Runs every point in options.out/gain=0.01 and so on, on options.threads threads. Every point is set up, and its folder looked at, before
/// the first one runs: what can fail on the user's input fails then, and nothing was touched. A point that fails later is recorded with
/// its reason and does not stop the others; a disk that is full or gone stops the sweep. The plan and what became of it are sweep.json.
SweepOutcome sweep(const Source& source, const std::vector<SweepAxis>& axes, const RunOptions& options,
                   const SweepHooks& hooks, const Part& part = {});

/// Tables, figures and page of a sweep once more, from its folder: pages that points have by now are linked.
void compare_again(const std::filesystem::path& folder, math::Workers& workers);

}  // namespace sluice::lab
