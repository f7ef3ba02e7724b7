#include "sluice/lab/mover.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "sluice/file/errors.hpp"
#include "sluice/flow/class_covariance.hpp"
#include "sluice/flow/elliptical.hpp"
#include "sluice/flow/erf_landscape.hpp"
#include "sluice/flow/flow.hpp"
#include "sluice/flow/fourier_flow.hpp"
#include "sluice/flow/population.hpp"
#include "sluice/flow/relu_landscape.hpp"
#include "sluice/flow/sampled.hpp"
#include "sluice/math/fourier_basis.hpp"
#include "sluice/theory/operators.hpp"

namespace sluice::lab {
namespace {

class Training final : public Mover {
 public:
  Training(const Experiment& experiment, const learn::Batches& batches, const net::TwoLayer<float>& network,
           learn::State start, math::Workers& workers)
      : trainer_(batches, network, experiment.dynamics, std::move(start), workers) {}

  const learn::State& state() const override { return trainer_.state(); }
  void move() override { trainer_.step(); }

 private:
  learn::Trainer trainer_;
};

/// What both kinds of flow share: steps are times, and float parameters follow the exact ones.
class Flowing : public Mover {
 public:
  const learn::State& state() const final { return state_; }
  bool at_rest() const final { return ending_ == flow::Ending::steady; }
  bool diverged() const final { return ending_ == flow::Ending::diverged; }

  void move() final {
    const std::int64_t next = std::min((state_.step / every_ + 1) * every_, steps_);
    ending_ = advance(rate_ * static_cast<double>(next));
    state_.step = next;
    const flow::FlowState& now = flow_state();
    state_.exact.assign(now.parameters.begin(), now.parameters.end());
    state_.exact.push_back(now.step);
    const std::vector<double> weights = sites(now.parameters);
    std::transform(weights.begin(), weights.end(), state_.parameters.begin(),
                   [](double w) { return static_cast<float>(w); });
  }

 protected:
  Flowing(const DynamicsOptions& dynamics, std::int64_t every, learn::State start)
      : state_(std::move(start)), rate_(dynamics.optimizer.rate), steps_(dynamics.steps), every_(every) {}

  /// Where the integrator begins or goes on. `parameters` are those of a fresh state.
  flow::FlowState flow_start(std::vector<double> parameters) const {
    flow::FlowState start{.time = rate_ * static_cast<double>(state_.step),
                          .parameters = std::move(parameters)};
    if (!state_.exact.empty()) {
      if (state_.exact.size() != start.parameters.size() + 1)
        throw std::logic_error("a flow's exact state does not fit its parameters");
      start.parameters.assign(state_.exact.begin(), state_.exact.end() - 1);
      start.step = state_.exact.back();
    }
    return start;
  }
  static flow::FlowOptions options(const DynamicsOptions& dynamics) {
    return {.tolerance = dynamics.tolerance, .steady = dynamics.steady};
  }

  virtual flow::Ending advance(double until) = 0;
  virtual const flow::FlowState& flow_state() const = 0;
  virtual std::vector<double> sites(std::span<const double> parameters) const = 0;

  learn::State state_;

 private:
  double rate_;
  std::int64_t steps_;
  std::int64_t every_;
  flow::Ending ending_ = flow::Ending::time_reached;
};

/// On the sites, by any landscape.
class SiteFlow final : public Flowing {
 public:
  /// The landscape and what it refers to.
  struct Parts {
    std::vector<std::unique_ptr<flow::Response>> responses;
    std::vector<std::unique_ptr<flow::SampledResponse>> sampled;
    std::vector<std::unique_ptr<flow::PopulationResponse>> populations;
    std::unique_ptr<flow::Landscape> landscape;
  };

  SiteFlow(const DynamicsOptions& dynamics, std::int64_t every, learn::State start, Parts parts)
      : Flowing(dynamics, every, std::move(start)),
        parts_(std::move(parts)),
        flow_(*parts_.landscape,
              flow_start({state_.parameters.begin(),
                          state_.parameters.begin() + static_cast<std::ptrdiff_t>(parts_.landscape->size())}),
              options(dynamics)) {}

