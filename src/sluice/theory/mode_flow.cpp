#include "sluice/theory/mode_flow.hpp"

#include <boost/numeric/odeint.hpp>

namespace sluice::theory {
namespace {

namespace odeint = boost::numeric::odeint;
using State = std::vector<double>;

template <class Velocity>
State integrate_adaptive(const Velocity& velocity, State state, double t) {
  constexpr double kTolerance = 1e-12;
  const auto stepper = odeint::make_controlled(kTolerance, kTolerance, odeint::runge_kutta_dopri5<State>());
  odeint::integrate_adaptive(stepper, velocity, state, 0.0, t, std::min(t, 0.01));
  return state;
}

}  // namespace

ModeFlow::ModeFlow(const Ring& one, const Ring& zero, double c)
    : modes_(real_modes(one.size())),
      one_(mode_eigenvalues(modes_, one)),
      zero_(mode_eigenvalues(modes_, zero)),
      c_(c) {}

double ModeFlow::response_norm(const Vector& u) const { return std::sqrt(Vector(one_ * u * u).sum()); }

Vector ModeFlow::velocity(const Vector& u) const {
  return -0.25 * (zero_ + one_) * u + c_ / 2 / response_norm(u) * one_ * u;
}

Vector ModeFlow::integrate(Vector u, double t) const {
  const State end = integrate_adaptive(
      [this](const State& state, State& change, double) {
        const Vector v = velocity(vector_of(state));
        change.assign(std::begin(v), std::end(v));
      },
      State(std::begin(u), std::end(u)), t);
  return vector_of(end);
}

Vector ModeFlow::solve(const Vector& u, double t) const {
  const auto at = [&](double time, double s) -> Vector {
    return u * std::exp(Vector(-0.25 * time * (zero_ + one_) + 0.25 * s * one_));
  };
  const State s =
      integrate_adaptive([&](const State& state, State& change,
                             double time) { change.assign(1, 2 * c_ / response_norm(at(time, state[0]))); },
                         State{0.0}, t);
  return at(t, s[0]);
}

double ModeFlow::fixed_amplitude(std::size_t j) const {
  return 2 * c_ * std::sqrt(one_[j]) / (zero_[j] + one_[j]);
}

double ModeFlow::fixed_loss(std::size_t j) const { return 0.25 - c_ * c_ / (2 * (1 + ratio(j))); }

double ModeFlow::growth_rate(std::size_t k, std::size_t j) const {
  return k == j ? -0.25 * (zero_[j] + one_[j]) : -0.25 * one_[k] * (ratio(k) - ratio(j));
}

}  // namespace sluice::theory
