/// δ(w) = min over x ∈ {±1}^k of |⟨w,x⟩| by meeting in the middle, k = 40 and 50 normal weights, two threads; the aim at 50 is 20 s and
/// 1 GiB. The counter has δ over √(2π) ‖w‖ 2^−k, its mean over w: a number of order one.
#include <benchmark/benchmark.h>

#include <cmath>
#include <numbers>
#include <random>
#include <vector>

#include "sluice/theory/sign_sums.hpp"

namespace sluice {
namespace {

void BM_margin(benchmark::State& state) {
  const auto k = static_cast<int>(state.range(0));
  std::mt19937_64 engine(1);
  std::normal_distribution<double> normal;
  std::vector<double> w;
  for (int i = 0; i < k; ++i) w.push_back(normal(engine));
  math::Workers workers(2);
  theory::SignSums::Margin margin;
  for (auto _ : state) margin = theory::SignSums(w, workers).margin();
  long double sum = 0;
  double square = 0;
  for (std::size_t i = 0; i < w.size(); ++i) {
    sum += static_cast<long double>(w[i]) * margin.signs[i];
    square += w[i] * w[i];
  }
  if (std::abs(std::abs(static_cast<double>(sum)) - margin.value) > margin.rounding)
    state.SkipWithError("the minimiser does not attain the minimum");
  state.counters["delta"] = margin.value / (std::sqrt(2 * std::numbers::pi * square) * std::ldexp(1.0, -k));
}
BENCHMARK(BM_margin)->Arg(40)->Arg(50)->Iterations(1)->Repetitions(3)->UseRealTime()->Unit(
    benchmark::kMillisecond);

}  // namespace
}  // namespace sluice
