// How often one number exceeds another.
#include "sluice/theory/dominance.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "sluice/math/statistics.hpp"
#include "sluice/theory/dominance_table.hpp"
#include "sluice/theory/fourier.hpp"
#include "sluice/theory/shapes.hpp"

namespace sluice::theory {
namespace {

TEST(Exceeds, CountsAllPairsAndTiesByHalf) {
  std::mt19937 engine(1);
  std::uniform_int_distribution<int> few(0, 9);
  std::vector<double> one, zero;
  for (int i = 0; i < 60; ++i) one.push_back(few(engine));
  for (int i = 0; i < 45; ++i) zero.push_back(few(engine));
  double count = 0;
  for (const double a : one)
    for (const double b : zero) count += a > b ? 1 : a == b ? 0.5 : 0;
  EXPECT_NEAR(exceeds(one, zero).value, count / (60.0 * 45), 1e-12);
}

/// The standard error against the spread of 400 repetitions, whose own standard error is 1/√800 = 3.5 %: 4 of those.
TEST(Exceeds, KnowsItsError) {
  std::mt19937 engine(2);
  std::normal_distribution<double> normal;
  std::vector<double> values, errors;
  for (int repetition = 0; repetition < 400; ++repetition) {
    std::vector<double> one(80), zero(50);
    for (double& a : one) a = 0.4 + 1.5 * normal(engine);
    for (double& b : zero) b = normal(engine);
    const Probability found = exceeds(one, zero);
    values.push_back(found.value);
    errors.push_back(found.standard_error * found.standard_error);
  }
  EXPECT_NEAR(std::sqrt(math::Statistics(errors).mean()) / math::Statistics(values).deviation(), 1, 0.14);
}

TEST(Dominance, OfAConstantFieldIsThatOfItsPositions) {
  math::Workers workers(1);
  const Sampler sampler(20'000, 1, workers);
  const Data data = gaussian_data(12, 2, 1);
  const Vector w = 0.05 * flat(12);  // so that no answer saturates
  // Every position sees the same |⟨w,x⟩|, up to rounding: a pair that it swaps counts 1/(4·10⁸).
  EXPECT_NEAR(dominance(sampler, data, w).value, averaged_dominance(sampler, data, w, -0.5).value, 1e-7);
}

/// On Gaussian data no field is above the wave of the largest λ₁/λ₀: from noise, far below, the climb comes to within a hundredth of it.
TEST(Dominance, IsClimbedToTheBestWave) {
  math::Workers workers(1);
  const Data data = gaussian_data(12, 2, 1);
  double best = 0;
  for (const Mode& mode : real_modes(12))
    best = std::max(best, gaussian_dominance(mode.shape, data.one, data.zero));
  const Vector start = trial_weights(12, 5);
  ASSERT_LT(gaussian_dominance(start, data.one, data.zero), best - 0.05);
  const Vector top = climb_dominance(Sampler(10'000, 1, workers), data, start);
  EXPECT_GT(gaussian_dominance(top, data.one, data.zero), best - 0.01);
  EXPECT_LE(gaussian_dominance(top, data.one, data.zero), best + 1e-12);
}

/// A thousand draws of either class: the standard error of a probability is at most ½√(2/1000) = 0.022.
TEST(Dominance, OfShapesHasTheBestOfEveryFamily) {
  math::Workers workers(1);
  const Data data = gaussian_data(12, 2, 1);
  const std::vector<DominantShape> shapes = dominant_shapes(Sampler(1000, 1, workers), data);
  ASSERT_GE(shapes.size(), 5U);
  for (const DominantShape& shape : shapes) {
    EXPECT_NEAR(form(shape.weights, data.one, shape.weights) + form(shape.weights, data.zero, shape.weights),
                2, 1e-9);
    EXPECT_NEAR(shape.single.value, gaussian_dominance(shape.weights, data.one, data.zero), 4 * 0.022)
        << shape.name;
  }
  EXPECT_EQ(shapes.front().name, "constant");
}

TEST(Sampler, GivesTheDrawsThatItAverages) {
  math::Workers workers(2);
  const Sampler sampler(1000, 1, workers);
  const Data data = gaussian_data(8, 2, 1);
  const std::vector<double> values = sampler.values(
      data, Label::zero, [](std::int64_t /*draw*/, std::span<const double> x) { return x[3]; });
  const Means means = sampler.mean(data, Label::zero, 1,
                                   [](std::span<const double> x, std::span<double> out) { out[0] = x[3]; });
  EXPECT_NEAR(math::Statistics(values).mean(), means.mean[0], 1e-12);
  EXPECT_NEAR(math::Statistics(values).error(), means.standard_error[0], 1e-9);
}

}  // namespace
}  // namespace sluice::theory
