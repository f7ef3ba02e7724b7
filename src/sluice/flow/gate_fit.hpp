/// The best weights behind given gates, over a set of points, and how well they do on another.
///   J = b'A⁺b,      L_∞ = ½E Y² − ½J                                                                     ledger: F.2
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sluice/flow/gate_points.hpp"
#include "sluice/math/workers.hpp"

namespace sluice::flow {

/// Where a column of the features has less than this share of its variance left beside the columns before it, it is one of their span:
/// pseudo-inverses leave it out. Well above the rounding of open_product().
constexpr double kDependent = 1e-6;

/// A = LLᵀ, without the rows and columns that depend on those before them: where kept(i) is false, column i of L is 0.
class Triangle {
 public:
  /// `matrix` [m, m]; `variance` [m]: what a pivot is compared with.
  Triangle(std::vector<double> matrix, std::span<const double> variance);

  double at(std::size_t i, std::size_t j) const { return l_[i * m_ + j]; }
  bool kept(std::size_t i) const { return kept_[i]; }

  /// L⁻¹ b, 0 where not kept.
  std::vector<double> forward(std::vector<double> b) const;
  /// L⁻ᵀ c.
  std::vector<double> backward(std::vector<double> c) const;
  /// b'A⁺b = |L⁻¹b|², for b in the span of A.
  double form(std::vector<double> b) const;

 private:
  std::size_t m_;
  std::vector<double> l_;
  std::vector<bool> kept_;
};

/// The best weights behind these gates.
struct GateFit {
  double objective = 0;         ///< J = b'A⁺b
  std::vector<double> weights;  ///< [K, n]: u_k = w_k/K, ŷ = Σ_k g_k ⟨u_k,x⟩
};
GateFit fit_gates(const GateMoments& moments);

/// The mean of ½(ŷ − Y)² over points, and its standard error over their draws; 0 where the points are all there are.
struct Estimate {
  double mean = 0, error = 0;
};
/// ½(ŷ − Y)² of every draw, weighted so that their sum is the mean.
std::vector<double> draw_losses(const GatePoints& points, std::span<const float> gates, const GateFit& fit,
                                math::Workers& workers);
Estimate estimate(const GatePoints& points, std::span<const double> draws);

}  // namespace sluice::flow
