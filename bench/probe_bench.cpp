/// All probes of weights over the record of a large run, [201 × 1000 × 100] weights; the aim is one second on two cores.
///   trained  bumps and waves that grow out of normal noise, as a run's fields do
///   random   independent normal fields at every time: Gabor fits that do not converge, and no pair of units can be ruled
///            out of the search for the nearest one
#include <benchmark/benchmark.h>

#include <cmath>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "sluice/math/ring.hpp"
#include "sluice/probe/revisit.hpp"

namespace sluice {
namespace {

constexpr std::int64_t kTimes = 201;
constexpr std::int64_t kUnits = 1000;
constexpr std::int64_t kSites = 100;

std::vector<float> weights(bool trained) {
  std::mt19937 engine(1);
  const auto normal = [&] {  // of twelve uniforms: nearly
    double sum = -6;
    for (int k = 0; k < 12; ++k) sum += static_cast<double>(engine()) / 4294967296.0;
    return sum;
  };
  std::vector<double> start(kUnits * kSites);
  std::vector<double> end(kUnits * kSites);
  for (double& w : start) w = 0.1 * normal();
  for (std::int64_t k = 0; k < kUnits; ++k) {
    const auto centre = static_cast<std::int64_t>(engine() % kSites);
    const double width = 1.5 + std::abs(normal());
    const double frequency = k % 4 == 3 ? 10 + std::abs(2 * normal()) : 0;
    for (std::int64_t i = 0; i < kSites; ++i) {
      const auto d = static_cast<double>(math::ring_distance(centre, i, kSites));
      const double wave = std::cos(2 * M_PI * frequency * d / kSites);
      end[static_cast<std::size_t>(k * kSites + i)] =
          (k % 8 == 7 ? 0.4 * wave : std::exp(-d * d / (2 * width * width)) * wave) + 0.02 * normal();
    }
  }
  std::vector<float> all;
  for (std::int64_t t = 0; t < kTimes; ++t) {
    const double grown = trained ? 1 - std::exp(-static_cast<double>(t) / 20) : 0;
    for (std::size_t i = 0; i < start.size(); ++i) {
      const double noise =
          trained ? start[i] : start[(i + static_cast<std::size_t>(t * 7919)) % start.size()];
      all.push_back(static_cast<float>((1 - grown) * noise + grown * end[i]));
    }
  }
  return all;
}

void BM_probes(benchmark::State& state) {
  const bool trained = state.range(0) == 1;
  const bool all = state.range(1) == 1;
  const std::vector<float> w = weights(trained);
  const std::vector<float> bias(kTimes * kUnits, 0.1F);
  std::vector<std::int64_t> steps(kTimes);
  std::iota(steps.begin(), steps.end(), 0);
  const probe::Trajectory trajectory{
      .times = kTimes, .units = kUnits, .inputs = kSites, .step = steps, .weights = w, .bias = bias};
  std::vector<const probe::Probe*> probes;
  for (const probe::Probe& probe : probe::probes())
    if (probe::lack(probe, trajectory.subject()).empty() &&
        (all || probe.choice.name != "nearest_unit_similarity"))
      probes.push_back(&probe);
  math::Workers workers(2);
  for (auto _ : state) benchmark::DoNotOptimize(probe::revisit(trajectory, probes, workers));
  state.SetLabel(std::string(trained ? "trained, " : "random, ") + std::to_string(probes.size()) + " probes");
}
BENCHMARK(BM_probes)
    ->ArgNames({"trained", "similarity"})
    ->ArgsProduct({{1, 0}, {1, 0}})
    ->Iterations(3)
    ->MeasureProcessCPUTime()  // of both threads; a busy machine shows in the other column
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace sluice
