/// Fixed points of a family of flows, followed along its coordinate x by pseudo-arclength (Keller 1977).
///
/// Within one symmetry (sectors.hpp), with t = (t_w, t_x) the unit tangent at the last point (w₀, x₀) and lengths measured by |dw|²/W² + dx², W the size
/// of a field, the next point solves
///   −∂L/∂w (w, x) = 0,    ⟨t_w, w − w₀⟩/W + t_x (x − x₀) = step
/// by Newton's method; the bordered matrix is regular where the branch turns (a fold). Steps shrink where Newton fails or the
/// tangent turns by more than 37°, and grow again up to a largest one.
///
/// At every point the Jacobian's eigenvalues ("rates") are known in both sectors. Where one changes its sign between two points the place is found on
/// the branch, by false position on that eigenvalue; its sector, and whether x turns there, say what happens:
///   fold       inside, x turns: two fixed points of one symmetry meet
///   crossing   inside, x goes on: branches of one symmetry cross
///   breaking   outside: branches of less symmetry begin (branching.hpp)
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sluice/flow/family.hpp"
#include "sluice/flow/sectors.hpp"

namespace sluice::flow {

struct FixedPoint {
  double coordinate = 0;
  std::vector<double> field;
  double loss = 0;
  std::array<std::vector<double>, 2> rates;  ///< [inside, outside], each the largest first

  double fastest() const;
  /// How many perturbations grow, faster than `still`.
  std::int64_t growing(double still) const;
};

/// A unit step along a branch: w by W · field, x by coordinate.
struct Direction {
  std::vector<double> field;
  double coordinate = 0;
};

struct Critical {
  enum class Kind { fold, crossing, breaking };
  Kind kind = Kind::fold;
  FixedPoint at;
  std::size_t index = 0;                     ///< of the rate, in its sector
  std::vector<std::vector<double>> vectors;  ///< what grows or decays at the rate 0, orthonormal
  Direction along;                           ///< of the branch
  double slope = 0;                          ///< d rate/dx along the branch
};

struct ContinuationOptions {
  double step = 0.1;    ///< the largest, in arclength
  double size = 1;      ///< W
  double still = 2e-6;  ///< rates below this have no sign
  std::int64_t most_points = 400;
};

struct Branch {
  enum class Ending {
    range,   ///< left the range
    points,  ///< has as many points as were allowed
    lost     ///< Newton failed at the smallest step
  };
  Sectors sectors;
  std::vector<FixedPoint> points;
  std::vector<Critical> critical;
  Ending ending = Ending::range;
};

class Continuation {
 public:
  /// The family must outlive it.
  Continuation(const Family& family, Sectors sectors, ContinuationOptions options = {});

  /// The fixed point near a field at a given coordinate; nothing where Newton does not converge.
  std::optional<FixedPoint> settle(std::span<const double> field, double coordinate) const;
  /// The fixed point at this offset from an anchor, measured along a direction.
  std::optional<FixedPoint> correct(const FixedPoint& anchor, const Direction& along, double offset) const;
  /// From a fixed point towards rising (sign = 1) or falling x, within [low, high].
  Branch follow(const FixedPoint& start, double sign, double low, double high) const;
  /// From a fixed point, in a direction.
  Branch follow(const FixedPoint& start, const Direction& towards, double low, double high) const;
  /// The same critical point of this family when it is known of a similar one.
  std::optional<Critical> relocate(const Critical& near) const;

  const Sectors& sectors() const { return sectors_; }

 private:
  FixedPoint described(std::vector<double> field, double coordinate) const;
  /// At a point; the last one is kept, because a tangent follows on a description.
  const std::vector<double>& jacobian(std::span<const double> field, double coordinate) const;
  std::vector<double> slope_in_x(std::span<const double> field, double coordinate) const;
  std::vector<double> bordered(std::span<const double> field, double coordinate,
                               const std::vector<double>& slope, const Direction& along) const;
  std::optional<Direction> tangent(const FixedPoint& at, const Direction& before) const;
  std::optional<Critical> locate(const FixedPoint& before, const FixedPoint& after, std::size_t sector,
                                 std::size_t index) const;
  void find_critical(Branch& branch) const;
  Critical critical_at(FixedPoint at, std::size_t sector, std::size_t index, Direction along) const;

  const Family& family_;
  Sectors sectors_;
  ContinuationOptions options_;
  struct Kept {
    double coordinate = 0;
    std::vector<double> field, jacobian;
  };
  mutable Kept kept_;
};

}  // namespace sluice::flow
