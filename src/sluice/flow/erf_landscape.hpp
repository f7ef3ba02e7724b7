/// K erf units with biases on two Gaussian classes, ŷ = (1/K) Σ_k σ(⟨w_k,x⟩ + b_k), σ(h) = erf(h/√2).
///   −∂L/∂w_j = (1/K) Σ_c ½ { Y_c E_c[σ'_j X] − (1/K) Σ_k E_c[σ_k σ'_j X] },  biases: 1 in place of X        ledger: E.4
///   L        = ¼ Σ_c { Y_c² − (2Y_c/K) Σ_k E_c σ_k + (1/K²) Σ_jk E_c[σ_j σ_k] }                      ledger: E.5, H.1
/// with the expectations of erf_units.hpp.
/// Parameters as in net/two_layer.hpp: weights [K, n], then biases [K].
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "sluice/flow/covariance.hpp"
#include "sluice/flow/landscape.hpp"

namespace sluice::flow {

class ErfLandscape final : public Landscape {
 public:
  /// Covariances of the two classes by their first rows. Biases that are not learned stay where they start.
  ErfLandscape(std::int64_t units, const std::array<std::vector<double>, 2>& covariance_rows,
               std::array<double, 2> labels, bool learn_biases = true);

  std::size_t size() const override { return static_cast<std::size_t>(units_ * (inputs_ + 1)); }
  void downhill(std::span<const double> parameters, std::span<double> out) const override;
  double loss(std::span<const double> parameters) const override;

 private:
  struct Overlaps;
  Overlaps overlaps(std::size_t which_class, std::span<const double> parameters) const;

  std::int64_t units_;
  std::int64_t inputs_;
  std::array<Covariance, 2> covariance_;
  std::array<double, 2> labels_;
  bool learn_biases_;
};

}  // namespace sluice::flow
