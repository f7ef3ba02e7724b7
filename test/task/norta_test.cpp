#include "sluice/task/norta.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include "test/support/moments.hpp"

namespace sluice::task {
namespace {

Norta norta(const std::string& marginal, double order = 6) {
  NortaOptions options;
  options.marginal = marginal;
  options.order = order;
  return Norta(options);
}

TEST(Norta, QuadratureFindsTheKnownCovariances) {
  for (const double r : {1e-6, 0.1, 0.5, 0.9, 0.999, 0.9999999, -0.3}) {
    EXPECT_NEAR(Marginal("normal", 6).covariance_by_quadrature(r), r, 1e-9);
    EXPECT_NEAR(Marginal("uniform", 6).covariance_by_quadrature(r), 6 / std::numbers::pi * std::asin(r / 2),
                1e-9);
    EXPECT_NEAR(Marginal("sign", 6).covariance_by_quadrature(r), 2 / std::numbers::pi * std::asin(r), 1e-9);
  }
}

TEST(Norta, CovarianceAtFullCorrelationIsTheVariance) {
  EXPECT_NEAR(Marginal("laplace", 6).covariance_by_quadrature(1), 1, 1e-9);
  for (const double order : {2.5, 3.0, 4.5, 9.3, 100.0}) {
    EXPECT_NEAR(Marginal("algebraic", order).covariance_by_quadrature(1), 1, 1e-9) << order;
  }
}

// Order 2 would be Student's t with 2 degrees of freedom; a large order is the uniform law.
TEST(Norta, AlgebraicQuantileIsAsStated) {
  const Marginal marginal("algebraic", 3);
  const auto plain = [](double z) {
    const double v = std::erf(z / std::numbers::sqrt2);
    return v / std::cbrt(1 - std::abs(v * v * v));
  };
  const double scale = marginal(1.0) / plain(1.0);
  for (const double z : {-4.0, -1.0, -0.3, 0.01, 0.6, 0.7, 2.0, 5.0}) {
    EXPECT_NEAR(marginal(z) / (scale * plain(z)), 1, 1e-9) << z;
  }
  EXPECT_GT(marginal(40.0), marginal(39.0));  // where the tail probability underflows
  EXPECT_TRUE(std::isinf(Marginal("algebraic", 4).excess_kurtosis()));
  EXPECT_NEAR(Marginal("algebraic", 1000).excess_kurtosis(), -1.2, 1e-4);
  EXPECT_GT(Marginal("algebraic", 5.8).excess_kurtosis(), 0);
  EXPECT_LT(Marginal("algebraic", 6).excess_kurtosis(), 0);
}

TEST(Norta, TheTableIsTheMarginal) {
  for (const auto& [name, order] : {std::pair<std::string, double>{"normal", 6},
                                    {"uniform", 6},
                                    {"laplace", 6},
                                    {"sign", 6},
                                    {"algebraic", 2.1},
                                    {"algebraic", 5.9},
                                    {"algebraic", 1000}}) {
    const Marginal marginal(name, order);
    std::vector<float> values;
    for (int i = -9600; i < 9600; ++i) values.push_back(static_cast<float>(i) * 1.01e-3F);
    values[9600] = 1e-6F;
    std::vector<float> z = values;
    marginal.apply(values);
    for (std::size_t i = 0; i < z.size(); ++i) {
      const double exact = marginal(static_cast<double>(z[i]));
      EXPECT_NEAR(values[i], exact, 1e-6 * std::abs(exact)) << name << " " << order << " " << z[i];
    }
  }
}

// On large rings the covariance is interpolated between quadratures: as exact as they are. ξ = 300: correlations of all
// sizes, at more distances than there are quadratures.
TEST(Norta, CovariancesOfLargeRingsAreInterpolatedExactly) {
  for (const auto& [name, order] : {std::pair<std::string, double>{"laplace", 6}, {"algebraic", 2.1}}) {
    NortaOptions options;
    options.n = 65536;
    options.xi = {300, 1};
    options.marginal = name;
    options.order = order;
    const std::vector<double> row = Norta(options).moments(0).covariance;
    const Marginal marginal(name, order);
    EXPECT_EQ(row[0], 1);
    for (const std::size_t d : {1U, 2U, 17U, 100U, 333U, 700U, 1500U}) {
      const double lengths = static_cast<double>(d) / 300;
      EXPECT_NEAR(row[d], marginal.covariance(std::exp(-lengths * lengths)), 2e-9) << name << " " << d;
      EXPECT_EQ(row[d], row[row.size() - d]);
    }
  }
}

TEST(Norta, MomentsMatch) {
  test::expect_stated_moments(norta("normal"), 0, 200'000, 61);
  test::expect_stated_moments(norta("uniform"), 0, 1'000'000, 62);
  test::expect_stated_moments(norta("laplace"), 0, 1'000'000, 63);
  test::expect_stated_moments(norta("sign"), 1, 200'000, 64);
  test::expect_stated_moments(norta("algebraic", 12), 0, 1'000'000, 65);
  // The eighth moment exists above order 8, the fourth above 4.
  test::expect_stated_moments(norta("algebraic", 5), 1, 200'000, 66, test::Kurtosis::has_no_standard_error);
}

}  // namespace
}  // namespace sluice::task
