#include "sluice/flow/engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "sluice/file/errors.hpp"
#include "sluice/flow/class_covariance.hpp"
#include "sluice/flow/controlled.hpp"
#include "sluice/flow/elliptical.hpp"
#include "sluice/flow/erf_landscape.hpp"
#include "sluice/flow/finite_law.hpp"
#include "sluice/flow/flow.hpp"
#include "sluice/flow/fourier_flow.hpp"
#include "sluice/flow/gated_engine.hpp"
#include "sluice/flow/operators.hpp"
#include "sluice/flow/population.hpp"
#include "sluice/flow/relu_landscape.hpp"
#include "sluice/flow/sampled.hpp"
#include "sluice/flow/sampled_landscape.hpp"
#include "sluice/math/fourier_basis.hpp"
#include "sluice/net/gated_linear.hpp"
#include "sluice/net/two_layer_network.hpp"

namespace sluice::flow {
namespace {

constexpr std::array<spec::Choice, 3> kPairs{{
    {"auto", "gaussian where that is exact, else sampled"},
    {"gaussian", "as if X were Gaussian with its covariance"},
    {"sampled", "averages over a fixed set of samples"},
}};

constexpr std::array<spec::Choice, 2> kPaces{{
    {"flow", "continuous time, t = rate × step"},
    {"steps", "the mean of sgd itself, with the bias of its step size"},
}};

/// An operator may have a response, but none for the weights that a flow begins with or comes to.
template <class Work>
auto answered(const std::string& name, const Work& work) {
  try {
    return work();
  } catch (const std::invalid_argument& error) {
    throw InputError(
        fmt::format("dynamics.operator = \"{}\": {}; expected another operator", name, error.what()));
  }
}

/// What both kinds of flow share: steps are times, and float parameters follow the exact ones.
class Flowing : public learn::Engine {
 public:
  const learn::State& state() const final { return state_; }
  bool at_rest() const final { return stop_ == Stop::steady; }
  bool diverged() const final { return stop_ == Stop::diverged; }

  void move() final {
    const std::int64_t next = std::min((state_.step / times_.every + 1) * times_.every, times_.steps);
    stop_ = answered(operator_, [&] { return advance(times_.rate * static_cast<double>(next)); });
    state_.step = next;
    const FlowState& now = flow_state();
    state_.exact.assign(now.parameters.begin(), now.parameters.end());
    state_.exact.push_back(now.step);
    const std::vector<double> weights = sites(now.parameters);
    std::transform(weights.begin(), weights.end(), state_.parameters.begin(),
                   [](double w) { return static_cast<float>(w); });
  }

 protected:
  Flowing(const EngineOptions& options, const Timetable& times, learn::State start)
      : state_(std::move(start)),
        times_(times),
        operator_(options.response),
        integration_{.tolerance = options.tolerance, .steady = options.steady} {}

  /// Where the integrator begins or goes on. `parameters` are those of a fresh state.
  FlowState flow_start(std::vector<double> parameters) const {
    FlowState start{.time = times_.rate * static_cast<double>(state_.step),
                    .parameters = std::move(parameters)};
    if (!state_.exact.empty()) {
      if (state_.exact.size() != start.parameters.size() + 1)
        throw std::logic_error("a flow's exact state does not fit its parameters");
      start.parameters.assign(state_.exact.begin(), state_.exact.end() - 1);
      start.step = state_.exact.back();
    }
    return start;
  }
  const FlowOptions& integration() const { return integration_; }

  virtual Stop advance(double until) = 0;
  virtual const FlowState& flow_state() const = 0;
  virtual std::vector<double> sites(std::span<const double> parameters) const = 0;

  learn::State state_;

 private:
  Timetable times_;
  std::string operator_;
  FlowOptions integration_;
  Stop stop_ = Stop::time_reached;
};

/// On the sites, by any landscape.
class SiteFlow final : public Flowing {
 public:
  /// The landscape and what it refers to.
  struct Parts {
    std::vector<std::unique_ptr<Response>> responses;
    std::vector<std::unique_ptr<SampledResponse>> sampled;
    std::vector<std::unique_ptr<ControlledResponse>> controlled;
    std::vector<std::unique_ptr<PopulationResponse>> populations;
    std::unique_ptr<Landscape> landscape;
  };

  SiteFlow(const EngineOptions& options, const Timetable& times, learn::State start, Parts parts)
      : Flowing(options, times, std::move(start)),
        parts_(std::move(parts)),
        flow_(*parts_.landscape,
              flow_start({state_.parameters.begin(),
                          state_.parameters.begin() + static_cast<std::ptrdiff_t>(parts_.landscape->size())}),
              integration()) {}

