/// The loss of a two-layer network at given weights, where the first two moments of its output are closed.
///   L = ½E(ŷ−Y)² = ½ Σ_c P(c) [y_c² − 2 y_c E_cŷ + E_cŷ²]                                        ledger: H.1, D.3
///   ReLU, elliptical data:   E ŷ = (c/K) Σ s_k,   E ŷ² = (1/K²) Σ_kl κ(k,l),
///                            κ = (s_k s_l/2π)(√(1−γ²) + γ(π − arccos γ))                     ledger: D.3, N1.E
///   erf, Gaussian data:      E.5
#pragma once

#include <span>

#include "sluice/task/task.hpp"
#include "sluice/theory/mode_flow.hpp"
#include "sluice/theory/vector.hpp"

namespace sluice::theory {

/// Of ŷ in one class.
struct OutputMoments {
  double mean;
  double square;
};

/// κ(k,l) = E[ReLU⟨w_k,X⟩ ReLU⟨w_l,X⟩] from w_k'Σw_k, w_k'Σw_l, w_l'Σw_l.
double relu_product(double rho_kk, double rho_kl, double rho_ll);

OutputMoments relu_output(const Ring& covariance, std::span<const Vector> units,
                          double c = flow::kGaussianConstant);
OutputMoments erf_output(const Ring& covariance, std::span<const Vector> units,
                         std::span<const double> biases);

double half_squared_loss(const OutputMoments& one, const OutputMoments& zero,
                         const task::Classes& classes = {});

}  // namespace sluice::theory
