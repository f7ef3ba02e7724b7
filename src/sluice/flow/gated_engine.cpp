#include "sluice/flow/gated_engine.hpp"

#include <algorithm>
#include <utility>

namespace sluice::flow {
namespace {

/// The weights of step 0: a state that has moved remembers them.
std::vector<double> beginning(const learn::State& state, std::size_t weights) {
  if (!state.exact.empty()) return state.exact;
  return {state.parameters.begin(), state.parameters.begin() + static_cast<std::ptrdiff_t>(weights)};
}

GateMoments moments_of(const net::GatedLinearNetwork& network, const Subject& subject,
                       const EngineOptions& options, std::uint64_t seed, const learn::State& state,
                       math::Workers& workers) {
  MomentOptions how = options.moments;
  how.seed = seed;
  return gate_moments(network, network.gate_vectors(state.parameters), subject.section, subject.task, how,
                      workers);
}

}  // namespace

GatedEngine::GatedEngine(const net::GatedLinearNetwork& network, const Subject& subject,
                         const EngineOptions& options, const Timetable& times, std::uint64_t seed,
                         learn::State start, math::Workers& workers)
    : state_(std::move(start)),
      times_(times),
      pace_(options.pace == "steps" ? Pace::steps : Pace::flow),
      solution_(moments_of(network, subject, options, seed, state_, workers),
                beginning(state_, static_cast<std::size_t>(network.units() * network.inputs())),
                subject.task.side(), subject.task.dimensions()) {
  state_.exact = beginning(state_, static_cast<std::size_t>(network.units() * network.inputs()));
}

void GatedEngine::look_ahead() {
  constexpr std::size_t kAtOnce = 64;
  ahead_.clear();
  next_ = 0;
  for (std::int64_t step = state_.step; step < times_.steps && ahead_.size() < kAtOnce;) {
    step = std::min((step / times_.every + 1) * times_.every, times_.steps);
    ahead_.push_back(step);
  }
  weights_ = solution_.weights(ahead_, times_.rate, pace_);
}

void GatedEngine::move() {
  if (next_ == ahead_.size()) look_ahead();
  if (ahead_.empty()) return;
  const std::size_t size = state_.exact.size();
  const auto now = std::span(weights_).subspan(next_ * size, size);
  std::ranges::transform(now, state_.parameters.begin(), [](double w) { return static_cast<float>(w); });
  state_.step = ahead_[next_++];
}

}  // namespace sluice::flow
