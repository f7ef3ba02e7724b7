/// Responses and landscapes that are smooth enough for their second derivative: what fixed points are followed and judged by.
#pragma once

#include <span>

#include "sluice/flow/landscape.hpp"
#include "sluice/flow/response.hpp"

namespace sluice::flow {

class CurvedResponse : public Response {
 public:
  /// out = ∂f_i/∂w_j, [n, n], at w ≠ 0. It kills w (f is scale invariant) and is symmetric where f is the gradient of
  /// E ReLU(⟨w,X⟩).                                                                                     ledger: C.3
  virtual void derivative(std::span<const double> w, std::span<double> out) const = 0;
};

class CurvedLandscape : public Landscape {
 public:
  /// out = −∂²L/∂θ_i∂θ_j, [size, size]: the Jacobian of the flow.
  virtual void jacobian(std::span<const double> parameters, std::span<double> out) const = 0;
};

}  // namespace sluice::flow
