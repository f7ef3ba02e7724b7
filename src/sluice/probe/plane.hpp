/// Fields in a plane, on a torus or an image of h rows and w columns: where they lie and what waves they are made of. p = w²/Σw²; x counts
/// columns, y rows, angles go from x to y.
///   torus      x = (w/2π) arg Z,  Z = Σ p e^(2πi x/w),  spread (w/2π)√(−2 ln|Z|);  likewise y         (shape.hpp on each axis)
///   image      x = Σ p x,  spread √(Σ p (x − mean)²)
///   waves      F(k₁, k₂) = Σ w e^(−2πi(k₁y/h + k₂x/w)),  share P = m |F|²/(hw Σw²),  0 ≤ k₁ < h, 0 ≤ k₂ ≤ w/2;  m = 2, or 1 for
///              k₂ = 0 and k₂ = w/2, whose conjugates are listed themselves;  Σ P = 1
///   frequency  f = (k₂/w, k₁/h), k₁ from −h/2 on, in periods per site; its mean is Σ|f| P
///   orientation of the waves   ½ arg S, S = Σ P e^(2iφ) over f ≠ 0, φ the angle of f;  strength |S|/ΣP: 1 of one direction, 0 of none
/// An image's waves are those of its periodic continuation. All are NaN for a field that is zero everywhere.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sluice/task/task.hpp"

namespace sluice::probe {

struct PlaneShape {
  double x = 0, y = 0, spread_x = 0, spread_y = 0;  ///< in sites
};

struct PlaneWaves {
  std::vector<float> shares;  ///< [h, w/2 + 1]
  double mean_frequency = 0;
  double orientation = 0;  ///< from 0 to π
  double strength = 0;
};

class PlaneOptics {
 public:
  /// Of a torus or an image.
  explicit PlaneOptics(const task::Layout& layout);

  PlaneShape shape(std::span<const float> field) const;
  PlaneWaves waves(std::span<const float> field) const;

 private:
  std::int64_t rows_, columns_;
  bool closed_;
  std::vector<double> row_cosine_, row_sine_, column_cosine_, column_sine_;  // of 2πi/h, 2πi/w
};

}  // namespace sluice::probe
