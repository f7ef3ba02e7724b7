/// Spread in space times spread in frequency of a receptive field on the ring (000's closing idea). Of a field ψ with energies
/// p_x = |ψ_x|²/Σ|ψ|² over sites and P_f = |ψ̂_f|²/Σ|ψ̂|² over frequencies, both on a circle of n places:
///   Δx = (n/2π)√(1 − |Σ_x p_x e^(2πix/n)|²),   Δf = (n/2π)√(1 − |Σ_f P_f e^(2πif/n)|²)
///   uncertainty = 4π Δx Δf/n
/// Narrow against the circle these are standard deviations, in sites and in periods around the ring, and a Gabor function has
/// uncertainty 1, the least there is on a line. On the ring the least is known, too: theory/uncertainty.hpp.
/// A real field has every frequency twice, f and −f, so that a wave packet looks as wide in frequency as it is high. Its analytic
/// signal, the same field without the frequencies below 0, has one packet; but of a bump, whose packet is around 0, it is half.
/// The smaller of the two counts: each obeys the bound, so their minimum does.
#pragma once

#include <cstdint>

#include "sluice/probe/shape.hpp"
#include "sluice/probe/spectrum.hpp"

namespace sluice::probe {

/// Of unit k, whose shape this is. NaN for a field that is zero everywhere, and on fewer than three sites.
double uncertainty(const FieldSpectra& spectra, std::int64_t unit, const FieldShape& shape);

}  // namespace sluice::probe
