/// Gated linear units by their exact solution: from moments to the weights at 1,000 times, K n = 2,000 of them, one dense problem.
/// The peer is numpy (numpy_eigh.py): eigh and the matrix products of the same solution.
#include <benchmark/benchmark.h>

#include <cmath>
#include <numeric>
#include <random>
#include <vector>

#include "sluice/flow/gated_solution.hpp"

namespace sluice {
namespace {

constexpr std::int64_t kUnits = 50, kSites = 40, kSize = kUnits * kSites, kTimes = 1000;

/// A = I + (R + Rᵀ)/√(8 K n) of normal R: symmetric, positive, without blocks or waves.
flow::GateMoments dense_moments() {
  std::mt19937 engine(1);
  std::normal_distribution<double> normal;
  flow::GateMoments moments{.units = kUnits, .inputs = kSites, .label_square = 0.5};
  moments.a.resize(kSize * kSize);
  for (std::int64_t i = 0; i < kSize; ++i) {
    for (std::int64_t j = 0; j <= i; ++j) {
      const double value = normal(engine) / std::sqrt(8.0 * kSize) + (i == j ? 1.0 : 0.0);
      moments.a[static_cast<std::size_t>(i * kSize + j)] = value;
      moments.a[static_cast<std::size_t>(j * kSize + i)] = value;
    }
    moments.b.push_back(normal(engine));
  }
  return moments;
}

void BM_gated(benchmark::State& state) {
  const flow::GateMoments moments = dense_moments();
  const std::vector<double> start(kSize, 0.1);
  std::vector<std::int64_t> steps(kTimes);
  std::iota(steps.begin(), steps.end(), 1);
  for (auto _ : state) {
    const flow::GatedSolution solution(moments, start, kSites, 1);
    benchmark::DoNotOptimize(solution.weights(steps, 0.5, flow::Pace::flow));
  }
}
BENCHMARK(BM_gated)->Iterations(1)->Repetitions(3)->UseRealTime()->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace sluice
