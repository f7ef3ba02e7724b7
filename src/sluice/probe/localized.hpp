/// Which receptive fields are localized, by the criterion of theory/localized.hpp.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace sluice::probe {

/// 1 or 0 for each of the fields [.., n]; on a ring of n sites (`side` = 0) or a torus of side × side.
std::vector<std::uint8_t> localized_flags(std::span<const float> fields, std::int64_t sites,
                                          std::int64_t side);

}  // namespace sluice::probe
