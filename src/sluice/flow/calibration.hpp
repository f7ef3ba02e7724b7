/// Weights that give a set of samples the second moments of their law.
///
/// With a(x) the deviations of a sample's power at each frequency of the ring or torus (and of its mean, where that is not zero by
/// symmetry) from their known expectations, the weights
///   ω_m = 1 − ā' V⁻¹ (a_m − ā),     ā, V the mean and covariance of the a_m,
/// have mean 1 and Σ_m ω_m a_m = 0. A weighted mean of any h(x) is then the least-squares control-variate estimate of E h
/// with all of a as controls, for every h at once; its bias is O(1/samples).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sluice/task/task.hpp"

namespace sluice::flow {

/// `x` holds samples of a class with these moments one after the other, `stride` floats apart. All ones when there are too few samples (less
/// than ten per control).
std::vector<double> calibrated_weights(std::span<const float> x, std::int64_t stride, const task::Task& task,
                                       const task::Moments& moments);

}  // namespace sluice::flow
