/// Where a receptive field lies on the ring and how widely, from its weight density p_i = w_i²/Σ_j w_j².
///   IPR        Σ p²                                       1/n flat, 1 a single site (ipr.hpp)
///   entropy    H = −Σ p ln p                              ln n flat, 0 a single site; e^H sites carry the field
///   resultant  Z = Σ p_i e^(2πi·i/n)
///   position   (n/2π) arg Z                               circular mean, in sites, from 0 to n
///   variance   1 − |Z|                                    circular variance: 0 a single site, 1 no preferred position
///   spread     (n/2π) √(−2 ln |Z|)                        circular standard deviation, in sites
/// A field exp(−d²/2s²) that is narrow against the ring has spread s/√2: p is its square.
/// All are NaN for a field that is zero everywhere; the position of a field without a preferred one is rounding noise.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace sluice::probe {

struct FieldShape {
  double norm = 0;  ///< √Σw²
  double ipr = 0;
  double entropy = 0;
  double position = 0;
  double variance = 0;
  double spread = 0;
};

/// cos and sin of 2πi/n at every site.
class RingAngles {
 public:
  explicit RingAngles(std::int64_t sites);
  FieldShape shape(std::span<const float> field) const;

 private:
  std::vector<double> cosine_, sine_;
};

}  // namespace sluice::probe
