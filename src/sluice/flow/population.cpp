#include "sluice/flow/population.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <vector>

#include "sluice/flow/gaussian.hpp"

namespace sluice::flow {

void OneUnit::respond(std::span<const double> weights, std::span<double> f, std::span<double> pairs) const {
  covariance_.times(weights, pairs);
  for (double& p : pairs) p /= 2;
  if (!f.empty()) response_->single(weights, f);
}

void GaussianPopulation::respond(std::span<const double> weights, std::span<double> f,
                                 std::span<double> pairs) const {
  const auto n = static_cast<std::size_t>(inputs());
  const std::size_t units = weights.size() / n;
  std::vector<double> images(weights.size());  // C w_k
  for (std::size_t at = 0; at < images.size(); at += n) {
    covariance_.times(weights.subspan(at, n), std::span(images).subspan(at, n));
  }
  const auto overlap = [&](std::size_t j, std::size_t k) {
    return std::inner_product(images.data() + k * n, images.data() + (k + 1) * n, weights.data() + j * n,
                              0.0);
  };
  std::vector<double> variance(units);
  for (std::size_t k = 0; k < units; ++k) variance[k] = overlap(k, k);

  std::vector<double> mix(units * units);  // P = mix · images
  for (std::size_t j = 0; j < units; ++j) {
    mix[j * units + j] += 0.5;
    for (std::size_t k = j + 1; k < units; ++k) {
      const double rho = overlap(j, k);
      const PairCoefficients on_j = gaussian_pair(variance[j], rho, variance[k]);
      const PairCoefficients on_k = gaussian_pair(variance[k], rho, variance[j]);
      mix[j * units + j] += on_j.with_w;
      mix[j * units + k] += on_j.with_v;
      mix[k * units + k] += on_k.with_w;
      mix[k * units + j] += on_k.with_v;
    }
  }
  std::fill(pairs.begin(), pairs.end(), 0.0);
  for (std::size_t j = 0; j < units; ++j) {
    for (std::size_t k = 0; k < units; ++k) {
      const double share = mix[j * units + k];
      for (std::size_t i = 0; i < n; ++i) pairs[j * n + i] += share * images[k * n + i];
    }
  }
  for (std::size_t at = 0; at < f.size(); ++at) {
    const double s2 = variance[at / n];
    f[at] = s2 > 0 ? images[at] / std::sqrt(2 * std::numbers::pi * s2) : 0.0;
  }
}

MixedPopulation::MixedPopulation(const Response& f, const PopulationResponse& pairs)
    : f_(&f), pairs_(&pairs) {}

void MixedPopulation::respond(std::span<const double> weights, std::span<double> f,
                              std::span<double> pairs) const {
  pairs_->respond(weights, {}, pairs);
  const auto n = static_cast<std::size_t>(inputs());
  for (std::size_t at = 0; at < f.size(); at += n) f_->single(weights.subspan(at, n), f.subspan(at, n));
}

}  // namespace sluice::flow
