/// How a class is drawn, written down as numbers: enough for somebody else, a GPU, to draw the same samples from the same addresses (math/random.hpp).
///   mixed     X_i = x(√V Σ_m C_im ε_m), ε_m the m-th normal of the sample's row; V from its own numbers, or from ε
///   pulse     the few numbers of task/pulse.hpp
/// What a task cannot say so has no recipe; whoever needs one draws its samples where tasks do.
#pragma once

#include <cstdint>
#include <vector>

namespace sluice::task {

struct Recipe {
  enum class Kind { mixed, pulse };
  Kind kind = Kind::mixed;

  std::vector<float> mix = {};  ///< [n, n]: C, row by row

  enum class Radius { none, shell, student_t, lognormal, exponential, two_point };
  Radius radius = Radius::none;
  double spread = 0;  ///< ν, σ or s of task/elliptical.hpp

  /// x(z) = z, factor·erf(gain·z) or factor·sgn z
  enum class Map { identity, erf, sign };
  Map map = Map::identity;
  float gain = 1, factor = 1;

  std::int64_t shortest = 0, longest = 0;  ///< lengths of pulses
  bool on_grid = false, invert = false;
  float off = 0;

  /// C ε, site by site: nothing that a sample has of its own beside ε.
  bool is_plain() const { return kind == Kind::mixed && radius == Radius::none && map != Map::sign; }

  bool operator==(const Recipe&) const = default;
};

}  // namespace sluice::task
