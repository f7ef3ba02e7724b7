/// The two-dimensional Gabor function nearest to a receptive field on a torus or an image, with standard errors:
///   g(x, y) = A exp(−½ d'Md) cos(2π f·d + φ),     d = (x − x₀, y − y₀), on a torus taken into half of it either way
///   minimising Σ (w − g)² over A ≥ 0, centre, M > 0, f, φ: nine numbers;   residual = √(Σ(w − g)²/Σw²)
/// The envelope falls to e^(−½) on an ellipse with the half-axes 1/√eigenvalues of M; x counts columns, y rows, angles go from x to y.
/// From the best of many starts (gabor2_start.hpp), Levenberg and Marquardt's steps with the Jacobian in closed form. In the fit A and φ
/// are a = A cos φ, b = −A sin φ, and M = LL', L = (e^α 0; l e^γ), so that every step has an envelope and circles have no angle to lose.
/// Errors as independent noise of the residual's variance on every site would give: s² = Σr²/(hw − 9), Cov = s² (J'J)⁻¹
/// (standard_errors.hpp).
///
/// In double and one field at a time, other than gabor.hpp: there are fewer fields of more sites, and J'J is inverted.
///
/// A blob without oscillation does not tell its width along f from |f|, nor its centre from φ: their errors are large then.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sluice/probe/gabor2_start.hpp"
#include "sluice/task/task.hpp"

namespace sluice::probe {

struct Gabor2 {
  double x = 0, y = 0;                      ///< column and row of the centre; on a torus from 0 to its side
  double width_long = 0, width_short = 0;   ///< half-axes of the envelope, in sites
  double orientation = 0;                   ///< of the long axis, from 0 to π
  double frequency_x = 0, frequency_y = 0;  ///< f, in periods per site; frequency_x ≥ 0
  double phase = 0;                         ///< φ, from −π to π
  double amplitude = 0;                     ///< A
  double residual = 0;                      ///< 0: exact, 1: nothing explained
};

struct Gabor2Fit {
  Gabor2 value;
  Gabor2 error;  ///< standard errors; infinite where a number is not determined. `residual` has none: it is 0
};

class Gabor2Fitter {
 public:
  static constexpr std::int64_t kLeastSide = 4;
  static constexpr std::int64_t kMostSide = 256;

  /// Of a torus or an image.
  explicit Gabor2Fitter(const task::Layout& layout);

  /// Of one field [h·w]. All NaN where it is zero everywhere or not finite.
  Gabor2Fit fit(std::span<const float> field) const;

 private:
  task::Layout layout_;
  Gabor2Starts starts_;
};

/// g at a place of the plane.
double value(const Gabor2& gabor, double x, double y, const task::Layout& layout);

}  // namespace sluice::probe
