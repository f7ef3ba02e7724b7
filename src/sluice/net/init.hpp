/// Initial parameters of a two-layer network.
///   xavier-normal  w ~ N(0, scale²·2/(K+n)), or the same cut at 2 sd and rescaled to that sd (JAX's glorot_normal)
///   normal         w ~ N(0, std²)
///   basis          w_k = norm · e_c          with c = k·n/K, rounded down: unit k looks at one site
///   bump           w_k ∝ exp(−d(i,c)²/(2 width²))
///   gabor          w_k ∝ exp(−d(i,c)²/(2 width²)) cos(2π frequency (i−c)/n)          both of length norm
///   file           given
///   zero           w = 0
/// Biases start at 0, or at the fixed number of the spec. A learned readout starts at
///   mean           a_k = 1/K
///   normal         a_k ~ N(0, std²)
/// and its offset c at 0. Where the weights come from an npz file, so does every other part that is learned, bias, readout, offset and
/// pathway under these names; one that the file lacks is an error unless init.others is "fresh". An npy file holds weights alone.
#pragma once

#include <cstdint>
#include <vector>

#include "sluice/net/options.hpp"

namespace sluice::net {

/// Weights [K, n] alone.
std::vector<float> initial_weights(const InitOptions& init, std::int64_t units, std::int64_t inputs,
                                   std::uint64_t seed);

/// The parameters in the order of TwoLayerView. Throws InputError when a weights file does not fit.
std::vector<float> initial_parameters(const TwoLayerOptions& options, std::int64_t inputs,
                                      std::uint64_t seed);

}  // namespace sluice::net
