#include "sluice/math/fourier.hpp"

#include <gtest/gtest.h>
#include <hwy/targets.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <complex>
#include <cstdio>
#include <vector>

#include "sluice/math/kernels.hpp"
#include "test/support/normals.hpp"

namespace sluice::math {
namespace {

std::complex<double> turn(std::int64_t numerator, std::int64_t denominator) {
  return std::polar(
      1.0, 2 * M_PI * static_cast<double>(numerator % denominator) / static_cast<double>(denominator));
}

/// The error of a few of the sums, over √length: normals of length m have sums of size √m.
double worst_error(std::int64_t length) {
  const std::vector<float> normals = test::normal_rows({.seed = 5}, 2 * length, 1);
  std::vector<double> values(normals.begin(), normals.end());
  fourier(FourierPlan<double>(length), values);
  double worst = 0;
  for (std::int64_t j = 0; j < length; j += 1 + length / 50) {
    std::complex<double> sum = 0;
    for (std::int64_t k = 0; k < length; ++k) {
      const auto at = static_cast<std::size_t>(2 * k);
      sum += std::complex<double>(normals[at], normals[at + 1]) * turn(j * k, length);
    }
    const auto at = static_cast<std::size_t>(2 * j);
    worst = std::max(worst, std::abs(sum - std::complex<double>(values[at], values[at + 1])));
  }
  return worst / std::sqrt(static_cast<double>(length));
}

TEST(Fourier, IsTheSumForEveryLengthUpTo300) {
  for (std::int64_t length = 1; length <= 300; ++length) EXPECT_LT(worst_error(length), 1e-13) << length;
}

// Grids (even, odd, nested, with a prime), chirps (short, and with a grid inside).
TEST(Fourier, IsTheSumForLongLengths) {
  for (const std::int64_t length : {1025, 2048, 3125, 2 * 97 * 97, 97 * 97 * 3, 1009, 2 * 4099, 10007}) {
    EXPECT_LT(worst_error(length), 1e-12) << length;
  }
}

/// x_j from its definition, in double.
double site(const RealFourier& waves, const std::vector<float>& modes, const std::vector<float>& factors,
            std::int64_t j) {
  const std::int64_t n = waves.sites();
  double sum = 0;
  std::vector<int> seen(static_cast<std::size_t>(n));
  for (std::int64_t mode = 0; mode < n; ++mode) {
    const std::int64_t k = waves.frequency(mode);
    const bool imaginary = seen[static_cast<std::size_t>(k)]++ == 1;
    const std::complex<double> wave = turn(j * k, n);
    const bool alone = k == 0 || 2 * k == n;
    const double at_site = alone ? wave.real() : 2 * (imaginary ? -wave.imag() : wave.real());
    const auto row = static_cast<std::size_t>(mode);
    sum += at_site * static_cast<double>(factors[row] * modes[row]);
  }
  return sum;
}

class RealFourierOf : public testing::TestWithParam<std::int64_t> {};

TEST_P(RealFourierOf, SitesAreTheWavesOfTheirModes) {
  const std::int64_t n = GetParam();
  const RealFourier waves(n);
  constexpr std::int64_t kRows = 50;  // not a whole number of vectors
  const std::vector<float> factors = test::normal_rows({.seed = 7}, n, 1);
  const std::vector<float> modes = test::normal_rows({.seed = 8}, n, kRows);
  LanesBuffer<float> in(n, kRows);
  LanesBuffer<float> out(n, kRows);
  const Lanes from = in.lanes(kRows);
  const Lanes to = out.lanes(kRows);
  fill_normals({.seed = 8}, from);
  waves.synthesize({from.data, from.stride}, {to.data, to.stride}, factors, to.stride);
  double worst = 0;
  for (const std::int64_t row : {0, 1, 17, 49}) {
    const std::vector<float> one(modes.begin() + row * n, modes.begin() + (row + 1) * n);
    for (std::int64_t j = 0; j < n; j += 1 + n / 40) {
      worst = std::max(worst, std::abs(to.at(j, row) - site(waves, one, factors, j)));
    }
  }
  // A float transform rounds once per level; the sites have standard deviation up to √(2n).
  const auto size = static_cast<double>(n);
  EXPECT_LT(worst, 6e-8 * (4 + 2 * std::log2(size)) * std::sqrt(2 * size));
}

TEST_P(RealFourierOf, GivesTheSameBitsOnEveryFusedInstructionSet) {
  const std::int64_t n = GetParam();
  const RealFourier waves(n);
  const std::vector<float> ones(static_cast<std::size_t>(n), 1.0F);
  const std::int64_t supported = hwy::SupportedTargets();
  std::vector<std::vector<float>> results;
  for (const std::int64_t target : {HWY_AVX3, HWY_AVX2, HWY_NEON}) {
    if ((supported & target) == 0) continue;
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    LanesBuffer<float> in(n, 16);
    LanesBuffer<float> out(n, 16);
    fill_normals({.seed = 9}, in.lanes(16));
    waves.synthesize({in.lanes(16).data, 16}, {out.lanes(16).data, 16}, ones, 16);
    const auto all = out.lanes(16).all();
    results.emplace_back(all.begin(), all.end());
  }
  hwy::SetSupportedTargetsForTest(0);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  for (const std::vector<float>& result : results) EXPECT_EQ(result, results.front());
}

// Products, odd sums, odd chirp; even sums, even chirp, even grids (with one column or row of its own pair, or none).
INSTANTIATE_TEST_SUITE_P(Sizes, RealFourierOf,
                         testing::Values(2, 3, 4, 5, 7, 8, 10, 37, 40, 74, 97, 101, 105, 202, 400, 401, 601,
                                         1023, 1024, 2050, 2700, 3000, 3125, 4096, 6250, 10'018, 16'384));

TEST(RealFourier, WorksInPlaceAlongAStride) {
  for (const std::int64_t n : {7, 40, 105, 202, 2048}) {
    const RealFourier waves(n);
    const std::vector<float> ones(static_cast<std::size_t>(n), 1.0F);
    LanesBuffer<float> in(n, 16);
    LanesBuffer<float> out(n, 16);
    LanesBuffer<float> wide(3 * n, 16);
    fill_normals({.seed = 10}, in.lanes(16));
    const Lanes all = wide.lanes(16);
    for (std::int64_t j = 0; j < n; ++j) {
      for (std::int64_t r = 0; r < 16; ++r) all.at(3 * j + 1, r) = in.lanes(16).at(j, r);
    }
    const RealFourier::Line line{all.data + 16, 48};
    waves.synthesize(line, line, ones, 16);
    waves.synthesize({in.lanes(16).data, 16}, {out.lanes(16).data, 16}, ones, 16);
    for (std::int64_t j = 0; j < n; ++j) {
      for (std::int64_t r = 0; r < 16; ++r) ASSERT_EQ(all.at(3 * j + 1, r), out.lanes(16).at(j, r)) << n;
    }
  }
}

}  // namespace
}  // namespace sluice::math
