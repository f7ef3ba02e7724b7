#include "sluice/gpu/ensemble.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <mutex>
#include <optional>
#include <string_view>
#include <utility>

#include "sluice/file/errors.hpp"
#include "sluice/gpu/plans.hpp"
#include "sluice/math/assert.hpp"
#include "sluice/net/two_layer_network.hpp"

namespace sluice::gpu {
namespace {

using Unit = EnsemblePlan::Unit;
const std::map<std::string_view, Unit>& known_units() {
  static const std::map<std::string_view, Unit> units{
      {"relu", Unit::relu}, {"erf", Unit::erf},       {"sigmoid", Unit::sigmoid},
      {"tanh", Unit::tanh}, {"linear", Unit::linear}, {"soft-relu", Unit::soft_relu}};
  return units;
}

EnsemblePlan plan_of(const learn::Batches& batches, const learn::Batches& evaluation,
                     const net::Network& network, const learn::OutputLoss& loss,
                     const learn::TrainingOptions& options) {
  const net::TwoLayerOptions& layers = dynamic_cast<const net::TwoLayerNetwork&>(network).options();
  return {.inputs = network.inputs(),
          .units = network.units(),
          .unit = known_units().at(layers.activation),
          .beta = static_cast<float>(layers.beta),
          .learns_bias = layers.learns_bias(),
          .learns_readout = layers.learns_readout(),
          .pathway = static_cast<float>(layers.pathway),
          .training = training_plan(options, loss, 0, batches),
          .first_class = batches.rows_of_first_class(),
          .looks = evaluation.rows(),
          .looks_of_first = evaluation.rows_of_first_class()};
}
EnsemblePlan plan_of(const learn::EnsembleMember& member) {
  return plan_of(*member.batches, *member.evaluation, *member.network, *member.loss, member.options);
}

class TwoLayerEnsemble final : public learn::Ensemble {
 public:
  TwoLayerEnsemble(std::vector<learn::EnsembleMember> members, Precision precision, bool alone)
      : plan_(plan_of(members.front())), step_(members.front().start.step) {
    plan_.exact = precision == Precision::single;
    plan_.alone = alone;
    std::vector<std::array<task::Recipe, 2>> laws;
    for (const learn::EnsembleMember& each : members) {
      const task::Task& task = *each.batches->source()->task;
      laws.push_back({*task.recipe(0), *task.recipe(1)});
    }
    std::vector<MemberPlan> plans;
    for (std::size_t e = 0; e < members.size(); ++e) {
      const learn::EnsembleMember& each = members[e];
      const auto [task, seed] = *each.batches->source();
      const std::array<double, 2>& labels = task->classes().labels;
      plans.push_back({.seed = seed,
                       .laws = laws[e].data(),
                       .labels = {static_cast<float>(labels[0]), static_cast<float>(labels[1])},
                       .midpoint = static_cast<float>(each.midpoint),
                       .rate = each.options.optimizer.rate});
    }
    machine_ = device().ensemble(plan_, plans);
    for (learn::EnsembleMember& each : members) {
      SLUICE_ASSERT(each.start.step == step_);
      each.start.memory.resize(each.start.parameters.size() *
                               static_cast<std::size_t>(plan_.training.memories()));
      options_.push_back(each.options);
      states_.push_back(std::move(each.start));
    }
    send();
  }

  std::size_t size() const override { return states_.size(); }
  std::int64_t step() const override { return step_; }
  const learn::State& state(std::size_t member) const override {
    bring(true);
    return states_[member];
  }
  std::span<const float> parameters(std::size_t member) const override {
    bring(false);
    return states_[member].parameters;
  }
  double rate(std::size_t member) const override { return options_[member].at(step_).rate; }

  void move(std::int64_t steps) override {
    numbers_.clear();
    for (std::int64_t s = step_; s < step_ + steps; ++s) {
      const learn::TrainingOptions& options = options_.front();  // all but the rate is the same for all
      const auto t = static_cast<double>(s + 1 - states_.front().memory_from);
      numbers_.push_back({.share = options.schedule.share(s, options.steps),
                          .first_share = 1 - std::pow(options.optimizer.momentum, t),
                          .second_share = 1 - std::pow(options.optimizer.decay, t)});
    }
    machine_->move(static_cast<std::uint64_t>(step_), numbers_);
    step_ += steps;
  }
  std::int64_t most_steps() const override { return 256; }
  std::vector<learn::Evaluation> evaluate() override {
    std::vector<learn::Evaluation> seen(size());
    machine_->evaluate(seen);
    return seen;
  }

