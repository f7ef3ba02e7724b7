#include "sluice/math/random.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "test/support/close.hpp"
#include "test/support/estimate.hpp"
#include "test/support/normals.hpp"

namespace sluice::math {
namespace {

using test::normal_rows;

RC_GTEST_PROP(Normals, ARowDependsOnItsAddressOnly, ()) {
  const auto n = *rc::gen::inRange<std::int64_t>(1, 1500);
  const auto rows = *rc::gen::inRange<std::int64_t>(1, 20);
  const auto row = *rc::gen::inRange<std::int64_t>(0, rows);
  const Address first{.seed = *rc::gen::arbitrary<std::uint64_t>(),
                      .purpose = Purpose::training,
                      .step = *rc::gen::inRange<std::uint64_t>(0, std::uint64_t{1} << 40),
                      .row = *rc::gen::inRange<std::uint32_t>(0, 1'000'000)};
  const std::vector<float> together = normal_rows(first, n, rows);
  RC_ASSERT(std::all_of(together.begin(), together.end(), [](float z) { return std::isfinite(z); }));
  Address alone = first;
  alone.row += static_cast<std::uint32_t>(row);
  const std::vector<float> single = normal_rows(alone, n, 1);
  RC_ASSERT(std::equal(single.begin(), single.end(), together.begin() + row * n));
}

TEST(Normals, EveryPartOfTheAddressMatters) {
  const Address base{.seed = 5, .purpose = Purpose::training, .step = 7, .row = 11};
  const std::vector<float> reference = normal_rows(base, 40, 1);
  std::vector<Address> others(6, base);
  others[0].seed = 6;
  others[1].seed = base.seed + (std::uint64_t{1} << 32);
  others[2].purpose = Purpose::evaluation;
  others[3].step = 8;
  others[4].step = base.step + (std::uint64_t{1} << 32);
  others[5].row = 12;
  for (const Address& other : others) EXPECT_NE(normal_rows(other, 40, 1), reference);
}

TEST(Normals, HaveTheMomentsAndTheDistributionOfANormal) {
  constexpr std::int64_t kSamples = 4'000'000;
  const std::vector<float> z = normal_rows({.seed = 1}, 8, kSamples / 8);
  const double exact[] = {0, 0, 1, 0, 3, 0, 15};
  for (int power = 1; power <= 6; ++power) {
    test::Estimate moment;
    for (const float value : z) moment.add(std::pow(static_cast<double>(value), power));
    EXPECT_TRUE(test::close(moment.mean(), exact[power], test::sampling(moment.standard_error()))) << power;
  }
  // Kolmogorov–Smirnov: √N·D exceeds 2.23 with probability 1e-4.
  std::vector<float> sorted = z;
  std::sort(sorted.begin(), sorted.end());
  double distance = 0;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    const double cdf = 0.5 * std::erfc(-static_cast<double>(sorted[i]) / std::sqrt(2.0));
    distance = std::max(distance, std::abs(cdf - static_cast<double>(i) / kSamples));
  }
  EXPECT_LT(distance * std::sqrt(static_cast<double>(kSamples)), 2.23);
  EXPECT_GT(sorted.back(), 4.5F) << "the largest of 4e6 normals is about 5.1: the tail is missing";
}

TEST(Normals, AreUncorrelatedAcrossSitesRowsAndSquares) {
  constexpr std::size_t kRows = 200'000;
  constexpr std::size_t kSites = 10;
  const std::vector<float> z = normal_rows({.seed = 3}, kSites, kRows);
  for (std::size_t i = 0; i < kSites; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      test::Estimate product;
      test::Estimate squares;  // Box–Muller pairs share a radius: their squares must still be independent
      for (std::size_t row = 0; row + 1 < kRows; ++row) {
        const double a = z[row * kSites + i];
        const double b = z[(row + (i == j ? 1 : 0)) * kSites + j];  // i = j: neighbouring rows
        product.add(a * b);
        squares.add((a * a - 1) * (b * b - 1));
      }
      EXPECT_TRUE(test::close(product.mean(), 0, test::sampling(product.standard_error()))) << i << " " << j;
      EXPECT_TRUE(test::close(squares.mean(), 0, test::sampling(squares.standard_error()))) << i << " " << j;
    }
  }
}

