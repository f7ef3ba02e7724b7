/// How far the law of a unit's pre-activation z = (⟨w, X⟩ − mean)/sd is from the normal one, by three shadows of its characteristic
/// function χ(t) = E e^(itz):
///   kurtosis    the fourth derivative at 0 (kurtosis.hpp)
///   ratio       κ = E|z| = (2/π)∫_0^∞ (1 − Re χ)/t² dt: √(2/π) = 0.798 of a normal law, at most 1; ReLU's loss sees only this   ledger: C.6
///   distance    √∫ (Re χ(t) − e^(−t²/2))² φ(t) dt with the normal density φ: 0 of a normal law, 0.209 of a sign
/// Each the mean over the classes. Of N samples of each class a normal law has a distance of about 0.2/√N.
#pragma once

#include <span>
#include <vector>

#include "sluice/probe/kurtosis.hpp"

namespace sluice::probe {

/// κ of units with weights [K, n]; NaN of a unit that is zero.
std::vector<float> preactivation_ratio(const Samples& samples, std::span<const float> weights);
std::vector<float> characteristic_distance(const Samples& samples, std::span<const float> weights);

}  // namespace sluice::probe
