/// Do two sets of half-spaces divide the data alike? The agreement of two gates is the share of points on which both are open or both are
/// closed: ½ for gates that know nothing of each other, 1 for the same gate, 0 for its opposite.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sluice/flow/gate_points.hpp"

namespace sluice::flow {

struct Agreement {
  double best = 0;     ///< every gate with the unit it agrees with most, mean over gates
  double matched = 0;  ///< the same, but a unit goes to one gate only, the best pair first; mean over pairs
  double shifted = 0;  ///< as `best`, every gate moved along the ring to where it agrees most
};

/// Of `gates` [K, n] with `units` [K', n], over the points, which all count the same.
Agreement agreement(const GatePoints& points, std::span<const float> gates, std::span<const float> units,
                    math::Workers& workers);

/// Gates with the spectra of these, the phase of every wave drawn at random: equally smooth, at no place. `draw` numbers the sets.
std::vector<float> random_phases(std::span<const float> gates, std::int64_t inputs, std::uint64_t seed,
                                 std::int64_t draw);
/// `units` independent normal vectors.
std::vector<float> random_gates(std::int64_t units, std::int64_t inputs, std::uint64_t seed,
                                std::int64_t draw);

}  // namespace sluice::flow
