#include "sluice/flow/bumps.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <limits>
#include <numbers>

#include "sluice/flow/gaussian.hpp"
#include "sluice/math/ring.hpp"
#include "sluice/task/nlgp.hpp"
#include "test/flow/response_properties.hpp"

namespace sluice::flow {
namespace {

using test::Vector;

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr std::size_t kSites = 20;
const test::Tolerance kRounding{1e-12, 1e-13, "rounding"};
const test::Tolerance kQuadrature{0, 1e-10, "quadrature of M4"};

BumpResponse on_ring(double gain) { return {math::ring_kernel(kSites, 2.0), gain}; }

Vector field(std::initializer_list<std::pair<std::size_t, double>> entries) {
  Vector w(kSites);
  for (const auto& [site, value] : entries) w[site] = value;
  return w;
}

// Ledger K: f(e_i) at distance 0 and 1, n = 40, ξ = 2 (r_1 = e^(−1/4)).
TEST(BumpResponse, SingleBumpAsPrinted) {
  constexpr std::array kGains{0.5, 1.0, 3.0, 10.0};
  constexpr std::array kSame{0.4212001650, 0.4461459915, 0.4788775947, 0.4934614297};
  constexpr std::array kNext{0.3191530994, 0.3218466271, 0.3075978322, 0.2926373813};
  for (std::size_t g = 0; g < kGains.size(); ++g) {
    const BumpResponse response(math::ring_kernel(40, 2.0), kGains[g]);
    const Vector f = test::single(response, test::unit(40, 7));
    EXPECT_NEAR(f[7], kSame[g], 5.01e-11);
    EXPECT_NEAR(f[8], kNext[g], 5.01e-11);
    EXPECT_NEAR(f[6], kNext[g], 5.01e-11);
    // N0.36: E[1(X_i > 0) X_i] = arctan(√2 g)/π over √Z_g
    EXPECT_NEAR(f[7],
                std::atan(std::numbers::sqrt2 * kGains[g]) / std::numbers::pi /
                    std::sqrt(task::nlgp_variance(kGains[g])),
                1e-14);
  }
}

// Ledger K: the hypercube with its ties is not the limit of large gain.
TEST(BumpResponse, BalancedBumpsAsPrinted) {
  const Vector w = field({{0, 1}, {4, 1}});
  EXPECT_NEAR(test::single(on_ring(kInf), w)[2], 0.11991609, 5e-9);
  EXPECT_NEAR(test::single(on_ring(1e7), w)[2], 0.17241612, 5e-9);
}

// Ledger K and N1.12: which of the three wins does not matter, only that none dominates.
TEST(BumpResponse, MajorityAsPrinted) {
  for (const Vector& w : {field({{0, 2.5}, {1, 2}, {4, 1}}), field({{0, 1}, {1, 1}, {4, 1}})}) {
    const Vector f = test::single(on_ring(kInf), w);
    EXPECT_NEAR(f[0], 0.37819502, 5e-9);
    EXPECT_NEAR(f[1], 0.40597669, 5e-9);
    EXPECT_NEAR(f[2], 0.22868294, 5e-9);
    EXPECT_NEAR(f[4], 0.12763536, 5e-9);
  }
}

// N1.10, N1.11, N1.c4: one dominant entry hides every other one; α = β + 1 is the mean of two answers (N1.12).
TEST(BumpResponse, DominantEntryHidesTheRest) {
  const BumpResponse response = on_ring(kInf);
  const Vector alone = test::single(response, field({{3, 1}}));
  EXPECT_TRUE(test::all_close(test::single(response, field({{3, 1.1}, {5, 1}})), alone, kRounding));
  EXPECT_TRUE(test::all_close(test::single(response, field({{3, 1.1}, {5, -1}})), alone, kRounding));
  Vector crowd(kSites, 0.05);
  crowd[3] = 1;
  EXPECT_TRUE(test::all_close(test::single(response, crowd), alone, kRounding));

  const Vector majority = test::single(response, field({{0, 1}, {1, 1}, {4, 1}}));
  const Vector first = test::single(response, field({{0, 1}}));
  const Vector between = test::single(response, field({{0, 3}, {1, 2}, {4, 1}}));
  for (std::size_t l = 0; l < kSites; ++l) {
    EXPECT_NEAR(between[l], (majority[l] + first[l]) / 2, 1e-10) << l;
  }
}

TEST(BumpResponse, SaysWhatItCovers) {
  const Vector broad(kSites, 1.0);
  EXPECT_FALSE(on_ring(kInf).covers(broad));
  EXPECT_THROW(test::single(on_ring(kInf), broad), std::invalid_argument);
  EXPECT_TRUE(on_ring(kInf).covers(field({{0, 4}, {2, 3}, {5, 2}, {6, 2}})));
  EXPECT_TRUE(on_ring(3).covers(field({{0, -2}, {2, 2}})));
  EXPECT_FALSE(on_ring(3).covers(field({{0, 2}, {2, 1}})));
  EXPECT_THROW(test::single(on_ring(3), field({{0, 2}, {2, 1}})), std::invalid_argument);
  EXPECT_EQ(test::single(on_ring(3), Vector(kSites)), Vector(kSites));
}

// g = 0 is Gaussian data, and small gains tend to it.
TEST(BumpResponse, IsGaussianAtGainZero) {
  const GaussianResponse gaussian(Covariance::circulant(math::ring_kernel(kSites, 2.0)));
  for (const Vector& w : {field({{2, 3}}), field({{2, 1}, {7, 1}}), field({{2, 1}, {3, -1}})}) {
    EXPECT_TRUE(test::all_close(test::single(on_ring(0), w), test::single(gaussian, w), kRounding));
    EXPECT_TRUE(test::all_close(test::single(on_ring(1e-4), w), test::single(gaussian, w),
                                test::absolute(1e-8, "O(g²)")));
  }
}

RC_GTEST_PROP(BumpResponse, HasTheSymmetries, ()) {
  const std::size_t i = *rc::gen::inRange<std::size_t>(0, kSites);
  const std::size_t j = (i + *rc::gen::inRange<std::size_t>(1, kSites)) % kSites;
  const double sign = *rc::gen::element(-1.0, 1.0);
  const double gain = *rc::gen::element(0.0, 0.3, 3.0, 50.0, kInf);
  Vector w(kSites);
  w[i] = 1;
  if (*rc::gen::arbitrary<bool>()) w[j] = sign;
  test::expect_symmetries(on_ring(gain), w, kRounding);
  RC_ASSERT(!testing::Test::HasFailure());
}

TEST(BumpResponse, FourSitesHaveTheSymmetries) {
  test::expect_symmetries(on_ring(kInf), field({{0, 4}, {2, -3}, {5, 2}, {6, 2}}), kQuadrature);
}

TEST(BumpResponse, IsWhatSamplesGive) {
  for (const double gain : {0.5, 3.0, kInf}) {
    task::NlgpOptions options;
    options.n = kSites;
    options.gain = gain;
    options.scale = 1.7;
    const task::Nlgp task(options);
    const BumpResponse response(math::ring_kernel(kSites, 2.0), gain, 1.7);
    test::expect_single_measured(response, field({{3, 1}}), task, 0, 100'000, 31);
    // not e_i + e_j at finite gain: float data are tied there where the law is not (J.1)
    if (gain < 1) test::expect_single_measured(response, field({{3, 1}, {5, -1}}), task, 0, 100'000, 32);
    if (gain < kInf) continue;
    test::expect_single_measured(response, field({{3, 1}, {5, -1}}), task, 0, 100'000, 33);
    test::expect_single_measured(response, field({{0, 2.5}, {1, -2}, {4, 1}}), task, 0, 100'000, 34);
    test::expect_single_measured(response, field({{0, 4}, {2, -3}, {5, 2}, {6, 2}}), task, 0, 100'000, 35);
    test::expect_single_measured(response, field({{0, 3}, {2, 3}, {5, 2}, {6, 2}}), task, 0, 100'000, 36);
  }
}

}  // namespace
}  // namespace sluice::flow
