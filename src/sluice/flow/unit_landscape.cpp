#include "sluice/flow/unit_landscape.hpp"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "sluice/flow/differenced.hpp"

namespace sluice::flow {

UnitLandscape::UnitLandscape(std::int64_t units, std::array<Covariance, 2> covariances,
                             std::array<std::unique_ptr<const CurvedResponse>, 2> responses,
                             std::array<double, 2> labels, double pathway)
    : units_(units),
      covariances_(std::move(covariances)),
      responses_(std::move(responses)),
      labels_(labels),
      linear_(pathway + pathway * pathway),
      pairs_{GaussianPopulation(covariances_[0]), GaussianPopulation(covariances_[1])},
      relu_(units, {answers(0), answers(1)}, labels) {}

const PopulationResponse* UnitLandscape::answers(std::size_t which_class) {
  if (!responses_[which_class]) return &pairs_[which_class];
  return &mixed_[which_class].emplace(*responses_[which_class], pairs_[which_class]);
}

std::vector<double> UnitLandscape::together(std::span<const double> weights) const {
  const std::size_t n = weights.size() / static_cast<std::size_t>(units_);
  std::vector<double> sum(n, 0.0), image(n), images(n, 0.0);
  for (std::size_t at = 0; at < weights.size(); ++at) sum[at % n] += weights[at];
  for (const Covariance& covariance : covariances_) {
    covariance.times(sum, image);
    for (std::size_t i = 0; i < n; ++i) images[i] += image[i];
  }
  return images;
}

void UnitLandscape::downhill(std::span<const double> weights, std::span<double> out) const {
  relu_.downhill(weights, out);
  if (linear_ == 0) return;
  const std::vector<double> pull = together(weights);
  const double share = linear_ / static_cast<double>(2 * units_ * units_);
  for (std::size_t at = 0; at < out.size(); ++at) out[at] -= share * pull[at % pull.size()];
}

double UnitLandscape::loss(std::span<const double> weights) const {
  const std::vector<double> pull = together(weights);
  double power = 0;  // Wᵀ Σ_c C_c W
  for (std::size_t at = 0; at < weights.size(); ++at) power += weights[at] * pull[at % pull.size()];
  return relu_.loss(weights) + linear_ * power / static_cast<double>(4 * units_ * units_);
}

void UnitLandscape::jacobian(std::span<const double> weights, std::span<double> out) const {
  const std::size_t size = weights.size(), n = size / static_cast<std::size_t>(units_);
  const auto units = static_cast<double>(units_);
  std::vector<double> pairs(size * size), slope(n * n);
  std::fill(out.begin(), out.end(), 0.0);
  for (std::size_t c = 0; c < 2; ++c) {
    central_differences(
        [&](std::span<const double> at, std::span<double> answer) { pairs_[c].respond(at, {}, answer); },
        weights, pairs);
    for (std::size_t row = 0; row < size; ++row) {
      for (std::size_t column = 0; column < size; ++column)
        out[row * size + column] -=
            (pairs[row * size + column] + linear_ * covariances_[c](row % n, column % n)) /
            (2 * units * units);
    }
    if (labels_[c] == 0) continue;
    for (std::size_t at = 0; at < size; at += n) {  // of one unit after the other
      responses_[c]->derivative(weights.subspan(at, n), slope);
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j)
          out[(at + i) * size + at + j] += labels_[c] * slope[i * n + j] / (2 * units);
    }
  }
}

}  // namespace sluice::flow
