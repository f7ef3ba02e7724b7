#include "sluice/lab/setup.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "sluice/file/errors.hpp"
#include "sluice/gpu/ensemble.hpp"
#include "sluice/kernel/spectrum.hpp"
#include "sluice/kernel/tangent.hpp"
#include "sluice/lab/fingerprint.hpp"
#include "sluice/lab/run_batches.hpp"
#include "sluice/math/memory.hpp"
#include "sluice/net/deep_network.hpp"
#include "sluice/probe/kernel_bench.hpp"
#include "sluice/task/dataset.hpp"

namespace sluice::lab {
namespace {

const net::DeepNetwork* deep(const net::Network& network) {
  return dynamic_cast<const net::DeepNetwork*>(&network);
}

/// What convolutions see of a task.
net::Volume volume_of(const task::Layout& layout) {
  if (layout.kind == task::Layout::Kind::plain) return {.channels = 0};
  return {.channels = layout.channels, .rows = layout.rows, .columns = layout.columns};
}

/// Where fields lie. Circular layers see a plane as the ring of its sites, row after row: their kernel may be longer than a row.
task::Layout layout_of_fields(task::Layout layout, std::optional<net::Patch> kernel) {
  layout.kernel = kernel;
  if (kernel && kernel->columns > layout.columns)
    layout.kernel = {.rows = (kernel->columns + layout.columns - 1) / layout.columns,
                     .columns = layout.columns};
  return layout;
}

/// A first layer that is too large to keep whole at every probe time: units evenly chosen. The weights of a network that are a part of
/// its own, the record's contract, are always kept whole.
std::vector<std::int64_t> affordable_units(const net::Network& network, std::int64_t times) {
  constexpr double kMostBytes = 32 << 20;
  const double bytes = 4.0 * static_cast<double>(times) * static_cast<double>(network.inputs());
  const std::int64_t all = network.units();
  const auto most = std::max<std::int64_t>(1, static_cast<std::int64_t>(kMostBytes / bytes));
  if (network.find_part("weights") != nullptr || most >= all) return {};
  std::vector<std::int64_t> units;
  for (std::int64_t i = 0; i < most; ++i) units.push_back(i * all / most);
  return units;
}

std::vector<float> affordable_start(const net::Network& network, std::uint64_t seed) {
  const double bytes = sizeof(float) * static_cast<double>(network.parameter_count());
  if (const double most = math::affordable_bytes(); bytes > most)
    throw InputError(
        fmt::format("network: {} parameters, {:.3g} GiB, expected at most {:.3g} GiB: fewer units or sites",
                    network.parameter_count(), bytes / math::kGibibyte, most / math::kGibibyte));
  return network.start(seed);
}

/// Batches follow each other through the epochs without a gap, so the last one of an epoch may begin the next: E passes over P samples, B
/// at a time, are done after ⌈E·P/B⌉ steps.
void settle_steps(DynamicsOptions& dynamics, const task::Task& task) {
  if (dynamics.epochs == 0) return;
  const task::FiniteSet* set = task.training_set();
  if (set == nullptr)
    throw InputError(fmt::format(
        "dynamics.epochs = {}: expected dynamics.steps: this task draws new samples at every step",
        dynamics.epochs));
  const std::int64_t rows = dynamics.batch == learn::kFullBatch ? set->size() : dynamics.batch;
  constexpr double kMostSteps = 1e12;  // of dynamics.steps
  const double steps =
      static_cast<double>(dynamics.epochs) * static_cast<double>(set->size()) / static_cast<double>(rows);
  if (steps > kMostSteps)
    throw InputError(fmt::format(
        "dynamics.epochs = {}: expected at most {:.0f} steps, found {:.0f}: {} samples, {} at a time",
        dynamics.epochs, kMostSteps, steps, set->size(), rows));
  dynamics.steps = (dynamics.epochs * set->size() + rows - 1) / rows;
  dynamics.epochs = 0;  // one number decides
}

/// Weights are a function of the seed alone: gates that another run learned under the same seed were learned together with the very
/// weights that this one starts from. Not independent, as experiment 5 of document 004 wants them.
std::string remark_on_shared_seed(const Experiment& experiment) {
  const auto* family = experiment.network.as<net::DeepFamily>();
  if (!experiment.start.run.empty() || family == nullptr || !family->layers.gated_by_network() ||
      family->layers.gate_init.law != "file" || family->layers.init.law == "file")
    return "";
  const std::filesystem::path given(family->layers.gate_init.path);
  const std::filesystem::path run = given.filename() == "record.npz" ? given.parent_path() : given;
  const std::filesystem::path spec = run / "spec.toml";
  if (!std::filesystem::exists(spec)) return "";  // weights of another program, or a kept copy
  try {
    if (load({.name_or_file = spec.string()}).seed != experiment.seed) return "";
  } catch (const InputError&) {
    return "";  // it is the arrays that are used, and they were found good
  }
  return fmt::format(
      "network.gate_init.path: {} has the seed {} of this run, so its gates were learned from the very "
      "weights that "
      "this network starts with; choose another seed for independent ones",
      run.string(), experiment.seed);
}

}  // namespace

Setup::Setup(Experiment experiment, TaskShelf* shelf) : Setup(begin(std::move(experiment), shelf)) {}

Setup::Begun Setup::begin(Experiment experiment, TaskShelf* shelf) {
  std::shared_ptr<const task::Task> task = shelf == nullptr ? experiment.task.make() : shelf->get(experiment);
  settle_steps(experiment.dynamics, *task);
  return {std::move(experiment), std::move(task)};
}

Setup::Setup(Begun begun)
    : experiment_(std::move(begun.experiment)),
      task_(std::move(begun.task)),
      network_(experiment_.network.make({.inputs = task_->inputs(),
                                         .outputs = task_->outputs(),
                                         .dimensions = task_->dimensions(),
                                         .volume = volume_of(task_->layout())})),
      origin_(experiment_.start.run.empty() ? std::nullopt
                                            : std::optional(continued(experiment_, *network_))),
      start_(origin_ ? origin_->state.parameters : affordable_start(*network_, seed())),
      kept_(experiment_.kept_start()),
      loss_(learn::loss(experiment_.dynamics.loss), network_->outputs(), task_->midpoint()),
      batches_(experiment_.dynamics.is_flow()
                   ? nullptr
                   : training_batches(*task_, experiment_.dynamics.batch, sample_seed())),
      evaluation_(network_->belongs_to_samples().empty()
                      ? evaluation_set(*task_, experiment_.probe.samples, sample_seed())
                      : whole_training_set(*task_)),
      training_set_(whole_training_set(*task_)),
      some_units_(
          affordable_units(*network_, experiment_.probe.of_the_end().empty()
                                          ? probe::probe_times(experiment_.probe, experiment_.dynamics.steps)
                                          : 1)),
      shared_seed_(remark_on_shared_seed(experiment_)),
      subject_(make_subject()) {
  require_fitting_samples();
  require_fitting_labels();
  require_fitting_rate();
  const std::vector<std::string> usual = experiment_.network.options().usual_probes();
  probes_ = probe::watching(experiment_.probe.watch.value_or(usual), subject_);
  for (const auto& [name, mark] : probe::function_names(experiment_.probe.functions)) {
    if (network_->find_part(name) != nullptr)
      throw InputError(
          fmt::format("probe.functions: {}: expected a name that no part of the network has", name));
    given_probes_.emplace_back(name, mark);
  }
  require_affordable_probes();
  require_affordable_record();
  if (experiment_.dynamics.is_flow() || watches_flow()) require_flow(experiment_.dynamics.flow);
  experiment_.start_from_kept();
  require_readable_spec();
  mark_ = fingerprint(experiment_);
}

/// A folder whose spec.toml cannot be read again is lost to everybody: a path may have bytes that are no UTF-8.
void Setup::require_readable_spec() const {
  const std::string text = to_toml(experiment_);
  if (std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; })) return;
  try {
    static_cast<void>(parse_spec(text, "spec.toml"));
  } catch (const InputError& error) {
    throw InputError(
        fmt::format("the spec could not be read again as it would be written: {}", error.what()));
  }
}

