/// Sums over the vertices of the hypercube, each against all vertices.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "sluice/file/errors.hpp"
#include "sluice/flow/bumps.hpp"
#include "sluice/math/ring.hpp"
#include "sluice/theory/cube_gate.hpp"
#include "sluice/theory/seen_entries.hpp"
#include "sluice/theory/sign_sums.hpp"
#include "sluice/theory/vector_relaxation.hpp"

namespace sluice::theory {
namespace {

using Integers = std::vector<std::int64_t>;

std::vector<double> scaled(const Integers& w, double unit) {
  std::vector<double> values;
  for (const std::int64_t each : w) values.push_back(unit * static_cast<double>(each));
  return values;
}

/// Calls visit(⟨w,x⟩, x) for every vertex, bit i of x set where x_i = +1: one flip at a time (Gray code).
template <class Visit>
void every_vertex(const Integers& w, const Visit& visit) {
  std::int64_t sum = -std::accumulate(w.begin(), w.end(), std::int64_t{0});
  std::uint32_t x = 0;
  for (std::uint32_t step = 0;; ++step) {
    visit(sum, x);
    const auto flip = static_cast<std::size_t>(std::countr_one(step));
    if (flip >= w.size()) return;
    x ^= 1U << flip;
    sum += (x >> flip & 1U) != 0 ? 2 * w[flip] : -2 * w[flip];
  }
}

std::int64_t smallest_sum(const Integers& w) {
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  every_vertex(w, [&](std::int64_t sum, std::uint32_t) { least = std::min(least, std::abs(sum)); });
  return least;
}

std::int64_t attained(const Integers& w, const SignSums::Margin& margin) {
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < w.size(); ++i) sum += w[i] * margin.signs[i];
  return std::abs(sum);
}

/// Small integers, which tie and vanish often; large ones, up to 2⁴⁸; and fractions.
struct Trial {
  Integers w;
  double unit;
};
Trial trial(std::mt19937_64& engine, std::size_t most) {
  Trial drawn{Integers(std::uniform_int_distribution<std::size_t>(1, most)(engine)), 1};
  const auto kind = engine() % 3;
  const std::int64_t largest = kind == 0 ? 4 : kind == 1 ? std::int64_t{1} << 48 : 1 << 20;
  if (kind == 2) drawn.unit = std::ldexp(1.0, -31);
  std::uniform_int_distribution<std::int64_t> number(-largest, largest);
  for (std::int64_t& each : drawn.w) each = engine() % 8 == 0 ? 0 : number(engine);
  return drawn;
}

TEST(SignSums, HaveTheMarginOfAllVertices) {
  std::mt19937_64 engine(1);
  math::Workers workers(2);
  int zeros = 0;
  int ties = 0;
  for (int i = 0; i < 1000; ++i) {
    const auto& [w, unit] = trial(engine, 20);
    const SignSums::Margin margin = SignSums(scaled(w, unit), workers).margin();
    const std::int64_t least = smallest_sum(w);
    ASSERT_EQ(margin.value, unit * static_cast<double>(least)) << "trial " << i;
    ASSERT_EQ(attained(w, margin), least) << "trial " << i;
    ASSERT_EQ(margin.rounding, 0);
    zeros += std::ranges::count(w, 0) > 0 ? 1 : 0;
    ties += least == 0 ? 1 : 0;
  }
  EXPECT_GT(zeros, 300);
  EXPECT_GT(ties, 100);
}

/// Doubles of all sizes do not fit one grid: the margin is right to what it says it may be off by.
TEST(SignSums, SayWhatRoundingMayHaveDone) {
  std::mt19937_64 engine(2);
  std::normal_distribution<double> normal;
  math::Workers workers(1);
  for (int i = 0; i < 50; ++i) {
    std::vector<double> w(12);
    for (double& each : w) each = normal(engine) * std::pow(10.0, normal(engine));
    w[3] = 1e-30;
    const SignSums::Margin margin = SignSums(w, workers).margin();
    long double least = std::numeric_limits<long double>::infinity();
    long double size = 0;
    for (const double each : w) size += std::abs(each);
    for (unsigned x = 0; x < 1U << 12; ++x) {
      long double sum = 0;
      for (std::size_t j = 0; j < 12; ++j) sum += (x >> j & 1U) != 0 ? w[j] : -w[j];
      least = std::min(least, std::abs(sum));
    }
    EXPECT_GT(margin.rounding, 0);
    EXPECT_LT(margin.rounding, 1e-16 * static_cast<double>(size));
    EXPECT_NEAR(margin.value, static_cast<double>(least),
                margin.rounding + 1e-17 * static_cast<double>(size));
  }
}

TEST(SignSums, DecideOneTenthAndItsLikesByTheirBits) {
  math::Workers workers(1);
  const std::vector<double> w{0.1, 0.2, 0.3};  // as binary fractions 0.1 + 0.2 − 0.3 = 2⁻⁵⁵
  EXPECT_EQ(SignSums(w, workers).margin().value, std::ldexp(1.0, -55));
  EXPECT_EQ(SignSums(w, workers).ties(), 2) << "but a tie by the rule of the response operators";
}

TEST(SignSums, CountTies) {
  std::mt19937_64 engine(3);
  math::Workers workers(2);
  for (int i = 0; i < 200; ++i) {
    auto [w, unit] = trial(engine, 14);
    std::erase(w, 0);
    std::int64_t ties = 0;
    every_vertex(w, [&](std::int64_t sum, std::uint32_t) { ties += sum == 0 ? 1 : 0; });
    ASSERT_EQ(SignSums(scaled(w, unit), workers).ties(), ties) << "trial " << i;
  }
}

TEST(SignSums, DoNotDependOnThreads) {
  const std::vector<double> w{0.3, 1.7, 2.2, -0.4, 0.9, 5.1, 0.7, 0.6, -3.3, 1.1, 0.2};
  math::Workers one(1);
  math::Workers three(3);
  EXPECT_EQ(SignSums(w, one).margin().signs, SignSums(w, three).margin().signs);
}

TEST(SignSums, RefuseWhatTheyCannotList) {
  math::Workers workers(1);
  EXPECT_THROW(SignSums(std::vector<double>(SignSums::kMost + 1, 1.0), workers), InputError);
  EXPECT_THROW(SignSums(std::vector<double>{1, NAN}, workers), InputError);
  EXPECT_EQ(SignSums(std::vector<double>(1000), workers).margin().value, 0) << "zeros do not count";
}

/// Counts of Θ, its ties, and Chow parameters, against all vertices.
TEST(CubeGate, CountsVertices) {
  std::mt19937_64 engine(4);
  math::Workers workers(1);
  for (int i = 0; i < 100; ++i) {
    auto [w, unit] = trial(engine, 10);
    std::erase(w, 0);
    const CubeGate gate = cube_gate(scaled(w, unit), workers);
    std::int64_t open = 0;
    std::int64_t ties = 0;
    std::vector<double> plus(w.size());  // |{x ∈ Θ : x_j = 1}|
    every_vertex(w, [&](std::int64_t sum, std::uint32_t x) {
      open += sum > 0 ? 1 : 0;
      ties += sum == 0 ? 1 : 0;
      for (std::size_t j = 0; j < w.size(); ++j)
        if ((x >> j & 1U) != 0) plus[j] += sum > 0 ? 1 : sum == 0 ? 0.5 : 0;
    });
    ASSERT_EQ(gate.open, open);
    ASSERT_EQ(gate.ties, ties);
    for (std::size_t j = 0; j < w.size(); ++j) {
      ASSERT_DOUBLE_EQ(gate.count(j, 1), plus[j]) << "trial " << i << ", entry " << j;
      ASSERT_DOUBLE_EQ(gate.count(j, -1),
                       static_cast<double>(open) + static_cast<double>(ties) / 2 - plus[j]);
    }
  }
}

TEST(CubeGate, OfAMajorityIsTheCentralBinomial) {  // Chow_j = C(2m, m)/4^m of 2m + 1 voters
  math::Workers workers(1);
  const CubeGate gate = cube_gate(std::vector<double>(21, 0.1), workers);
  double central = 1;
  for (int m = 1; m <= 10; ++m) central *= (2 * m - 1) / (2.0 * m);
  for (const double chow : gate.chow) EXPECT_NEAR(chow, central, 1e-14);
  EXPECT_EQ(gate.ties, 0);
}

TEST(CubeGate, LeavesOutZeros) {
  math::Workers workers(1);
  const CubeGate gate = cube_gate(std::vector<double>{0, 2, 0, 1, 0}, workers);
  EXPECT_EQ(gate.open, 2);
  EXPECT_EQ(gate.chow, (std::vector<double>{0, 1, 0, 0, 0}));
}

/// The smallest k whose tail changes no gate, tried on all vertices: never larger than the bound's, and the bound's is one.
TEST(SeenEntries, OfAllVerticesDecideTheGate) {
  std::mt19937_64 engine(5);
  math::Workers workers(1);
  int fewer = 0;
  for (int i = 0; i < 300; ++i) {
    Integers w(8);
    for (std::size_t j = 0; j < w.size(); ++j)  // falling fast, so that small k are possible
      w[j] = static_cast<std::int64_t>(engine() % 1000) << (3 * (w.size() - j));
    std::ranges::sort(w, std::greater{});
    std::erase(w, 0);
    const std::size_t k = deciding_entries(scaled(w, 1), workers).value();
    const auto bound = [&](std::size_t first) {
      return std::accumulate(w.begin() + static_cast<std::ptrdiff_t>(first), w.end(), std::int64_t{0}) <
             smallest_sum(Integers(w.begin(), w.begin() + static_cast<std::ptrdiff_t>(first)));
    };
    std::size_t expected = 1;
    while (expected < w.size() && !bound(expected)) ++expected;
    ASSERT_EQ(k, expected) << "trial " << i;
    fewer += k < w.size() ? 1 : 0;
  }
  EXPECT_GT(fewer, 50);
}

/// What the closed response of sign data calls few sites is the same thing (flow/bumps.hpp, at most four).
TEST(SeenEntries, AreThoseOfTheResponseOfSigns) {
  std::mt19937_64 engine(6);
  math::Workers workers(1);
  const flow::BumpResponse signs(math::ring_kernel(8, 2), std::numeric_limits<double>::infinity());
  int covered = 0;
  for (int i = 0; i < 300; ++i) {
    std::vector<double> w(8);
    for (double& each : w) each = std::pow(static_cast<double>(engine() % 1000) / 1000, 6);
    const bool few = deciding_entries(w, workers).value() <= 4;
    ASSERT_EQ(signs.covers(w), few) << "trial " << i;
    covered += few ? 1 : 0;
  }
  EXPECT_GT(covered, 50);
  EXPECT_LT(covered, 250);
}

/// Four samples of three sites: the first entry has the gate of all on the first two samples, agrees by half at the third, where
/// all entries tie, and not at the fourth.
TEST(SeenEntries, OfSamplesCountAgreement) {
  constexpr std::int64_t kSamples = 4;
  std::vector<float> x(3 * math::kWidestVector);
  const float rows[4][3] = {{1, 1, 1}, {-1, 1, -1}, {1, -1, -1}, {1, -1, -1.5F}};
  for (std::size_t r = 0; r < 4; ++r)
    for (std::size_t i = 0; i < 3; ++i) x[i * math::kWidestVector + r] = rows[r][i];
  const std::vector<ConstLanes> classes{{x.data(), 3, kSamples, math::kWidestVector}};
  const std::vector<float> w{2, 1, 1};
  EXPECT_EQ(gate_agreement(w, 0, classes), (std::vector<double>{2.5 / 4, 2.5 / 4, 1}));
  EXPECT_EQ(seen_entries(w, 0, classes, 0.01), 3);
  EXPECT_EQ(seen_entries(w, 0, classes, 0.5), 1);
  EXPECT_EQ(seen_entries(w, 10, classes, 0.01), 1) << "a bias that leaves the gate open";
  EXPECT_EQ(seen_entries(std::vector<float>{0, 0, 0}, 0, classes, 0.01), 0);
}

TEST(VectorRelaxation, IsItsClosedForm) {
  std::mt19937_64 engine(7);
  std::normal_distribution<double> normal;
  for (const std::size_t k : {1U, 2U, 3U, 10U, 30U}) {
    for (int i = 0; i < 10; ++i) {
      std::vector<double> w(k);
      for (double& each : w) each = normal(engine);
      if (i % 2 == 0) w[0] = 3 * static_cast<double>(k);
      EXPECT_NEAR(solved_relaxation(w), relaxed_margin(w), 1e-6) << "k = " << k << ", trial " << i;
    }
  }
}

TEST(VectorRelaxation, SaysNoMoreThanThatOneEntryDominates) {
  EXPECT_DOUBLE_EQ(relaxed_margin(std::vector<double>{5, -1, 2}), 2);
  EXPECT_EQ(relaxed_margin(std::vector<double>{3, 2, 2}), 0) << "though δ = 1";
}

}  // namespace
}  // namespace sluice::theory
