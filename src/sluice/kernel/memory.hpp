/// What kernels and counts of gates hold at once, in bytes: known from the shapes of a network before anything is allocated.
///   passage       n samples × all numbers of a trace, about seven for every unit
///   tangent       where weights are shared, n samples × the weights of the largest such layer; and two matrices of n × n
///   paths         two matrices of n × n
///   sensitivity   ∂q_l/∂q_k of one sample: units of layer l × units of all layers up to it, where gates are soft
#pragma once

#include <cstddef>
#include <cstdint>

#include "sluice/net/deep_gated.hpp"

namespace sluice::kernel {

/// `real` is the size of a number: sizeof(float) or sizeof(double).
double passage_bytes(const net::DeepGated<float>& network, std::int64_t samples, std::size_t real);
/// Beside the passage.
double tangent_bytes(const net::DeepGated<float>& network, std::int64_t samples, std::size_t real);
double paths_bytes(std::int64_t samples, std::size_t real);
double sensitivity_bytes(const net::DeepGated<float>& network);

}  // namespace sluice::kernel
