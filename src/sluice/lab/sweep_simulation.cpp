#include "sluice/lab/sweep_simulation.hpp"

#include <fmt/format.h>

#include <atomic>
#include <mutex>
#include <utility>

#include "sluice/data/missing.hpp"
#include "sluice/file/errors.hpp"
#include "sluice/lab/executor.hpp"
#include "sluice/lab/setup.hpp"
#include "sluice/lab/sweep.hpp"

namespace sluice::lab {
namespace {

Experiment experiment_at(Source source, const SweepPoint& point) {
  source.swept = point.assignments;
  Experiment experiment = load(source);
  experiment.sweep = {};
  return experiment;
}

/// How many steps it has, once it was set up.
std::int64_t steps_at(const Source& source, const SweepPoint& point, bool alone) {
  try {
    return Setup(experiment_at(source, point)).experiment().dynamics.steps;
  } catch (const data::Missing&) {
    throw;  // whoever speaks to the user says how the set is fetched
  } catch (const InputError& error) {
    throw InputError(alone ? error.what() : fmt::format("{} ({})", error.what(), point.folder));
  }
}

}  // namespace

std::vector<SimulatedPoint> simulate_sweep(const Source& source, const std::vector<SweepAxis>& axes,
                                           int threads, const Hooks& hooks) {
  std::vector<SimulatedPoint> points;
  for (SweepPoint& point : planned_points(source, axes)) points.push_back({std::move(point)});
  std::int64_t steps = 0;
  for (const SimulatedPoint& each : points) steps += steps_at(source, each.point, points.size() == 1);
  std::atomic<std::int64_t> done = 0;
  std::mutex speaking;
  execute(points.size(), threads, [&](std::size_t i, int share) {
    if (hooks.stop_requested()) return;
    SimulatedPoint& each = points[i];
    const std::string label = label_of(each.point.settings);
    std::int64_t before = 0;
    const Hooks here{
        .stop_requested = hooks.stop_requested,
        .progress = [&](std::int64_t step,
                        std::int64_t) { hooks.progress(done += step - std::exchange(before, step), steps); },
        .remark =
            [&](const std::string& remark) {
              const std::lock_guard guard(speaking);
              hooks.remark(fmt::format("{}: {}", label, remark));
            }};
    try {
      each.run = Recorded{simulate(experiment_at(source, each.point), label, share, here),
                          experiment_at(source, each.point), each.point.settings};
    } catch (const Stopped&) {
      // Before there was anything to show.
    } catch (const std::exception& failure) {
      each.failure = failure.what();
    }
  });
  return points;
}

}  // namespace sluice::lab
