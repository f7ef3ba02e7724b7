/// What closed forms of a loss have in them and do not ask for: a spec that says otherwise is refused, not answered as if it had not.
#pragma once

#include <array>
#include <string>

#include "sluice/net/options.hpp"
#include "sluice/task/task.hpp"

namespace sluice::theory {

constexpr std::array kOneAndZero{1.0, 0.0};
constexpr std::array kSignLabels{1.0, -1.0};

/// Y is 1 and 0 (or these two), each with probability ½. Throws InputError "WHO: task.balance = 0.9: expected 0.5".
void require_even_classes(const task::Classes& classes, const std::string& who,
                          std::array<double, 2> labels = kOneAndZero);

/// ŷ = (1/K) Σ_k σ(⟨w_k, x⟩) where training begins: b = 0 and a = 1/K. What is learned beside the weights may leave it.
void require_plain_start(const net::TwoLayerOptions& layers, const std::string& who);

/// ŷ = (1/K) Σ_k ReLU(⟨w_k, x⟩) at all times: nothing is learned beside the weights.
void require_plain_relu(const net::TwoLayerOptions& layers, const std::string& who);

}  // namespace sluice::theory
