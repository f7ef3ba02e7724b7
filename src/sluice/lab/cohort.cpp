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

/// Sessions, those at the least step in motion: when they come to where the next ones stand, those join.
class Cohort {
 public:
  Cohort(std::vector<std::unique_ptr<Session>>& sessions, const Ended& ended) : ended_(ended) {
    for (std::size_t i = 0; i < sessions.size(); ++i) waiting_.push_back({i, sessions[i].get()});
    std::ranges::stable_sort(waiting_, {}, [](const Member& each) { return each.session->begins().step; });
  }

  /// Until all have ended.
  void run() {
    while (!moving_.empty() || !waiting_.empty()) {
      if (joins()) join();
      look();
      std::erase_if(moving_, [&](const Member& each) {
        std::optional<Outcome> outcome = each.session->pause();
        if (outcome) ended_(each.number, std::move(*outcome));
        return outcome.has_value();
      });
      if (!moving_.empty()) trainer_->move();
    }
  }

 private:
  struct Member {
    std::size_t number;
    Session* session;
    std::unique_ptr<Seat> seat = std::make_unique<Seat>();
  };

  std::int64_t step() const { return trainer_->state(moving_.front().seat->member).step; }
  bool joins() const {
    return !waiting_.empty() && (moving_.empty() || waiting_.front().session->begins().step == step());
  }

  /// Those who wait at the step that has been reached move with the others from here on; who has ended is left behind.
  void join() {
    const std::int64_t here = waiting_.front().session->begins().step;
    const auto further = std::ranges::find_if(
        waiting_, [&](const Member& each) { return each.session->begins().step != here; });
    const auto fresh = static_cast<std::size_t>(further - waiting_.begin());
    const std::size_t before = moving_.size();
    std::move(waiting_.begin(), further, std::back_inserter(moving_));
    waiting_.erase(waiting_.begin(), further);

    std::vector<learn::SharedTrainer::Member> members;
    std::vector<learn::Companion> companions;
    for (std::size_t i = 0; i < moving_.size(); ++i) {
      const Session& session = *moving_[i].session;
      companions.push_back({&session.setup().network(), session.setup().seed()});
      members.push_back({companions.back(), session.setup().training(moving_[i].session->workers()),
                         i < before ? trainer_->state(moving_[i].seat->member) : session.begins()});
    }
    const Setup& first = moving_.front().session->setup();
    trainer_ = std::make_unique<learn::SharedTrainer>(*first.batches(), first.loss(), std::move(members));
    evaluator_.emplace(first.evaluation(), companions, first.loss());
    for (std::size_t i = 0; i < moving_.size(); ++i) *moving_[i].seat = {trainer_.get(), i};
    for (std::size_t i = before; i < before + fresh; ++i)
      moving_[i].session->begin(std::make_unique<MemberEngine>(*moving_[i].seat));
  }

  /// Where looks are due, at the same step for all, one pass over the evaluation set serves them.
  void look() {
    const auto due = [](const Member& each) { return each.session->simulation().is_due(); };
    if (std::ranges::none_of(moving_, due)) return;
    std::vector<std::span<const float>> parameters;
    for (std::size_t i = 0; i < trainer_->size(); ++i) parameters.emplace_back(trainer_->state(i).parameters);
    const std::vector<learn::Evaluation> seen = evaluator_->evaluate(parameters);
    for (const Member& each : moving_)
      if (due(each)) each.session->simulation().take(seen[each.seat->member]);
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

void run_together(std::vector<std::unique_ptr<Session>> sessions, const Ended& ended) {
  Cohort(sessions, ended).run();
}

}  // namespace sluice::lab
