/// Initial parameters of a two-layer network.
///   xavier-normal  w ~ N(0, scale²·2/(K+n))      normal  w ~ N(0, std²)      file  given weights
/// Biases start at 0, or at the fixed number of the spec.
#pragma once

#include <cstdint>
#include <vector>

#include "sluice/net/options.hpp"

namespace sluice::net {

/// K·(n+1) numbers: weights, then biases. Throws InputError when a weights file does not fit.
std::vector<float> initial_parameters(const TwoLayerOptions& options, std::int64_t inputs,
                                      std::uint64_t seed);

}  // namespace sluice::net
