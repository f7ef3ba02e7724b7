#include "sluice/flow/gaussian.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <numbers>

#include "sluice/math/ring.hpp"
#include "sluice/task/gaussian.hpp"
#include "test/flow/response_properties.hpp"

namespace sluice::flow {
namespace {

using test::Vector;

constexpr std::size_t kSites = 16;
const test::Tolerance kRounding{1e-12, 1e-13, "rounding"};

GaussianResponse on_ring(double xi) {
  return GaussianResponse(Covariance::circulant(math::ring_kernel(kSites, xi)));
}

TEST(Covariance, CirculantIsTheDenseMatrix) {
  const Vector row = math::ring_kernel(kSites, 1.6);
  const Covariance ring = Covariance::circulant(row);
  Vector matrix;
  for (std::int64_t i = 0; i < std::int64_t{kSites}; ++i) {
    for (std::int64_t j = 0; j < std::int64_t{kSites}; ++j) {
      matrix.push_back(row[static_cast<std::size_t>(math::ring_distance(i, j, kSites))]);
      ASSERT_EQ(ring(static_cast<std::size_t>(i), static_cast<std::size_t>(j)), matrix.back());
    }
  }
  const Covariance dense = Covariance::dense(matrix);
  const Vector w = test::random_field(kSites, 1);
  const Vector v = test::random_field(kSites, 2);
  EXPECT_TRUE(test::all_close(test::pair(GaussianResponse(ring), w, v),
                              test::pair(GaussianResponse(dense), w, v), kRounding));
  EXPECT_THROW(Covariance::dense(Vector(12)), std::invalid_argument);
}

// N0.12 with numbers that fit on paper: C = [[1, ½], [½, 1]], w = (1, 0).
TEST(GaussianResponse, IsTheFormula) {
  const GaussianResponse response(Covariance::dense(Vector{1, 0.5, 0.5, 1}));
  const double c = 1 / std::sqrt(2 * std::numbers::pi);
  EXPECT_TRUE(test::all_close(test::single(response, {3, 0}), {c, c / 2}, kRounding));
  EXPECT_TRUE(test::all_close(test::single(response, {1e-200, 0}), {c, c / 2}, kRounding));
  EXPECT_TRUE(test::all_close(test::single(response, {1e200, 0}), {c, c / 2}, kRounding));
  EXPECT_EQ(test::single(response, {0, 0}), (Vector{0, 0}));
}

RC_GTEST_PROP(GaussianResponse, HasTheSymmetries, ()) {
  const auto w = test::random_field(kSites, *rc::gen::inRange(1U, 1'000'000U));
  const double xi = *rc::gen::inRange(5, 16) * 0.1;
  test::expect_symmetries(on_ring(xi), w, kRounding);
  RC_ASSERT(!testing::Test::HasFailure());
}

TEST(GaussianResponse, IsAGradientFieldThatIgnoresScale) {
  test::expect_gradient_field(on_ring(1.6), test::random_field(kSites, 3), 1e-4, 1e-6);
}

// N0.14: p(w, w) = ½ Cw; p(w, −w) = 0; a closed gate and its opposite share p between them: p(w,v) + p(−w,v) = ½ Cv.
RC_GTEST_PROP(GaussianResponse, PairIdentities, ()) {
  const auto w = test::random_field(kSites, *rc::gen::inRange(1U, 1'000'000U));
  const auto v = test::random_field(kSites, *rc::gen::inRange(1U, 1'000'000U));
  const GaussianResponse response = on_ring(1.6);
  const Covariance covariance = Covariance::circulant(math::ring_kernel(kSites, 1.6));
  Vector cw(kSites);
  Vector cv(kSites);
  covariance.times(w, cw);
  covariance.times(v, cv);
  // √(1−γ²) turns a rounding error ε of γ into √ε
  const test::Tolerance root{1e-6, 1e-7, "root of rounding"};
  RC_ASSERT(test::all_close(test::pair(response, w, w), test::scaled(cw, 0.5), root));
  RC_ASSERT(test::all_close(test::pair(response, w, test::scaled(w, -1)), Vector(kSites), root));
  Vector sum = test::pair(response, w, v);
  const Vector opposite = test::pair(response, test::scaled(w, -1), v);
  for (std::size_t i = 0; i < kSites; ++i) sum[i] += opposite[i];
  RC_ASSERT(test::all_close(sum, test::scaled(cv, 0.5), kRounding));
  RC_ASSERT(test::all_close(test::pair(response, Vector(kSites), v), test::scaled(cv, 0.25), kRounding));
  RC_ASSERT(test::all_close(test::pair(response, w, Vector(kSites)), Vector(kSites), kRounding));
}

TEST(GaussianResponse, IsWhatSamplesGive) {
  task::GaussianOptions options;
  options.n = kSites;
  options.xi = {1.6, 0.8};
  const task::Gaussian task(options);
  const GaussianResponse response(Covariance::circulant(task.moments(0).covariance));
  const Vector w = test::random_field(kSites, 4);
  const Vector v = test::random_field(kSites, 5);
  test::expect_single_measured(response, w, task, 0, 400'000, 6);
  test::expect_pair_measured(response, w, v, task, 0, 400'000, 7);
}

}  // namespace
}  // namespace sluice::flow
