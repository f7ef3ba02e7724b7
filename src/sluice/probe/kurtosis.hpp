/// Excess kurtosis κ = E(z − Ez)⁴/Var(z)² − 3 of what units see: 0 for a Gaussian, −2 at least.  ledger: B.6, N2.c2
///   inputs           z = X_i, all sites pooled
///   pre-activations  z = ⟨w_k, X⟩; the bias does not matter
/// Each the mean over the classes, as their variances differ: the mixture would look heavy-tailed even for Gaussian classes.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "sluice/learn/batches.hpp"
#include "sluice/math/lanes.hpp"

namespace sluice::probe {

/// Inputs to measure on, class by class, samples as lanes.
class Samples {
 public:
  /// x [N, n]; `which_class` [N], or empty when there is but one. Classes without samples are left out.
  Samples(std::span<const float> x, std::int64_t inputs, std::span<const std::uint8_t> which_class);

  std::int64_t inputs() const { return inputs_; }
  std::size_t classes() const { return classes_.size(); }
  std::size_t units(std::span<const float> weights) const {
    return weights.size() / static_cast<std::size_t>(inputs_);
  }
  /// visit(class, unit, h): all ⟨w_unit, x⟩ of a class, some samples at a time, in their order.
  void preactivations(
      std::span<const float> weights,
      const std::function<void(std::size_t, std::size_t, std::span<const float>)>& visit) const;
  double input_kurtosis() const { return input_kurtosis_; }
  /// Of units with weights [K, n].
  std::vector<float> preactivation_kurtosis(std::span<const float> weights) const;

  /// Hidden units as gates, open where ⟨w_k, x⟩ + b_k ≥ 0; `bias` [K] may be empty.
  struct Units {
    std::span<const float> weights;  ///< [K, n]
    std::span<const float> bias;
  };
  /// p = P(g(x) ≠ g'(x)) of every unit and what it was before, the mean over the classes.               ledger: N0.38
  std::vector<float> gate_flips(const Units& now, const Units& before) const;
  /// How many of its largest entries every unit's gate sees: theory/seen_entries.hpp.             ledger: N1.c5
  std::vector<std::int64_t> seen_entries(const Units& now, double epsilon) const;

 private:
  struct Class {
    std::int64_t count, stride;
    math::Aligned<float> x;  // [n, stride], zero beyond `count`
  };
  std::int64_t inputs_;
  std::vector<Class> classes_;
  double input_kurtosis_ = 0;
};

/// Of the inputs of batch 0: drawn, measured, never stored. Where classes are not told apart they count as one.
double input_kurtosis(const learn::Batches& set);

}  // namespace sluice::probe
