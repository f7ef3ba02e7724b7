/// A race of gating structures, as a picture wants it.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sluice/figure/figure.hpp"

namespace sluice::figure {

struct Racer {
  std::string label;
  std::vector<double> lambda;   ///< eigenvalues above 0, descending
  std::vector<double> carried;  ///< the loss that each of these modes removes, ½c²/λ
  std::vector<double> loss;     ///< at the race's times
  double half_time = 0;         ///< infinite where nothing is learned
  double limit = 0;             ///< L_∞
};

/// Spectra with what every mode carries, L(t), and speed against limit. At least one racer, times above 0.
Figure race(std::span<const double> times, std::span<const Racer> racers);

}  // namespace sluice::figure
