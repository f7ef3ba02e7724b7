#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "sluice/flow/elliptical.hpp"
#include "sluice/flow/erf_landscape.hpp"
#include "sluice/flow/gaussian.hpp"
#include "sluice/flow/relu_landscape.hpp"
#include "test/flow/landscapes.hpp"

namespace sluice::flow {
namespace {

using math::ring_kernel;
using test::dot;
using test::random_field;

constexpr std::int64_t kSites = 9;
const std::array<std::vector<double>, 2> kRows{ring_kernel(kSites, 1.4), ring_kernel(kSites, 0.8)};

Covariance covariance(int which) { return Covariance::circulant(kRows[static_cast<std::size_t>(which)]); }

struct GaussianClasses {
  GaussianPopulation first{covariance(0)};
  GaussianPopulation second{covariance(1)};
  std::array<const PopulationResponse*, 2> both() const { return {&first, &second}; }
};

TEST(ReluLandscape, DownhillIsMinusTheGradientForAnyLabels) {
  const GaussianClasses classes;
  for (const std::array<double, 2> labels :
       {std::array{1.0, 0.0}, std::array{0.3, -1.2}, std::array{0.0, 2.0}}) {
    for (const std::int64_t units : {1, 2, 5}) {
      const ReluLandscape landscape(units, classes.both(), labels);
      test::expect_gradient(landscape, random_field(landscape.size(), 7, 0.5));
    }
  }
}

// C.1 and C.2 for one unit, written out: labels 1, 0.
TEST(ReluLandscape, OfOneUnitIsC1AndC2) {
  const GaussianResponse response{covariance(0)};
  const OneUnit first{covariance(0), &response};
  const OneUnit second{covariance(1)};
  const ReluLandscape landscape(1, {&first, &second}, {1, 0});
  const std::vector<double> w = random_field(kSites, 3);
  std::vector<double> c1w(kSites), c0w(kSites), downhill(kSites);
  covariance(0).times(w, c1w);
  covariance(1).times(w, c0w);
  const double s1 = std::sqrt(dot(w, c1w));
  const double mean_absolute = std::sqrt(2 / std::numbers::pi) * s1;
  landscape.downhill(w, downhill);
  for (std::size_t i = 0; i < w.size(); ++i) {
    const double f = c1w[i] / (std::sqrt(2 * std::numbers::pi) * s1);
    EXPECT_NEAR(downhill[i], f / 2 - (c0w[i] + c1w[i]) / 4, 1e-15);
  }
  EXPECT_NEAR(landscape.loss(w), 0.25 + (dot(w, c0w) + s1 * s1) / 8 - mean_absolute / 4, 1e-15);

  // The Gaussian population of one unit is the same thing.
  const GaussianClasses classes;
  const ReluLandscape same(1, classes.both(), {1, 0});
  EXPECT_NEAR(same.loss(w), landscape.loss(w), 1e-15);
}

// Elliptical data: pairs as for the Gaussian, f scaled by c (N1.E).
TEST(ReluLandscape, TakesFromOneOperatorAndPairsFromAnother) {
  const EllipticalResponse f{covariance(0), 0.3183};
  const GaussianClasses classes;
  const MixedPopulation mixed(f, classes.first);
  const ReluLandscape landscape(3, {&mixed, &classes.second}, {1, 0});
  test::expect_gradient(landscape, random_field(landscape.size(), 5, 0.4));
  const ReluLandscape gaussian(3, classes.both(), {1, 0});
  const std::vector<double> w = random_field(landscape.size(), 5, 0.4);
  EXPECT_GT(std::abs(landscape.loss(w) - gaussian.loss(w)), 1e-3);
}

// Σ_k p(w_j, w_k) against the pair response, one by one; a dead unit included.
TEST(GaussianPopulation, IsTheSumOfPairs) {
  const GaussianResponse response{covariance(0)};
  const GaussianPopulation population{covariance(0)};
  std::vector<double> w = random_field(4 * kSites, 9);
  std::fill_n(w.begin() + kSites, kSites, 0.0);
  std::vector<double> f(w.size(), NAN), pairs(w.size(), NAN), one(kSites);
  population.respond(w, f, pairs);
  const auto unit = [&](std::size_t k) { return std::span<const double>(w).subspan(k * kSites, kSites); };
  for (std::size_t j = 0; j < 4; ++j) {
    std::vector<double> sum(kSites, 0.0);
    for (std::size_t k = 0; k < 4; ++k) {
      response.pair(unit(j), unit(k), one);
      if (j == k && j != 1) {  // p(w, w) = ½ C w (N0.14)
        std::vector<double> image(kSites);
        covariance(0).times(unit(j), image);
        for (std::size_t i = 0; i < image.size(); ++i) EXPECT_NEAR(one[i], image[i] / 2, 1e-7);
      }
      for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += one[i];
    }
    response.single(unit(j), one);
    for (std::size_t i = 0; i < sum.size(); ++i) {
      EXPECT_NEAR(pairs[j * kSites + i], sum[i], 1e-7);  // γ = 1 − 1e-16 costs half the digits in arccos
      EXPECT_NEAR(f[j * kSites + i], one[i], 1e-15);
    }
  }
}

TEST(ErfLandscape, DownhillIsMinusTheGradientInWeightsAndBiases) {
  for (const std::array<double, 2> labels : {std::array{1.0, -1.0}, std::array{1.0, 0.0}}) {
    for (const std::int64_t units : {1, 2, 4}) {
      const ErfLandscape landscape(units, kRows, labels);
      test::expect_gradient(landscape, random_field(landscape.size(), 11, 0.7));
    }
  }
}

// E.6, N0.c2: without biases the labels do not reach the weights.
TEST(ErfLandscape, WithoutBiasesHasNoLabelSignal) {
  std::vector<double> parameters = random_field(2 * (kSites + 1), 13);
  parameters[2 * kSites] = parameters[2 * kSites + 1] = 0;
  std::vector<double> with(parameters.size()), without(parameters.size());
  ErfLandscape(2, kRows, {1, -1}, false).downhill(parameters, with);
  ErfLandscape(2, kRows, {0, 0}, false).downhill(parameters, without);
  EXPECT_EQ(with, without);
  EXPECT_EQ(with[2 * kSites], 0) << "biases that are not learned stay";
  EXPECT_GT(test::norm(with), 1e-2);
}

}  // namespace
}  // namespace sluice::flow
