/// Statistics over networks drawn at random, and exact means over all ±σ weights of small ones.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "sluice/kernel/tangent.hpp"
#include "sluice/theory/sampling.hpp"

namespace sluice::theory {

/// Networks with the same options and samples; network k has the weights and random gates of its own seed.
struct Ensemble {
  net::DeepOptions options;
  std::int64_t inputs = 1;
  std::vector<float> x;  ///< [n, inputs]
  std::int64_t networks = 100;
  std::uint64_t seed = 1;
};

/// Writes its numbers for one network into `out`.
using NetworkStatistic = std::function<void(const kernel::Passage<float>&, std::span<double> out)>;

/// One row of `count` numbers per network. Networks are shared among the workers; the result does not depend on them.
std::vector<Vector> over_networks(const Ensemble& ensemble, std::size_t count,
                                  const NetworkStatistic& statistic, math::Workers& workers);

/// Means over the rows, and variances, each with its standard error: of a variance √((m₄ − s⁴)/N).
Means means_of(const std::vector<Vector>& rows);
Means variances_of(const std::vector<Vector>& rows);

/// The mean over all 2^weights choices of signs of ±sigma.                                              ledger: P.A1
using WeightStatistic = std::function<void(std::span<const double> weights, std::span<double> out)>;
Vector mean_over_signs(std::size_t weights, double sigma, std::size_t count,
                       const WeightStatistic& statistic);

}  // namespace sluice::theory
