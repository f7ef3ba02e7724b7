#include "sluice/math/fourier_basis.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "sluice/math/circulant.hpp"
#include "sluice/math/ring.hpp"
#include "test/support/close.hpp"

namespace sluice::math {
namespace {

std::vector<double> noise(std::size_t n, unsigned seed) {
  std::mt19937 engine(seed);
  std::vector<double> values(n);
  for (double& value : values) value = static_cast<double>(engine()) / 2147483648.0 - 1;
  return values;
}

/// The basis as its definition says, one column per mode.
std::vector<std::vector<double>> columns(std::int64_t n) {
  std::vector<std::vector<double>> result;
  for (std::int64_t mode = 0; mode < n; ++mode) {
    const std::int64_t j = (mode + 1) / 2;
    const bool alone = j == 0 || 2 * j == n;
    std::vector<double> column;
    for (std::int64_t i = 0; i < n; ++i) {
      const double angle = 2 * std::numbers::pi * static_cast<double>(j * i % n) / static_cast<double>(n);
      const double wave = mode % 2 == 1 || mode == 0 ? std::cos(angle) : std::sin(angle);
      column.push_back(std::sqrt((alone ? 1.0 : 2.0) / static_cast<double>(n)) * wave);
    }
    result.push_back(column);
  }
  return result;
}

double dot(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

// Every kind of length: 1, 2, even, odd, the four factors, primes above 7 and their multiples.
constexpr std::int64_t kLengths[] = {1,  2,  3,  4,  5,  6,  7,  8,  9,   11,  12,
                                     13, 22, 35, 40, 41, 63, 64, 97, 100, 210, 221};

TEST(FourierBasis, IsOrthonormalAndWhatItsDefinitionSays) {
  for (const std::int64_t n : kLengths) {
    const auto column = columns(n);
    for (std::size_t a = 0; a < column.size(); ++a) {
      for (std::size_t b = 0; b < column.size(); ++b) {
        ASSERT_NEAR(dot(column[a], column[b]), a == b ? 1 : 0, 1e-13) << n << ": " << a << ", " << b;
      }
    }
    const FourierBasis basis(n);
    const std::vector<double> w = noise(column.size(), 3);
    const std::vector<double> u = basis.analyse(w);
    const std::vector<double> back = basis.synthesise(u);
    for (std::size_t i = 0; i < w.size(); ++i) {
      ASSERT_NEAR(u[i], dot(column[i], w), 1e-13) << "mode " << i << " of " << n;
      ASSERT_NEAR(back[i], w[i], 1e-13) << "site " << i << " of " << n;
    }
    ASSERT_NEAR(dot(u, u), dot(w, w), 1e-12) << "Parseval";
  }
}

TEST(FourierBasis, DiagonalisesCirculants) {
  for (const std::int64_t n : {7, 12, 40, 41}) {
    const std::vector<double> row = ring_kernel(n, 1.7);
    const FourierBasis basis(n);
    const std::vector<double> lambda = basis.eigenvalues(row);
    const std::vector<double> by_frequency = circulant_eigenvalues(row);
    const auto column = columns(n);
    for (std::int64_t mode = 0; mode < n; ++mode) {
      const auto m = static_cast<std::size_t>(mode);
      EXPECT_NEAR(lambda[m], by_frequency[static_cast<std::size_t>(FourierBasis::frequency(mode))], 1e-13);
      for (std::int64_t i = 0; i < n; ++i) {
        double product = 0;
        for (std::int64_t j = 0; j < n; ++j) {
          product +=
              row[static_cast<std::size_t>(ring_distance(i, j, n))] * column[m][static_cast<std::size_t>(j)];
        }
        ASSERT_NEAR(product, lambda[m] * column[m][static_cast<std::size_t>(i)], 1e-13);
      }
    }
  }
}

TEST(FourierBasis, OnATorusIsTheProductOfTwoRings) {
  for (const std::int64_t n : {5, 6}) {
    const FourierBasis basis(n, 2);
    const auto side = static_cast<std::size_t>(n);
    const auto column = columns(n);
    const std::vector<double> w = noise(side * side, 4);
    const std::vector<double> u = basis.analyse(w);
    const std::vector<double> back = basis.synthesise(u);
    std::vector<double> row;  // exp(−|d|²/ξ²) from site 0
    for (std::int64_t y = 0; y < n; ++y) {
      for (std::int64_t x = 0; x < n; ++x) {
        const auto d2 = static_cast<double>(ring_distance(0, y, n) * ring_distance(0, y, n) +
                                            ring_distance(0, x, n) * ring_distance(0, x, n));
        row.push_back(std::exp(-d2 / 2));
      }
    }
    const std::vector<double> lambda = basis.eigenvalues(row);
    for (std::size_t p = 0; p < side; ++p) {
      for (std::size_t q = 0; q < side; ++q) {
        double coefficient = 0;
        double image = 0;  // (C v)_0 of the mode v, to be held against λ v_0 at a site where v is not zero
        std::size_t site = 0;
        while (std::abs(column[p][site / side] * column[q][site % side]) < 0.05) ++site;
        for (std::size_t y = 0; y < side; ++y) {
          for (std::size_t x = 0; x < side; ++x) {
            const double v = column[p][y] * column[q][x];
            coefficient += v * w[y * side + x];
            const std::size_t dy = (y + side - site / side) % side;
            const std::size_t dx = (x + side - site % side) % side;
            image += row[dy * side + dx] * v;
          }
        }
        ASSERT_NEAR(u[p * side + q], coefficient, 1e-13);
        ASSERT_NEAR(image, lambda[p * side + q] * column[p][site / side] * column[q][site % side], 1e-13);
      }
    }
    for (std::size_t i = 0; i < w.size(); ++i) ASSERT_NEAR(back[i], w[i], 1e-13);
  }
}

// A round trip and Parseval at lengths where O(n²) would take minutes: round, and prime.
TEST(FourierBasis, IsFastForAMillionSites) {
  for (const std::int64_t n : {1'000'000, 999'983}) {
    const FourierBasis basis(n);
    const std::vector<double> w = noise(static_cast<std::size_t>(n), 5);
    const std::vector<double> u = basis.analyse(w);
    const std::vector<double> back = basis.synthesise(u);
    double worst = 0;
    for (std::size_t i = 0; i < w.size(); ++i) worst = std::max(worst, std::abs(back[i] - w[i]));
    EXPECT_LT(worst, 1e-12) << n;
    EXPECT_TRUE(test::close(dot(u, u), dot(w, w), test::relative(1e-12, "rounding of a long sum")));
  }
}

}  // namespace
}  // namespace sluice::math