 private:
  Stop advance(double until) override { return flow_.advance(until); }
  const FlowState& flow_state() const override { return flow_.state(); }
  std::vector<double> sites(std::span<const double> parameters) const override {
    return {parameters.begin(), parameters.end()};
  }

  Parts parts_;
  Flow flow_;
};

/// One ReLU unit on elliptical classes, mode by mode: O(n) per step.
class SpectralFlow final : public Flowing {
 public:
  SpectralFlow(const EngineOptions& options, const Timetable& times, const task::Task& task,
               learn::State start, DiagonalProblem problem)
      : Flowing(options, times, std::move(start)),
        basis_(task.side(), task.dimensions()),
        flow_(std::move(problem), flow_start(modes(task.inputs())), integration()) {}

 private:
  std::vector<double> modes(std::int64_t inputs) const {
    return basis_.analyse(std::vector<double>(state_.parameters.begin(), state_.parameters.begin() + inputs));
  }
  Stop advance(double until) override { return flow_.advance(until); }
  const FlowState& flow_state() const override { return flow_.state(); }
  std::vector<double> sites(std::span<const double> parameters) const override {
    return basis_.synthesise(parameters);
  }

  math::FourierBasis basis_;
  FourierFlow flow_;
};

}  // namespace

spec::Choices engine_operators() {
  static const std::vector<spec::Choice> all = [] {
    std::vector<spec::Choice> choices{{"auto", "the task's exact one where it is cheap, else sampled"}};
    const spec::Choices named = operator_choices();
    choices.insert(choices.end(), named.begin(), named.end());
    return choices;
  }();
  return all;
}

spec::Choices engine_pairs() { return kPairs; }

void EngineOptions::describe(spec::Keys& keys) {
  keys.choice("operator", response, engine_operators(),
              "how f(w) = E[1(⟨w,X⟩ ≥ 0) X] is computed, of relu units without biases");
  keys.choice("pairs", pairs, kPairs, "how several relu units without biases answer together");
  keys.integer("samples", samples, spec::integers(1024, 100'000'000),
               "samples of sampled expectations; of a network at least 16 for every weight");
  keys.number("tolerance", tolerance, spec::at_least(1e-14),
              "error per step, relative to the weights' root mean square");
  keys.number("steady", steady, spec::at_least(0), "the flow ends when max |dw/dt| falls below; 0: never");
}

spec::Choices paces() { return kPaces; }

void EngineOptions::describe_exact(spec::Keys& keys) {
  keys.choice("moments", moments.method, moment_methods(), "how E[g Y X] and E[g g' X X'] are computed");
  keys.integer("samples", moments.samples, spec::integers(1024, 1'000'000'000),
               "samples of the sampled moments");
  keys.choice("pace", pace, kPaces, "how time passes");
}

namespace {

void need(bool holds, const std::string& what) {
  if (!holds) throw InputError(fmt::format("dynamics.kind = \"flow\": expected {}", what));
}

/// A two-layer network, its task, and how its classes answer: closed forms where there are some, an average over samples everywhere else.
class TwoLayerFlows {
 public:
  TwoLayerFlows(const net::TwoLayerNetwork& network, const Subject& subject, const EngineOptions& options)
      : network_(network.options()), subject_(subject), options_(options) {}

  void require() const {
    if (const std::optional<std::string> lack = lacks_closed_form()) return require_no_operator(*lack);
    if (network_.activation == "erf" || options_.response == "auto" || options_.response == "sampled") return;
    try {
      make_operator(options_.response, subject_.section, 0);
    } catch (const InputError& error) {
      throw InputError(fmt::format("dynamics.operator = \"{}\": {}", options_.response, error.what()));
    }
  }

  /// Weights and what else is integrated.
  std::size_t parameters() const {
    const std::int64_t weights = network_.hidden * subject_.task.inputs();
    if (lacks_closed_form()) return subject_.network.parameter_count();
    return static_cast<std::size_t>(network_.activation == "erf" ? weights + network_.hidden : weights);
  }

  std::unique_ptr<learn::Engine> make(const Timetable& times, std::uint64_t seed, learn::State start,
                                      math::Workers& workers) const {
    if (lacks_closed_form())
      return std::make_unique<SiteFlow>(options_, times, std::move(start), sampled_parts(seed, workers));
    const task::Task& task = subject_.task;
    const bool relu = network_.activation == "relu";
    const std::optional<double> c = elliptical_constant(subject_.section.options());
    if (relu && network_.hidden == 1 && c && options_.response == "auto") {
      return std::make_unique<SpectralFlow>(
          options_, times, task, std::move(start),
          ring_problem({task.moments(0).covariance, task.moments(1).covariance}, {*c, *c},
                       task.classes().labels, task.dimensions()));
    }
    return std::make_unique<SiteFlow>(options_, times, std::move(start),
                                      relu ? relu_parts(seed, workers) : erf_parts());
  }

 private:
  /// What the first of the conditions that fails expects of a flow in closed form; nothing where there is one.
  std::optional<std::string> lacks_closed_form() const {
    const task::Task& task = subject_.task;
    const bool relu = network_.activation == "relu";
    const std::array<std::pair<bool, const char*>, 9> conditions{{
        {relu || network_.activation == "erf", "network.activation = \"relu\" or \"erf\""},
        {network_.readout == "mean", "network.readout = \"mean\""},
        {network_.pathway == 0, "network.pathway = 0"},
        {subject_.loss.name() == "half-squared", "dynamics.loss = \"half-squared\""},
        {task.classes().balance == 0.5, "task.balance = 0.5"},
        {task.training_set() == nullptr && subject_.section.kind() != "teacher",
         "an endless task whose labels are those of its classes"},
        {relu || (is_gaussian(subject_.section.options()) && task.dimensions() == 1),
         "Gaussian data on a ring for erf units"},
        {!relu || (!network_.learns_bias() && network_.initial_bias(0) == 0),
         "network.bias = \"none\" for relu units"},
        {!relu || task.even(), "inputs with X ~ −X (of pulse: invert = true and support = \"pm1\")"},
    }};
    for (const auto& [holds, what] : conditions)
      if (!holds) return what;
    // Asked for, an average over samples takes the place of the closed form; ReLU has an operator for it.
    if (!relu && options_.response == "sampled") return "\"auto\"";
    return std::nullopt;
  }

  void require_no_operator(const std::string& lack) const {
    const auto require_one = [&](const char* key, const std::string& named) {
      if (named == "auto" || named == "sampled") return;
      throw InputError(
          fmt::format("dynamics.{} = \"{}\": expected \"auto\" or \"sampled\"; the others are for flows in "
                      "closed form and need {}",
                      key, named, lack));
    };
    require_one("operator", options_.response);
    require_one("pairs", options_.pairs);
  }

  /// All points where they are finitely many.
  SiteFlow::Parts sampled_parts(std::uint64_t seed, math::Workers& workers) const {
    const std::optional<FiniteLaw> law = finite_law(subject_.section, subject_.task);
    SiteFlow::Parts parts;
    parts.landscape = std::make_unique<SampledLandscape>(
        subject_.network, subject_.loss,
        law ? KeptSamples(*law, subject_.task.inputs())
            : KeptSamples(subject_.task, {.samples = enough_samples(), .seed = seed}, workers),
        workers);
    return parts;
  }

  SiteFlow::Parts erf_parts() const {
    const task::Task& task = subject_.task;
    SiteFlow::Parts parts;
    parts.landscape = std::make_unique<ErfLandscape>(
        network_.hidden, std::array{task.moments(0).covariance, task.moments(1).covariance},
        task.classes().labels, network_.learns_bias());
    return parts;
  }

  /// A network fits a fixed set of samples unless they are many more than its weights: with one for each weight the fields of
  /// 100 units come to a median cosine of 0.81 with those of large batches, with 16 to 0.98.
  std::int64_t enough_samples() const {
    constexpr std::int64_t kPerWeight = 16;
    const std::int64_t weights = network_.hidden == 1 ? 0 : network_.hidden * subject_.task.inputs();
    return std::max(options_.samples, kPerWeight * weights);
  }

  /// How one class of a ReLU network answers, by the names of the spec.
  const PopulationResponse* relu_class(int which_class, std::uint64_t seed, math::Workers& workers,
                                       SiteFlow::Parts& parts) const {
    const task::Task& task = subject_.task;
    const std::string& kind = subject_.section.kind();
    const bool closed = elliptical_constant(subject_.section.options()).has_value();
    const bool one = network_.hidden == 1;
    const bool needs_f = task.classes().labels.at(static_cast<std::size_t>(which_class)) != 0;
    const bool cheap = closed || kind == "pulse" || kind == "block";
    const bool sampled_f = options_.response == "sampled" || (options_.response == "auto" && !cheap);
    const bool sampled_pairs = !one && (options_.pairs == "sampled" || (options_.pairs == "auto" && !closed));

    const Response* f = nullptr;
    const PopulationResponse* sampled = nullptr;
    if ((sampled_f && needs_f) || sampled_pairs) {
      const SampledOptions samples{.samples = enough_samples(), .seed = seed};
      const auto use = [&](auto& all, auto response) {
        all.push_back(std::move(response));
        f = all.back().get();
        sampled = all.back().get();
      };
      if (const std::unique_ptr<task::Task> twin = gaussian_twin(subject_.section.options()))
        use(parts.controlled,
            std::make_unique<ControlledResponse>(task, *twin, which_class, samples, workers));
      else
        use(parts.sampled, std::make_unique<SampledResponse>(task, which_class, samples, workers));
    }
    if (!sampled_f && needs_f) {
      parts.responses.push_back(
          make_operator(options_.response == "auto" ? "" : options_.response, subject_.section, which_class));
      f = parts.responses.back().get();
    }
    const auto own = [&](std::unique_ptr<PopulationResponse> population) {
      parts.populations.push_back(std::move(population));
      return parts.populations.back().get();
    };
    if (one)
      return own(std::make_unique<OneUnit>(class_covariance(task, which_class), needs_f ? f : nullptr));
    const PopulationResponse* pairs =
        sampled_pairs ? sampled
                      : own(std::make_unique<GaussianPopulation>(class_covariance(task, which_class)));
    if (!needs_f || (sampled_f && sampled_pairs)) return pairs;
    return own(std::make_unique<MixedPopulation>(*f, *pairs));
  }

  SiteFlow::Parts relu_parts(std::uint64_t seed, math::Workers& workers) const {
    SiteFlow::Parts parts;
    const std::array classes{relu_class(0, seed, workers, parts), relu_class(1, seed, workers, parts)};
    parts.landscape =
        std::make_unique<ReluLandscape>(network_.hidden, classes, subject_.task.classes().labels);
    return parts;
  }

  const net::TwoLayerOptions& network_;
  const Subject& subject_;
  const EngineOptions& options_;
};

const net::GatedLinearNetwork* gated(const Subject& subject) {
  return dynamic_cast<const net::GatedLinearNetwork*>(&subject.network);
}

/// K n of a matrix that this machine can hold and take apart.
constexpr std::int64_t kMostGatedWeights = 4096;

/// The flows of a family that has some.
TwoLayerFlows flows_of(const Subject& subject, const EngineOptions& options) {
  const auto* two_layer = dynamic_cast<const net::TwoLayerNetwork*>(&subject.network);
  if (options.exact) throw InputError("dynamics.kind = \"exact\": expected network.kind = \"gated-linear\"");
  need(two_layer != nullptr, "network.kind = \"two-layer\" or \"gated-linear\"");
  return {*two_layer, subject, options};
}

}  // namespace

void require_flow(const Subject& subject, const EngineOptions& options) {
  if (const net::GatedLinearNetwork* network = gated(subject)) {
    need(subject.loss.name() == "half-squared", "dynamics.loss = \"half-squared\" for gated linear units");
    const std::int64_t weights = network->units() * network->inputs();
    if (weights > kMostGatedWeights)
      throw InputError(fmt::format(
          "network.hidden = {}: expected at most {} weights (units × sites) to be solved exactly, found {}",
          network->units(), kMostGatedWeights, weights));
    require_moments(*network, network->gate_vectors(subject.start), subject.section, subject.task,
                    options.moments);
    return;
  }
  flows_of(subject, options).require();
}

/// Of a solution, the weights of step 0; else what is integrated (weights or their modes, whatever else moves) and the integrator's next step.
std::size_t exact_numbers(const Subject& subject, const EngineOptions& options) {
  if (gated(subject) != nullptr)
    return static_cast<std::size_t>(subject.network.units() * subject.network.inputs());
  return flows_of(subject, options).parameters() + 1;
}

std::unique_ptr<learn::Engine> make_flow(const Subject& subject, const EngineOptions& options,
                                         const Timetable& times, std::uint64_t seed, learn::State start,
                                         math::Workers& workers) {
  if (const net::GatedLinearNetwork* network = gated(subject))
    return std::make_unique<GatedEngine>(*network, subject, options, times, seed, std::move(start), workers);
  return answered(options.response,
                  [&] { return flows_of(subject, options).make(times, seed, std::move(start), workers); });
}

}  // namespace sluice::flow
