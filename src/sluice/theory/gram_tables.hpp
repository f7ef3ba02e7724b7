/// Tangent kernels of deep gated networks before training, over depth: what is expected, and what networks of the spec have.
/// Depths of a table take the place of the spec's; width, gates and the law of the weights are the spec's. Samples are the
/// first ones of a finite task.
#pragma once

#include "sluice/theory/quantity.hpp"

namespace sluice::theory {

/// K_0/d on and off the diagonal, averaged over networks.                                       ledger: P.a8, I.6
Table gram_entries(const Request& request);
/// Σ_(i≤k) ρ_i of K_0/d over k, for several depths.                                             ledger: P.a9, P.5
Table gram_spectrum(const Request& request);
/// Var K_0/d² of linear networks, x = 1, weights ±1/√w, beside I.7 and the order that theorem 2.3 prints; the spec gives the
/// seed alone.                                                                              ledger: I.7, P.Th2.3b
Table gram_variance(const Request& request);

}  // namespace sluice::theory
