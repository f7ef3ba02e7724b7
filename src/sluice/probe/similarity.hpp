/// How nearly each unit is a shifted, scaled, perhaps negated copy of another one:
///   similarity_k = max over l ≠ k and shifts s of |Σ_i w_k(i) w_l(i+s)| / (|w_k||w_l|)          1: an exact copy
/// All shifts of a pair are one Fourier sum. Pairs that cannot win are not tried: by Cauchy and Schwarz no shift exceeds
///   Σ_j m_j |ŵ_k(j)||ŵ_l(j)| / (n |w_k||w_l|),
/// a matrix product for all pairs. Trained fields leave few pairs to try; independent normal fields leave all of them. Nor are
/// pairs tried that could win by less than kSimilarityTolerance: the answer is at most that much too small, never too large.
#pragma once

#include <vector>

#include "sluice/probe/spectrum.hpp"

namespace sluice::probe {

constexpr float kSimilarityTolerance = 0.005F;

/// One number per unit; NaN for a field that is zero everywhere or when there is no other.
std::vector<float> nearest_unit_similarity(const FieldSpectra& spectra, const math::RealFourier& plan);

}  // namespace sluice::probe
