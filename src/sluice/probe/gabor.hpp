/// The Gabor function nearest to a receptive field in the least-squares sense:
///   g_i = A exp(−d_i²/2s²) cos(2πf d_i/n + φ),     d_i = i − c, taken into [−n/2, n/2)
///   minimising Σ_i (w_i − g_i)² over A ≥ 0, c, s, f, φ;   residual = √(Σ(w − g)²/Σw²)
/// From the best of a dictionary (gabor_start.hpp), Levenberg and Marquardt's steps with the Jacobian in closed form. In the
/// fit A and φ are a = A cos φ, b = −A sin φ, in which g is linear, and s is ln s.
///
/// Our own solver because a library's fits one field at a time: 201,000 fields of 100 sites within a second on two cores
/// leave 5 µs each, so fields are lanes of vector code, each with its own damping. Eigen's solver is the oracle in
/// test/probe/gabor_test.cpp.
///
/// A bump without oscillation does not tell s and f apart: exp(−d²/2s²) cos(kd) ≈ exp(−d²(1/s² + k²)/2) for small k.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sluice/probe/gabor_start.hpp"

namespace sluice::probe {

struct Gabor {
  double centre = 0;     ///< c, in sites, from 0 to n
  double width = 0;      ///< s, in sites, from 0.3 to 4n
  double frequency = 0;  ///< f, in periods around the ring, from 0 to n/2
  double phase = 0;      ///< φ, from −π to π
  double amplitude = 0;  ///< A
  double residual = 0;   ///< 0: exact, 1: nothing explained
};

class GaborFitter {
 public:
  static constexpr std::int64_t kLeastSites = 4;
  static constexpr std::int64_t kMostSites = 2048;  ///< the dictionary takes about 8n² bytes

  explicit GaborFitter(std::int64_t sites);

  /// Of fields [K, n]. All NaN for a field that is zero everywhere or not finite.
  std::vector<Gabor> fit(std::span<const float> fields) const;

 private:
  std::int64_t sites_;
  GaborDictionary dictionary_;
};

/// g at a site of a ring, or between sites.
double value(const Gabor& gabor, double site, std::int64_t sites);

}  // namespace sluice::probe