TEST(Uniforms, AreUniformInTheUnitInterval) {
  constexpr std::size_t kSites = 7;
  constexpr std::size_t kRows = 100'000;
  LanesBuffer<float> buffer(kSites, kRows);
  fill_uniforms({.seed = 9}, buffer.lanes(kRows));
  std::array<test::Estimate, 4> powers;
  test::Estimate neighbours;
  std::size_t small = 0;
  for (std::int64_t r = 0; r < static_cast<std::int64_t>(kRows); ++r) {
    for (std::int64_t i = 0; i < static_cast<std::int64_t>(kSites); ++i) {
      const double u = buffer.lanes(kRows).at(i, r);
      ASSERT_TRUE(u > 0 && u <= 1) << u;
      for (std::size_t p = 0; p < powers.size(); ++p) powers[p].add(std::pow(u, static_cast<double>(p + 1)));
      if (i > 0) neighbours.add((u - 0.5) * (static_cast<double>(buffer.lanes(kRows).at(i - 1, r)) - 0.5));
      if (u < 1e-4) ++small;
    }
  }
  for (std::size_t p = 0; p < powers.size(); ++p) {
    EXPECT_TRUE(test::close(powers[p].mean(), 1 / static_cast<double>(p + 2),
                            test::sampling(powers[p].standard_error())));
  }
  EXPECT_TRUE(test::close(neighbours.mean(), 0, test::sampling(neighbours.standard_error())));
  EXPECT_NEAR(static_cast<double>(small), 70, 4 * std::sqrt(70.0));
}

TEST(RowNumbers, AreAFunctionOfTheAddressAndNeverThoseOfTheNormals) {
  const Address base{.seed = 5, .purpose = Purpose::training, .step = 7, .row = 11};
  EXPECT_EQ(RowNumbers(base, 2).uniform(), RowNumbers({.seed = 5, .step = 7, .row = 13}, 0).uniform());
  std::vector<Address> others(6, base);
  others[0].seed = 6;
  others[1].seed = base.seed + (std::uint64_t{1} << 32);
  others[2].purpose = Purpose::evaluation;
  others[3].step = 8;
  others[4].step = base.step + (std::uint64_t{1} << 32);
  others[5].row = 12;
  for (const Address& other : others)
    EXPECT_NE(RowNumbers(other, 0).uniform(), RowNumbers(base, 0).uniform());
  // Words at the counter 2³¹, of which the first uniform takes the second pair.
  const PhiloxCounter words = philox({std::uint32_t{1} << 31, 11, 7, 2U << 24}, {5, 0});
  EXPECT_EQ(std::floor(RowNumbers(base, 0).uniform() * 0x1p32), words[2]);
}

TEST(RowNumbers, HaveTheMomentsOfTheirLaws) {
  constexpr int kRows = 200'000;
  for (const double shape : {1.0, 1.3, 2.5, 40.0}) {
    test::Estimate first;
    test::Estimate second;
    test::Estimate logarithm;  // sees the density near zero
    for (int r = 0; r < kRows; ++r) {
      const double g = RowNumbers({.seed = 4}, static_cast<std::uint32_t>(r)).gamma(shape);
      first.add(g);
      second.add(g * g);
      logarithm.add(std::log(g));
    }
    EXPECT_TRUE(test::close(first.mean(), shape, test::sampling(first.standard_error())));
    EXPECT_TRUE(test::close(second.mean(), shape * (shape + 1), test::sampling(second.standard_error())));
    if (shape == 1) {  // digamma(1) = −γ
      EXPECT_TRUE(test::close(logarithm.mean(), -0.5772156649, test::sampling(logarithm.standard_error())));
    }
  }
  test::Estimate normal;
  test::Estimate fourth;
  std::array<int, 7> counts{};
  for (int r = 0; r < kRows; ++r) {
    RowNumbers numbers({.seed = 4}, static_cast<std::uint32_t>(r));
    const double z = numbers.normal();
    normal.add(z);
    fourth.add(z * z * z * z);
    ++counts.at(static_cast<std::size_t>(numbers.below(7)));
  }
  EXPECT_TRUE(test::close(normal.mean(), 0, test::sampling(normal.standard_error())));
  EXPECT_TRUE(test::close(fourth.mean(), 3, test::sampling(fourth.standard_error())));
  for (const int count : counts) EXPECT_NEAR(count, kRows / 7.0, 4 * std::sqrt(kRows * 6 / 49.0));
}

}  // namespace
}  // namespace sluice::math
