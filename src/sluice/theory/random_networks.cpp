#include "sluice/theory/random_networks.hpp"

#include "sluice/net/deep_init.hpp"

namespace sluice::theory {

std::vector<Vector> over_networks(const Ensemble& ensemble, std::size_t count,
                                  const NetworkStatistic& statistic, math::Workers& workers) {
  const net::DeepGated<float> network(ensemble.options, ensemble.inputs, 1);
  std::vector<Vector> rows(static_cast<std::size_t>(ensemble.networks), Vector(count));
  // Seeds of different ensembles are 2³² apart: no two share a network.
  const std::uint64_t first = ensemble.seed << 32;
  workers.run(ensemble.networks, [&](std::int64_t k, int) {
    math::Workers alone(1);
    const std::uint64_t seed = first + static_cast<std::uint64_t>(k);
    const std::vector<float> parameters = net::initial_parameters(network, seed);
    const kernel::Passage<float> passage(network, parameters, ensemble.x, seed, alone);
    statistic(passage, view(rows[static_cast<std::size_t>(k)]));
  });
  return rows;
}

namespace {

/// Mean over rows of (row − centre)^power.
Vector moment(const std::vector<Vector>& rows, const Vector& centre, int power) {
  Vector sum(centre.size());
  for (const Vector& row : rows) sum += std::pow(Vector(row - centre), power);
  return sum / static_cast<double>(rows.size());
}

}  // namespace

Means means_of(const std::vector<Vector>& rows) {
  const Vector mean = moment(rows, Vector(rows.front().size()), 1);
  const Vector square = moment(rows, mean, 2);
  return {mean, std::sqrt(Vector(square / static_cast<double>(rows.size() - 1)))};
}

Means variances_of(const std::vector<Vector>& rows) {
  const auto n = static_cast<double>(rows.size());
  const Vector mean = moment(rows, Vector(rows.front().size()), 1);
  const Vector square = moment(rows, mean, 2);
  const Vector spread = moment(rows, mean, 4) - square * square;
  return {square * (n / (n - 1)), std::sqrt(Vector(spread / n))};
}

Vector mean_over_signs(std::size_t weights, double sigma, std::size_t count,
                       const WeightStatistic& statistic) {
  const std::uint64_t choices = std::uint64_t{1} << weights;
  std::vector<double> theta(weights);
  Vector sum(count);
  Vector each(count);
  for (std::uint64_t signs = 0; signs < choices; ++signs) {
    for (std::size_t m = 0; m < weights; ++m) theta[m] = (signs >> m & 1U) != 0 ? sigma : -sigma;
    statistic(theta, view(each));
    sum += each;
  }
  return sum / static_cast<double>(choices);
}

}  // namespace sluice::theory