void Setup::require_fitting_samples() const {
  const std::string_view key = network_->belongs_to_samples();
  if (key.empty()) return;
  if (!training_set_)
    throw InputError(fmt::format(
        "{}: expected a finite task (points, dataset, mnist, cifar10): gates belong to samples", key));
  if (experiment_.dynamics.batch != learn::kFullBatch)
    throw InputError(fmt::format("{}: expected dynamics.batch = \"full\": gates belong to samples", key));
}

void Setup::require_fitting_labels() const {
  const std::array<double, 2> labels = task_->classes().labels;
  const bool zero_one = std::min(labels[0], labels[1]) == 0 && std::max(labels[0], labels[1]) == 1;
  const std::string& loss = experiment_.dynamics.loss;
  if (!learn::loss(loss).logit || network_->outputs() != 1 || zero_one) return;
  const auto* own = dynamic_cast<const task::DatasetOptions*>(&experiment_.task.options());
  if (own == nullptr || own->path.empty())
    throw InputError(fmt::format("dynamics.loss = \"{}\": expected task.labels of 0 and 1, found [{}, {}]",
                                 loss, labels[0], labels[1]));
  std::vector<float> values = task_->training_set()->y;
  std::ranges::sort(values);
  values.erase(std::unique(values.begin(), values.end()), values.end());
  throw InputError(
      fmt::format("{}: {}: expected labels of 0 and 1 for dynamics.loss = \"{}\", found {} different values "
                  "from {} to {}{}",
                  own->name(), own->y, loss, values.size(), values.front(), values.back(),
                  values.size() == 2 ? "; task.target = \"class\" makes them 0 and 1"
                                     : "; classes are integers, or task.target = \"class\""));
}

