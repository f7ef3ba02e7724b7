#include "sluice/flow/diluted.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "sluice/flow/bumps.hpp"
#include "sluice/flow/gaussian.hpp"
#include "sluice/math/statistics.hpp"
#include "sluice/task/nlgp.hpp"
#include "test/flow/landscapes.hpp"

namespace sluice::flow {
namespace {

constexpr std::int64_t kDilutedSites = 12;

math::Workers& team() {
  static math::Workers workers(2);
  return workers;
}

DilutedResponse diluted(double gain, const DilutedOptions& options, math::Workers& workers = team()) {
  return {kDilutedSites, 1.5, gain, 1, 0, options, workers};
}

std::vector<double> f_of(const Response& response, std::span<const double> w) {
  std::vector<double> f(w.size());
  response.single(w, f);
  return f;
}

std::vector<double> derivative_of(const CurvedResponse& response, std::span<const double> w) {
  std::vector<double> out(w.size() * w.size(), NAN);
  response.derivative(w, out);
  return out;
}

// Gain → 0: f = Cw/√(2π wᵀCw) and its derivative (C − s²vvᵀ)/(√(2π) s), whatever the draws and the dilution.
TEST(DilutedResponse, IsTheGaussianOneAtSmallGain) {
  const std::vector<double> w = test::random_field(kDilutedSites, 4);
  const Covariance c = Covariance::circulant(math::ring_kernel(kDilutedSites, 1.5));
  const GaussianResponse gaussian(c);
  std::vector<double> image(w.size());
  c.times(w, image);
  const double square = test::dot(w, image);
  for (const double h : {0.1, 0.5}) {
    const DilutedResponse response = diluted(1e-3, {.draws = 480, .dilution = h});
    const std::vector<double> f = f_of(response, w), want = f_of(gaussian, w);
    const std::vector<double> slope = derivative_of(response, w);
    for (std::size_t i = 0; i < w.size(); ++i) {
      EXPECT_NEAR(f[i], want[i], 2e-6) << "float sums, and O(g²)";
      for (std::size_t j = 0; j < w.size(); ++j)
        EXPECT_NEAR(slope[i * w.size() + j],
                    (c(i, j) - image[i] * image[j] / square) / std::sqrt(2 * std::numbers::pi * square),
                    2e-5);
    }
  }
}

TEST(DilutedResponse, DerivativeIsThatOfF) {
  const std::vector<double> w = test::random_field(kDilutedSites, 6);
  const double step = 3e-3;  // error (step/(h s))²/6 of the derivative: 1e-5; rounding 1e-7/step
  for (const double gain : {0.5, 3.0}) {
    const DilutedResponse response = diluted(gain, {.draws = 960, .dilution = 0.5});
    const std::vector<double> slope = derivative_of(response, w);
    ASSERT_GT(test::norm(slope), 0.1) << "this test could not fail";
    for (std::size_t j = 0; j < w.size(); ++j) {
      std::vector<double> up = w, down = w;
      up[j] += step;
      down[j] -= step;
      const std::vector<double> above = f_of(response, up), below = f_of(response, down);
      for (std::size_t i = 0; i < w.size(); ++i)
        EXPECT_NEAR(slope[i * w.size() + j], (above[i] - below[i]) / (2 * step), 1e-4) << gain;
    }
  }
}

TEST(DilutedResponse, DerivativeIsSymmetricAndKillsW) {
  const std::vector<double> w = test::bump(kDilutedSites, 1);
  const std::vector<double> slope = derivative_of(diluted(3, {.draws = 480}), w);
  for (std::size_t i = 0; i < w.size(); ++i) {
    EXPECT_NEAR(test::dot(std::span(slope).subspan(i * w.size(), w.size()), w), 0, 1e-6);
    for (std::size_t j = 0; j < w.size(); ++j)
      EXPECT_NEAR(slope[i * w.size() + j], slope[j * w.size() + i], 1e-6);
  }
}

// C.4: f(e_0) of nlgp data in closed form. Two dilutions take the bias out, sets give the error.
TEST(DilutedResponse, ComesToTheClosedFormAsTheDilutionVanishes) {
  const double gain = 1;
  std::vector<double> w(kDilutedSites, 0.0);
  w[0] = 1;
  const double q = task::nlgp_q(gain), unit = std::sqrt(task::nlgp_variance(gain));
  const std::vector<double> r = math::ring_kernel(kDilutedSites, 1.5);
  for (const std::size_t site : {0U, 1U, 3U}) {
    std::vector<double> values;
    for (std::int64_t set = 0; set < 8; ++set) {
      const double coarse = f_of(diluted(gain, {.draws = 1920, .set = set, .dilution = 0.2}), w)[site];
      const double fine = f_of(diluted(gain, {.draws = 1920, .set = set, .dilution = 0.1}), w)[site];
      values.push_back((4 * fine - coarse) / 3);
    }
    const math::Statistics over(values);
    const double want = std::asin(std::sqrt(q) * r[site]) / (std::numbers::pi * unit);
    ASSERT_LT(over.error(), 0.005) << "of f(e_0)_0 = 0.45";
    EXPECT_TRUE(test::close(over.mean(), want, {5e-4, 4 * over.error(), "four standard errors, O(h⁴)"}))
        << site;
  }
}

TEST(DilutedResponse, DoesNotDependOnThreadsAndIsSmoothInTheGain) {
  math::Workers one(1);
  const std::vector<double> w = test::bump(kDilutedSites, 2);
  EXPECT_EQ(f_of(diluted(1, {.draws = 960}), w), f_of(diluted(1, {.draws = 960}, one), w));
  const double step = 0.01;
  const auto at = [&](double gain) { return f_of(diluted(gain, {.draws = 960}), w)[0]; };
  const double bend = at(1 + step) + at(1 - step) - 2 * at(1);
  EXPECT_LT(std::abs(bend), 2e-5) << "the same normals: second order in the step";
}

}  // namespace
}  // namespace sluice::flow
