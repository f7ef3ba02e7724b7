/// What the spectrum of a symmetric matrix over samples says about training and labels.
#pragma once

#include <span>
#include <vector>

#include "sluice/kernel/matrix.hpp"

namespace sluice::kernel {

/// Eigenvalues ρ_1 ≤ … ≤ ρ_n, in double.
std::vector<double> eigenvalues(const SampleMatrix<double>& matrix);

/// Σ_(i≤k) ρ_i for k = 1, …, n: the paper's "e.c.d.f.".                                             ledger: P.a9
std::vector<double> cumulative(std::span<const double> ascending);

/// ρ_max/ρ_min; infinite for a singular matrix.
double condition_number(std::span<const double> ascending);

double trace(const SampleMatrix<double>& matrix);

/// H/trace H.
SampleMatrix<double> trace_normalised(SampleMatrix<double> matrix);

/// ν = y'H⁻¹y, by Cholesky; infinite where H is singular to working precision.                     ledger: P.a12
double alignment(const SampleMatrix<double>& matrix, std::span<const double> y);

/// Mean of λ(s,t)/√(λ(s,s)λ(t,t)) over pairs; a sample without active paths overlaps with none.
double mean_overlap(const SampleMatrix<float>& lambda);

}  // namespace sluice::kernel
