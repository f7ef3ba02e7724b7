#include "sluice/theory/mode_map.hpp"

#include <limits>

#include "sluice/flow/steady_states.hpp"
#include "sluice/math/fourier_basis.hpp"
#include "sluice/task/latent_ring.hpp"

namespace sluice::theory {
namespace {

WinningMode winner(double xi_one, double xi_two, const flow::SteadyState& state) {
  using math::FourierBasis;
  const bool tie =
      FourierBasis::frequency(state.modes.front()) != FourierBasis::frequency(state.modes.back());
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  return {xi_one, xi_two, tie ? kNone : static_cast<double>(FourierBasis::frequency(state.modes.front())),
          tie ? kNone : state.amplitude, state.loss};
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
      const auto states = flow::steady_states(flow::ring_problem({rows[one], rows[two]}));
      map.push_back(winner(lengths[one], lengths[two], states.front()));
    }
  }
  return map;
}

}  // namespace sluice::theory