void Setup::require_fitting_rate() const {
  constexpr std::int64_t kMostSamplesForRate = 4096;  // all eigenvalues of more take minutes, at every start
  const std::string& unit = experiment_.dynamics.rate_unit;
  if (unit == "one") return;
  const auto need = [&](bool holds, const std::string& expected) {
    if (!holds) throw InputError(fmt::format("dynamics.rate_unit = \"{}\": expected {}", unit, expected));
  };
  need(deep(*network_) != nullptr,
       fmt::format("\"one\" for network.kind = \"{}\"", experiment_.network.kind()));
  if (unit != "kernel") return;
  need(training_set_ && network_->outputs() == 1, "a finite task and one output");
  need(training_set_->rows() <= kMostSamplesForRate,
       fmt::format("a training set of at most {} samples, found {}", kMostSamplesForRate,
                   training_set_->rows()));
  const double bytes = probe::bench_bytes("tangent_trace", deep(*network_)->layers(), training_set_->rows());
  const double most = math::affordable_bytes();
  need(bytes <= most, fmt::format("at most {:.3g} GiB for the kernel of the training set, found {:.3g} GiB: "
                                  "fewer samples or units",
                                  most / math::kGibibyte, bytes / math::kGibibyte));
}

/// What is watched stays in memory until the end.
void Setup::require_affordable_record() const {
  const std::int64_t looks = probe::probe_times(experiment_.probe, experiment_.dynamics.steps);
  const double bytes = watcher().bytes_of(static_cast<double>(looks)), most = math::affordable_bytes();
  if (bytes > most)
    throw InputError(
        fmt::format("probe.every = {}: expected a record of at most {:.3g} GiB, found {:.3g} GiB at {} probe "
                    "times: raise "
                    "it, or watch less",
                    experiment_.probe.every, most / math::kGibibyte, bytes / math::kGibibyte, looks));
}

void Setup::require_affordable_probes() const {
  const net::DeepNetwork* layers = deep(*network_);
  if (layers == nullptr) return;
  const double most = math::affordable_bytes();
  const std::int64_t samples = subject_.extents.samples;
  for (const probe::Probe* probe : probes_) {
    const std::string_view name = probe->choice.name;
    const auto bytes = [&](std::int64_t n) { return probe::bench_bytes(name, layers->layers(), n); };
    if (bytes(samples) <= most) continue;
    throw InputError(fmt::format(
        "probe.watch: {} needs {:.3g} GiB, expected at most {:.3g} GiB: {}", name,
        bytes(samples) / math::kGibibyte, most / math::kGibibyte,
        bytes(1) > most ? "leave it out, or take fewer units"
                        : fmt::format("leave it out, or lower probe.kernel_samples = {}", samples)));
  }
}

