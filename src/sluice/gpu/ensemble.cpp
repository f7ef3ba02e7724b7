#include "sluice/gpu/ensemble.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <mutex>
#include <optional>
#include <string_view>
#include <utility>

#include "sluice/gpu/member_samples.hpp"
#include "sluice/gpu/plans.hpp"
#include "sluice/learn/evaluate.hpp"
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

/// Whether samples are drawn here and sent.
bool are_sent(const learn::Batches& batches) {
  const auto source = batches.source();
  return !source || !source->task->has_recipe();
}

EnsemblePlan plan_of(const learn::Batches& batches, const learn::Batches& evaluation,
                     const net::Network& network, const learn::OutputLoss& loss,
                     const learn::TrainingOptions& options) {
  const net::TwoLayerOptions& layers = dynamic_cast<const net::TwoLayerNetwork&>(network).options();
  const bool sent = are_sent(batches);
  return {.inputs = network.inputs(),
          .units = network.units(),
          .unit = known_units().at(layers.activation),
          .beta = static_cast<float>(layers.beta),
          .learns_bias = layers.learns_bias(),
          .learns_readout = layers.learns_readout(),
          .pathway = static_cast<float>(layers.pathway),
          .fast = options.fast(),
          .training = training_plan(options, loss, 0, batches),
          .sent = sent,
          .first_class = sent ? batches.rows() : batches.rows_of_first_class(),
          .looks = evaluation.rows(),
          .looks_of_first = evaluation.rows_of_first_class()};
}

