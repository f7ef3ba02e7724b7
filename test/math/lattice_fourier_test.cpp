#include "sluice/math/lattice_fourier.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "test/support/normals.hpp"

namespace sluice::math {
namespace {

using Complex = std::complex<double>;

TEST(LatticeFourier, IsTheSumOverATorus) {
  for (const std::int64_t side : {1, 2, 7, 8, 12}) {
    const std::vector<float> normals = test::normal_rows({.seed = 3}, side * side, 1);
    std::vector<Complex> values(normals.begin(), normals.end());
    LatticeFourier(side * side, side).sum(values);
    const auto turn = [&](std::int64_t i) {
      return 2 * M_PI * static_cast<double>(i) / static_cast<double>(side);
    };
    for (std::int64_t k = 0; k < side * side; ++k) {
      Complex sum = 0;
      for (std::int64_t x = 0; x < side * side; ++x)
        sum += static_cast<double>(normals[static_cast<std::size_t>(x)]) *
               std::polar(1.0, turn((k / side) * (x / side) + (k % side) * (x % side)));
      EXPECT_LT(std::abs(values[static_cast<std::size_t>(k)] - sum),
                1e-12 * static_cast<double>(side * side));
    }
  }
}

TEST(LatticeFourier, OfARingIsTheSumOverItsSites) {
  std::vector<Complex> values(6);
  values[1] = 1;
  LatticeFourier(6).sum(values);
  for (std::size_t k = 0; k < 6; ++k)
    EXPECT_LT(std::abs(values[k] - std::polar(1.0, M_PI * static_cast<double>(k) / 3)), 1e-14);
}

}  // namespace
}  // namespace sluice::math
