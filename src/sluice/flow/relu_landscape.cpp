#include "sluice/flow/relu_landscape.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

namespace sluice::flow {

ReluLandscape::ReluLandscape(std::int64_t units, std::array<const PopulationResponse*, 2> classes,
                             std::array<double, 2> labels)
    : units_(units), classes_(classes), labels_(labels) {}

std::size_t ReluLandscape::size() const { return static_cast<std::size_t>(units_ * classes_[0]->inputs()); }

void ReluLandscape::downhill(std::span<const double> weights, std::span<double> out) const {
  const auto units = static_cast<double>(units_);
  std::vector<double> f(size());
  std::vector<double> pairs(size());
  std::fill(out.begin(), out.end(), 0.0);
  for (std::size_t c = 0; c < classes_.size(); ++c) {
    const bool labelled = labels_[c] != 0;
    classes_[c]->respond(weights, labelled ? std::span(f) : std::span<double>(), pairs);
    for (std::size_t i = 0; i < out.size(); ++i) {
      out[i] += ((labelled ? labels_[c] * f[i] : 0.0) - pairs[i] / units) / (2 * units);
    }
  }
}

double ReluLandscape::loss(std::span<const double> weights) const {
  const auto units = static_cast<double>(units_);
  std::vector<double> f(size());
  std::vector<double> pairs(size());
  const auto with_weights = [&](const std::vector<double>& answers) {
    return std::inner_product(weights.begin(), weights.end(), answers.begin(), 0.0);
  };
  double sum = 0;
  for (std::size_t c = 0; c < classes_.size(); ++c) {
    const bool labelled = labels_[c] != 0;
    classes_[c]->respond(weights, labelled ? std::span(f) : std::span<double>(), pairs);
    sum += labels_[c] * labels_[c] + with_weights(pairs) / (units * units);
    if (labelled) sum -= 2 * labels_[c] / units * with_weights(f);
  }
  return sum / 4;
}

}  // namespace sluice::flow