class TwoLayerEnsemble final : public learn::Ensemble {
 public:
  TwoLayerEnsemble(std::vector<learn::EnsembleMember> members, Precision precision, math::Workers& workers,
                   bool alone)
      : members_(std::move(members)),
        workers_(workers),
        plan_(gpu::plan_of(members_.front())),
        step_(members_.front().start.step) {
    plan_.exact = precision == Precision::single;
    plan_.alone = alone;
    for (learn::EnsembleMember& each : members_) {
      SLUICE_ASSERT(each.start.step == step_ && are_sent(*each.batches) == plan_.sent &&
                    each.options.fast() == plan_.fast);
      each.start.memory.resize(each.start.parameters.size() *
                               static_cast<std::size_t>(plan_.training.memories()));
      states_.push_back(std::move(each.start));
    }
    make_machine();
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
  double rate(std::size_t member) const override { return members_[member].options.at(step_).rate; }

  void move(std::int64_t steps) override {
    numbers_.clear();
    const learn::TrainingOptions& options = members_.front().options;  // all but the rate is the same for all
    for (std::int64_t s = step_; s < step_ + steps; ++s) {
      const auto t = static_cast<double>(s + 1 - states_.front().memory_from);
      numbers_.push_back({.share = options.schedule.share(s, options.steps),
                          .first_share = 1 - std::pow(options.optimizer.momentum, t),
                          .second_share = 1 - std::pow(options.optimizer.decay, t)});
    }
    if (samples_) bring(true);
    try {
      machine_->move(static_cast<std::uint64_t>(step_), numbers_);
    } catch (...) {
      if (samples_) send();  // who draws may stop in the middle, which leaves nothing behind
      throw;
    }
    step_ += steps;
  }
  std::int64_t most_steps() const override { return 256; }
  std::vector<learn::Evaluation> evaluate() override {
    std::vector<learn::Evaluation> seen(size());
    if (samples_)
      evaluate_here(seen);
    else
      machine_->evaluate(seen);
    return seen;
  }

 private:
  void make_machine() {
    std::vector<std::array<task::Recipe, 2>> laws(size());
    std::vector<const learn::Batches*> batches;
    std::vector<MemberPlan> plans;
    for (std::size_t e = 0; e < size(); ++e) {
      const learn::EnsembleMember& each = members_[e];
      batches.push_back(each.batches);
      MemberPlan& plan = plans.emplace_back();
      plan.midpoint = static_cast<float>(each.midpoint);
      plan.rate = each.options.optimizer.rate;
      if (plan_.sent) continue;
      const auto [task, seed] = *each.batches->source();
      laws[e] = {*task->recipe(0), *task->recipe(1)};
      plan.seed = seed;
      plan.laws = laws[e].data();
      for (std::size_t c = 0; c < 2; ++c) plan.labels[c] = static_cast<float>(task->classes().labels[c]);
    }
    if (plan_.sent) samples_.emplace(std::move(batches), workers_);
    machine_ = device().ensemble(plan_, plans, samples_ ? &*samples_ : nullptr);
  }
  /// Every member by one thread; bits are those of more.
  void evaluate_here(std::vector<learn::Evaluation>& seen) {
    workers_.run(std::ssize(seen), [&](std::int64_t member, int) {
      const auto e = static_cast<std::size_t>(member);
      const learn::EnsembleMember& each = members_[e];
      math::Workers alone(1);
      seen[e] = learn::Evaluator(*each.evaluation, *each.network, *each.loss, each.seed, alone)
                    .evaluate(parameters(e));
    });
  }
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

  std::vector<learn::EnsembleMember> members_;  // their starts are among the states
  math::Workers& workers_;
  EnsemblePlan plan_;
  std::int64_t step_;
  mutable std::mutex bringing_;
  mutable std::vector<learn::State> states_;         // as they were when somebody asked
  mutable std::vector<float> parameters_, memory_;   // [member, parameter]; [memory, member, parameter]
  mutable std::int64_t here_ = 0, memory_here_ = 0;  // the step of what is here
  std::vector<SharedNumbers> numbers_;
  std::optional<MemberSamples> samples_;  // that are sent
  std::unique_ptr<EnsembleMachine> machine_;
};

/// An ensemble of one.
class LonelyEngine final : public learn::Engine {
 public:
  LonelyEngine(learn::EnsembleMember member, Precision precision, math::Workers& workers)
      : evaluation_(are_sent(*member.batches) ? nullptr : member.evaluation) {
    std::vector<learn::EnsembleMember> one;
    one.push_back(std::move(member));
    ensemble_ = std::make_unique<TwoLayerEnsemble>(std::move(one), precision, workers, true);
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
  const learn::Batches* evaluation_;  // null: others look
  std::unique_ptr<learn::Ensemble> ensemble_;
};

}  // namespace

EnsemblePlan plan_of(const learn::EnsembleMember& member) {
  return plan_of(*member.batches, *member.evaluation, *member.network, *member.loss, member.options);
}

void require_known_two_layer(const net::Network& network, Precision precision) {
  if (precision != Precision::usual && precision != Precision::single)
    refuse("networks with one hidden layer have no such precision: expected \"gpu\" or \"gpu:single\"");
  const net::TwoLayerOptions& layers = dynamic_cast<const net::TwoLayerNetwork&>(network).options();
  if (!known_units().contains(layers.activation))
    refuse(
        "network.activation: formulas are computed on the CPU: expected one of the units that have a name");
}

std::string wanted_for_fast(const learn::Batches& batches, const net::Network& network) {
  const auto most = [](std::int64_t limit, std::string_view what, std::int64_t found) {
    return fmt::format("at most {} {}, found {}", limit, what, found);
  };
  const net::TwoLayerOptions& layers = dynamic_cast<const net::TwoLayerNetwork&>(network).options();
  if (layers.learns_readout()) return "network.readout = \"mean\"";
  if (layers.pathway > 0) return "no pathway";
  if (network.inputs() > EnsemblePlan::kFastInputs)
    return most(EnsemblePlan::kFastInputs, "sites", network.inputs());
  if (network.units() > EnsemblePlan::kFastUnits)
    return most(EnsemblePlan::kFastUnits, "units", network.units());
  if (batches.rows() > EnsemblePlan::kFastBatch)
    return most(EnsemblePlan::kFastBatch, "samples a batch", batches.rows());
  for (int c = 0; c < 2; ++c)
    if (are_sent(batches) || !batches.source()->task->recipe(c)->is_plain())
      return "a task whose samples are gaussian, or erf of gaussian, at every site (gaussian, nlgp)";
  return "";
}

double bytes_of_member(const learn::Batches& batches, const learn::Batches& evaluation,
                       const net::Network& network, const learn::OutputLoss& loss,
                       const learn::TrainingOptions& options) {
  return bytes_of_member(plan_of(batches, evaluation, network, loss, options));
}
double bytes_of_member(const EnsemblePlan& plan) {
  const std::int64_t rows = plan.training.batch, n = plan.inputs, k = plan.units;
  const std::int64_t samples = rows * (2 * n + 1 + k * (plan.learns_readout ? 2 : 1) + 3);
  const std::int64_t laws = plan.sent ? 0 : 2 * n * n;
  return sizeof(float) * static_cast<double>(samples + laws + k * (n + 2) +
                                             plan.parameters() * (1 + plan.training.memories()));
}

std::unique_ptr<learn::Ensemble> make_ensemble(std::vector<learn::EnsembleMember> members,
                                               Precision precision, math::Workers& workers) {
  return std::make_unique<TwoLayerEnsemble>(std::move(members), precision, workers, false);
}
std::unique_ptr<learn::Engine> make_engine(learn::EnsembleMember member, Precision precision,
                                           math::Workers& workers) {
  return std::make_unique<LonelyEngine>(std::move(member), precision, workers);
}

}  // namespace sluice::gpu
