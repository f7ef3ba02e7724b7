#include "sluice/theory/mode_flow.hpp"

#include <algorithm>
#include <boost/numeric/odeint.hpp>
#include <stdexcept>

namespace sluice::theory {
namespace {

namespace odeint = boost::numeric::odeint;
using State = std::vector<double>;

}  // namespace

ModeFlow::ModeFlow(const Ring& one, const Ring& zero, double c)
    : problem_(flow::ring_problem({std::vector(std::begin(one.row), std::end(one.row)),
                                   std::vector(std::begin(zero.row), std::end(zero.row))},
                                  {c, c})),
      modes_(real_modes(one.size())),
      one_(vector_of(problem_.eigenvalues[0])),
      zero_(vector_of(problem_.eigenvalues[1])),
      c_(c) {}

double ModeFlow::response_norm(const Vector& u) const { return std::sqrt(Vector(one_ * u * u).sum()); }

Vector ModeFlow::velocity(const Vector& u) const {
  return -0.25 * (zero_ + one_) * u + c_ / 2 / response_norm(u) * one_ * u;
}

Vector ModeFlow::integrate(Vector u, double t) const {
  constexpr double kTolerance = 1e-12;
  State state(std::begin(u), std::end(u));
  odeint::integrate_adaptive(
      odeint::make_controlled(kTolerance, kTolerance, odeint::runge_kutta_dopri5<State>()),
      [this](const State& now, State& change, double) {
        const Vector v = velocity(vector_of(now));
        change.assign(std::begin(v), std::end(v));
      },
      state, 0.0, t, std::min(t, 0.01));
  return vector_of(state);
}

Vector ModeFlow::solve(const Vector& u, double t) const {
  constexpr double kTolerance = 1e-12;
  flow::FourierFlow flow(problem_, {.parameters = State(std::begin(u), std::end(u))},
                         {.tolerance = kTolerance});
  flow.advance(t);
  return vector_of(flow.parameters());
}

flow::SteadyState ModeFlow::steady_state(std::size_t j) const {
  for (flow::SteadyState& state : flow::steady_states(problem_)) {
    if (std::ranges::find(state.modes, static_cast<std::int64_t>(j)) != state.modes.end()) return state;
  }
  throw std::logic_error("no steady state in this mode");
}

double ModeFlow::growth_rate(std::size_t k, std::size_t j) const {
  const flow::SteadyState state = steady_state(j);
  return k == j ? state.own_rate : flow::growth_rate(problem_, state, static_cast<std::int64_t>(k));
}

}  // namespace sluice::theory
