#include "sluice/flow/unit_landscape.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace sluice::flow {

UnitLandscape::UnitLandscape(std::array<Covariance, 2> covariances,
                             std::array<std::unique_ptr<const CurvedResponse>, 2> responses,
                             std::array<double, 2> labels, double pathway)
    : covariances_(std::move(covariances)),
      responses_(std::move(responses)),
      labels_(labels),
      stiffness_(1 + 2 * pathway + 2 * pathway * pathway),
      classes_{OneUnit(covariances_[0], responses_[0].get()), OneUnit(covariances_[1], responses_[1].get())},
      relu_(1, {&classes_[0], &classes_[1]}, labels) {}

std::vector<double> UnitLandscape::scaled(std::span<const double> w) const {
  std::vector<double> out(w.begin(), w.end());
  for (double& value : out) value *= stiffness_;
  return out;
}

void UnitLandscape::downhill(std::span<const double> w, std::span<double> out) const {
  relu_.downhill(scaled(w), out);
}

double UnitLandscape::loss(std::span<const double> w) const {
  const double start = (labels_[0] * labels_[0] + labels_[1] * labels_[1]) / 4;
  return start + (relu_.loss(scaled(w)) - start) / stiffness_;
}

void UnitLandscape::jacobian(std::span<const double> w, std::span<double> out) const {
  const std::size_t n = w.size();
  std::vector<double> slope(n * n);
  std::fill(out.begin(), out.end(), 0.0);
  for (std::size_t c = 0; c < 2; ++c) {
    if (labels_[c] != 0) {
      responses_[c]->derivative(w, slope);
      for (std::size_t at = 0; at < slope.size(); ++at) out[at] += labels_[c] * slope[at] / 2;
    }
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) out[i * n + j] -= stiffness_ * covariances_[c](i, j) / 4;
    }
  }
}

}  // namespace sluice::flow