/// Time is rate × step, and nothing but the loss pulls at the weights.
void Setup::require_flow(const flow::EngineOptions& options) const {
  const DynamicsOptions& dynamics = experiment_.dynamics;
  if (!dynamics.is_flow() && !dynamics.schedule.is_constant())
    throw InputError("dynamics.schedule: expected a constant rate, for there to be a flow beside training");
  if (!dynamics.is_flow() && dynamics.optimizer.weight_decay > 0)
    throw InputError(
        fmt::format("dynamics.weight_decay = {}: expected 0, for there to be a flow beside training",
                    dynamics.optimizer.weight_decay));
  flow::require_flow(flow_subject(), options);
}

probe::Subject Setup::make_subject() const {
  const net::DeepNetwork* layers = deep(*network_);
  return {
      .extents = {.units =
                      some_units_.empty() ? network_->units() : static_cast<std::int64_t>(some_units_.size()),
                  .sites = network_->inputs(),
                  .layers = layers == nullptr ? 0 : layers->layers().depth(),
                  .samples =
                      training_set_ ? std::min(experiment_.probe.kernel_samples, training_set_->rows()) : 0,
                  .layout = layout_of_fields(task_->layout(), network_->patch())},
      .running = true,
      .bias = network_->find_part("bias") != nullptr,
      .readout = network_->find_part("readout") != nullptr,
      .samples = true,
      .finite_set = training_set_ != nullptr,
      .squares = experiment_.dynamics.loss == "half-squared",
      .deep = layers != nullptr,
      .outputs = network_->outputs(),
      .soft_gates = layers != nullptr && layers->layers().adapts_gates(),
      .schedule = !experiment_.dynamics.is_flow() && !experiment_.dynamics.schedule.is_constant()};
}

record::Evaluated Setup::evaluated() const {
  using record::Evaluated;
  if (!network_->belongs_to_samples().empty()) return Evaluated::training_set;
  if (task_->test_set() == nullptr) return Evaluated::new_samples;
  return task_->test_set() == task_->training_set() ? Evaluated::training_set : Evaluated::test_set;
}

std::span<const float> Setup::watched_fields(std::span<const float> parameters,
                                             std::vector<float>& storage) const {
  std::vector<float> all;
  const std::span<const float> fields = network_->fields(parameters, some_units_.empty() ? storage : all);
  if (some_units_.empty()) return fields;
  const auto n = static_cast<std::size_t>(network_->inputs());
  for (const std::int64_t unit : some_units_) {
    const auto field = fields.subspan(static_cast<std::size_t>(unit) * n, n);
    storage.insert(storage.end(), field.begin(), field.end());
  }
  return storage;
}

probe::Watcher Setup::watcher() const {
  return {probes_, subject_.extents, given_probes_, experiment_.probe.of_the_end()};
}

bool Setup::watches_flow() const {
  return std::ranges::any_of(
      probes_, [](const probe::Probe* probe) { return probe->choice.name.starts_with("flow_"); });
}

file::NamedArrays Setup::kept_start() const {
  if (origin_) return record::to_arrays(end_of(origin_->state));
  file::NamedArrays arrays;
  for (const net::Part& part : network_->parts()) {
    if (!kept_.holds(part)) continue;
    const auto values = part.of(std::span(start_));
    arrays.emplace_back(part.name, file::Array{part.shape, std::vector<float>(values.begin(), values.end())});
  }
  return arrays;
}

learn::State Setup::begins() const {
  return origin_ ? origin_->state : learn::State{.step = 0, .parameters = start_};
}

record::EndState Setup::end_of(const learn::State& state) const {
  return record::end_state(state, network_->parts(), owner_of_memory(experiment_));
}

std::vector<std::string> Setup::remarks() const {
  std::vector<std::string> remarks = task_->remarks();
  const std::vector<std::string> of_start =
      origin_ ? origin_->remarks : experiment_.network.options().remarks();
  remarks.insert(remarks.end(), of_start.begin(), of_start.end());
  if (!some_units_.empty())
    remarks.push_back(
        fmt::format("weights: of {} units of the first layer {} are kept over time, evenly "
                    "chosen; which, is in the array unit",
                    network_->units(), some_units_.size()));
  if (!shared_seed_.empty()) remarks.push_back(shared_seed_);
  const task::FiniteSet* set = task_->training_set();
  if (set != nullptr && set->augmentation.changes() && (!batches_ || batches_->rows() == set->size()))
    remarks.emplace_back(
        "task.flips, task.crop: of no effect: they are of batches, and every step sees the whole set as it "
        "is");
  return remarks;
}

