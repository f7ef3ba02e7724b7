/// A X = B by Gaussian elimination with partial pivoting: small systems, the same bits on every machine.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace sluice::math {

/// X [n, columns], of A [n, n] and B [n, columns], row by row; empty where A is singular to rounding: a pivot below n ε max|A|.
std::vector<double> solved(std::vector<double> a, std::vector<double> b, std::size_t columns);

}  // namespace sluice::math
