#include "sluice/math/kernels.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <vector>

#include "sluice/math/philox.hpp"
#include "test/support/close.hpp"
#include "test/support/normals.hpp"

namespace sluice::math {
namespace {

RC_GTEST_PROP(Multiply, IsTheMatrixProduct, ()) {
  const auto m = *rc::gen::inRange<std::int64_t>(0, 30);
  const auto n = kWidestVector * *rc::gen::inRange<std::int64_t>(1, 9);
  const auto k = *rc::gen::inRange<std::int64_t>(0, 50);
  const bool add = *rc::gen::arbitrary<bool>();
  const auto a_stride = k + *rc::gen::inRange<std::int64_t>(0, 5);
  const std::vector<float> a = test::normal_rows({.seed = 1}, std::max<std::int64_t>(1, m * a_stride), 1);
  const std::vector<float> b = test::normal_rows({.seed = 2}, std::max<std::int64_t>(1, k * n), 1);
  std::vector<float> c = test::normal_rows({.seed = 3}, std::max<std::int64_t>(1, m * n), 1);
  const std::vector<float> before = c;
  multiply(Product<float>{m, n, k, a.data(), a_stride, b.data(), n, c.data(), n, add});
  for (std::int64_t i = 0; i < m; ++i) {
    for (std::int64_t j = 0; j < n; ++j) {
      double sum = add ? before[static_cast<std::size_t>(i * n + j)] : 0;
      double size = std::abs(sum);
      for (std::int64_t l = 0; l < k; ++l) {
        const double term = static_cast<double>(a[static_cast<std::size_t>(i * a_stride + l)]) *
                            b[static_cast<std::size_t>(l * n + j)];
        sum += term;
        size += std::abs(term);
      }
      const double rounding = static_cast<double>(k + 1) * 6e-8 * size;
      RC_ASSERT(std::abs(c[static_cast<std::size_t>(i * n + j)] - sum) <= rounding);
    }
  }
}

RC_GTEST_PROP(DotRows, AddsTheProductsAndReadsNothingBehindThem, ()) {
  const auto count = *rc::gen::inRange<std::int64_t>(0, 9);
  const auto size = *rc::gen::inRange<std::int64_t>(0, 70);
  const std::int64_t stride = whole_vectors(size);
  const std::vector<float> factors = test::normal_rows({.seed = 1}, std::max<std::int64_t>(1, size), 1);
  std::vector<float> rows = test::normal_rows({.seed = 2}, std::max<std::int64_t>(1, count * stride), 1);
  for (std::int64_t i = 0; i < count * stride; ++i) {
    if (i % stride >= size) rows[static_cast<std::size_t>(i)] = NAN;
  }
  std::vector<float> sums = test::normal_rows({.seed = 3}, 9, 1);
  const std::vector<float> before = sums;
  dot_rows(rows.data(), count, stride, std::span(factors).first(static_cast<std::size_t>(size)), sums.data());
  for (std::int64_t i = 0; i < 9; ++i) {
    double sum = before[static_cast<std::size_t>(i)];
    double terms = std::abs(sum);
    for (std::int64_t j = 0; i < count && j < size; ++j) {
      const double term = static_cast<double>(factors[static_cast<std::size_t>(j)]) *
                          rows[static_cast<std::size_t>(i * stride + j)];
      sum += term;
      terms += std::abs(term);
    }
    RC_ASSERT(std::abs(sums[static_cast<std::size_t>(i)] - sum) <=
              static_cast<double>(size + 1) * 6e-8 * terms);
  }
}

TEST(Erf, IsWithinOneInAMillionOfTheStandardLibrary) {
  double worst = 0;
  std::vector<float> x;
  for (float at = -6.0F; at <= 6.0F; at += 1.7e-4F) x.push_back(at);
  for (const float tiny : {1e-30F, -1e-20F, 1e-6F}) x.push_back(tiny);
  while (x.size() % kWidestVector != 0) x.push_back(1.0F);
  std::vector<float> value = x;
  erf(value, 1.0F, 1.0F);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double exact = std::erf(static_cast<double>(x[i]));
    if (exact != 0) worst = std::max(worst, std::abs(value[i] - exact) / std::abs(exact));
  }
  EXPECT_LT(worst, 1e-6);
  std::printf("worst relative error of erf: %.2g\n", worst);
}

TEST(Erf, SaturatesExactlyAndScales) {
  std::vector<float> values(kWidestVector, 0.0F);
  values[1] = 30;
  values[2] = -30;
  values[3] = INFINITY;
  values[4] = 0.5F;
  erf(values, 2.0F, 3.0F);
  EXPECT_EQ(values[0], 0.0F);
  EXPECT_EQ(values[1], 3.0F);
  EXPECT_EQ(values[2], -3.0F);
  EXPECT_EQ(values[3], 3.0F);
  EXPECT_NEAR(values[4], 3 * std::erf(1.0), 1e-6);
}

// The vector generator against the scalar one: Box–Muller in double on the words of philox.hpp.
RC_GTEST_PROP(Normals, AreBoxMullerOfPhilox, ()) {
  const Address first{.seed = *rc::gen::arbitrary<std::uint64_t>(),
                      .purpose = Purpose::evaluation,
                      .step = *rc::gen::inRange<std::uint64_t>(0, std::uint64_t{1} << 50),
                      .row = *rc::gen::arbitrary<std::uint32_t>()};
  const auto n = *rc::gen::inRange<std::int64_t>(1, 20);
  constexpr std::int64_t kRows = 50;
  const std::vector<float> z = test::normal_rows(first, n, kRows);
  for (std::int64_t r = 0; r < kRows; ++r) {
    for (std::int64_t i = 0; i < n; ++i) {
      const PhiloxCounter words =
          philox({static_cast<std::uint32_t>(i / 4), first.row + static_cast<std::uint32_t>(r),
                  static_cast<std::uint32_t>(first.step), address_tag(first)},
                 {static_cast<std::uint32_t>(first.seed), static_cast<std::uint32_t>(first.seed >> 32)});
      const auto pair = static_cast<std::size_t>(i % 4 / 2) * 2;
      const double unit = (words[pair] >> 1) * 0x1p-31 + 0x1p-32;
      const double angle = 2 * M_PI * static_cast<std::int32_t>(words[pair + 1]) * 0x1p-32;
      const double radius = std::sqrt(-2 * std::log(unit));
      const double expected = radius * (i % 2 == 0 ? std::cos(angle) : std::sin(angle));
      // Near unit = 1 the float loses what is left of 1 − unit: 6e-8 absolute in unit is 6e-8/radius in the radius.
      const double allowed = 1e-6 * radius + 1.2e-7 / std::max(radius, 2.5e-4);
      RC_ASSERT(std::abs(z[static_cast<std::size_t>(r * n + i)] - expected) <= allowed);
    }
  }
}

TEST(Accumulate, AddsInDouble) {
  const std::vector<float> parts(32, 0.1F);
  std::vector<double> sums(32, 1e9);
  accumulate(parts, sums);
  for (const double sum : sums) EXPECT_EQ(sum, 1e9 + static_cast<double>(0.1F));
}

TEST(InstructionSet, HasAName) { EXPECT_FALSE(instruction_set().empty()); }

}  // namespace
}  // namespace sluice::math
