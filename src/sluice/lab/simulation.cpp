#include "sluice/lab/simulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include "sluice/lab/fingerprint.hpp"
#include "sluice/lab/functions.hpp"
#include "sluice/lab/samples.hpp"
#include "sluice/math/finite.hpp"
#include "sluice/net/deep_network.hpp"

namespace sluice::lab {
namespace {

using Clock = std::chrono::steady_clock;

/// A part of the network as a snapshot shows it; empty where the network has none of this name.
std::span<const float> part_of(const net::Network& network, std::string_view name,
                               std::span<const float> parameters) {
  const net::Part* part = network.find_part(name);
  return part == nullptr ? std::span<const float>{} : part->of(parameters);
}

/// Whether accuracy alone shows that something was learned, by two standard errors, which for N samples are at most 1/√N each: then nobody needs to go through
/// them once more. Of labels that are those of classes; what is chance of others, the samples say.
bool is_above_chance(double accuracy, const learn::Batches& set) {
  const std::optional<learn::Batches::Source> source = set.source();
  if (!source || !source->task->has_recipe()) return false;
  const auto samples = static_cast<double>(set.rows());
  const double first = static_cast<double>(set.rows_of_first_class()) / samples;
  return accuracy > std::max(first, 1 - first) + 2 / std::sqrt(samples);
}

}  // namespace

std::string_view to_string(Ending ending) {
  switch (ending) {
    case Ending::finished:
      return "finished";
    case Ending::already_finished:
      return "already finished";
    case Ending::interrupted:
      return "interrupted";
    case Ending::diverged:
      return "diverged";
  }
  return "unknown";
}

Simulation::Simulation(const Setup& setup, math::Workers& workers, const gpu::Place& place)
    : setup_(setup), workers_(workers), place_(place), watcher_(setup.watcher()) {
  const probe::Options& probe = setup.experiment().probe;
  make_room();
  if (watcher_.needs(probe::kSamples))
    samples_ = probe_samples(setup.task(), probe.samples, setup.sample_seed());
  if (watcher_.needs(probe::kLayers))
    kernels_ = std::make_unique<probe::KernelBench>(
        dynamic_cast<const net::DeepNetwork&>(setup.network()), setup.task().training_set(),
        probe.kernel_samples, setup.seed(), setup.start(),
        kernel::GateThresholds{probe.tau_active, probe.tau_sensitive}, workers);
}

Simulation::~Simulation() = default;

bool Simulation::restore(const file::NamedArrays& watched) {
  if (!watcher_.restore(watched)) return false;
  watched_step_ = file::find(watched, "step")->as<std::int64_t>().back();
  if (const file::Array* accuracies = file::find(watched, "accuracy"))
    for (const double accuracy : accuracies->as<double>()) compare_with_best(accuracy);
  return true;
}

void Simulation::compare_with_best(double accuracy) {
  looks_since_best_ = accuracy > best_accuracy_ ? 0 : looks_since_best_ + 1;
  best_accuracy_ = std::max(best_accuracy_, accuracy);
}

bool Simulation::out_of_patience() const {
  const std::int64_t patience = setup_.experiment().dynamics.patience;
  return patience > 0 && looks_since_best_ >= patience;
}

void Simulation::make_room() {
  watcher_.expect(probe::probe_times(setup_.experiment().probe, setup_.experiment().dynamics.steps));
}

void Simulation::forget(std::string_view probe) {
  std::vector<const probe::Probe*> others = setup_.probes();
  std::erase_if(others, [&](const probe::Probe* each) { return each->choice.name == probe; });
  watcher_ = probe::Watcher(others, setup_.subject().extents, setup_.given_probes(),
                            setup_.experiment().probe.of_the_end());
  make_room();
}

void Simulation::begin_at(learn::State state) {
  begin_with(setup_.engine(std::move(state), workers_, place_));
}

void Simulation::begin_with(std::unique_ptr<learn::Engine> engine) {
  engine_ = std::move(engine);
  begun_at_ = engine_->step();
  saved_ = Clock::now();
}

bool Simulation::is_due() const {
  const Experiment& experiment = setup_.experiment();
  const std::int64_t step = engine_->step();
  return step != watched_step_ && (step == setup_.first_step() ||
                                   probe::is_probe_time(experiment.probe, step, experiment.dynamics.steps));
}

std::int64_t Simulation::steps_to_look(std::int64_t most) const {
  const Experiment& experiment = setup_.experiment();
  const std::int64_t step = engine_->step(), steps = experiment.dynamics.steps;
  return step < steps ? std::min(most, probe::next_probe_time(experiment.probe, step, steps) - step) : 1;
}

std::optional<Ending> Simulation::pause(const Hooks& hooks) {
  const std::int64_t step = engine_->step();
  const std::int64_t steps = setup_.experiment().dynamics.steps;
  if (is_due()) {
    const bool finite = look();
    watched_step_ = step;
    if (!finite || engine_->diverged()) return Ending::diverged;
  }
  if (step >= steps || engine_->at_rest() || out_of_patience()) return Ending::finished;
  if (hooks.stop_requested()) {  // before progress is shown: on a terminal that is gone nothing can be
    hooks.save(state(), watcher_.views());
    return Ending::interrupted;
  }
  hooks.progress(step, steps);
  if (hooks.save_due(std::chrono::duration<double>(Clock::now() - saved_).count())) {
    hooks.save(state(), watcher_.views());
    saved_ = Clock::now();
  }
  return std::nullopt;
}

Ending Simulation::go_on(const Hooks& hooks) {
  try {
    // Ranks that work for this one could not be told to leave a step.
    const math::Stoppable stoppable(workers_.ranks() == nullptr ? hooks.abandon_requested
                                                                : [] { return false; });
    if (!engine_) begin_at(setup_.begins());
    for (;;) {
      if (const std::optional<Ending> ending = pause(hooks)) return *ending;
      engine_->stretch(steps_to_look(engine_->most_steps()));
    }
  } catch (const Stopped&) {
    if (const std::optional<Ending> ending = interrupt(hooks)) return *ending;
    throw;
  }
}

void Simulation::keep_end(const Hooks& hooks) {
  if (!engine_->at_rest()) hooks.save(state(), watcher_.views());
}

std::optional<Ending> Simulation::interrupt(const Hooks& hooks) {
  if (watched_step_ < 0) return std::nullopt;
  hooks.save(state(), watcher_.views());
  return Ending::interrupted;
}

/// Probes the network; false when it has left the finite numbers.
bool Simulation::look() {
  const net::Network& network = setup_.network();
  const std::int64_t step = engine_->step();
  const std::span<const float> parameters = engine_->parameters();
  const learn::Evaluation seen =
      seen_ ? *std::exchange(seen_, std::nullopt) : evaluate(evaluator_, setup_.evaluation(), parameters);
  const learn::Evaluation trained = setup_.training_set() != nullptr
                                        ? evaluate(training_evaluator_, *setup_.training_set(), parameters)
                                        : learn::Evaluation{};
  std::vector<float> fields, flow_fields;
  probe::Snapshot now{.step = step,
                      .units = setup_.subject().extents.units,
                      .inputs = network.inputs(),
                      .weights = setup_.watched_fields(parameters, fields),
                      .bias = part_of(network, "bias", parameters),
                      .loss = seen.loss,
                      .accuracy = seen.accuracy,
                      .rate = engine_->rate(),
                      .train_loss = trained.loss,
                      .train_accuracy = trained.accuracy,
                      .readout = part_of(network, "readout", parameters),
                      .offset = part_of(network, "offset", parameters),
                      .samples = samples_.get(),
                      .parameters = parameters,
                      .kernels = kernels_.get()};
  if (setup_.watches_flow()) now.flow = setup_.watched_fields(flow_at(step).parameters, flow_fields);
  watcher_.watch(now);
  compare_with_best(seen.accuracy);
  // The weights too: a ReLU unit turns a NaN pre-activation into 0, and the loss would look healthy.
  return std::isfinite(seen.loss) && math::all_finite(parameters);
}

learn::Evaluator& Simulation::made(std::optional<learn::Evaluator>& evaluator, const learn::Batches& set) {
  if (!evaluator) evaluator.emplace(set, setup_.network(), setup_.loss(), setup_.seed(), workers_);
  return *evaluator;
}

learn::Evaluation Simulation::evaluate(std::optional<learn::Evaluator>& evaluator, const learn::Batches& set,
                                       std::span<const float> parameters) {
  if (const std::optional<learn::Evaluation> seen = engine_->evaluate(set)) return *seen;
  return made(evaluator, set).evaluate(parameters);
}

std::vector<learn::Judged> Simulation::judge(std::optional<learn::Evaluator>& evaluator,
                                             const learn::Batches& set) {
  std::vector<learn::Judged> seen = engine_->judge(set);
  return seen.empty() ? made(evaluator, set).judge(engine_->parameters()) : seen;
}

/// The flow that training is held against. It goes from probe time to probe time, so one that begins again after a resume
/// comes to the same bits.
const learn::State& Simulation::flow_at(std::int64_t step) {
  const Experiment& experiment = setup_.experiment();
  if (!flow_)
    flow_ = setup_.flow(experiment.dynamics.flow, experiment.probe.every,
                        {.step = setup_.first_step(), .parameters = setup_.start()}, workers_);
  while (flow_->state().step < step && !flow_->at_rest() && !flow_->diverged()) flow_->move();
  return flow_->state();
}

std::string Simulation::remark_on_learning() {
  const file::NamedViews watched = watcher_.views();
  const file::Array* losses = file::find(watched, "loss");
  const file::Array* accuracies = file::find(watched, "accuracy");
  if (!engine_ || losses == nullptr || accuracies == nullptr || steps_done() == 0) return "";
  const double loss = losses->as<double>().back();
  const double accuracy = accuracies->as<double>().back();
  if (is_above_chance(accuracy, setup_.evaluation())) return "";
  const learn::Resolution set = resolution_of(judge(evaluator_, setup_.evaluation()), setup_.loss());
  evaluator_.reset();  // nobody looks any more, and of those that move together all are in memory to the end
  // Where all labels are the same, or a hair's breadth from it, an output that never changes is all there is to learn.
  constexpr double kNothing = 1e-12;
  if (set.constant_loss < kNothing || set.constant_share > 1 - kNothing) return "";
  // A training set stands for itself; other samples, for all there are.
  const double errors = setup_.evaluated() == record::Evaluated::training_set ? 0 : 2;
  if (set.loss_gain > errors * set.loss_error || set.accuracy_gain > errors * set.accuracy_error) return "";
  const DynamicsOptions& dynamics = setup_.experiment().dynamics;
  return fmt::format(
      "nothing was learned: loss {:.4g}, where an output that never changes has {:.4g}{}; accuracy "
      "{:.3f}, by chance {:.3f}; "
      "raise dynamics.rate = {} or dynamics.steps = {}",
      loss, set.constant_loss, errors > 0 ? fmt::format(" ± {:.1g}", set.loss_error) : "", accuracy,
      set.constant_share, dynamics.optimizer.rate, dynamics.steps);
}

record::Recording Simulation::recording(const std::string& name, Ending ending) const {
  const Experiment& experiment = setup_.experiment();
  record::Recording recording{.name = name,
                              .status = std::string(to_string(ending)),
                              .fingerprint = setup_.mark(),
                              .spec = to_toml(experiment),
                              .seed = experiment.seed,
                              .threads = workers_.threads(),
                              .device = place_.on_device ? place_.text() : "",
                              .seconds = 0,
                              .layout = setup_.subject().extents.layout,
                              .summary = {},
                              .arrays = watcher_.arrays(),
                              .axes = watcher_.axes(),
                              .folder = {},
                              .functions = functions_of(experiment)};
  recording.summary = summarize(recording.arrays, setup_, ending == Ending::interrupted);
  // Of the end: the parts that are not watched on the way, what another run can start from.
  for (const net::Part& part : setup_.network().parts()) {
    if (!engine_ || file::find(recording.arrays, part.name) != nullptr) continue;
    const auto values = part.of(std::span<const float>(state().parameters));
    recording.arrays.emplace_back(part.name,
                                  file::Array{part.shape, std::vector<float>(values.begin(), values.end())});
    recording.axes[part.name].assign(part.axes.begin(), part.axes.end());
  }
  for (const net::Part& part : setup_.network().parts()) {
    if (ending != Ending::diverged) break;
    double squares = 0;
    for (const float value : part.of(std::span<const float>(state().parameters)))
      squares += static_cast<double>(value) * static_cast<double>(value);
    recording.norms[part.name] = std::sqrt(squares);
  }
  if (!setup_.some_units().empty()) {
    const auto count = static_cast<std::int64_t>(setup_.some_units().size());
    recording.arrays.emplace_back("unit", file::Array{{count}, setup_.some_units()});
    recording.axes["unit"] = {"unit"};
  }
  return recording;
}

}  // namespace sluice::lab
