/// The static landscape of one ReLU unit, labels 1 and 0: how good a shape of receptive field is at its best scale.
///   L(αw) = ¼ + α² (s0² + s1²)/8 − α E1|S|/4,   S = ⟨w,X⟩, s_c² = w'C_c w                       ledger: C.2
///   best scale   α = E1|S|/(s0² + s1²)
///   best loss    ¼ − R/8,    R = κ²/(1 + s0²/s1²),    κ = E1|S|/s1                            ledger: C.6
/// κ is the shape of the pre-activation's law (Gaussian √(2/π), two points 1): it competes with the ratio of variances, and
/// is why non-Gaussian data prefer few sites. E1|S| = 2⟨w, f(w)⟩ for X ~ −X (C.3). Class 1 of the notes, label 1, is the
/// first class of the task.
#pragma once

#include <array>
#include <span>

#include "sluice/flow/response.hpp"
#include "sluice/flow/sampled.hpp"
#include "sluice/task/task.hpp"

namespace sluice::flow {

struct Advantage {
  double kappa = 0;
  double variance_ratio = 0;  ///< s0²/s1²
  double value = 0;           ///< R(w), between 0 and 1
  double best_scale = 0;      ///< multiplies w
  double best_loss = 0;
  double loss_error = 0;  ///< standard error of best_loss; 0 for closed forms
};

/// From E1|S| and the variances of S in the first and the second class.
Advantage advantage(double mean_absolute, double standard_error, double first_variance,
                    double second_variance);

/// `response` belongs to the first class of the task.
Advantage advantage(const task::Task& task, std::span<const double> w, const Response& response);
Advantage advantage(const task::Task& task, std::span<const double> w, const SampledResponse& response);

}  // namespace sluice::flow
