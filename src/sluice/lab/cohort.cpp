#include "sluice/lab/cohort.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "sluice/learn/shared_trainer.hpp"

namespace sluice::lab {
namespace {

/// One of many, as its simulation sees it; all move at once.
class MemberEngine final : public learn::Engine {
 public:
  MemberEngine(learn::SharedTrainer& trainer, std::size_t member) : trainer_(trainer), member_(member) {}

  const learn::State& state() const override { return trainer_.state(member_); }
  double rate() const override { return trainer_.rate(member_); }
  void move() override { trainer_.move(); }

 private:
  learn::SharedTrainer& trainer_;
  std::size_t member_;
};

/// Sessions at one step.
class Cohort {
 public:
  explicit Cohort(std::vector<Session*> sessions) : sessions_(std::move(sessions)) {
    const Setup& first = sessions_.front()->setup();
    std::vector<learn::SharedTrainer::Member> members;
    std::vector<learn::Companion> companions;
    for (Session* each : sessions_) {
      const Setup& setup = each->setup();
      companions.push_back({&setup.network(), setup.seed()});
      members.push_back({companions.back(), setup.training(each->workers()), each->begins()});
    }
    trainer_.emplace(*first.batches(), first.loss(), std::move(members));
    evaluator_.emplace(first.evaluation(), companions, first.loss());
    for (std::size_t i = 0; i < sessions_.size(); ++i)
      sessions_[i]->begin(std::make_unique<MemberEngine>(*trainer_, i));
  }

  /// Until all have ended.
  void run(const Ended& ended) {
    std::size_t left = sessions_.size();
    while (true) {
      look();
      for (std::size_t i = 0; i < sessions_.size(); ++i) {
        if (sessions_[i] == nullptr) continue;
        if (auto outcome = sessions_[i]->pause()) {
          sessions_[i] = nullptr;
          --left;
          ended(i, std::move(*outcome));
        }
      }
      if (left == 0) return;
      trainer_->move();
    }
  }

 private:
  /// Where looks are due, at the same step for all, one pass over the evaluation set serves them.
  void look() {
    const auto due = [](Session* each) { return each != nullptr && each->simulation().is_due(); };
    if (std::ranges::none_of(sessions_, due)) return;
    std::vector<std::span<const float>> parameters;
    for (std::size_t i = 0; i < sessions_.size(); ++i) parameters.emplace_back(trainer_->state(i).parameters);
    const std::vector<learn::Evaluation> seen = evaluator_->evaluate(parameters);
    for (std::size_t i = 0; i < sessions_.size(); ++i)
      if (due(sessions_[i])) sessions_[i]->simulation().take(seen[i]);
  }

  std::vector<Session*> sessions_;  // null: ended
  std::optional<learn::SharedTrainer> trainer_;
  std::optional<learn::SharedEvaluator> evaluator_;
};

bool may_differ(const std::string& path) {
  constexpr std::array<std::string_view, 4> kOwn{"network.init.", "network.bias_init.",
                                                 "network.readout_init.", "dynamics.rate"};
  return path == "seed" ||
         std::ranges::any_of(kOwn, [&](std::string_view start) { return path.starts_with(start); });
}

}  // namespace

std::string cohort_key(const Experiment& experiment) {
  if (experiment.sample_seed < 0 || experiment.dynamics.is_flow() ||
      experiment.network.kind() != "two-layer" || !experiment.start.run.empty())
    return "";
  std::string key;
  for (const spec::KeyInfo& each : keys_of(experiment))
    if (!may_differ(each.path)) key += fmt::format("{}={}\n", each.path, each.value);
  return key;
}

void run_together(std::vector<std::unique_ptr<Session>> sessions, const Ended& ended) {
  std::vector<Session*> together;
  std::vector<std::size_t> numbers;
  for (std::size_t i = 0; i < sessions.size(); ++i) {
    if (sessions[i]->begins().step != sessions.front()->begins().step) continue;
    together.push_back(sessions[i].get());
    numbers.push_back(i);
  }
  Cohort(together).run(
      [&](std::size_t member, Outcome outcome) { ended(numbers[member], std::move(outcome)); });
  for (std::size_t i = 0; i < sessions.size(); ++i) {
    if (std::ranges::find(numbers, i) != numbers.end()) continue;
    ended(i, sessions[i]->go_on());
  }
}

}  // namespace sluice::lab
