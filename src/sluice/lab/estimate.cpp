#include "sluice/lab/estimate.hpp"

#include <algorithm>
#include <chrono>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "sluice/gpu/ensemble.hpp"
#include "sluice/lab/simulation.hpp"
#include "sluice/learn/shared_trainer.hpp"
#include "sluice/probe/watcher.hpp"

namespace sluice::lab {
namespace {

double looks(const Experiment& experiment) {
  return static_cast<double>(probe::probe_times(experiment.probe, experiment.dynamics.steps));
}

using Clock = std::chrono::steady_clock;
constexpr double kTry = 0.3;   // seconds
constexpr double kLook = 1.0;  // seconds; what would take longer is not tried

double since(Clock::time_point then) { return std::chrono::duration<double>(Clock::now() - then).count(); }

/// Seconds of a step of one run; what it looks at on its way does not count.
double step_alone(Simulation& simulation) {
  Clock::time_point moving = Clock::now();
  bool warm = false;
  double looked = 0;
  std::int64_t from = simulation.state().step;
  while (since(moving) < kTry + looked) {
    const Clock::time_point before = Clock::now();
    const bool due = simulation.is_due();
    if (simulation.pause({})) break;
    if (due) looked += since(before);
    simulation.move();
    if (!std::exchange(warm, true)) {  // the first step makes room for what the others use
      from = simulation.state().step;  // and a device is waited for
      moving = Clock::now();
      looked = 0;
    }
  }
  const auto moved = static_cast<double>(simulation.state().step - from);
  return moved > 0 ? (since(moving) - looked) / moved : since(moving);
}

/// Seconds of a step of one run that looks at nothing on its way, for a network whose looks may take minutes.
double step_without_looks(Simulation& simulation, std::int64_t most) {
  Clock::time_point began = Clock::now();
  simulation.move();
  if (most == 1) return since(began);
  began = Clock::now();  // the first step makes room for what the others use
  std::int64_t moved = 0;
  do {
    simulation.move();
    ++moved;
  } while (1 + moved < most && since(began) < kTry);
  return since(began) / static_cast<double>(moved);
}

/// Seconds of judging all samples that a look judges, by what a step takes: forwards is a third of a step.
double seconds_of_judging(const Setup& setup, double step) {
  double samples = 0;
  for (const learn::Batches* judged : {&setup.evaluation(), setup.training_set()})
    if (judged != nullptr) samples += static_cast<double>(judged->rows());
  return step * samples / (3.0 * static_cast<double>(setup.batches()->rows()));
}

/// So many runs like this one, which move together: what a step costs does not depend on what the weights are.
std::unique_ptr<learn::Ensemble> alike(const Setup& setup, math::Workers& alone, std::size_t together,
                                       const gpu::Place& place) {
  std::vector<learn::EnsembleMember> members(together, setup.member(setup.begins(), alone));
  if (place.on_device) return gpu::make_ensemble(std::move(members), place.precision, alone);
  return std::make_unique<learn::SharedTrainer>(std::move(members));
}

/// Of one run: its samples are there for training and for looks, each set once; of fresh ones a batch of each.
double bytes_on_device(const Setup& setup, const gpu::Place& place) {
  if (setup.experiment().network.kind() == "two-layer")
    return gpu::bytes_of_member(*setup.batches(), setup.evaluation(), setup.network(), setup.loss(),
                                setup.experiment().dynamics);
  double bytes =
      gpu::least_bytes(*setup.batches(), setup.network(), setup.experiment().dynamics, place.precision);
  std::set<const task::FiniteSet*> counted;
  for (const learn::Batches* batches : {setup.batches(), &setup.evaluation()}) {
    const task::FiniteSet* set = batches->set();
    if (set != nullptr && !counted.insert(set).second) continue;
    const std::int64_t rows = set == nullptr ? batches->rows() : set->size();
    bytes += static_cast<double>(rows * (batches->inputs() + 1)) * sizeof(float);
  }
  return bytes;
}

Estimate estimate_on_device(const Setup& setup, math::Workers& alone, std::size_t together,
                            const gpu::Place& place) {
  const Experiment& experiment = setup.experiment();
  Estimate estimate{.bytes = static_cast<double>(together) * setup.watcher().bytes_of(looks(experiment)),
                    .device_bytes = bytes_on_device(setup, place)};
  if (!place.missing().empty()) return estimate;
  const auto left = static_cast<double>(experiment.dynamics.steps - setup.first_step());
  if (experiment.network.kind() == "two-layer") {
    const auto ensemble = alike(setup, alone, together, place);
    estimate.seconds = left * seconds_of_step(*ensemble, experiment.probe.every);
  } else {
    Simulation simulation(setup, alone, place);
    simulation.begin_at(setup.begins());
    estimate.seconds = left * step_alone(simulation);
  }
  return estimate;
}

}  // namespace

double seconds_of_step(learn::Ensemble& ensemble, std::int64_t every) {
  const std::int64_t stretch = std::min(every, ensemble.most_steps());
  const auto move = [&](std::int64_t steps) {
    for (std::int64_t left = steps; left > 0; left -= stretch) ensemble.move(std::min(stretch, left));
    static_cast<void>(ensemble.parameters(0));  // a device is waited for
  };
  move(1);  // makes room for what the others use
  const Clock::time_point began = Clock::now();
  for (std::int64_t steps = 1;; steps *= 2) {  // a step may take microseconds or seconds
    const Clock::time_point before = Clock::now();
    move(steps);
    if (since(began) >= kTry) return since(before) / static_cast<double>(steps);
  }
}

Estimate estimate(Experiment experiment, std::size_t together, const gpu::Place& place) {
  const Setup setup(std::move(experiment));
  math::Workers alone(1);
  if (place.on_device) return estimate_on_device(setup, alone, together, place);
  Simulation simulation(setup, alone);
  simulation.begin_at(setup.begins());
  const Experiment& given = setup.experiment();
  const std::int64_t first = simulation.state().step, left = given.dynamics.steps - first;
  const bool deep = given.network.kind() == "deep-gated" && !given.dynamics.is_flow() && left > 0;
  double step = deep ? step_without_looks(simulation, left) : 0;
  double look = deep ? seconds_of_judging(setup, step) : 0;
  if (look < kLook) {
    if (deep) simulation.begin_at(setup.begins());
    const Clock::time_point began = Clock::now();
    static_cast<void>(simulation.pause({}));  // looks for the first time
    look = since(began);
  }
  if (!deep)
    step = together > 1 ? seconds_of_step(*alike(setup, alone, together, place), given.probe.every)
                        : step_alone(simulation);
  const auto runs = static_cast<double>(together);
  const double times = looks(given);
  return {.seconds = static_cast<double>(left) * step + runs * times * look,
          .bytes = runs * setup.watcher().bytes_of(times)};
}

}  // namespace sluice::lab
