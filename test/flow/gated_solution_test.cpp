#include "sluice/flow/gated_solution.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace sluice::flow {
namespace {

/// A = G Gᵀ/P of random features, b in its range: moments of a finite law with K units on n sites; the last `null` coordinates of
/// the first unit never occur.
GateMoments random_moments(std::int64_t units, std::int64_t n, std::uint64_t seed, std::int64_t null = 0) {
  GateMoments moments{.units = units, .inputs = n};
  const auto size = static_cast<std::size_t>(units * n);
  moments.a.resize(size * size);
  moments.b.resize(size);
  std::mt19937 engine(static_cast<unsigned>(seed));
  std::normal_distribution<double> normal;
  const std::size_t points = 3 * size;
  for (std::size_t p = 0; p < points; ++p) {
    std::vector<double> x(size);
    for (double& value : x) value = normal(engine);
    for (std::int64_t i = n - null; i < n; ++i) x[static_cast<std::size_t>(i)] = 0;
    const double y = normal(engine) > 0 ? 1 : 0;
    moments.label_square += y / static_cast<double>(points);
    for (std::size_t i = 0; i < size; ++i) {
      moments.b[i] += y * x[i] / static_cast<double>(points);
      for (std::size_t j = 0; j < size; ++j)
        moments.a[i * size + j] += x[i] * x[j] / static_cast<double>(points);
    }
  }
  return moments;
}

std::vector<double> random_start(std::size_t size, std::uint64_t seed) {
  std::mt19937 engine(static_cast<unsigned>(seed));
  std::normal_distribution<double> normal;
  std::vector<double> start(size);
  for (double& value : start) value = normal(engine);
  return start;
}

/// The gradient of L = ½E(ŷ − Y)², ŷ = (1/K)⟨w, x̃⟩: what the flow descends, from the loss and not from a printed equation (J.5).
std::vector<double> descent(const GateMoments& m, const std::vector<double>& w) {
  const auto k = static_cast<double>(m.units);
  std::vector<double> slope(w.size());
  for (std::size_t i = 0; i < w.size(); ++i) {
    double sum = m.b[i] / k;
    for (std::size_t j = 0; j < w.size(); ++j) sum -= m.a[i * w.size() + j] * w[j] / (k * k);
    slope[i] = sum;
  }
  return slope;
}

double loss(const GateMoments& m, const std::vector<double>& w) {
  const auto k = static_cast<double>(m.units);
  double sum = m.label_square / 2;
  for (std::size_t i = 0; i < w.size(); ++i) {
    sum -= m.b[i] * w[i] / k;
    for (std::size_t j = 0; j < w.size(); ++j) sum += w[i] * m.a[i * w.size() + j] * w[j] / (2 * k * k);
  }
  return sum;
}

/// Fourth-order Runge–Kutta, small steps.
std::vector<double> integrated(const GateMoments& m, std::vector<double> w, double time, int steps) {
  const double h = time / steps;
  const auto moved = [](const std::vector<double>& from, const std::vector<double>& along, double by) {
    std::vector<double> to = from;
    for (std::size_t i = 0; i < to.size(); ++i) to[i] += by * along[i];
    return to;
  };
  for (int s = 0; s < steps; ++s) {
    const auto a = descent(m, w), b = descent(m, moved(w, a, h / 2)), c = descent(m, moved(w, b, h / 2)),
               d = descent(m, moved(w, c, h));
    for (std::size_t i = 0; i < w.size(); ++i) w[i] += h / 6 * (a[i] + 2 * b[i] + 2 * c[i] + d[i]);
  }
  return w;
}

void expect_near(std::span<const double> got, std::span<const double> want, double tolerance) {
  ASSERT_EQ(got.size(), want.size());
  for (std::size_t i = 0; i < got.size(); ++i) EXPECT_NEAR(got[i], want[i], tolerance) << i;
}

TEST(GatedSolution, IsTheFlowOfItsLoss) {
  const GateMoments m = random_moments(3, 4, 1);
  const std::vector<double> start = random_start(m.b.size(), 2);
  for (std::size_t i = 0; i < start.size(); ++i) {  // the descent is the gradient of the loss
    std::vector<double> above = start, below = start;
    above[i] += 1e-4;
    below[i] -= 1e-4;
    EXPECT_NEAR(descent(m, start)[i], (loss(m, below) - loss(m, above)) / 2e-4, 1e-9);
  }
  const GatedSolution solution(m, start, 4, 1);
  const std::vector<std::int64_t> steps{0, 3, 70};
  const std::vector<double> w = solution.weights(steps, 0.1, Pace::flow);
  const std::vector<double> losses = solution.losses(steps, 0.1, Pace::flow);
  for (std::size_t t = 0; t < steps.size(); ++t) {
    const auto at = integrated(m, start, 0.1 * static_cast<double>(steps[t]), 2000);
    expect_near(std::span(w).subspan(t * start.size(), start.size()), at, 1e-10);
    EXPECT_NEAR(losses[t], loss(m, at), 1e-10);
  }
  EXPECT_NEAR(solution.initial_loss(), loss(m, start), 1e-12);
  EXPECT_NEAR(solution.limiting_loss(), loss(m, solution.limit()), 1e-12);
  for (const double slope : descent(m, solution.limit())) EXPECT_NEAR(slope, 0, 1e-12);
}

TEST(GatedSolution, InStepsIsGradientDescent) {
  const GateMoments m = random_moments(2, 5, 3);
  const std::vector<double> start = random_start(m.b.size(), 4);
  std::vector<double> w = start;
  for (int s = 0; s < 25; ++s) {
    const std::vector<double> slope = descent(m, w);
    for (std::size_t i = 0; i < w.size(); ++i) w[i] += 0.3 * slope[i];
  }
  const std::vector<std::int64_t> steps{25};
  const GatedSolution solution(m, start, 5, 1);
  expect_near(solution.weights(steps, 0.3, Pace::steps), w, 1e-12);
  EXPECT_NEAR(solution.losses(steps, 0.3, Pace::steps).front(), loss(m, w), 1e-12);
}

TEST(GatedSolution, LeavesNullModesWhereTheyAre) {
  const GateMoments m = random_moments(2, 4, 5, 2);
  const std::vector<double> start = random_start(m.b.size(), 6);
  const GatedSolution solution(m, start, 4, 1);
  const std::vector<std::int64_t> steps{1'000'000};
  const std::vector<double> w = solution.weights(steps, 1, Pace::flow);
  EXPECT_NEAR(w[2], start[2], 1e-9);
  EXPECT_NEAR(w[3], start[3], 1e-9);
  expect_near(w, solution.limit(), 1e-9);
  EXPECT_EQ(solution.modes()[6].lambda, 0);
  EXPECT_GT(solution.modes()[5].lambda, 0);
}

/// Units that never meet, with circulant blocks: by waves one by one, and the same as one dense problem.
TEST(GatedSolution, ByBlocksAndWavesIsTheDenseSolution) {
  constexpr std::int64_t kUnits = 3, n = 8;
  GateMoments m{.units = kUnits, .inputs = n, .label_square = 0.5};
  const auto size = static_cast<std::size_t>(kUnits * n);
  m.a.resize(size * size);
  m.b = random_start(size, 7);
  const double row[] = {2, 0.7, 0.2, 0.05, 0.01, 0.05, 0.2, 0.7};
  for (std::int64_t k = 0; k < kUnits; ++k) {
    for (std::int64_t l = 0; l < kUnits; ++l) {
      const double factor = k == l ? 1 : (k < 2 && l < 2 ? 0.4 : 0);  // the third is alone
      for (std::int64_t i = 0; i < n; ++i)
        for (std::int64_t j = 0; j < n; ++j)
          m.a[static_cast<std::size_t>((k * n + i) * kUnits * n + l * n + j)] = factor * row[(j - i + n) % n];
    }
  }
  const std::vector<double> start = random_start(size, 8);
  const GatedSolution waves(m, start, n, 1);
  EXPECT_EQ(waves.problems(), 2 * n);
  EXPECT_EQ(waves.largest_problem(), 2);
  // A speck that is no circulant, far below what is compared, and one problem is left.
  GateMoments specked = m;
  for (const auto& [i, j] : {std::pair{0, 23}, std::pair{23, 0}})
    specked.a[static_cast<std::size_t>(i) * size + static_cast<std::size_t>(j)] = 1e-11;
  const GatedSolution dense(specked, start, n, 1);
  EXPECT_EQ(dense.problems(), 1);
  const std::vector<std::int64_t> steps{0, 5, 400};
  expect_near(waves.weights(steps, 0.2, Pace::flow), dense.weights(steps, 0.2, Pace::flow), 1e-8);
  EXPECT_NEAR(waves.limiting_loss(), dense.limiting_loss(), 1e-9);
}

}  // namespace
}  // namespace sluice::flow
