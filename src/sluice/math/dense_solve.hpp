/// A dense system of linear equations, by LAPACK (dgesv: LU with row exchanges).
#pragma once

#include <optional>
#include <vector>

namespace sluice::math {

/// x with A x = b, A [m, m] row by row; nothing where A is singular.
std::optional<std::vector<double>> dense_solve(const std::vector<double>& matrix, std::vector<double> b);

}  // namespace sluice::math