 private:
  void send() {
    const std::size_t of_one = states_.front().parameters.size();
    const auto memories = static_cast<std::size_t>(plan_.training.memories());
    parameters_.resize(size() * of_one);
    memory_.resize(parameters_.size() * memories);
    for (std::size_t e = 0; e < size(); ++e) {
      std::ranges::copy(states_[e].parameters, parameters_.begin() + static_cast<std::ptrdiff_t>(e * of_one));
      for (std::size_t m = 0; m < memories; ++m)
        std::copy_n(states_[e].memory.begin() + static_cast<std::ptrdiff_t>(m * of_one), of_one,
                    memory_.begin() + static_cast<std::ptrdiff_t>((m * size() + e) * of_one));
    }
    machine_->put(parameters_, memory_);
    here_ = memory_here_ = step_;
  }
  /// What is there, here; without what is remembered where nobody asks for it. What is here already is left alone: others may be reading it.
  void bring(bool memory_too) const {
    const std::lock_guard guard(bringing_);
    const bool stale = here_ != step_, memory_stale = memory_too && memory_here_ != step_;
    if (!stale && !memory_stale) return;
    const std::size_t of_one = states_.front().parameters.size();
    machine_->get(parameters_, memory_stale ? std::span(memory_) : std::span<float>{});
    for (std::size_t e = 0; e < size(); ++e) {
      learn::State& state = states_[e];
      if (stale)
        std::copy_n(parameters_.begin() + static_cast<std::ptrdiff_t>(e * of_one), of_one,
                    state.parameters.begin());
      if (!memory_stale) continue;
      for (std::size_t m = 0; m * of_one < state.memory.size(); ++m)
        std::copy_n(memory_.begin() + static_cast<std::ptrdiff_t>((m * size() + e) * of_one), of_one,
                    state.memory.begin() + static_cast<std::ptrdiff_t>(m * of_one));
      state.step = step_;
    }
    here_ = step_;
    if (memory_stale) memory_here_ = step_;
  }

  EnsemblePlan plan_;
  std::int64_t step_;
  std::vector<learn::TrainingOptions> options_;
  mutable std::mutex bringing_;
  mutable std::vector<learn::State> states_;         // as they were when somebody asked
  mutable std::vector<float> parameters_, memory_;   // [member, parameter]; [memory, member, parameter]
  mutable std::int64_t here_ = 0, memory_here_ = 0;  // the step of what is here
  std::vector<SharedNumbers> numbers_;
  std::unique_ptr<EnsembleMachine> machine_;
};

/// An ensemble of one.
class LonelyEngine final : public learn::Engine {
 public:
  LonelyEngine(learn::EnsembleMember member, Precision precision) : evaluation_(member.evaluation) {
    std::vector<learn::EnsembleMember> one;
    one.push_back(std::move(member));
    ensemble_ = std::make_unique<TwoLayerEnsemble>(std::move(one), precision, true);
  }
  const learn::State& state() const override { return ensemble_->state(0); }
  std::int64_t step() const override { return ensemble_->step(); }
  std::span<const float> parameters() const override { return ensemble_->parameters(0); }
  void move() override { ensemble_->move(1); }
  std::int64_t most_steps() const override { return ensemble_->most_steps(); }
  void stretch(std::int64_t steps) override { ensemble_->move(steps); }
  double rate() const override { return ensemble_->rate(0); }
  std::optional<learn::Evaluation> evaluate(const learn::Batches& set) override {
    if (&set != evaluation_) return std::nullopt;
    return ensemble_->evaluate().front();
  }

 private:
  const learn::Batches* evaluation_;
  std::unique_ptr<learn::Ensemble> ensemble_;
};

}  // namespace

void require_known_two_layer(const learn::Batches& batches, const net::Network& network,
                             Precision precision) {
  if (precision != Precision::usual && precision != Precision::single)
    refuse("networks with one hidden layer have no such precision: expected \"gpu\" or \"gpu:single\"");
  const net::TwoLayerOptions& layers = dynamic_cast<const net::TwoLayerNetwork&>(network).options();
  if (!known_units().contains(layers.activation))
    refuse(
        "network.activation: formulas are computed on the CPU: expected one of the units that have a name");
  const auto source = batches.source();
  if (!source || !source->task->recipe(0))
    refuse(
        "task.kind: expected gaussian, gaussian-clone, nlgp, norta, student-t, shell, scale-mixture, pulse "
        "or "
        "block: samples of others are drawn on the CPU");
}

double bytes_of_member(const learn::Batches& batches, const learn::Batches& evaluation,
                       const net::Network& network, const learn::OutputLoss& loss,
                       const learn::TrainingOptions& options) {
  return bytes_of_member(plan_of(batches, evaluation, network, loss, options));
}
double bytes_of_member(const EnsemblePlan& plan) {
  const std::int64_t rows = plan.training.batch, n = plan.inputs, k = plan.units;
  const std::int64_t samples = rows * (2 * n + 1 + k * (plan.learns_readout ? 2 : 1) + 3);
  return sizeof(float) * static_cast<double>(samples + 2 * n * n + k * (n + 2) +
                                             plan.parameters() * (1 + plan.training.memories()));
}

std::unique_ptr<learn::Ensemble> make_ensemble(std::vector<learn::EnsembleMember> members,
                                               Precision precision) {
  return std::make_unique<TwoLayerEnsemble>(std::move(members), precision, false);
}
std::unique_ptr<learn::Engine> make_engine(learn::EnsembleMember member, Precision precision) {
  return std::make_unique<LonelyEngine>(std::move(member), precision);
}

}  // namespace sluice::gpu
