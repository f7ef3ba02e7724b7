#include "sluice/flow/steady_states.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sluice::flow {
namespace {

struct Mode {
  double first, second;  // eigenvalues of the two classes
  double decay() const { return (first + second) / 4; }
};

Mode mode_of(const DiagonalProblem& problem, std::int64_t mode) {
  const auto k = static_cast<std::size_t>(mode);
  return {std::max(0.0, problem.eigenvalues[0][k]), std::max(0.0, problem.eigenvalues[1][k])};
}

/// |u| of the mode alone; not positive when the labels do not pull it away from zero.
double lone_amplitude(const DiagonalProblem& problem, const Mode& mode) {
  return 2 *
         (problem.labels[0] * problem.constants[0] * std::sqrt(mode.first) +
          problem.labels[1] * problem.constants[1] * std::sqrt(mode.second)) /
         (mode.first + mode.second);
}

double growth(const DiagonalProblem& problem, const Mode& at, double amplitude, const Mode& mode) {
  double rate = -mode.decay();
  if (problem.labels[0] != 0) {
    rate += problem.labels[0] * problem.constants[0] * mode.first / (2 * std::sqrt(at.first) * amplitude);
  }
  if (problem.labels[1] != 0) {
    rate += problem.labels[1] * problem.constants[1] * mode.second / (2 * std::sqrt(at.second) * amplitude);
  }
  return rate;
}

double lone_loss(const DiagonalProblem& problem, const Mode& mode, double amplitude) {
  double sum = 0;
  for (std::size_t c = 0; c < 2; ++c) {
    const double deviation = std::sqrt(c == 0 ? mode.first : mode.second) * amplitude;
    const double label = problem.labels[c];
    sum += label * label - 2 * label * problem.constants[c] * deviation + deviation * deviation / 2;
  }
  return sum / 4;
}

/// Distance to the nearest point of the steady state's circle, relative to its radius.
double distance(const SteadyState& state, std::span<const double> u) {
  double inside = 0;
  double all = 0;
  for (const double value : u) all += value * value;
  for (const std::int64_t mode : state.modes) {
    inside += u[static_cast<std::size_t>(mode)] * u[static_cast<std::size_t>(mode)];
  }
  const double radial = std::sqrt(inside) - state.amplitude;
  return std::sqrt(std::max(0.0, all - inside) + radial * radial) / state.amplitude;
}

}  // namespace

double growth_rate(const DiagonalProblem& problem, const SteadyState& state, std::int64_t mode) {
  return growth(problem, mode_of(problem, state.modes.front()), state.amplitude, mode_of(problem, mode));
}

std::vector<SteadyState> steady_states(const DiagonalProblem& problem) {
  constexpr double kNoPower = 1e-12;
  constexpr double kTie = 1e-10;  // of the decay rate: eigenvalues carry rounding of their sums
  const auto modes = static_cast<std::int64_t>(problem.eigenvalues[0].size());
  std::array<double, 2> strongest{};
  for (std::size_t c = 0; c < 2; ++c) {
    if (problem.labels[c] != 0)
      strongest[c] = *std::max_element(problem.eigenvalues[c].begin(), problem.eigenvalues[c].end());
  }

  std::vector<SteadyState> states;
  std::vector<bool> taken(static_cast<std::size_t>(modes), false);
  const auto pulled = [&](const Mode& mode) {
    return (problem.labels[0] == 0 || mode.first > kNoPower * strongest[0]) &&
           (problem.labels[1] == 0 || mode.second > kNoPower * strongest[1]);
  };
  for (std::int64_t j = 0; j < modes; ++j) {
    const Mode at = mode_of(problem, j);
    const double amplitude = pulled(at) ? lone_amplitude(problem, at) : 0;
    if (taken[static_cast<std::size_t>(j)] || !(amplitude > 0)) continue;
    SteadyState state;
    state.ratio = at.second / at.first;
    state.amplitude = amplitude;
    state.loss = lone_loss(problem, at, amplitude);
    state.own_rate = -at.decay();
    state.fastest_growth = -std::numeric_limits<double>::infinity();
    for (std::int64_t k = 0; k < modes; ++k) {
      const Mode mode = mode_of(problem, k);
      const double rate = growth(problem, at, amplitude, mode);
      if (k >= j && pulled(mode) && std::abs(rate) <= kTie * mode.decay()) {
        state.modes.push_back(k);
        taken[static_cast<std::size_t>(k)] = true;
      } else if (rate > state.fastest_growth) {
        state.fastest_growth = rate;
        state.fastest_mode = k;
      }
    }
    state.stable = !(state.fastest_growth > 0);
    states.push_back(std::move(state));
  }
  std::ranges::stable_sort(states, {}, &SteadyState::loss);
  return states;
}

double time_to_reach(const DiagonalProblem& problem, const SteadyState& state, std::span<const double> start,
                     double tolerance, double limit) {
  FlowState before{.time = 0, .parameters = {start.begin(), start.end()}};
  if (distance(state, start) <= tolerance) return 0;
  // Doubling finds an interval, halving the time in it.
  for (double until = 1;; until = std::min(2 * until, limit)) {
    FourierFlow flow(problem, before);
    flow.advance(until);
    if (distance(state, flow.parameters()) <= tolerance) {
      double low = before.time;
      double high = until;
      while (high - low > 1e-6 * high) {
        const double middle = (low + high) / 2;
        FourierFlow part(problem, before);
        part.advance(middle);
        (distance(state, part.parameters()) <= tolerance ? high : low) = middle;
      }
      return high;
    }
    if (until >= limit) return std::numeric_limits<double>::infinity();
    before = flow.state();
  }
}

}  // namespace sluice::flow
