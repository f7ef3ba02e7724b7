/// Where the fit of a two-dimensional Gabor function begins. Round envelopes of several widths are laid on the centre of the field's
/// energy and on its largest weight; the spectrum of the field under each is searched for the wave that explains most of it:
///   |⟨w, e cos⟩|²/|e cos|² + |⟨w, e sin⟩|²/|e sin|²,     |e cos|², |e sin|² = ½Σe² (1 ± exp(−4π²s²|f|²))
/// at frequencies as close to each other as the width tells apart.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "sluice/task/task.hpp"

namespace sluice::probe {

struct Gabor2Start {
  double a = 0, b = 0;  ///< of e cos and e sin
  double x = 0, y = 0, width = 1;
  double frequency_x = 0, frequency_y = 0;
  double explained = 0;  ///< share of Σw²
};

class Gabor2Starts {
 public:
  explicit Gabor2Starts(const task::Layout& layout);

  /// The best of each width and centre, best first.
  std::vector<Gabor2Start> of(std::span<const float> field) const;

 private:
  Gabor2Start best_wave(std::span<const float> field, double x, double y, double width) const;

  task::Layout layout_;
  std::vector<double> widths_;
};

/// The way from one place to another along an axis of so many sites; where it closes on itself, the shorter way.
inline double way(double from, double to, std::int64_t sites, bool closed) {
  const double d = to - from, n = static_cast<double>(sites);
  return closed ? d - n * std::floor(d / n + 0.5) : d;
}

}  // namespace sluice::probe
