#include "sluice/lab/cohort.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "sluice/gpu/ensemble.hpp"
#include "sluice/learn/shared_trainer.hpp"

namespace sluice::lab {
namespace {

/// Where a run is among those that move: this changes when others join.
struct Seat {
  learn::Ensemble* ensemble = nullptr;
  std::size_t member = 0;
};

/// One of many, as its simulation sees it; all move at once.
class MemberEngine final : public learn::Engine {
 public:
  explicit MemberEngine(const Seat& seat) : seat_(seat) {}

  const learn::State& state() const override { return seat_.ensemble->state(seat_.member); }
  std::int64_t step() const override { return seat_.ensemble->step(); }
  std::span<const float> parameters() const override { return seat_.ensemble->parameters(seat_.member); }
  double rate() const override { return seat_.ensemble->rate(seat_.member); }
  void move() override { seat_.ensemble->move(1); }

 private:
  const Seat& seat_;
};

/// Runs, those at the least step in motion: when they come to where the next ones stand, those join.
class Cohort {
 public:
  Cohort(const std::vector<std::unique_ptr<Joinable>>& runs, const gpu::Place& place, const Ended& ended,
         math::Workers& workers)
      : place_(place), ended_(ended), workers_(workers) {
    for (std::size_t i = 0; i < runs.size(); ++i) waiting_.push_back({i, runs[i].get()});
    std::ranges::stable_sort(waiting_, {}, [](const Member& each) { return each.run->begins().step; });
  }

  /// Until all have ended, or one was stopped in the middle of a step of all.
  void run() {
    try {
      go_on();
    } catch (const Stopped&) {
      for_all(0, [this](Member& each) {
        if (each.run != nullptr)
          if (std::optional<Outcome> outcome = each.run->interrupt()) end(each, std::move(*outcome));
      });
    }
  }

 private:
  struct Member {
    std::size_t number;
    Joinable* run;  ///< null once it has ended
    std::unique_ptr<Seat> seat = std::make_unique<Seat>();
  };

  /// Of those that move, from this one on: each touches its own folder and its own simulation alone.
  void for_all(std::size_t first, const std::function<void(Member&)>& work) {
    const math::Unstoppable whole;
    workers_.run(static_cast<std::int64_t>(moving_.size() - first),
                 [&](std::int64_t i, int) { work(moving_[first + static_cast<std::size_t>(i)]); });
  }

  void end(Member& member, Outcome outcome) {
    member.run = nullptr;
    ended_(member.number, std::move(outcome));
  }

  void go_on() {
    while (!moving_.empty() || !waiting_.empty()) {
      if (joins()) join();
      look();
      for_all(0, [this](Member& each) {
        if (std::optional<Outcome> outcome = each.run->pause()) end(each, std::move(*outcome));
      });
      std::erase_if(moving_, [](const Member& each) { return each.run == nullptr; });
      if (!moving_.empty()) ensemble_->move(stretch());
    }
  }

  bool joins() const {
    return !waiting_.empty() && (moving_.empty() || waiting_.front().run->begins().step == ensemble_->step());
  }
  /// Steps until somebody looks, ends or joins.
  std::int64_t stretch() const {
    std::int64_t steps = ensemble_->most_steps();
    if (!waiting_.empty()) steps = std::min(steps, waiting_.front().run->begins().step - ensemble_->step());
    for (const Member& each : moving_) {
      if (steps == 1) break;
      steps = each.run->simulation().steps_to_look(steps);
    }
    return steps;
  }

  /// Those who wait at the step that has been reached move with the others from here on; who has ended is left behind.
  void join() {
    const std::int64_t here = waiting_.front().run->begins().step;
    const auto further =
        std::ranges::find_if(waiting_, [&](const Member& each) { return each.run->begins().step != here; });
    const std::size_t before = moving_.size();
    std::move(waiting_.begin(), further, std::back_inserter(moving_));
    waiting_.erase(waiting_.begin(), further);

    std::vector<learn::EnsembleMember> members;
    for (std::size_t i = 0; i < moving_.size(); ++i) {
      Joinable& run = *moving_[i].run;
      members.push_back(run.setup().member(
          i < before ? ensemble_->state(moving_[i].seat->member) : run.begins(), run.workers()));
    }
    ensemble_ = place_.on_device ? gpu::make_ensemble(std::move(members), place_.precision, workers_)
                                 : std::make_unique<learn::SharedTrainer>(std::move(members));
    for (std::size_t i = 0; i < moving_.size(); ++i) *moving_[i].seat = {ensemble_.get(), i};
    for_all(before, [](Member& each) { each.run->begin(std::make_unique<MemberEngine>(*each.seat)); });
  }

  /// Where looks are due, at the same step for all, one pass over the evaluation set serves them.
  void look() {
    const auto due = [](const Member& each) { return each.run->simulation().is_due(); };
    if (std::ranges::none_of(moving_, due)) return;
    const std::vector<learn::Evaluation> seen = ensemble_->evaluate();
    for (const Member& each : moving_)
      if (due(each)) each.run->simulation().take(seen[each.seat->member]);
  }

  const gpu::Place& place_;
  const Ended& ended_;
  math::Workers& workers_;
  std::vector<Member> waiting_;                // by step
  std::vector<Member> moving_;                 // at one step
  std::unique_ptr<learn::Ensemble> ensemble_;  // of those that move, and of some that have ended
};

bool may_differ(const std::string& path, const gpu::Place& place) {
  constexpr std::array<std::string_view, 4> kOwn{"network.init.", "network.bias_init.",
                                                 "network.readout_init.", "dynamics.rate"};
  const bool of_samples = path == "sample_seed" || path.starts_with("task.");
  return path == "seed" || (place.on_device && of_samples) ||
         std::ranges::any_of(kOwn, [&](std::string_view start) { return path.starts_with(start); });
}

bool moves_alone(const Experiment& experiment, const gpu::Place& place) {
  return (experiment.sample_seed < 0 && !place.on_device) || experiment.dynamics.is_flow() ||
         experiment.network.kind() != "two-layer" || !experiment.start.run.empty();
}

/// What samples that are each member's own have in common on a device.
std::string shape_of_samples(const Experiment& experiment, TaskShelf* shelf) {
  const std::shared_ptr<const task::Task> task =
      shelf == nullptr ? experiment.task.make() : shelf->get(experiment);
  const task::FiniteSet* set = task->training_set();
  const std::string how =
      task->has_recipe() ? fmt::format("drawn there, {} of class 0", task->classes().balance) : "sent";
  return fmt::format("{} inputs, {} samples, {}\n", task->inputs(), set == nullptr ? 0 : set->size(), how);
}

}  // namespace

std::string cohort_key(const Experiment& experiment, const gpu::Place& place, TaskShelf* shelf) {
  if (moves_alone(experiment, place)) return "";
  std::string key = place.on_device ? shape_of_samples(experiment, shelf) : "";
  for (const spec::KeyInfo& each : keys_of(experiment))
    if (!may_differ(each.path, place)) key += fmt::format("{}={}\n", each.path, each.value);
  return key;
}

bool moves_among_others(const Experiment& experiment, const gpu::Place& place) {
  return place.on_device && !moves_alone(experiment, place);
}

void run_together(const std::vector<std::unique_ptr<Joinable>>& runs, const gpu::Place& place,
                  const Ended& ended, math::Workers& workers) {
  Cohort(runs, place, ended, workers).run();
}

}  // namespace sluice::lab
