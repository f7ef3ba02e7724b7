#include "sluice/math/lattice_fourier.hpp"

#include <algorithm>
#include <utility>

namespace sluice::math {
namespace {

/// A complex number is its two parts, one after the other (C++ [complex.numbers.general]/4).
void sum_line(const FourierPlan<double>& plan, std::span<std::complex<double>> line) {
  fourier(plan, {reinterpret_cast<double*>(line.data()), 2 * line.size()});
}

void transpose(std::span<std::complex<double>> values, std::size_t side) {
  for (std::size_t i = 0; i < side; ++i)
    for (std::size_t j = 0; j < i; ++j) std::swap(values[i * side + j], values[j * side + i]);
}

}  // namespace

void LatticeFourier::sum(std::span<std::complex<double>> values) const {
  if (side_ == 0) return sum_line(plan_, values);
  const auto side = static_cast<std::size_t>(side_);
  for (int axis = 0; axis < 2; ++axis) {
    for (std::size_t row = 0; row < side; ++row) sum_line(plan_, values.subspan(row * side, side));
    transpose(values, side);
  }
}

}  // namespace sluice::math
