#include "sluice/task/latent_ring.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include "sluice/math/ring.hpp"
#include "sluice/task/gaussian.hpp"
#include "test/support/normals.hpp"

namespace sluice::task {
namespace {

/// Row i of R Rᵀ, with Z = R ε: R is seen by correlating unit vectors, a few modes at a time.
std::vector<double> covariance_of(const LatentRing& ring, std::int64_t sites, std::int64_t i) {
  constexpr std::int64_t kModes = 48;
  math::LanesBuffer<float> epsilon(sites, kModes);
  math::LanesBuffer<float> z(sites, kModes);
  std::vector<double> row(static_cast<std::size_t>(sites));
  for (std::int64_t first = 0; first < sites; first += kModes) {
    const math::Lanes unit = epsilon.lanes(kModes);
    const math::Lanes column = z.lanes(kModes);
    std::ranges::fill(unit.all(), 0.0F);
    for (std::int64_t mode = first; mode < std::min(first + kModes, sites); ++mode) {
      unit.at(mode, mode - first) = 1;
    }
    ring.correlate(unit, column);
    for (std::int64_t j = 0; j < sites; ++j) {
      double sum = 0;
      for (std::int64_t r = 0; r < kModes; ++r) {
        sum += static_cast<double>(column.at(i, r)) * static_cast<double>(column.at(j, r));
      }
      row[static_cast<std::size_t>(j)] += sum;
    }
  }
  return row;
}

// |R_i| = 1, so an error of one rounding per level in R is the same error in R Rᵀ.
double rounding(std::int64_t n) { return 1.2e-7 * (2 + std::log2(static_cast<double>(n))); }

class LatentRingOf : public testing::TestWithParam<std::int64_t> {};

TEST_P(LatentRingOf, CovarianceIsTheKernelToFloatRounding) {
  const std::int64_t n = GetParam();
  for (const double xi : {0.3, 2.0, 30.0}) {
    const LatentRing ring(n, xi);
    double worst = 0;
    for (const std::int64_t i : {std::int64_t{0}, n / 3, n - 1}) {
      const std::vector<double> row = covariance_of(ring, n, i);
      for (std::int64_t j = 0; j < n; ++j) {
        const double wanted = ring.correlation()[static_cast<std::size_t>(math::ring_distance(i, j, n))];
        worst = std::max(worst, std::abs(row[static_cast<std::size_t>(j)] - wanted));
      }
    }
    EXPECT_LT(worst, rounding(n)) << "xi = " << xi;
  }
}

// Every path: products (3, 5, 7, 97, 401), odd sums (105), odd chirp (601), even sums, even chirp (202), grid (4096).
INSTANTIATE_TEST_SUITE_P(Sizes, LatentRingOf,
                         testing::Values(2, 3, 5, 7, 8, 40, 97, 105, 202, 400, 401, 601, 1024, 4096));

TEST(LatentTorus, CovarianceIsTheProductOfItsAxes) {
  for (const std::int64_t n : {2, 3, 8, 9, 20}) {
    for (const double xi : {0.5, 3.0}) {  // 3 is projected
      const LatentRing torus(n, xi, 2);
      const LatentRing axis(n, xi);
      for (const std::int64_t i : {std::int64_t{0}, n + 1, n * n - 1}) {
        const std::vector<double> row = covariance_of(torus, n * n, i);
        for (std::int64_t j = 0; j < n * n; ++j) {
          const auto d1 = static_cast<std::size_t>(math::ring_distance(i / n, j / n, n));
          const auto d2 = static_cast<std::size_t>(math::ring_distance(i % n, j % n, n));
          const double wanted = axis.correlation()[d1] * axis.correlation()[d2];
          EXPECT_EQ(torus.correlation()[d1 * static_cast<std::size_t>(n) + d2], wanted);
          EXPECT_NEAR(row[static_cast<std::size_t>(j)], wanted, rounding(n * n)) << n << " " << i << " " << j;
        }
      }
    }
  }
}

TEST(LatentTorus, MappedCovarianceIsMapped) {
  const std::int64_t n = 10;
  const LatentRing torus(n, 1.0, 2);
  const LatentRing mapped = torus.mapped([](double r, double power) { return std::pow(r, power); }, 3);
  const std::vector<double> row = covariance_of(mapped, n * n, 0);
  for (std::size_t j = 0; j < row.size(); ++j) {
    EXPECT_NEAR(row[j], std::pow(torus.correlation()[j], 3), rounding(n * n));
  }
}

TEST(LatentTorus, ProjectionIsReportedWithTheChangeOfTheProduct) {
  EXPECT_EQ(LatentRing(40, 4.0, 2).remark(), "");
  const std::string remark = LatentRing(40, 16.0, 2).remark();
  EXPECT_NE(remark.find("along each axis"), std::string::npos) << remark;
}

// Drawn together, in several calls or alone: the same bits. Sites up to 2048 and beyond are drawn in different portions.
TEST(LatentRing, ASampleDependsOnItsAddressAlone) {
  const auto expect = [](std::int64_t n, std::int64_t dim) {
    GaussianOptions options;
    options.n = n;
    options.dim = dim;
    const Gaussian task(options);
    const math::Address first{.seed = 6, .step = 2, .row = 1000};
    constexpr std::int64_t kRows = 37;
    const std::vector<float> together = test::sample_rows(task, first, 0, kRows);
    for (std::int64_t begin = 0; begin < kRows;) {
      const std::int64_t rows = std::min<std::int64_t>(begin % 3 == 0 ? 1 : 18, kRows - begin);
      math::Address here = first;
      here.row += static_cast<std::uint32_t>(begin);
      const std::vector<float> part = test::sample_rows(task, here, 0, rows);
      EXPECT_TRUE(std::equal(part.begin(), part.end(), together.begin() + begin * task.inputs()))
          << n << " " << begin;
      begin += rows;
    }
  };
  for (const std::int64_t n : {2, 7, 97, 105, 400, 601, 4096, 5000}) expect(n, 1);
  for (const std::int64_t n : {2, 7, 20, 50}) expect(n, 2);
}

}  // namespace
}  // namespace sluice::task
