#include "sluice/math/circulant.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>

#include "sluice/math/ring.hpp"
#include "test/support/close.hpp"

namespace sluice::math {
namespace {

// Formula sheet K: eigenvalues of exp(−d²/ξ²) on 40 sites.
TEST(Circulant, EigenvaluesMatchTheLedger) {
  const auto two = circulant_eigenvalues(ring_kernel(40, 2.0));
  const auto one = circulant_eigenvalues(ring_kernel(40, 1.0));
  const std::size_t modes[] = {0, 1, 3, 10, 20};
  const double expect_two[] = {3.5449077018, 3.4585108715, 2.8389833833, 0.3006258009, 0.0003667078};
  const double expect_one[] = {1.7726372048, 1.7617589850, 1.6771358308, 0.9633689473, 0.3006258009};
  const test::Tolerance printed = test::absolute(6e-11, "ten printed digits");
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_TRUE(test::close(two[modes[i]], expect_two[i], printed));
    EXPECT_TRUE(test::close(one[modes[i]], expect_one[i], printed));
  }
}

std::vector<double> random_symmetric_row() {
  const auto n = *rc::gen::inRange<std::size_t>(1, 80);
  std::vector<double> row(n);
  for (std::size_t d = 0; d <= n / 2; ++d) {
    row[d] = *rc::gen::inRange(-1000, 1000) / 1000.0;
    row[(n - d) % n] = row[d];
  }
  return row;
}

RC_GTEST_PROP(Circulant, EigenvaluesAndRowAreInverse, ()) {
  const std::vector<double> row = random_symmetric_row();
  const std::vector<double> back = circulant_row(circulant_eigenvalues(row));
  for (std::size_t i = 0; i < row.size(); ++i)
    RC_ASSERT(std::abs(back[i] - row[i]) < 1e-12 * static_cast<double>(row.size()));
}

RC_GTEST_PROP(Circulant, CosinesAreEigenvectors, ()) {
  const std::vector<double> row = random_symmetric_row();
  const auto n = static_cast<std::int64_t>(row.size());
  const std::vector<double> lambda = circulant_eigenvalues(row);
  const auto k = *rc::gen::inRange<std::int64_t>(0, n);
  const auto wave = [&](std::int64_t i) {
    return std::cos(2 * M_PI * static_cast<double>(k * i) / static_cast<double>(n));
  };
  for (std::int64_t i = 0; i < n; ++i) {
    double product = 0;
    for (std::int64_t j = 0; j < n; ++j)
      product += row[static_cast<std::size_t>(ring_distance(i, j, n))] * wave(j);
    RC_ASSERT(std::abs(product - lambda[static_cast<std::size_t>(k)] * wave(i)) <
              1e-11 * static_cast<double>(n));
  }
}

// Beyond a few hundred sites the sums go through Fourier sums: held against A.1's theta series,
//   λ_k ≈ √π ξ Σ_m exp(−(ξπ(k/n+m))²).
TEST(Circulant, EigenvaluesOfLargeRingsMatchTheirSeries) {
  for (const std::int64_t n : {257, 1000, 4096, 65536, 65537}) {
    const std::vector<double> lambda = circulant_eigenvalues(ring_kernel(n, 5.0));
    for (const std::int64_t k : {std::int64_t{0}, std::int64_t{1}, n / 50, n / 10, n / 2}) {
      double series = 0;
      for (int m = -2; m <= 2; ++m) {
        const double exponent = 5 * M_PI * (static_cast<double>(k) / static_cast<double>(n) + m);
        series += std::sqrt(M_PI) * 5 * std::exp(-exponent * exponent);
      }
      EXPECT_NEAR(lambda[static_cast<std::size_t>(k)], series, 1e-12) << n << " " << k;
    }
    const std::vector<double> row = circulant_row(lambda);
    for (const std::size_t d : {0U, 1U, 7U, 100U}) {
      EXPECT_NEAR(row[d], std::exp(-static_cast<double>(d * d) / 25), 1e-13) << n << " " << d;
    }
  }
}

TEST(Circulant, TorusEigenvaluesOfAProductAreProducts) {
  for (const std::size_t n : {5U, 8U, 300U}) {
    const std::vector<double> one = ring_kernel(static_cast<std::int64_t>(n), 1.3);
    const std::vector<double> lambda = circulant_eigenvalues(one);
    std::vector<double> row;
    for (const double a : one) {
      for (const double b : one) row.push_back(a * b);
    }
    const std::vector<double> both = torus_eigenvalues(row, static_cast<std::int64_t>(n));
    for (std::size_t k = 0; k < n; ++k) {
      for (std::size_t l = 0; l < n; ++l) ASSERT_NEAR(both[k * n + l], lambda[k] * lambda[l], 1e-12);
    }
  }
}

// N0.c4: on 40 sites the kernel loses positivity: −1e-11 at ξ = 4 (rounding), −2.2e-3 at ξ = 8, −0.57 at ξ
// = 16.
TEST(Projection, LeavesValidKernelsAloneAndReportsTheRest) {
  const Correlation valid = project_to_correlation(ring_kernel(40, 4.0));
  EXPECT_EQ(valid.most_negative, 0);
  EXPECT_EQ(valid.largest_change, 0);
  EXPECT_EQ(valid.row, ring_kernel(40, 4.0));

  EXPECT_NEAR(project_to_correlation(ring_kernel(40, 8.0)).most_negative, -2.2e-3, 5e-5);
  EXPECT_NEAR(project_to_correlation(ring_kernel(40, 16.0)).most_negative, -0.57, 5e-3);
}

RC_GTEST_PROP(Projection, GivesACorrelation, ()) {
  const auto n = *rc::gen::inRange<std::int64_t>(2, 60);
  const double xi = *rc::gen::inRange(1, 400) / 10.0;
  const Correlation s = project_to_correlation(ring_kernel(n, xi));
  RC_ASSERT(std::abs(s.row[0] - 1) < 1e-12);
  RC_ASSERT(*std::min_element(s.eigenvalues.begin(), s.eigenvalues.end()) >= 0);
  const std::vector<double> row = circulant_row(s.eigenvalues);
  for (std::size_t d = 0; d < row.size(); ++d) RC_ASSERT(std::abs(row[d] - s.row[d]) < 1e-9);
}

}  // namespace
}  // namespace sluice::math