double Setup::rate(math::Workers& workers) const {
  const std::string& unit = experiment_.dynamics.rate_unit;
  const double number = experiment_.dynamics.optimizer.rate;
  if (unit == "one") return number;
  const net::DeepGated<float>& layers = deep(*network_)->layers();
  if (unit == "depth") return number / static_cast<double>(layers.depth());
  const task::FiniteSet& set = *task_->training_set();
  const net::DeepGated<double> exact(layers.options(), layers.input(), network_->outputs());
  const std::vector<double> theta(start_.begin(), start_.end());
  const std::vector<double> x(set.x.begin(), set.x.end());
  const kernel::Passage<double> passage(exact, theta, x, seed(), workers);
  return number * (static_cast<double>(set.size()) / kernel::eigenvalues(passage.tangent()).back());
}

/// A run that asked for what is quicker is not quietly trained without.
void Setup::require_fast_at(const gpu::Place& place) const {
  if (!experiment_.dynamics.fast()) return;
  const bool there = place.on_device && place.precision == gpu::Precision::usual;
  const std::string wanted = there ? gpu::wanted_for_fast(*batches_, *network_)
                                   : fmt::format("device \"gpu\", found \"{}\"", place.text());
  if (wanted.empty()) return;
  throw InputError(fmt::format("{}{}dynamics.precision = \"fast\": expected {}", experiment_.loaded_from,
                               experiment_.loaded_from.empty() ? "" : ": ", wanted));
}

void Setup::require_known_at(const gpu::Place& place) const {
  require_fast_at(place);
  if (place.on_device) gpu::require_known(batches(), network(), place.precision);
}

learn::EnsembleMember Setup::member(learn::State state, math::Workers& workers) const {
  return {.batches = batches_.get(),
          .evaluation = evaluation_.get(),
          .network = network_.get(),
          .seed = seed(),
          .loss = &loss_,
          .midpoint = task_->midpoint(),
          .options = training(workers),
          .start = std::move(state)};
}

std::unique_ptr<learn::Engine> Setup::engine(learn::State state, math::Workers& workers,
                                             const gpu::Place& place) const {
  return experiment_.dynamics.is_flow() && !place.on_device
             ? flow(experiment_.dynamics.flow, experiment_.probe.every, std::move(state), workers)
             : trainer(std::move(state), workers, place);
}

std::unique_ptr<learn::Engine> Setup::trainer(learn::State state, math::Workers& workers,
                                              const gpu::Place& place) const {
  if (!batches_)
    throw InputError("dynamics.kind = \"flow\": expected an optimiser, for there to be training");
  require_fast_at(place);
  if (place.on_device && experiment_.network.kind() == "two-layer")
    return gpu::make_engine(member(std::move(state), workers), place.precision, workers);
  if (place.on_device)
    return gpu::make_trainer(*batches_, *network_, loss_, training(workers), task_->midpoint(), seed(),
                             std::move(state), workers, place.precision);
  return learn::make_trainer(*batches_, *network_, loss_, training(workers), seed(), std::move(state),
                             workers);
}

learn::TrainingOptions Setup::training(math::Workers& workers) const {
  learn::TrainingOptions options = experiment_.dynamics;
  options.optimizer.rate = rate(workers);
  return options;
}

bool Setup::knows_flow(const flow::EngineOptions& options) const {
  try {
    require_flow(options);
    return true;
  } catch (const InputError&) {
    return false;
  }
}

std::unique_ptr<learn::Engine> Setup::flow(const flow::EngineOptions& options, std::int64_t every,
                                           learn::State state, math::Workers& workers) const {
  require_flow(options);
  return flow::make_flow(
      flow_subject(), options,
      {.rate = experiment_.dynamics.optimizer.rate, .steps = experiment_.dynamics.steps, .every = every},
      sample_seed(), std::move(state), workers);
}

}  // namespace sluice::lab
