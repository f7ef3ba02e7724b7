#include "sluice/lab/sweep_simulation.hpp"

#include <fmt/format.h>

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <numeric>
#include <utility>

#include "sluice/data/missing.hpp"
#include "sluice/file/errors.hpp"
#include "sluice/lab/cohort.hpp"
#include "sluice/lab/setup.hpp"
#include "sluice/lab/simulated_run.hpp"
#include "sluice/lab/sweep_execution.hpp"
#include "sluice/math/stopping.hpp"
#include "sluice/math/workers.hpp"

namespace sluice::lab {
namespace {

Experiment experiment_at(const Source& source, const SweepPoint& point) {
  return load_point(source, point, {});
}

/// How many steps it has and what it takes, once it was set up.
std::pair<std::int64_t, Runnable> ready_at(const Source& source, const SweepPoint& point,
                                           const gpu::Place& place, bool alone, TaskShelf& shelf) {
  try {
    const Setup setup(experiment_at(source, point), &shelf);
    setup.require_known_at(place);
    return {setup.experiment().dynamics.steps, Runnable{.needs = needs_of(setup, 1)}};
  } catch (const data::Missing&) {
    throw;  // whoever speaks to the user says how the set is fetched
  } catch (const InputError& error) {
    throw InputError(alone ? error.what() : fmt::format("{} ({})", error.what(), point.folder));
  }
}

/// The points of a sweep on their way to recordings.
class Simulating {
 public:
  Simulating(const Source& source, std::vector<SimulatedPoint>& points, std::int64_t steps,
             const Hooks& hooks, const gpu::Place& place, TaskShelf& shelf)
      : source_(source),
        points_(points),
        steps_(steps),
        hooks_(hooks),
        place_(place),
        shelf_(shelf),
        before_(points.size()) {}

  /// What becomes of points that move together, or of one alone.
  void take(const PointGroup& group, int threads) {
    std::vector<std::unique_ptr<Joinable>> made(group.size()), runs;
    PointGroup begun;
    const bool many = group.size() > 1;  // those that move as one have one team, and no use for one each
    math::Workers workers(many ? threads : 1);
    workers.run(std::ssize(group), [&](std::int64_t chunk, int) {
      const auto at = static_cast<std::size_t>(chunk);
      const std::size_t i = group[at];
      if (hooks_.stop_requested()) return;
      guarded({i}, [&] {
        made[at] = std::make_unique<SimulatedRun>(experiment_at(source_, points_[i].point), label(i),
                                                  many ? 1 : threads, hooks_of(i), place_, &shelf_);
      });
    });
    for (std::size_t at = 0; at < group.size(); ++at) {
      if (!made[at]) continue;
      runs.push_back(std::move(made[at]));
      begun.push_back(group[at]);
    }
    if (runs.empty()) return;
    PointGroup left =
        begun;  // what goes wrong with one that moves with others goes wrong with all that are left
    const auto end = [&](std::size_t which, Outcome outcome) {
      keep(begun[which], std::move(outcome));
      const std::lock_guard guard(speaking_);
      std::erase(left, begun[which]);
    };
    guarded(left, [&] {
      if (runs.size() == 1 &&
          !moves_among_others(experiment_at(source_, points_[begun.front()].point), place_)) {
        end(0, runs.front()->go_on());
        return;
      }
      const math::Stoppable stoppable(hooks_.abandon_requested);
      run_together(runs, place_, end, workers);
    });
  }

 private:
  std::string label(std::size_t i) const { return label_of(points_[i].point.settings); }

  Hooks hooks_of(std::size_t i) {
    return {.stop_requested = hooks_.stop_requested,
            .abandon_requested = hooks_.abandon_requested,
            .progress =
                [this, i](std::int64_t step, std::int64_t) {
                  hooks_.progress(done_ += step - std::exchange(before_[i], step), steps_);
                },
            .remark =
                [this, i](const std::string& remark) {
                  const std::lock_guard guard(speaking_);
                  hooks_.remark(fmt::format("{}: {}", label(i), remark));
                }};
  }

  void keep(std::size_t i, Outcome outcome) {
    SimulatedPoint& each = points_[i];
    each.run =
        Recorded{std::move(outcome.recording), experiment_at(source_, each.point), each.point.settings};
  }

  /// A point that fails does not stop the others.
  void guarded(const PointGroup& points, const std::function<void()>& work) {
    try {
      work();
    } catch (const Stopped&) {
      // Before there was anything to show.
    } catch (const std::exception& failure) {
      for (const std::size_t i : points) points_[i].failure = words_of(failure);
    }
  }

  const Source& source_;
  std::vector<SimulatedPoint>& points_;
  std::int64_t steps_;
  const Hooks& hooks_;
  gpu::Place place_;
  TaskShelf& shelf_;
  std::vector<std::int64_t> before_;  // steps that were told of each point
  std::atomic<std::int64_t> done_ = 0;
  std::mutex speaking_;
};

}  // namespace

std::vector<SimulatedPoint> simulate_sweep(const Source& source, const std::vector<SweepAxis>& axes,
                                           int threads, const Hooks& hooks, const gpu::Place& place) {
  std::vector<SimulatedPoint> points;
  for (SweepPoint& point : planned_points(source, axes)) points.push_back({std::move(point)});
  std::int64_t steps = 0;
  std::vector<Runnable> ready;
  TaskShelf shelf;
  for (const SimulatedPoint& each : points) {
    math::stop_if_asked();
    auto [its_steps, runnable] = ready_at(source, each.point, place, points.size() == 1, shelf);
    steps += its_steps;
    ready.push_back(std::move(runnable));
  }
  place.require_there();
  std::vector<std::size_t> all(points.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  RunOptions options;
  options.threads = threads;
  options.place = place;
  options.shelf = &shelf;
  const std::vector<PointGroup> groups = groups_of(
      source, options, [&](std::size_t i) -> const SweepPoint& { return points[i].point; }, all,
      most_together({}));
  const std::vector<bool> kept(points.size(), true);
  require_memory(room_of(ready, kept, groups, options), "sweep");
  Simulating simulating(source, points, steps, hooks, place, shelf);
  const math::Unstoppable whole;  // each point hears for itself, and what others came to stays
  take_all(groups, options, [&](const PointGroup& group, int share) { simulating.take(group, share); });
  return points;
}

}  // namespace sluice::lab
