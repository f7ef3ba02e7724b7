#include "sluice/math/orthant.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <vector>

#include "test/support/close.hpp"
#include "test/support/estimate.hpp"
#include "test/support/normals.hpp"

namespace sluice::math {
namespace {

// Formula sheet K.
TEST(SignMoments, MatchTheLedger) {
  EXPECT_TRUE(
      test::close(sign_quadruple_moment({.5, .5, .5, .5, .5, .5}), 0.2, test::absolute(1e-12, "quadrature")));
  EXPECT_TRUE(test::close(sign_quadruple_moment({.5, .3, .2, .4, .1, .6}), 0.149068770188,
                          test::absolute(6e-13, "twelve printed digits")));
  EXPECT_DOUBLE_EQ(sign_pair_moment(1), 1);
  EXPECT_DOUBLE_EQ(sign_pair_moment(0.5), 1.0 / 3);
}

TEST(SignMoments, IndependentPairsFactorise) {
  EXPECT_NEAR(sign_quadruple_moment({.7, 0, 0, 0, 0, -.4}), sign_pair_moment(.7) * sign_pair_moment(-.4),
              1e-12);
}

/// Correlations of four random mixtures of four independent normals: always a valid correlation matrix.
FourCorrelations random_correlations(std::vector<std::vector<double>>* mixtures = nullptr) {
  std::vector<std::vector<double>> rows(4, std::vector<double>(4));
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = 0; j < 4; ++j)
      rows[i][j] = *rc::gen::inRange(-100, 101) / 100.0 + (i == j ? 2.5 : 0);
  }
  const auto dot = [&](std::size_t a, std::size_t b) {
    double sum = 0;
    for (std::size_t k = 0; k < 4; ++k) sum += rows[a][k] * rows[b][k];
    return sum;
  };
  const auto r = [&](std::size_t a, std::size_t b) { return dot(a, b) / std::sqrt(dot(a, a) * dot(b, b)); };
  if (mixtures != nullptr) *mixtures = rows;
  return {r(0, 1), r(0, 2), r(0, 3), r(1, 2), r(1, 3), r(2, 3)};
}

RC_GTEST_PROP(SignMoments, FlipTheSignOfOneVariable, ()) {
  const FourCorrelations r = random_correlations();
  const FourCorrelations flipped{-r[0], -r[1], -r[2], r[3], r[4], r[5]};
  RC_ASSERT(std::abs(sign_quadruple_moment(r) + sign_quadruple_moment(flipped)) < 1e-10);
}

RC_GTEST_PROP(SignMoments, DoNotDependOnTheOrder, ()) {
  const auto [r12, r13, r14, r23, r24, r34] = random_correlations();
  const FourCorrelations cycled{r23, r24, r12, r34, r13, r14};  // 1→4, 2→1, 3→2, 4→3
  RC_ASSERT(std::abs(sign_quadruple_moment({r12, r13, r14, r23, r24, r34}) - sign_quadruple_moment(cycled)) <
            1e-10);
}

TEST(SignMoments, AgreeWithMonteCarlo) {
  rc::check([] {
    std::vector<std::vector<double>> mix;
    const FourCorrelations r = random_correlations(&mix);
    const std::vector<float> z =
        test::normal_rows({.seed = *rc::gen::arbitrary<std::uint32_t>()}, 4, 200'000);
    test::Estimate product;
    for (std::size_t row = 0; row < z.size(); row += 4) {
      double signs = 1;
      for (const auto& weights : mix) {
        double u = 0;
        for (std::size_t k = 0; k < 4; ++k) u += weights[k] * z[row + k];
        signs *= u > 0 ? 1 : -1;
      }
      product.add(signs);
    }
    // 100 draws by default: 5 standard errors fail by chance once in 17,000 runs of the suite.
    RC_ASSERT(std::abs(product.mean() - sign_quadruple_moment(r)) < 5 * product.standard_error());
  });
}

}  // namespace
}  // namespace sluice::math
