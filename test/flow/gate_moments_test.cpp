#include "sluice/flow/gate_moments.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "sluice/file/errors.hpp"
#include "sluice/spec/document.hpp"
#include "sluice/task/elliptical.hpp"
#include "sluice/task/gaussian.hpp"
#include "sluice/task/nlgp.hpp"
#include "sluice/task/pulse.hpp"
#include "test/support/close.hpp"

namespace sluice::flow {
namespace {

/// A task and gates on it.
struct Case {
  Case(const std::string& kind, const std::string& keys, net::GateOptions gate, std::int64_t units)
      : workers(2) {
    spec::Document::from_text("kind = \"" + kind + "\"\n" + keys, "test").read([&](spec::Keys& k) {
      section.describe(k);
    });
    task = section.make();
    family.hidden = units;
    family.gate = std::move(gate);
    made = family.make({.inputs = task->inputs()});
    start = made->start(4);
  }
  GateMoments moments(const std::string& method, std::int64_t samples = 1 << 17) {
    const auto& network = dynamic_cast<const net::GatedLinearNetwork&>(*made);
    return gate_moments(network, network.gate_vectors(start), section, *task,
                        {.method = method, .samples = samples, .seed = 9}, workers);
  }

  task::Section section;
  std::unique_ptr<task::Task> task;
  net::GatedLinearFamily family;
  std::unique_ptr<net::Network> made;
  std::vector<float> start;
  math::Workers workers;
};

/// Every entry within 5 standard errors, the root mean square of the errors near 1.
void expect_agreement(const GateMoments& exact, const GateMoments& sampled) {
  ASSERT_EQ(exact.a.size(), sampled.a.size());
  double squares = 0, count = 0, worst = 0;
  const auto look = [&](double want, double got, double error) {
    if (error == 0) {
      EXPECT_NEAR(got, want, 1e-12);
      return;
    }
    const double z = (got - want) / error;
    worst = std::max(worst, std::abs(z));
    squares += z * z;
    ++count;
  };
  for (std::size_t i = 0; i < exact.b.size(); ++i) look(exact.b[i], sampled.b[i], sampled.b_error[i]);
  for (std::size_t i = 0; i < exact.a.size(); ++i)
    look(exact.a[i], sampled.a[i], static_cast<double>(sampled.a_error[i]));
  EXPECT_GT(count, 0);
  // Student's t of 15 degrees: mean square 15/13; entries depend on each other, so the limits are wide.
  EXPECT_LT(std::sqrt(squares / count), 2);
  EXPECT_LT(worst, 9);  // P(|t_15| > 9) = 2e-7, times a thousand entries
  EXPECT_NEAR(exact.label_square, sampled.label_square, 1e-6);
}

TEST(GateMoments, OfGaussianDataMatchSamples) {
  Case c("gaussian", "n = 10\nxi = [2.0, 1.0]", {.law = "random", .linear = 1}, 4);
  expect_agreement(c.moments("closed"), c.moments("sampled"));
}

TEST(GateMoments, OfEllipticalDataMatchSamples) {
  Case c("student-t", "n = 8\nxi = [2.0, 1.0]\nnu = 9.0", {.law = "hat", .width = 1.0, .pairs = true}, 4);
  expect_agreement(c.moments("closed"), c.moments("sampled"));
}

class NlgpGateMoments : public testing::TestWithParam<double> {};
TEST_P(NlgpGateMoments, OfOneSiteMatchSamples) {
  const std::string gain = std::isinf(GetParam()) ? "inf" : std::to_string(GetParam());
  Case c("nlgp", "n = 9\nxi = [2.0, 1.0]\ngain = " + gain, {.law = "bump", .pairs = true, .linear = 1}, 7);
  expect_agreement(c.moments("closed"), c.moments("sampled"));
}
INSTANTIATE_TEST_SUITE_P(Gains, NlgpGateMoments,
                         testing::Values(0.5, 3.0, std::numeric_limits<double>::infinity()));

/// Section K of the ledger: n = 20, ξ = 2, gates at the sites 0 and 3, g = 3; one class alone, so both are the same.
TEST(BehindGates, TwoSitesAreThoseOfTheSheet) {
  Case c("nlgp", "n = 20\nxi = [2.0, 2.0]\ngain = 3.0", {.law = "bump"}, 2);
  auto v = c.made->find_part("gates")->of(std::span(c.start));
  std::ranges::fill(v, 0.0F);
  v[0] = v[20 + 3] = 1;
  const GateMoments moments = c.moments("closed");
  const auto entry = [&](std::int64_t k, std::int64_t l) { return moments.block(0, 1, k, l); };
  EXPECT_NEAR(entry(0, 0), 0.2702813309, 1e-9);
  EXPECT_NEAR(entry(0, 3), 0.2494448834, 1e-9);
  EXPECT_NEAR(entry(1, 2), 0.2553708698, 1e-9);
  EXPECT_NEAR(entry(5, 6), 0.1781360484, 1e-9);
  EXPECT_NEAR(entry(2, 2), 0.2829650280, 1e-9);
}

/// With gates e_0 + e_3 the sign of the sum is that of the latent sum: F.4 with other correlations.
TEST(GateMoments, OfTwoSitesInOneGateMatchSamples) {
  Case c("nlgp", "n = 8\nxi = [2.0, 1.0]\ngain = 2.0", {.law = "bump"}, 2);
  const net::Part& gates = *c.made->find_part("gates");
  auto v = gates.of(std::span(c.start));
  std::ranges::fill(v, 0.0F);
  v[0] = v[3] = 0.5F;  // e_0 + e_3
  v[8 + 1] = 2;        // e_1 − e_2
  v[8 + 2] = -2;
  expect_agreement(c.moments("closed"), c.moments("sampled", 1 << 18));
}

TEST(GateMoments, OfAFiniteSupportMatchSamples) {
  Case c("pulse", "n = 20", {.law = "random"}, 3);
  const GateMoments exact = c.moments("enumerated");
  EXPECT_EQ(exact.method, "enumerated");
  const GateMoments sampled = c.moments("sampled", 1 << 18);
  expect_agreement(exact, sampled);
}

/// g = α + γq behind Gaussian data, by Isserlis: A_kl = α²C + γ²((v_k'Cv_l) C + Cv_k(Cv_l)' + Cv_l(Cv_k)'), b_k = γ E[Y X X']v_k.
TEST(GateMoments, OfTypedGatesAreThoseOfIsserlis) {
  constexpr double kAlpha = 0.3, kGamma = 0.2;
  Case c("gaussian", "n = 8\nxi = [2.0, 1.0]", {.law = "hat", .shape = "0.3 + 0.2*q", .width = 1.0}, 3);
  const GateMoments sampled = c.moments("auto", 1 << 18);
  EXPECT_EQ(sampled.method, "sampled");
  GateMoments exact = sampled;
  std::ranges::fill(exact.a, 0.0);
  std::ranges::fill(exact.b, 0.0);
  exact.label_square = 0.5;
  const auto v = c.made->find_part("gates")->of(std::span<const float>(c.start));
  constexpr std::size_t n = 8;
  for (int which = 0; which < 2; ++which) {
    const std::vector<double> covariance = c.task->moments(which).covariance;  // of sites i − j
    const auto at = [&](std::size_t i, std::size_t j) { return covariance[(i + n - j) % n]; };
    const auto seen = [&](std::size_t k, std::size_t i) {  // (Cv_k)_i
      double sum = 0;
      for (std::size_t j = 0; j < n; ++j) sum += at(i, j) * static_cast<double>(v[k * n + j]);
      return sum;
    };
    for (std::size_t k = 0; k < 3; ++k) {
      for (std::size_t i = 0; i < n; ++i) exact.b[k * n + i] += which == 0 ? kGamma * seen(k, i) / 2 : 0;
      for (std::size_t l = 0; l < 3; ++l) {
        double overlap = 0;
        for (std::size_t i = 0; i < n; ++i) overlap += static_cast<double>(v[k * n + i]) * seen(l, i);
        for (std::size_t i = 0; i < n; ++i)
          for (std::size_t j = 0; j < n; ++j)
            exact.a[(k * n + i) * 3 * n + l * n + j] +=
                (kAlpha * kAlpha * at(i, j) +
                 kGamma * kGamma * (overlap * at(i, j) + seen(k, i) * seen(l, j) + seen(l, i) * seen(k, j))) /
                2;
      }
    }
  }
  expect_agreement(exact, sampled);
}

/// Sums over points: every gate counts with its value, not only whether it is open.
TEST(GateMoments, OfTypedGatesOnAFiniteSupportMatchSamples) {
  Case c("pulse", "n = 20", {.law = "random", .shape = "0.5 + 0.4*tanh(q)"}, 3);
  const GateMoments exact = c.moments("auto");
  EXPECT_EQ(exact.method, "enumerated");
  expect_agreement(exact, c.moments("sampled", 1 << 18));
}

TEST(BehindGates, SamplesGiveTheSameOnEveryNumberOfThreads) {
  Case c("nlgp", "n = 9\nxi = [2.0, 1.0]\ngain = 3.0", {.law = "random"}, 3);
  const GateMoments two = c.moments("sampled", 1 << 14);
  const auto& network = dynamic_cast<const net::GatedLinearNetwork&>(*c.made);
  math::Workers one(1);
  const GateMoments alone = gate_moments(network, network.gate_vectors(c.start), c.section, *c.task,
                                         {.method = "sampled", .samples = 1 << 14, .seed = 9}, one);
  EXPECT_EQ(two.a, alone.a);
  EXPECT_EQ(two.b, alone.b);
  EXPECT_EQ(two.a_error, alone.a_error);
}

TEST(BehindGates, NothingIsMeasuredThatDoesNotFit) {
  Case random("nlgp", "n = 9\nxi = [2.0, 1.0]\ngain = 3.0", {.law = "random"}, 3);
  EXPECT_THROW(random.moments("closed"), InputError);
  EXPECT_THROW(random.moments("enumerated"), InputError);
  EXPECT_EQ(random.moments("auto", 4096).method, "sampled");
  Case bump("nlgp", "n = 9\nxi = [2.0, 1.0]\ngain = 3.0", {.law = "bump"}, 3);
  EXPECT_EQ(bump.moments("auto").method, "closed");
  Case typed("nlgp", "n = 9\nxi = [2.0, 1.0]\ngain = 3.0", {.law = "bump", .shape = "Phi(q)"}, 3);
  EXPECT_EQ(typed.moments("auto", 4096).method, "sampled");
  EXPECT_THROW(typed.moments("closed"), InputError);
}

}  // namespace
}  // namespace sluice::flow
