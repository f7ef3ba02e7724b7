#include "sluice/flow/fourier_flow.hpp"

#include <algorithm>
#include <boost/numeric/odeint/stepper/rosenbrock4.hpp>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>

#include "sluice/flow/step_control.hpp"
#include "sluice/math/fourier_basis.hpp"
#include "sluice/math/stopping.hpp"

namespace sluice::flow {
namespace {

using Pair = std::array<double, 2>;
using Slope = std::function<Pair(double elapsed, const Pair& sigma)>;

/// dσ/dt and its derivatives.
struct Linearised {
  Pair value;
  Pair by_time;
  std::array<Pair, 2> by_sigma;
};

struct Step {
  Pair next;
  Pair error;
};

/// One step of the Rosenbrock method of order 4 with an embedded estimate of order 3 (Hairer and Wanner's RODAS) for two
/// unknowns. The coefficients are Boost's; its own stepper does not compile as C++20 (1.74), and has d4 with the wrong sign,
/// which leaves order 1 where the equation depends on time (d_i must be the g_i of a unit step with slope 1: −0.0362).
Step rosenbrock(const Slope& slope, const Linearised& start, double t, const Pair& x, double step) {
  static const boost::numeric::odeint::default_rosenbrock_coefficients<double> k;
  const auto& jacobian = start.by_sigma;
  const double diagonal = 1 / (k.gamma * step);
  const std::array<Pair, 2> m{
      {{diagonal - jacobian[0][0], -jacobian[0][1]}, {-jacobian[1][0], diagonal - jacobian[1][1]}}};
  const double determinant = m[0][0] * m[1][1] - m[0][1] * m[1][0];
  const auto solve = [&](const Pair& b) {
    return Pair{(b[0] * m[1][1] - m[0][1] * b[1]) / determinant,
                (m[0][0] * b[1] - b[0] * m[1][0]) / determinant};
  };
  struct Term {
    double factor;
    const Pair& vector;
  };
  const auto plus = [](Pair sum, std::initializer_list<Term> terms) {
    for (const Term& term : terms) {
      for (std::size_t i = 0; i < 2; ++i) sum[i] += term.factor * term.vector[i];
    }
    return sum;
  };
  const Pair g1 = solve(plus(start.value, {{step * k.d1, start.by_time}}));
  const Pair f2 = slope(t + k.c2 * step, plus(x, {{k.a21, g1}}));
  const Pair g2 = solve(plus(f2, {{step * k.d2, start.by_time}, {k.c21 / step, g1}}));
  const Pair f3 = slope(t + k.c3 * step, plus(x, {{k.a31, g1}, {k.a32, g2}}));
  const Pair g3 = solve(plus(f3, {{step * k.d3, start.by_time}, {k.c31 / step, g1}, {k.c32 / step, g2}}));
  const Pair f4 = slope(t + k.c4 * step, plus(x, {{k.a41, g1}, {k.a42, g2}, {k.a43, g3}}));
  const Pair g4 = solve(
      plus(f4, {{-step * k.d4, start.by_time}, {k.c41 / step, g1}, {k.c42 / step, g2}, {k.c43 / step, g3}}));
  const Pair fifth = plus(x, {{k.a51, g1}, {k.a52, g2}, {k.a53, g3}, {k.a54, g4}});
  const Pair g5 =
      solve(plus(slope(t + step, fifth),
                 {{k.c51 / step, g1}, {k.c52 / step, g2}, {k.c53 / step, g3}, {k.c54 / step, g4}}));
  const Pair sixth = plus(fifth, {{1, g5}});
  const Pair error = solve(plus(
      slope(t + step, sixth),
      {{k.c61 / step, g1}, {k.c62 / step, g2}, {k.c63 / step, g3}, {k.c64 / step, g4}, {k.c65 / step, g5}}));
  return {plus(sixth, {{1, error}}), error};
}

}  // namespace

DiagonalProblem ring_problem(const std::array<std::vector<double>, 2>& covariance_rows,
                             std::array<double, 2> constants, std::array<double, 2> labels,
                             std::int64_t dim) {
  const auto sites = static_cast<double>(covariance_rows[0].size());
  const math::FourierBasis basis(std::lround(dim == 1 ? sites : std::sqrt(sites)), dim);
  return {{basis.eigenvalues(covariance_rows[0]), basis.eigenvalues(covariance_rows[1])}, constants, labels};
}

/// What one pass over the modes gives: N_c² and its derivatives by time and by the σ of both classes.
struct FourierFlow::Sums {
  std::array<double, 2> square{};
  std::array<double, 2> by_time{};
  std::array<std::array<double, 2>, 2> by_sigma{};
};

FourierFlow::FourierFlow(DiagonalProblem problem, FlowState start, FlowOptions options)
    : problem_(std::move(problem)), options_(options), state_(std::move(start)) {
  for (auto& eigenvalues : problem_.eigenvalues) {
    for (double& lambda : eigenvalues) lambda = std::max(lambda, 0.0);
  }
  for (std::size_t c = 0; c < 2; ++c) pull_[c] = problem_.labels[c] * problem_.constants[c] / 2;
  for (std::size_t mode = 0; mode < state_.parameters.size(); ++mode) {
    const std::array lambda{problem_.eigenvalues[0][mode], problem_.eigenvalues[1][mode]};
    if (groups_.empty() || groups_.back().lambda != lambda) {
      groups_.push_back({lambda, (lambda[0] + lambda[1]) / 4, 0, mode, mode});
    }
    groups_.back().last = mode + 1;
  }
}

double FourierFlow::exponent(const Group& group, double elapsed, const std::array<double, 2>& sigma) const {
  return -group.decay * elapsed + pull_[0] * group.lambda[0] * sigma[0] +
         pull_[1] * group.lambda[1] * sigma[1];
}

FourierFlow::Sums FourierFlow::sums(double elapsed, const std::array<double, 2>& sigma) const {
  Sums sums;
  for (const Group& group : groups_) {
    if (group.square == 0) continue;
    const double square = group.square * std::exp(2 * exponent(group, elapsed, sigma));
    for (std::size_t c = 0; c < 2; ++c) {
      const double share = group.lambda[c] * square;
      sums.square[c] += share;
      sums.by_time[c] -= 2 * group.decay * share;
      for (std::size_t d = 0; d < 2; ++d) sums.by_sigma[c][d] += 2 * pull_[d] * group.lambda[d] * share;
    }
  }
  return sums;
}

/// max |du_k/dt|, a bound that is exact for single modes and within √2 for pairs.
double FourierFlow::speed(double elapsed, const std::array<double, 2>& sigma) const {
  const Sums now = sums(elapsed, sigma);
  double most = 0;
  for (const Group& group : groups_) {
    double rate = -group.decay;
    for (std::size_t c = 0; c < 2; ++c) {
      if (pull_[c] != 0) rate += pull_[c] * group.lambda[c] / std::sqrt(now.square[c]);
    }
    most =
        std::max(most, std::abs(rate) * std::sqrt(group.square) * std::exp(exponent(group, elapsed, sigma)));
  }
  return most;
}

double FourierFlow::loss() const {
  std::array<double, 2> square{};
  for (std::size_t c = 0; c < 2; ++c) {
    for (std::size_t k = 0; k < state_.parameters.size(); ++k) {
      square[c] += problem_.eigenvalues[c][k] * state_.parameters[k] * state_.parameters[k];
    }
  }
  double sum = 0;
  for (std::size_t c = 0; c < 2; ++c) {
    const double label = problem_.labels[c];
    sum += label * label - 2 * label * problem_.constants[c] * std::sqrt(square[c]) + square[c] / 2;
  }
  return sum / 4;
}

Stop FourierFlow::advance(double until) {
  for (Group& group : groups_) {
    group.square = 0;
    for (std::size_t k = group.first; k < group.last; ++k) {
      group.square += state_.parameters[k] * state_.parameters[k];
    }
  }
  const Slope slope = [this](double elapsed, const Pair& sigma) {
    const Sums now = sums(elapsed, sigma);
    Pair out{};
    for (std::size_t c = 0; c < 2; ++c) out[c] = pull_[c] == 0 ? 0 : 1 / std::sqrt(now.square[c]);
    return out;
  };
  const auto linearised = [this](double elapsed, const Pair& sigma) {
    const Sums now = sums(elapsed, sigma);
    Linearised out{};
    for (std::size_t c = 0; c < 2; ++c) {
      if (pull_[c] == 0) continue;
      const double norm = std::sqrt(now.square[c]);
      out.value[c] = 1 / norm;
      const double factor = -0.5 / (now.square[c] * norm);
      out.by_time[c] = factor * now.by_time[c];
      for (std::size_t d = 0; d < 2; ++d) out.by_sigma[c][d] = factor * now.by_sigma[c][d];
    }
    return out;
  };

  Pair sigma{};
  const double begin = state_.time;
  double elapsed = 0;
  if (state_.step <= 0) state_.step = 1e-3;
  StepControl control(state_.step, 4, options_.steady > 0);
  // An error of σ_c is one of the exponents, that is a relative error of u, by the factor below.
  std::array<double, 2> weight{};
  for (std::size_t c = 0; c < 2; ++c) {
    for (const Group& group : groups_) weight[c] = std::max(weight[c], std::abs(pull_[c]) * group.lambda[c]);
  }
  const auto steady = [&] { return options_.steady > 0 && speed(elapsed, sigma) <= options_.steady; };
  Stop stop = Stop::time_reached;
  while (begin + elapsed < until) {
    math::stop_if_asked();
    if (steady()) {
      stop = Stop::steady;
      break;
    }
    const double step = control.trial(until - begin - elapsed);
    if (control.stuck(begin + elapsed)) {
      stop = Stop::diverged;
      break;
    }
    const auto [next, error] = rosenbrock(slope, linearised(elapsed, sigma), elapsed, sigma, step);
    const bool finite = std::isfinite(next[0]) && std::isfinite(next[1]);
    const double share = std::hypot(weight[0] * error[0], weight[1] * error[1]) / options_.tolerance;
    if (!control.accepts(finite ? share : std::numeric_limits<double>::quiet_NaN())) continue;
    elapsed = control.last() ? until - begin : elapsed + step;
    sigma = next;
  }
  if (stop == Stop::time_reached && steady()) stop = Stop::steady;

  for (const Group& group : groups_) {
    const double growth = std::exp(exponent(group, elapsed, sigma));
    for (std::size_t k = group.first; k < group.last; ++k) state_.parameters[k] *= growth;
  }
  state_.time = begin + elapsed >= until ? until : begin + elapsed;
  return stop;
}

}  // namespace sluice::flow
