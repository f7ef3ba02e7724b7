/// A network of sigmoidal units, reduced step by step as document 002 does. Units with a negative and with a positive bias are its two
/// populations, of K⁻ and K⁺ = K − K⁻ units.
///   full      ŷ = (1/K) Σ_k σ(⟨w_k,x⟩ + b_k)                                                             ledger: N2.1
///   biases    every population has one bias, its mean                                                     ledger: N2.3
///   tiled     … and one filter at all positions with both signs,                                          ledger: N2.4
///               Σ_± (K^±/K) ½ ∫ [σ(h+b^±) + σ(−h+b^±)] dτ,   h = (w^±∗x)(τ)        printed with ¼ for K^±/2K
///   folded    … and one term of each pair, the other being saturated,                                     ledger: N2.5
///               b < 0: ½[σ(|h|+b) + σ(−∞)],   b > 0: ½[σ(∞) + σ(b−|h|)]            printed ½σ(|h|+b) for both
/// The integral is the mean over the sites of a ring.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sluice/theory/tiling.hpp"

namespace sluice::theory {

enum class Reduction { full, biases, tiled, tiled_as_printed, folded, folded_as_printed };
inline constexpr std::array kReductions{Reduction::full,   Reduction::biases,
                                        Reduction::tiled,  Reduction::tiled_as_printed,
                                        Reduction::folded, Reduction::folded_as_printed};
std::string_view to_string(Reduction reduction);

/// Units with one sign of the bias.
struct UnitPopulation {
  std::vector<std::size_t> units;
  double bias = 0, bias_spread = 0;  ///< mean and standard deviation
  std::optional<Tiling> tiling;      ///< where there are units
};

class ReducedNetwork {
 public:
  /// Weights [K, n] on a ring and biases [K], of units with a saturating activation: "erf", "sigmoid" or "tanh".
  ReducedNetwork(std::string_view activation, std::span<const float> weights, std::span<const float> biases);

  /// Whether units of that activation saturate.
  static bool saturates(std::string_view activation);

  const UnitPopulation& negative() const { return populations_[0]; }
  const UnitPopulation& positive() const { return populations_[1]; }
  std::int64_t inputs() const { return static_cast<std::int64_t>(n_); }

  double output(Reduction reduction, std::span<const float> x) const;

 private:
  struct Sigmoid {
    double (*value)(double);
    double low, high;  ///< at ∓∞
  };
  static std::optional<Sigmoid> sigmoid(std::string_view activation);

  double by_units(std::span<const float> x, bool own_biases) const;
  double by_filters(Reduction reduction, std::span<const float> x) const;

  Sigmoid sigmoid_;
  std::size_t n_;
  std::vector<double> weights_, biases_;
  std::array<UnitPopulation, 2> populations_;
};

}  // namespace sluice::theory
