/// How nearly each unit is a shifted, scaled, perhaps negated copy of another one:
///   similarity_k = max over l ≠ k and shifts s of |Σ_i w_k(i) w_l(i+s)| / (|w_k||w_l|)          1: an exact copy
/// All shifts of a pair are one Fourier sum. No shift exceeds the overlap of the pair's amplitude spectra,
///   Σ_j m_j |ŵ_k(j)||ŵ_l(j)| / (n |w_k||w_l|),
/// a matrix product for all pairs; pairs that could win by less than kSimilarityTolerance are not tried.
///   up to kMostForAllPairs units   every other pair is: at most the tolerance too small, never too large
///   beyond                         of each unit the kNearest others (or a few more) of largest overlap are: a lower bound, near
///                                  the maximum where there are copies (which overlap most) and some 0.06 below it for noise
#pragma once

#include <vector>

#include "sluice/probe/spectrum.hpp"

namespace sluice::probe {

constexpr float kSimilarityTolerance = 0.005F;
constexpr std::int64_t kMostForAllPairs = 256;
constexpr std::int64_t kNearest = 8;

/// One number per unit; NaN for a field that is zero everywhere or when there is no other.
std::vector<float> nearest_unit_similarity(const FieldSpectra& spectra, const math::RealFourier& plan);

}  // namespace sluice::probe
