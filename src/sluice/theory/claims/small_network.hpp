/// A network of document 004 small enough for exact sums over its paths and over all signs of its weights.
#pragma once

#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "sluice/kernel/tangent.hpp"
#include "sluice/theory/random_networks.hpp"

namespace sluice::theory::claims {

inline constexpr double kHard = std::numeric_limits<double>::infinity();

inline net::DeepOptions small_options(std::vector<std::int64_t> widths, std::string gates,
                                      double beta = kHard, double epsilon = 0) {
  net::DeepOptions options;
  options.widths = std::move(widths);
  options.gates = std::move(gates);
  options.beta = beta;
  options.epsilon = epsilon;
  options.train = options.gated_by_network() && options.gate().soft() ? "both" : "weights";
  options.init.law = "normal";
  return options;
}

/// Normal weights, gating weights and inputs that are the same in every run.
class SmallNetwork {
 public:
  SmallNetwork(const net::DeepOptions& options, std::int64_t inputs, std::size_t samples)
      : network_(options, inputs, 1) {
    const auto numbers = [](std::size_t count, std::uint32_t which) {
      const Vector drawn = trial_weights(count, which);
      return std::vector<double>(std::begin(drawn), std::end(drawn));
    };
    parameters = numbers(network_.parameter_count(), 41);
    x = numbers(samples * static_cast<std::size_t>(inputs), 42);
  }

  const net::DeepGated<double>& network() const { return network_; }
  /// Θ; what follows are the weights of the gating network.
  std::size_t weights() const {
    return network_.options().gated_by_network() ? network_.gate_weights(1).offset
                                                 : network_.parameter_count();
  }
  kernel::Passage<double> passage() { return {network_, parameters, x, 1, alone_}; }
  Vector outputs() { return vector_of(passage().outputs()); }

  /// Mean over all signs of Θ = ±σ at fixed gates.
  Vector mean_over_weights(double sigma, std::size_t count,
                           const std::function<void(const kernel::Passage<double>&, std::span<double>)>& of) {
    return mean_over_signs(weights(), sigma, count,
                           [&](std::span<const double> theta, std::span<double> out) {
                             std::ranges::copy(theta, parameters.begin());
                             of(passage(), out);
                           });
  }

  std::vector<double> parameters;
  std::vector<double> x;

 private:
  net::DeepGated<double> network_;
  math::Workers alone_{1};
};

inline Vector entries(const kernel::SampleMatrix<double>& matrix) { return vector_of(matrix.values); }

}  // namespace sluice::theory::claims