 private:
  flow::Ending advance(double until) override { return flow_.advance(until); }
  const flow::FlowState& flow_state() const override { return flow_.state(); }
  std::vector<double> sites(std::span<const double> parameters) const override {
    return {parameters.begin(), parameters.end()};
  }

  Parts parts_;
  flow::Flow flow_;
};

/// One ReLU unit on elliptical classes, mode by mode: O(n) per step.
class ModeFlow final : public Flowing {
 public:
  ModeFlow(const DynamicsOptions& dynamics, std::int64_t every, const task::Task& task, learn::State start,
           flow::DiagonalProblem problem)
      : Flowing(dynamics, every, std::move(start)),
        basis_(task.side(), task.dimensions()),
        flow_(std::move(problem), flow_start(modes(task.inputs())), options(dynamics)) {}

 private:
  std::vector<double> modes(std::int64_t inputs) const {
    return basis_.analyse(std::vector<double>(state_.parameters.begin(), state_.parameters.begin() + inputs));
  }
  flow::Ending advance(double until) override { return flow_.advance(until); }
  const flow::FlowState& flow_state() const override { return flow_.state(); }
  std::vector<double> sites(std::span<const double> parameters) const override {
    return basis_.synthesise(parameters);
  }

  math::FourierBasis basis_;
  flow::FourierFlow flow_;
};

}  // namespace

void require_flow(const Experiment& experiment, const DynamicsOptions& dynamics, const task::Task& task) {
  const auto need = [](bool holds, const std::string& what) {
    if (!holds) throw InputError(fmt::format("dynamics.kind = \"flow\": expected {}", what));
  };
  const net::TwoLayerOptions& network = experiment.network.two_layer;
  const std::string& kind = experiment.task.kind();
  need(!experiment.network.is_deep(), "network.kind = \"two-layer\"");
  need(kind != "teacher" && task.training_set() == nullptr,
       "an endless task whose labels are those of its classes");
  need(task.classes().balance == 0.5, "task.balance = 0.5");
  need(network.readout == "mean", "network.readout = \"mean\"");
  need(network.activation == "relu" || network.activation == "erf",
       "network.activation = \"relu\" or \"erf\"");
  if (network.activation == "erf") {
    need(flow::is_gaussian(experiment.task.options()), "Gaussian data for erf units");
    need(task.dimensions() == 1, "task.dim = 1 for erf units");
  }
  if (network.activation == "relu") {
    need(!network.learns_bias() && network.initial_bias() == 0, "network.bias = \"none\" for relu units");
    need(task.even(), "inputs with X ~ −X (a pulse task with invert = true and support = \"pm1\")");
  }
  const std::string& named = dynamics.response;
  if (named == "auto" || named == "sampled") return;
  try {
    theory::make_operator(named, experiment.task, 0);
  } catch (const InputError& error) {
    throw InputError(fmt::format("dynamics.operator = \"{}\": {}", named, error.what()));
  }
}

namespace {

SiteFlow::Parts erf_parts(const Experiment& experiment, const task::Task& task) {
  SiteFlow::Parts parts;
  parts.landscape = std::make_unique<flow::ErfLandscape>(
      experiment.network.two_layer.hidden, std::array{task.moments(0).covariance, task.moments(1).covariance},
      task.classes().labels, experiment.network.two_layer.learns_bias());
  return parts;
}

/// A network fits a fixed set of samples unless they are many more than its weights: with one for each weight the fields of
/// 100 units come to a median cosine of 0.81 with those of large batches, with 16 to 0.98.
std::int64_t enough_samples(const Experiment& experiment, const DynamicsOptions& dynamics,
                            const task::Task& task) {
  constexpr std::int64_t kPerWeight = 16;
  const std::int64_t weights =
      experiment.network.two_layer.hidden == 1 ? 0 : experiment.network.two_layer.hidden * task.inputs();
  return std::max(dynamics.samples, kPerWeight * weights);
}

/// How one class of a ReLU network answers, by the names of the spec.
const flow::PopulationResponse* relu_class(const Experiment& experiment, const DynamicsOptions& dynamics,
                                           const task::Task& task, int which_class, math::Workers& workers,
                                           SiteFlow::Parts& parts) {
  const std::string& kind = experiment.task.kind();
  const bool closed = flow::elliptical_constant(experiment.task.options()).has_value();
  const bool one = experiment.network.two_layer.hidden == 1;
  const bool needs_f = task.classes().labels.at(static_cast<std::size_t>(which_class)) != 0;
  const bool cheap = closed || kind == "pulse" || kind == "block";
  const bool sampled_f = dynamics.response == "sampled" || (dynamics.response == "auto" && !cheap);
  const bool sampled_pairs = !one && (dynamics.pairs == "sampled" || (dynamics.pairs == "auto" && !closed));

  const flow::SampledResponse* sampled = nullptr;
  if ((sampled_f && needs_f) || sampled_pairs) {
    parts.sampled.push_back(std::make_unique<flow::SampledResponse>(
        task, which_class,
        flow::SampleOptions{.samples = enough_samples(experiment, dynamics, task),
                            .seed = static_cast<std::uint64_t>(experiment.seed)},
        workers));
    sampled = parts.sampled.back().get();
  }
  const flow::Response* f = sampled;
  if (!sampled_f && needs_f) {
    parts.responses.push_back(theory::make_operator(dynamics.response == "auto" ? "" : dynamics.response,
                                                    experiment.task, which_class));
    f = parts.responses.back().get();
  }
  const auto own = [&](std::unique_ptr<flow::PopulationResponse> population) {
    parts.populations.push_back(std::move(population));
    return parts.populations.back().get();
  };
  if (one)
    return own(
        std::make_unique<flow::OneUnit>(flow::class_covariance(task, which_class), needs_f ? f : nullptr));
  const flow::PopulationResponse* pairs =
      sampled_pairs
          ? sampled
          : own(std::make_unique<flow::GaussianPopulation>(flow::class_covariance(task, which_class)));
  if (!needs_f || (sampled_f && sampled_pairs)) return pairs;
  return own(std::make_unique<flow::MixedPopulation>(*f, *pairs));
}

SiteFlow::Parts relu_parts(const Experiment& experiment, const DynamicsOptions& dynamics,
                           const task::Task& task, math::Workers& workers) {
  SiteFlow::Parts parts;
  const std::array classes{relu_class(experiment, dynamics, task, 0, workers, parts),
                           relu_class(experiment, dynamics, task, 1, workers, parts)};
  parts.landscape = std::make_unique<flow::ReluLandscape>(experiment.network.two_layer.hidden, classes,
                                                          task.classes().labels);
  return parts;
}

}  // namespace

std::unique_ptr<Mover> make_trainer(const Experiment& experiment, const learn::Batches& batches,
                                    const net::TwoLayer<float>& network, learn::State start,
                                    math::Workers& workers) {
  return std::make_unique<Training>(experiment, batches, network, std::move(start), workers);
}

std::unique_ptr<Mover> make_flow(const Experiment& experiment, const DynamicsOptions& dynamics,
                                 std::int64_t every, const task::Task& task, learn::State start,
                                 math::Workers& workers) {
  const bool relu = experiment.network.two_layer.activation == "relu";
  const std::optional<double> c = flow::elliptical_constant(experiment.task.options());
  if (relu && experiment.network.two_layer.hidden == 1 && c && dynamics.response == "auto") {
    return std::make_unique<ModeFlow>(
        dynamics, every, task, std::move(start),
        flow::ring_problem({task.moments(0).covariance, task.moments(1).covariance}, {*c, *c},
                           task.classes().labels, task.dimensions()));
  }
  return std::make_unique<SiteFlow>(
      dynamics, every, std::move(start),
      relu ? relu_parts(experiment, dynamics, task, workers) : erf_parts(experiment, task));
}

}  // namespace sluice::lab
