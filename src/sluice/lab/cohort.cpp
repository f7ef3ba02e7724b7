#include "sluice/lab/cohort.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "sluice/learn/shared_trainer.hpp"

namespace sluice::lab {
namespace {

/// Where a run is among those that move: this changes when others join.
struct Seat {
  learn::SharedTrainer* trainer = nullptr;
  std::size_t member = 0;
};

/// One of many, as its simulation sees it; all move at once.
class MemberEngine final : public learn::Engine {
 public:
  explicit MemberEngine(const Seat& seat) : seat_(seat) {}

  const learn::State& state() const override { return seat_.trainer->state(seat_.member); }
  double rate() const override { return seat_.trainer->rate(seat_.member); }
  void move() override { seat_.trainer->move(); }

 private:
  const Seat& seat_;
};

/// Runs, those at the least step in motion: when they come to where the next ones stand, those join.
class Cohort {
 public:
  Cohort(const std::vector<std::unique_ptr<Joinable>>& runs, const Ended& ended) : ended_(ended) {
    for (std::size_t i = 0; i < runs.size(); ++i) waiting_.push_back({i, runs[i].get()});
    std::ranges::stable_sort(waiting_, {}, [](const Member& each) { return each.run->begins().step; });
  }

  /// Until all have ended, or one was stopped in the middle of a step of all.
  void run() {
    try {
      go_on();
    } catch (const Stopped&) {
      for (Member& each : moving_)
        if (each.run != nullptr)
          if (std::optional<Outcome> outcome = each.run->interrupt()) end(each, std::move(*outcome));
    }
  }

 private:
  struct Member {
    std::size_t number;
    Joinable* run;  ///< null once it has ended
    std::unique_ptr<Seat> seat = std::make_unique<Seat>();
  };

  void end(Member& member, Outcome outcome) {
    member.run = nullptr;
    ended_(member.number, std::move(outcome));
  }

  void go_on() {
    while (!moving_.empty() || !waiting_.empty()) {
      if (joins()) join();
      look();
      for (Member& each : moving_)
        if (std::optional<Outcome> outcome = each.run->pause()) end(each, std::move(*outcome));
      std::erase_if(moving_, [](const Member& each) { return each.run == nullptr; });
      if (!moving_.empty()) trainer_->move();
    }
  }

  std::int64_t step() const { return trainer_->state(moving_.front().seat->member).step; }
  bool joins() const {
    return !waiting_.empty() && (moving_.empty() || waiting_.front().run->begins().step == step());
  }

  /// Those who wait at the step that has been reached move with the others from here on; who has ended is left behind.
  void join() {
    const std::int64_t here = waiting_.front().run->begins().step;
    const auto further =
        std::ranges::find_if(waiting_, [&](const Member& each) { return each.run->begins().step != here; });
    const auto fresh = static_cast<std::size_t>(further - waiting_.begin());
    const std::size_t before = moving_.size();
    std::move(waiting_.begin(), further, std::back_inserter(moving_));
    waiting_.erase(waiting_.begin(), further);

    std::vector<learn::SharedTrainer::Member> members;
    std::vector<learn::Companion> companions;
    for (std::size_t i = 0; i < moving_.size(); ++i) {
      const Joinable& run = *moving_[i].run;
      companions.push_back({&run.setup().network(), run.setup().seed()});
      members.push_back({companions.back(), run.setup().training(moving_[i].run->workers()),
                         i < before ? trainer_->state(moving_[i].seat->member) : run.begins()});
    }
    const Setup& first = moving_.front().run->setup();
    trainer_ = std::make_unique<learn::SharedTrainer>(*first.batches(), first.loss(), std::move(members));
    evaluator_.emplace(first.evaluation(), companions, first.loss());
    for (std::size_t i = 0; i < moving_.size(); ++i) *moving_[i].seat = {trainer_.get(), i};
    for (std::size_t i = before; i < before + fresh; ++i)
      moving_[i].run->begin(std::make_unique<MemberEngine>(*moving_[i].seat));
  }

  /// Where looks are due, at the same step for all, one pass over the evaluation set serves them.
  void look() {
    const auto due = [](const Member& each) { return each.run->simulation().is_due(); };
    if (std::ranges::none_of(moving_, due)) return;
    std::vector<std::span<const float>> parameters;
    for (std::size_t i = 0; i < trainer_->size(); ++i) parameters.emplace_back(trainer_->state(i).parameters);
    const std::vector<learn::Evaluation> seen = evaluator_->evaluate(parameters);
    for (const Member& each : moving_)
      if (due(each)) each.run->simulation().take(seen[each.seat->member]);
  }

  const Ended& ended_;
  std::vector<Member> waiting_;                    // by step
  std::vector<Member> moving_;                     // at one step
  std::unique_ptr<learn::SharedTrainer> trainer_;  // of those that move, and of some that have ended
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

void run_together(const std::vector<std::unique_ptr<Joinable>>& runs, const Ended& ended) {
  Cohort(runs, ended).run();
}

}  // namespace sluice::lab
