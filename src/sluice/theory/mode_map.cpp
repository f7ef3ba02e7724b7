#include "sluice/theory/mode_map.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sluice/flow/steady_states.hpp"
#include "sluice/math/fourier_basis.hpp"
#include "sluice/task/latent_ring.hpp"

namespace sluice::theory {
namespace {

/// Frequencies whose growth differs by less than rounding count as one state: the highest stands for them, unless the
/// constant is among them, which ties with others only where all do.
WinningMode winner(double xi_one, double xi_two, const flow::DiagonalProblem& problem) {
  using math::FourierBasis;
  const flow::SteadyState state = flow::steady_states(problem).front();
  const std::int64_t mode = state.modes.back();
  if (state.modes.front() == 0 && mode != 0) {
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    return {xi_one, xi_two, kNone, kNone, state.loss};
  }
  const double first = problem.eigenvalues[0][static_cast<std::size_t>(mode)];
  const double second = std::max(0.0, problem.eigenvalues[1][static_cast<std::size_t>(mode)]);
  const double amplitude = 2 * flow::kGaussianConstant * std::sqrt(first) / (first + second);  // N0.25
  return {xi_one, xi_two, static_cast<double>(FourierBasis::frequency(mode)), amplitude, state.loss};
}

}  // namespace

std::vector<WinningMode> mode_map(std::int64_t n) {
  std::vector<double> lengths;
  std::vector<std::vector<double>> rows;  // of the covariances
  for (int tenths = 5; tenths <= 40; ++tenths) {
    lengths.push_back(tenths / 10.0);
    rows.push_back(task::LatentRing(n, lengths.back()).correlation());
  }
  std::vector<WinningMode> map;
  for (std::size_t one = 0; one < lengths.size(); ++one) {
    for (std::size_t two = 0; two < lengths.size(); ++two) {
      map.push_back(winner(lengths[one], lengths[two], flow::ring_problem({rows[one], rows[two]})));
    }
  }
  return map;
}

}  // namespace sluice::theory
