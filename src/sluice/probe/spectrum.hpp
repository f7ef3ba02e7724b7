/// Receptive fields in the real Fourier basis of the ring (math/fourier_basis.hpp).    ledger: A.2, N0.33, N0.34, N0.35
///   û_j = Σ_i w_i cos(2πij/n),  v̂_j = Σ_i w_i sin(2πij/n)         0 ≤ j ≤ n/2
///   power share      P_j = m_j (û_j² + v̂_j²) / (n Σ w²)            m_j = 2, or 1 for j = 0 and j = n/2;  Σ_j P_j = 1
///   power peak       the j of largest P_j                          periods around the ring
///   mean frequency   Σ_j j P_j
/// All units of a network at once, as lanes of math/fourier.hpp. NaN for a field that is zero everywhere.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sluice/math/fourier.hpp"
#include "sluice/math/lanes.hpp"

namespace sluice::probe {

/// û and v̂ of K units: unit k of frequency j stands at [j·stride + k].
struct FieldSpectra {
  std::int64_t units = 0;
  std::int64_t sites = 0;
  std::int64_t stride = 0;  ///< a multiple of math::kWidestVector; what lies beyond `units` is zero
  math::Aligned<float> cosine, sine;

  std::int64_t frequencies() const { return sites / 2 + 1; }
  /// m_j
  double multiplicity(std::int64_t frequency) const {
    return frequency == 0 || 2 * frequency == sites ? 1 : 2;
  }
  /// The rows in which math::RealFourier wants Re A_j and, where m_j = 2, Im A_j.
  std::int64_t real_row(std::int64_t frequency) const {
    return sites % 2 == 1 || frequency == 0 ? frequency : 2 * frequency == sites ? 1 : 2 * frequency;
  }
  std::int64_t imaginary_row(std::int64_t frequency) const {
    return sites % 2 == 1 ? (sites - 1) / 2 + frequency : 2 * frequency + 1;
  }
};

class FieldFourier {
 public:
  explicit FieldFourier(std::int64_t sites);

  /// Of fields [K, n].
  FieldSpectra analyse(std::span<const float> fields) const;
  const math::RealFourier& plan() const { return plan_; }

 private:
  math::RealFourier plan_;
  std::vector<float> halves_;
};

/// P [K, n/2 + 1].
std::vector<float> power_shares(const FieldSpectra& spectra);

/// Of one unit's power shares.
std::int64_t power_peak(std::span<const float> shares);
double mean_frequency(std::span<const float> shares);

}  // namespace sluice::probe
