#include "sluice/flow/erf_landscape.hpp"

#include <algorithm>
#include <numeric>

#include "sluice/flow/erf_units.hpp"

namespace sluice::flow {
/// C w_k of every unit and ρ_jk = w_j'C w_k.
struct ErfLandscape::Overlaps {
  std::vector<double> images;
  std::vector<double> rho;
};

ErfLandscape::ErfLandscape(std::int64_t units, const std::array<std::vector<double>, 2>& covariance_rows,
                           std::array<double, 2> labels, bool learn_biases)
    : units_(units),
      inputs_(static_cast<std::int64_t>(covariance_rows[0].size())),
      covariance_{Covariance::circulant(covariance_rows[0]), Covariance::circulant(covariance_rows[1])},
      labels_(labels),
      learn_biases_(learn_biases) {}

ErfLandscape::Overlaps ErfLandscape::overlaps(std::size_t which_class,
                                              std::span<const double> parameters) const {
  const auto n = static_cast<std::size_t>(inputs_);
  const auto units = static_cast<std::size_t>(units_);
  Overlaps result{std::vector<double>(units * n), std::vector<double>(units * units)};
  for (std::size_t k = 0; k < units; ++k) {
    const std::span<double> image = std::span(result.images).subspan(k * n, n);
    covariance_[which_class].times(parameters.subspan(k * n, n), image);
    for (std::size_t j = 0; j < units; ++j) {
      result.rho[j * units + k] =
          std::inner_product(image.begin(), image.end(), parameters.data() + j * n, 0.0);
    }
  }
  return result;
}

void ErfLandscape::downhill(std::span<const double> parameters, std::span<double> out) const {
  const auto n = static_cast<std::size_t>(inputs_);
  const auto units = static_cast<std::size_t>(units_);
  const double share = 1 / static_cast<double>(units_);
  const std::span<const double> bias = parameters.subspan(units * n);
  std::fill(out.begin(), out.end(), 0.0);
  for (std::size_t c = 0; c < 2; ++c) {
    const Overlaps now = overlaps(c, parameters);
    const auto move = [&](std::size_t unit, double amount, std::size_t along) {
      for (std::size_t i = 0; i < n; ++i) out[unit * n + i] += amount * share / 2 * now.images[along * n + i];
    };
    for (std::size_t j = 0; j < units; ++j) {
      const ErfUnit self{now.rho[j * units + j], bias[j]};
      double along_self = labels_[c] * erf_slope_input(self);
      double bias_pull = labels_[c] * erf_slope(self);
      for (std::size_t k = 0; k < units; ++k) {
        const ErfPair pair{self, {now.rho[k * units + k], bias[k]}, now.rho[j * units + k]};
        const ErfInput input = erf_value_slope_input(pair);
        along_self -= share * input.with_w;
        bias_pull -= share * erf_value_slope(pair);
        move(j, -share * input.with_v, k);
      }
      move(j, along_self, j);
      if (learn_biases_) out[units * n + j] += bias_pull * share / 2;
    }
  }
}

double ErfLandscape::loss(std::span<const double> parameters) const {
  const auto n = static_cast<std::size_t>(inputs_);
  const auto units = static_cast<std::size_t>(units_);
  const double share = 1 / static_cast<double>(units_);
  const std::span<const double> bias = parameters.subspan(units * n);
  double sum = 0;
  for (std::size_t c = 0; c < 2; ++c) {
    const Overlaps now = overlaps(c, parameters);
    sum += labels_[c] * labels_[c];
    for (std::size_t j = 0; j < units; ++j) {
      const ErfUnit self{now.rho[j * units + j], bias[j]};
      sum -= 2 * labels_[c] * share * erf_value(self);
      for (std::size_t k = 0; k < units; ++k) {
        const ErfUnit other{now.rho[k * units + k], bias[k]};
        sum += share * share * erf_value_value({self, other, now.rho[j * units + k]});
      }
    }
  }
  return sum / 4;
}

}  // namespace sluice::flow
