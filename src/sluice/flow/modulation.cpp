#include "sluice/flow/modulation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sluice/math/circulant.hpp"
#include "sluice/task/latent_ring.hpp"

namespace sluice::flow {

double modulation_gain(const task::NlgpOptions& task) {
  const std::vector<double> first =
      math::circulant_eigenvalues(task::LatentRing(task.n, task.xi[0]).correlation());
  const std::vector<double> second =
      math::circulant_eigenvalues(task::LatentRing(task.n, task.xi[1]).correlation());
  constexpr double kNoPower = 1e-12;  // of the flat mode: rounding
  const double flat = second[0] / first[0];
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t k = 1; k <= first.size() / 2; ++k) {
    if (first[k] < kNoPower * first[0]) continue;
    const double rho = first[k] / first[0];
    least = std::min(least, 1.5 * static_cast<double>(task.n) / first[0] * (second[k] / first[k] - flat) /
                                ((1 + flat) * (3 * rho + 1)));
  }
  return std::sqrt(least);
}

}  // namespace sluice::flow
