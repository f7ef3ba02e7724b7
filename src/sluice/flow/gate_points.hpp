/// Points on which half-spaces are tried out: a fixed sample of a task, or all of its points where they are finitely many.
///   A_kl = Σ_p weight_p g_k g_l x xᵀ,   b_k = Σ_p weight_p g_k y x                                    ledger: F.1
/// Where X ~ −X and the labels are those of the classes, a draw stands beside its negative, and both share its weight.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sluice/flow/gate_moments.hpp"
#include "sluice/math/lanes.hpp"
#include "sluice/math/workers.hpp"
#include "sluice/task/registry.hpp"
#include "sluice/task/task.hpp"

namespace sluice::flow {

struct GatePoints {
  std::int64_t inputs = 0;    ///< n
  std::int64_t count = 0;     ///< P
  std::int64_t stride = 0;    ///< of a row: x, its label, zeros
  std::int64_t per_draw = 1;  ///< points next to each other that come from one draw: 2 with its negative
  bool exact = false;         ///< all points of the task: nothing is estimated
  math::Aligned<float> rows;  ///< [P, stride]
  std::vector<float> root;    ///< [P]: √weight; the weights sum to 1
  double label_square = 0;    ///< E Y²

  const float* row(std::int64_t p) const { return rows.data() + p * stride; }
  float label(std::int64_t p) const { return row(p)[inputs]; }
  double weight(std::int64_t p) const {
    const auto r = static_cast<double>(root[static_cast<std::size_t>(p)]);
    return r * r;
  }
};

/// Samples that share nothing: gates are found on the first, judged on the second, held against other networks on the third.
enum class PointSet : std::uint8_t { fit, held_out, comparison };

/// About so many draws, half of each class; for the first two sets all points of the task where they are finitely many. Throws InputError
/// where the task is a finite set of samples or has more than two classes.
GatePoints draw_points(const task::Section& section, const task::Task& task, PointSet which,
                       std::int64_t draws, std::uint64_t seed, math::Workers& workers);

/// Which gates are open where: bit p of row k says whether g_k(x_p) = 1.
struct OpenBits {
  std::int64_t gates = 0, words = 0;
  std::vector<std::uint64_t> bits;  ///< [gates, words]

  std::span<const std::uint64_t> row(std::int64_t k) const {
    return std::span(bits).subspan(static_cast<std::size_t>(k * words), static_cast<std::size_t>(words));
  }
};
/// Of the half-spaces `vectors` [G, n].
OpenBits open_bits(const GatePoints& points, std::span<const float> vectors, math::Workers& workers);

/// [n, stride]: Σ weight x xᵀ over the points where both gates are open, and in column n Σ weight y x. Products are summed in float over 128
/// points and from there on in double, so that a sum is off by some 1e-8 of Σ weight |x_i x_j|.
std::vector<double> open_product(const GatePoints& points, std::span<const std::uint64_t> k,
                                 std::span<const std::uint64_t> l);

/// The moments of these gates over the points.
GateMoments point_moments(const GatePoints& points, const OpenBits& open, math::Workers& workers);

/// The same after gate k has changed.
void update_moments(const GatePoints& points, const OpenBits& open, std::int64_t k, GateMoments& moments,
                    math::Workers& workers);

}  // namespace sluice::flow
