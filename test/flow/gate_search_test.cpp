#include "sluice/flow/gate_search.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "sluice/flow/gate_agreement.hpp"
#include "sluice/flow/gate_library.hpp"
#include "sluice/flow/gated_solution.hpp"
#include "sluice/spec/document.hpp"
#include "test/support/close.hpp"

namespace sluice::flow {
namespace {

/// A task on a ring, and points of it.
struct Ring {
  Ring(const std::string& kind, const std::string& keys, int threads = 2) : workers(threads) {
    spec::Document::from_text("kind = \"" + kind + "\"\n" + keys, "test").read([&](spec::Keys& k) {
      section.describe(k);
    });
    task = section.make();
  }
  GatePoints points(PointSet which, std::int64_t draws, std::uint64_t seed = 3) {
    return draw_points(section, *task, which, draws, seed, workers);
  }
  /// Moments by the other way, of these half-spaces.
  GateMoments moments(const std::vector<float>& vectors, const std::string& method) {
    const std::int64_t n = task->inputs();
    net::GatedLinearFamily family;
    family.hidden = static_cast<std::int64_t>(vectors.size()) / n;
    const auto network = family.make({.inputs = n});
    return gate_moments(dynamic_cast<const net::GatedLinearNetwork&>(*network), vectors, section, *task,
                        {.method = method}, workers);
  }
  double objective(const GatePoints& points, const std::vector<float>& vectors) {
    return fit_gates(point_moments(points, open_bits(points, vectors, workers), workers)).objective;
  }

