#include "sluice/lab/simulated_run.hpp"

#include <array>
#include <utility>

#include "sluice/lab/needs.hpp"

namespace sluice::lab {

SimulatedRun::SimulatedRun(Experiment experiment, std::string name, int threads, Hooks hooks,
                           const gpu::Place& place, TaskShelf* shelf)
    : name_(std::move(name)),
      hooks_(std::move(hooks)),
      setup_(std::move(experiment), shelf),
      workers_(threads),
      simulation_(setup_, workers_, place),
      start_(setup_.begins()) {
  setup_.require_known_at(place);
  place.require_there();
  for (const std::string& remark : setup_.remarks()) hooks_.remark(remark);
}

void SimulatedRun::begin(std::unique_ptr<learn::Engine> engine) {
  learn::State start = std::exchange(start_, {});
  if (engine)
    simulation_.begin_with(std::move(engine));
  else
    simulation_.begin_at(std::move(start));
}

std::optional<Outcome> SimulatedRun::pause() {
  const std::optional<Ending> ending = simulation_.pause(hooks_);
  if (!ending) return std::nullopt;
  return conclude(*ending);
}

std::optional<Outcome> SimulatedRun::interrupt() {
  const std::optional<Ending> ending = simulation_.interrupt(hooks_);
  if (!ending) return std::nullopt;
  return conclude(*ending);
}

Outcome SimulatedRun::go_on() {
  {
    const math::Stoppable stoppable(hooks_.abandon_requested);  // a flow may take long to make
    begin(nullptr);
  }
  return conclude(simulation_.go_on(hooks_));
}

Outcome SimulatedRun::conclude(Ending ending) {
  const math::Stoppable stoppable(hooks_.abandon_requested);
  try {
    return concluded(ending);
  } catch (const Stopped&) {
    return concluded(Ending::interrupted);
  }
}

Outcome SimulatedRun::concluded(Ending ending) {
  record::Recording recording = simulation_.recording(name_, ending);
  recording.seconds = std::chrono::duration<double>(Clock::now() - began_).count();
  if (ending == Ending::finished)
    if (const std::string remark = simulation_.remark_on_learning(); !remark.empty()) hooks_.remark(remark);
  const double took = recording.seconds;
  return {.ending = ending,
          .recording = std::move(recording),
          .seconds = took,
          .steps_done = simulation_.steps_done()};
}

record::Recording simulate(Experiment experiment, const std::string& name, int threads, const Hooks& hooks,
                           const gpu::Place& place) {
  const math::Stoppable stoppable(hooks.abandon_requested);
  SimulatedRun run(std::move(experiment), name, threads, hooks, place);
  require_memory(room_of(std::array{needs_of(run.setup(), threads)}, 1, 1, {false}), name);
  return run.go_on().recording;
}

}  // namespace sluice::lab
