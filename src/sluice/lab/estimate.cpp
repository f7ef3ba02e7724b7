#include "sluice/lab/estimate.hpp"

#include <chrono>
#include <utility>

#include "sluice/lab/simulation.hpp"
#include "sluice/probe/watcher.hpp"

namespace sluice::lab {
namespace {

double bytes_of(const file::NamedArrays& arrays) {
  double bytes = 0;
  for (const auto& [name, array] : arrays)
    bytes += std::visit([](const auto& data) { return static_cast<double>(data.size() * sizeof(data[0])); },
                        array.data);
  return bytes;
}

}  // namespace

Estimate estimate(Experiment experiment) {
  using Clock = std::chrono::steady_clock;
  constexpr double kTry = 0.3;  // seconds
  const auto since = [](Clock::time_point then) {
    return std::chrono::duration<double>(Clock::now() - then).count();
  };
  const Setup setup(std::move(experiment));
  math::Workers alone(1);
  Simulation simulation(setup, alone);
  simulation.begin_at(setup.begins());
  const Clock::time_point began = Clock::now();
  static_cast<void>(simulation.pause({}));  // looks for the first time
  const double look = since(began);
  const auto times =
      static_cast<double>(probe::probe_times(setup.experiment().probe, setup.experiment().dynamics.steps));
  Clock::time_point moving = Clock::now();
  const std::int64_t first = simulation.state().step;
  bool warm = false;
  double looked = 0;
  std::int64_t from = first;
  while (since(moving) < kTry + looked) {
    const Clock::time_point before = Clock::now();
    const bool due = simulation.is_due();
    if (simulation.pause({})) break;
    if (due) looked += since(before);
    simulation.move();
    if (!std::exchange(warm, true)) {  // the first step makes room for what the others use
      moving = Clock::now();
      from = simulation.state().step;
      looked = 0;
    }
  }
  const auto moved = static_cast<double>(simulation.state().step - from);
  const double step = moved > 0 ? (since(moving) - looked) / moved : since(moving);
  const double steps = static_cast<double>(setup.experiment().dynamics.steps - first);
  const double seen =
      static_cast<double>(file::find(simulation.watched(), "step")->as<std::int64_t>().size());
  return {.seconds = steps * step + times * look, .bytes = bytes_of(simulation.watched()) / seen * times};
}

}  // namespace sluice::lab
