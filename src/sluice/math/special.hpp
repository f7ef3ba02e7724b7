/// Elementwise special functions on arrays: vector code for float, the standard library for double.
#pragma once

#include <span>

namespace sluice::math {

/// values_i ← erf(factor · values_i). Float: relative error below 1e-6 (test/math/special_test.cpp);
/// saturates to exactly ±1 beyond |x| ≈ 4 (ledger J.1).
void erf_in_place(std::span<float> values, float factor);
void erf_in_place(std::span<double> values, double factor);

}  // namespace sluice::math
