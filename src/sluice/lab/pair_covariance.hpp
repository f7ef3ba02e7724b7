/// Note 003: Σ^xx(p_1,p_1) behind the gates 1(x_i ≥ 0) and 1(−x_i ≥ 0), corrected and printed side by side.       ledger: N3.8, N3.c1
#pragma once

#include <string>

#include "sluice/figure/recipes.hpp"
#include "sluice/record/recording.hpp"

namespace sluice::lab {

/// What keeps a run from being one of note 003; empty: nothing.
std::string no_bump_pair(const record::Recording& run);
/// Of a run without that.
figure::PairCovarianceView pair_covariance(const record::Recording& run);

}  // namespace sluice::lab
