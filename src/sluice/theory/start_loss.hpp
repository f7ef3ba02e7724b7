/// The loss before training, averaged over the weights it starts from, w ~ N(0, vI): why ReLU's falls with the gain and erf's does not.
/// Given a sample, ⟨w_k, x⟩ is normal with variance v‖x‖² and independent between units, so only the law of ‖X‖ matters:
///   ReLU, labels 1, 0:    4L = 1 − 2√(v/2π) E₁‖X‖ + Σ_c v E_c‖X‖² [1/(2K) + (1 − 1/K)/(2π)]
///   erf, labels ±1:       4L = 2 + (1/K) Σ_c E_c (2/π) arcsin(u/(1+u)),   u = v‖X‖²
/// E‖X‖² = n at every gain, E‖X‖ grows to √n as the norm concentrates.                              ledger: N2.c6, N2.25, N2.27, H.1
#pragma once

#include <cstdint>

#include "sluice/theory/quantity.hpp"
#include "sluice/theory/sampling.hpp"

namespace sluice::theory {

struct StartLosses {
  double relu, relu_error;  ///< L, and its standard error from the samples of ‖X‖
  double erf, erf_error;
  double length;  ///< E₁‖X‖/√n
};
StartLosses start_losses(const Sampler& sampler, const Data& data, std::int64_t units, double variance);

/// For gains 0.01 … 100 and inf, and how far it is from that at the first; units and the variance of their weights are the spec's.
Table start_loss_table(const Request& request);

}  // namespace sluice::theory
