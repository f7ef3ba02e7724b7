#include "sluice/learn/shared_trainer.hpp"

#include <algorithm>
#include <utility>

#include "sluice/math/assert.hpp"
#include "sluice/math/kernels.hpp"

namespace sluice::learn {
namespace {

std::vector<Companion> companions_of(const std::vector<EnsembleMember>& members) {
  std::vector<Companion> companions;
  for (const EnsembleMember& each : members) companions.push_back({each.network, each.seed});
  return companions;
}

}  // namespace

SharedTrainer::SharedTrainer(std::vector<EnsembleMember> members)
    : row_(static_cast<std::size_t>(
          math::whole_vectors(static_cast<std::int64_t>(members.front().network->gradient_size())))),
      plan_(members.front().batches->rows(), members.front().batches->rows_of_first_class(),
            members.front().network->gradient_size()),
      per_sample_(1.0 / static_cast<double>(members.front().batches->rows())),
      evaluation_(*members.front().evaluation),
      loss_(*members.front().loss),
      worker_(*members.front().batches, companions_of(members), loss_),
      chunk_(members.size() * row_),
      gradient_(members.size() * row_) {
  for (EnsembleMember& each : members) {
    SLUICE_ASSERT(each.network->gradient_size() == members.front().network->gradient_size());
    SLUICE_ASSERT(each.start.step == members.front().start.step);
    const Optimizer& rule = optimizer(each.options.kind);
    const std::size_t memory = each.start.parameters.size() * static_cast<std::size_t>(rule.memories);
    SLUICE_ASSERT(each.start.memory.empty() || each.start.memory.size() == memory);
    each.start.memory.resize(memory);
    members_.push_back(
        {{each.network, each.seed}, each.options, rule, each.network->trained(), std::move(each.start)});
  }
  for (const Moving& each : members_) parameters_.emplace_back(each.state.parameters);
}

double SharedTrainer::rate(std::size_t member) const {
  return members_[member].options.at(members_[member].state.step).rate;
}

std::vector<Evaluation> SharedTrainer::evaluate() {
  if (!evaluator_) {
    std::vector<Companion> companions;
    for (const Moving& each : members_) companions.push_back(each.of);
    evaluator_.emplace(evaluation_, companions, loss_);
  }
  return evaluator_->evaluate(parameters_);
}

void SharedTrainer::move(std::int64_t steps) {
  for (; steps > 0; --steps) move();
}

void SharedTrainer::move() {
  worker_.use(parameters_);
  const auto step = static_cast<std::uint64_t>(members_.front().state.step);
  std::ranges::fill(gradient_, 0.0);
  for (std::int64_t chunk = 0; chunk < plan_.chunks; ++chunk) {
    std::ranges::fill(chunk_, 0.0F);
    for (std::int64_t i = plan_.first(chunk); i < plan_.last(chunk); ++i) {
      worker_.forward(step, plan_.blocks[static_cast<std::size_t>(i)]);
      worker_.backward(per_sample_, chunk_);
    }
    math::accumulate(chunk_, gradient_);  // chunks in order and in double, as the trainer of one adds them
  }
  for (std::size_t e = 0; e < members_.size(); ++e) descend(members_[e], gradient_.data() + e * row_);
}

void SharedTrainer::descend(Moving& member, const double* gradient) const {
  State& state = member.state;
  const OptimizerOptions moving = member.options.at(state.step);
  for (const net::Stretch& stretch : member.stretches) {
    Stretch moved =
        member.optimizer.stretch(state.parameters, state.memory, stretch.parameter, stretch.count);
    moved.gradient64 = gradient + stretch.gradient;
    member.optimizer.move(moving, state.step + 1 - state.memory_from, moved);
  }
  ++state.step;
}

SharedEvaluator::SharedEvaluator(const Batches& set, std::span<const Companion> members,
                                 const OutputLoss& loss)
    : samples_(static_cast<double>(set.rows())),
      plan_(set.rows(), set.rows_of_first_class()),
      loss_(loss),
      members_(members.size()),
      worker_(set, members, loss) {}

std::vector<Evaluation> SharedEvaluator::evaluate(std::span<const std::span<const float>> parameters) {
  worker_.use(parameters);
  std::vector<Evaluation> total(members_), chunk(members_);
  for (std::int64_t c = 0; c < plan_.chunks; ++c) {
    std::ranges::fill(chunk, Evaluation{});
    for (std::int64_t i = plan_.first(c); i < plan_.last(c); ++i) {
      worker_.forward(0, plan_.blocks[static_cast<std::size_t>(i)]);
      const std::span<const float> labels = worker_.labels();
      for (std::size_t e = 0; e < members_; ++e) {
        const math::Lanes outputs = worker_.outputs(e);
        for (std::size_t r = 0; r < labels.size(); ++r) {
          chunk[e].loss += loss_.value(outputs.data + r, outputs.stride, labels[r]);
          chunk[e].accuracy += loss_.right(outputs.data + r, outputs.stride, labels[r]) ? 1 : 0;
        }
      }
    }
    for (std::size_t e = 0; e < members_; ++e) {
      total[e].loss += chunk[e].loss;
      total[e].accuracy += chunk[e].accuracy;
    }
  }
  for (Evaluation& each : total) each = {each.loss / samples_, each.accuracy / samples_};
  return total;
}

}  // namespace sluice::learn
