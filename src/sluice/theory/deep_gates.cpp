#include "sluice/theory/deep_gates.hpp"

#include <algorithm>
#include <numbers>
#include <numeric>
#include <variant>

namespace sluice::theory {

double gate_overlap(double angle, int depth) {
  double product = 1;
  for (int layer = 0; layer <= depth - 2; ++layer) {
    product *= 1 - angle / std::numbers::pi;
    const double cosine = (std::sin(angle) + (std::numbers::pi - angle) * std::cos(angle)) / std::numbers::pi;
    angle = std::acos(std::min(cosine, 1.0));
  }
  return product;
}

std::optional<kernel::SampleMatrix<double>> mean_kernel(const net::DeepOptions& options, std::int64_t inputs,
                                                        std::span<const double> x) {
  const bool drawn = options.init.law == "bernoulli" || options.init.law == "normal";
  const bool unit_signal = drawn && std::holds_alternative<std::string>(options.init.std);
  const bool galu = options.gated_by_network() && !options.gate().soft() && options.init.law == "normal" &&
                    options.gate_init.law == "independent";
  if (!options.dense() || !unit_signal || !(options.random_gates() || options.open() || galu))
    return std::nullopt;
  const auto depth = static_cast<int>(options.hidden().size()) + 1;
  const auto n = static_cast<std::size_t>(inputs);
  kernel::SampleMatrix<double> mean(static_cast<std::int64_t>(x.size() / n));
  const auto product = [&](std::int64_t s, std::int64_t t) {
    const double* a = x.data() + s * inputs;
    return std::inner_product(a, a + inputs, x.data() + t * inputs, 0.0);
  };
  for (std::int64_t s = 0; s < mean.n; ++s) {
    for (std::int64_t t = 0; t < mean.n; ++t) {
      const double along = product(s, t);
      const double lengths = std::sqrt(product(s, s) * product(t, t));
      const double share = s == t || options.open() ? 1
                           : galu ? gate_overlap(std::acos(std::clamp(along / lengths, -1.0, 1.0)), depth)
                                  : mean_cross_entry(depth, options.mu);
      mean.at(s, t) = along * share;
    }
  }
  return mean;
}

}  // namespace sluice::theory
