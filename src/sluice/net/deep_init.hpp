/// Initial parameters of a deep gated network.
///   bernoulli       ±σ, each with probability ½                                                        ledger: P.A1
///   normal          N(0, σ²);   σ = "unit-signal" is √(1/(μw)), w the first hidden layer's units: E K_0/d = x'x∘λ/λ_self;
///                   where layers are convolutions w is what a unit of each layer sees
///   he-normal       N(0, 2/n_in),   xavier-normal  N(0, 2/(n_in + n_out)),   xavier-uniform  the same sd, uniform;
///                   of a convolution n_in = k²·channels before, n_out = k²·channels, as in Keras
///   file            layer1, layer2, … of the record of another deep run
/// A gating network starts independently by the same law, equal to the weights, or from the layers of another run.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sluice/net/deep_gated.hpp"

namespace sluice::net {

/// Names of the arrays that hold a layer in the record of a deep run: "layer1", "gate1".
std::string layer_name(std::int64_t layer);
std::string gate_layer_name(std::int64_t layer);

/// In the order of DeepGated's parameters. Throws InputError when a file does not fit.
std::vector<float> initial_parameters(const DeepGated<float>& network, std::uint64_t seed);

}  // namespace sluice::net