  task::Section section;
  std::unique_ptr<task::Task> task;
  math::Workers workers;
};

std::vector<float> some_gates(std::int64_t units, std::int64_t inputs) {
  return random_gates(units, inputs, 5, 0);
}

/// −2(L_∞ − ½E Y²)
double solved_objective(const GateMoments& moments, std::int64_t side) {
  const GatedSolution solution(moments, std::vector<double>(moments.b.size()), side, 1);
  return moments.label_square - 2 * solution.limiting_loss();
}

constexpr const char* kPulse = "n = 20";
constexpr const char* kNlgp = "n = 8\nxi = [2.0, 1.0]\ngain = 3.0";
/// Sums in float over 128 points (1e-7 of their terms), divided by the smallest eigenvalues (1e-3 of the largest).
const test::Tolerance kRounding = test::relative(1e-4, "float sums behind small eigenvalues");

TEST(GateSearch, TheObjectiveIsThatOfTheExactSolution) {
  Ring ring("pulse", kPulse);
  const GatePoints points = ring.points(PointSet::fit, 0);
  ASSERT_TRUE(points.exact);
  // The second set has a copy and opposites, whose columns depend on each other.
  std::vector<float> gates = some_gates(3, 20);
  for (const bool opposites : {false, true}) {
    if (opposites) {
      for (std::size_t i = 0; i < 40; ++i) gates.push_back(-gates[i]);
      for (std::size_t i = 0; i < 20; ++i) gates.push_back(gates[i]);
    }
    const double exact = solved_objective(ring.moments(gates, "enumerated"), 20);
    ASSERT_GT(exact, 0.05);
    EXPECT_TRUE(test::close(ring.objective(points, gates), exact, kRounding)) << opposites;
  }
}

TEST(GateSearch, MomentsOfPointsFollowAGateThatMoves) {
  Ring ring("nlgp", kNlgp);
  const GatePoints points = ring.points(PointSet::fit, 2000);
  std::vector<float> gates = some_gates(3, 8);
  GateMoments moments = point_moments(points, open_bits(points, gates, ring.workers), ring.workers);
  const std::vector<double> before = moments.a;
  for (std::size_t i = 8; i < 16; ++i) gates[i] = -gates[i] + 0.5F;
  const OpenBits open = open_bits(points, gates, ring.workers);
  update_moments(points, open, 1, moments, ring.workers);
  EXPECT_NE(moments.a, before);
  const GateMoments anew = point_moments(points, open, ring.workers);
  EXPECT_EQ(moments.a, anew.a);
  EXPECT_EQ(moments.b, anew.b);
}

TEST(GateSearch, EveryGreedyRoundIsTheBestByBruteForce) {
  Ring ring("nlgp", kNlgp);
  const GatePoints points = ring.points(PointSet::fit, 2000);
  const GateLibrary library = gate_library(8, 12, 1);
  const Greedy greedy =
      greedy_gates(points, open_bits(points, library.vectors, ring.workers), 4, ring.workers);
  std::vector<float> chosen;
  double before = 0;
  for (std::size_t round = 0; round < 4; ++round) {
    double best = 0, gain = 0;
    for (std::int64_t c = 0; c < library.size(); ++c) {
      std::vector<float> with = chosen;
      with.insert(with.end(), library.vector(c).begin(), library.vector(c).end());
      const double objective = ring.objective(points, with);
      best = std::max(best, objective);
      if (c == greedy.chosen[round]) gain = objective;
    }
    // The gain by Schur complements is the difference of objectives, and no candidate has a larger one.
    EXPECT_TRUE(test::close(greedy.objective[round] - before, gain - before, {1e-4, 1e-7, "rounding"}));
    EXPECT_GE(gain, best - 1e-6 * best) << round;
    before = greedy.objective[round];
    const auto v = library.vector(greedy.chosen[round]);
    chosen.insert(chosen.end(), v.begin(), v.end());
  }
  EXPECT_EQ(greedy.evaluations, 4 * library.size() - 6);
}

/// Over the law of Gaussian data J has a derivative: central differences of the closed form against the mean over samples.
TEST(GateSearch, TheGradientIsThatOfTheClosedForm) {
  Ring ring("gaussian", "n = 6\nxi = [2.0, 1.0]");
  std::vector<float> gates = some_gates(2, 6), direction = random_gates(2, 6, 5, 1);
  const auto moved = [&](double by) {
    std::vector<float> all = gates;
    for (std::size_t i = 0; i < all.size(); ++i) all[i] += static_cast<float>(by) * direction[i];
    return solved_objective(ring.moments(all, "closed"), 6);
  };
  const double exact = (moved(0.02) - moved(-0.02)) / 0.04;
  std::vector<double> seen;
  for (std::uint64_t seed = 1; seed <= 16; ++seed) {
    const GatePoints points = ring.points(PointSet::fit, 8000, seed);
    const GateFit fit =
        fit_gates(point_moments(points, open_bits(points, gates, ring.workers), ring.workers));
    const std::vector<double> gradient =
        objective_gradient(points, gates, fit, std::vector{0.2, 0.2}, ring.workers);
    double along = 0;
    for (std::size_t i = 0; i < gradient.size(); ++i)
      along += gradient[i] * static_cast<double>(direction[i]);
    seen.push_back(along);
  }
  double mean = 0, squares = 0;
  for (const double value : seen) mean += value / 16;
  for (const double value : seen) squares += (value - mean) * (value - mean);
  const double error = std::sqrt(squares / (16 * 15));
  ASSERT_GT(std::abs(exact), 20 * error) << "nothing to see";
  EXPECT_TRUE(
      test::close(mean, exact, {0.02, 4 * error, "four standard errors and the width of the border"}));
}

TEST(GateSearch, RefinementRaisesTheObjectiveAlsoOnOtherSamples) {
  Ring ring("nlgp", kNlgp);
  const GatePoints points = ring.points(PointSet::fit, 4000), others = ring.points(PointSet::held_out, 8000);
  const std::vector<float> start = some_gates(3, 8);
  const Refined end = refine_gates(points, start, {.sweeps = 15}, ring.workers);
  EXPECT_TRUE(test::close(end.objective, ring.objective(points, end.gates), kRounding));
  const auto loss = [&](const std::vector<float>& gates) {
    const GateFit fit =
        fit_gates(point_moments(points, open_bits(points, gates, ring.workers), ring.workers));
    return draw_losses(others, gates, fit, ring.workers);
  };
  std::vector<double> gain = loss(start);
  const std::vector<double> after = loss(end.gates);
  for (std::size_t draw = 0; draw < gain.size(); ++draw) gain[draw] -= after[draw];
  const Estimate better = estimate(others, gain);
  EXPECT_GT(better.mean, 4 * better.error);
  EXPECT_GT(better.error, 0);
}

TEST(GateSearch, TheLossOnTheSampleItselfIsTheFittedOne) {
  Ring ring("nlgp", kNlgp);
  const GatePoints points = ring.points(PointSet::fit, 2000);
  const std::vector<float> gates = some_gates(3, 8);
  const GateFit fit = fit_gates(point_moments(points, open_bits(points, gates, ring.workers), ring.workers));
  const Estimate loss = estimate(points, draw_losses(points, gates, fit, ring.workers));
  EXPECT_TRUE(test::close(loss.mean, (points.label_square - fit.objective) / 2, kRounding));
}

TEST(GateSearch, DoesNotDependOnTheNumberOfThreads) {
  std::vector<float> once;
  std::vector<std::int64_t> chosen;
  for (const int threads : {1, 2, 3}) {
    Ring ring("nlgp", kNlgp, threads);
    const GatePoints points = ring.points(PointSet::fit, 2000);
    const GateLibrary library = gate_library(8, 12, 1);
    const Greedy greedy =
        greedy_gates(points, open_bits(points, library.vectors, ring.workers), 3, ring.workers);
    const Refined end = refine_gates(points, some_gates(3, 8), {.sweeps = 3}, ring.workers);
    if (threads == 1) {
      once = end.gates;
      chosen = greedy.chosen;
    }
    EXPECT_EQ(end.gates, once);
    EXPECT_EQ(greedy.chosen, chosen);
  }
}

TEST(GateSearch, SamplesOfDifferentPurposeShareNothing) {
  Ring ring("gaussian", "n = 8\nxi = [2.0, 1.0]");  // no two values are alike
  const GatePoints fit = ring.points(PointSet::fit, 96), other = ring.points(PointSet::held_out, 96);
  EXPECT_EQ(fit.per_draw, 2);  // beside its negative
  EXPECT_EQ(fit.row(0)[3], -fit.row(1)[3]);
  EXPECT_EQ(fit.count, other.count);
  for (std::int64_t p = 0; p < fit.count; ++p) EXPECT_NE(fit.row(p)[0], other.row(p)[0]);
}

TEST(GateLibrary, HasAsManyShapesAsAskedForAndTheirOpposites) {
  for (const std::int64_t n : {5, 40, 100}) {
    const GateLibrary library = gate_library(n, 600, 1);
    EXPECT_GE(library.size(), 1200);
    const std::int64_t half = library.size() / 2;
    for (std::int64_t index = 0; index < half; ++index) {
      float largest = 0;
      for (std::int64_t i = 0; i < n; ++i) {
        const float v = library.vector(index)[static_cast<std::size_t>(i)];
        largest = std::max(largest, std::abs(v));
        ASSERT_EQ(library.vector(half + index)[static_cast<std::size_t>(i)], -v);
      }
      ASSERT_GT(largest, 0.01F) << library.shapes[static_cast<std::size_t>(index)];
    }
    for (const char* shape : {"bump", "hat, width 4", "wave, frequency 1", "random", "smooth"})
      EXPECT_NE(std::ranges::find(library.shapes, shape), library.shapes.end()) << shape;
  }
}

TEST(GateAgreement, OfAGateWithItselfItsOppositeAndItsTranslate) {
  Ring ring("gaussian", "n = 8\nxi = [2.0, 1.0]");
  const GatePoints points = ring.points(PointSet::comparison, 4000);
  const std::vector<float> v = some_gates(1, 8);
  std::vector<float> opposite = v, shifted = v;
  for (float& value : opposite) value = -value;
  std::rotate(shifted.begin(), shifted.begin() + 3, shifted.end());
  EXPECT_EQ(agreement(points, v, v, ring.workers).best, 1);
  EXPECT_EQ(agreement(points, v, opposite, ring.workers).best, 0);
  const Agreement moved = agreement(points, v, shifted, ring.workers);
  EXPECT_LT(moved.best, 0.9);
  EXPECT_EQ(moved.shifted, 1);
  // One unit for both: the second gate gets the one that is left.
  std::vector<float> two = v, units = v;
  two.insert(two.end(), v.begin(), v.end());
  units.insert(units.end(), opposite.begin(), opposite.end());
  const Agreement pair = agreement(points, two, units, ring.workers);
  EXPECT_EQ(pair.best, 1);
  EXPECT_EQ(pair.matched, 0.5);
}

TEST(GateAgreement, RandomPhasesKeepTheSpectrum) {
  const std::vector<float> v = some_gates(1, 9), w = random_phases(v, 9, 1, 0);
  const math::FourierBasis basis(9);
  const std::vector<double> a = basis.analyse(std::vector<double>(v.begin(), v.end())),
                            b = basis.analyse(std::vector<double>(w.begin(), w.end()));
  EXPECT_NE(v, w);
  for (std::size_t mode = 1; mode < 9; mode += 2)
    EXPECT_NEAR(std::hypot(a[mode], a[mode + 1]), std::hypot(b[mode], b[mode + 1]), 1e-6);
}

}  // namespace
}  // namespace sluice::flow
