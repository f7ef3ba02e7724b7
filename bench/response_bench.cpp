/// f(w) from samples: CPU time of SampledResponse against plain Monte Carlo (draw, gate, average) at equal error, NLGP with
/// gain 3 on 40 sites. `gain_first_call` counts drawing and weighing our samples, `gain_per_call` what the right-hand side
/// of a flow costs once they are there.
#include <benchmark/benchmark.h>

#include <cmath>
#include <ctime>
#include <random>
#include <string>
#include <vector>

#include "sluice/flow/sampled.hpp"
#include "sluice/math/ring.hpp"
#include "sluice/task/nlgp.hpp"

namespace sluice {
namespace {

constexpr std::int64_t kSites = 40;
constexpr std::int64_t kLanes = 48;

double cpu_seconds_of(const auto& work) {
  const auto now = [] {
    timespec t{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
  };
  const double start = now();
  work();
  return now() - start;
}

struct Shape {
  std::string name;
  std::vector<double> w;
};
Shape shape(std::int64_t which) {
  Shape result{which == 0 ? "random" : which == 1 ? "bump" : "gabor", std::vector<double>(kSites)};
  std::mt19937 engine(1);
  for (std::int64_t i = 0; i < kSites; ++i) {
    const auto d = static_cast<double>(math::ring_distance(0, i, kSites));
    double sum = -6;  // of twelve uniforms: nearly normal
    for (int k = 0; k < 12; ++k) sum += static_cast<double>(engine()) / 4294967296.0;
    const double values[] = {sum, std::exp(-d * d / 2), std::exp(-d * d / 18) * std::cos(1.2 * d)};
    result.w[static_cast<std::size_t>(i)] = values[which];
  }
  return result;
}

/// Mean over kSites numbers of 1(S ≥ 0) X in each of `replicates` sets of `blocks` blocks.
std::vector<std::vector<double>> plain(const task::Task& task, const std::vector<double>& w,
                                       std::int64_t replicates, std::int64_t blocks) {
  math::LanesBuffer<float> x_buffer(kSites, kLanes);
  math::LanesBuffer<float> scratch(kSites, kLanes);
  const math::Lanes x = x_buffer.lanes(kLanes);
  std::vector<std::vector<double>> means;
  std::vector<float> gates(kLanes);
  for (std::int64_t r = 0; r < replicates; ++r) {
    std::vector<float> sums(kSites * kLanes, 0.0F);
    for (std::int64_t b = 0; b < blocks; ++b) {
      task.sample({.seed = 9, .row = static_cast<std::uint32_t>((r * blocks + b) * kLanes)}, 0, x,
                  scratch.lanes(kLanes));
      std::fill(gates.begin(), gates.end(), 0.0F);
      for (std::int64_t i = 0; i < kSites; ++i) {
        const auto weight = static_cast<float>(w[static_cast<std::size_t>(i)]);
        for (std::int64_t m = 0; m < kLanes; ++m) gates[static_cast<std::size_t>(m)] += weight * x.at(i, m);
      }
      for (float& gate : gates) gate = gate >= 0 ? 1.0F : 0.0F;
      for (std::int64_t i = 0; i < kSites; ++i) {
        float* sum = sums.data() + i * kLanes;
        for (std::int64_t m = 0; m < kLanes; ++m) sum[m] += gates[static_cast<std::size_t>(m)] * x.at(i, m);
      }
    }
    std::vector<double> mean(kSites, 0.0);
    for (std::int64_t at = 0; at < kSites * kLanes; ++at) {
      mean[static_cast<std::size_t>(at / kLanes)] +=
          static_cast<double>(sums[static_cast<std::size_t>(at)]) / static_cast<double>(blocks * kLanes);
    }
    means.push_back(mean);
  }
  return means;
}

/// Σ_i Var of the mean over replicates.
double variance(const std::vector<std::vector<double>>& replicates) {
  const auto count = static_cast<double>(replicates.size());
  double sum = 0;
  for (std::size_t i = 0; i < replicates.front().size(); ++i) {
    double mean = 0;
    for (const auto& replicate : replicates) mean += replicate[i] / count;
    for (const auto& replicate : replicates) sum += std::pow(replicate[i] - mean, 2) / (count * (count - 1));
  }
  return sum;
}

void BM_response(benchmark::State& state) {
  const Shape field = shape(state.range(0));
  const auto task = task::NlgpOptions{}.make();
  math::Workers workers(1);
  double plain_cost =
      0;  // variance × seconds: both shrink in proportion to the number of samples, one up, one down
  double first_cost = 0;
  double call_cost = 0;
  for (auto _ : state) {
    std::vector<std::vector<double>> replicates;
    const double plain_seconds = cpu_seconds_of([&] { replicates = plain(*task, field.w, 64, 40); });
    plain_cost += variance(replicates) * plain_seconds;

    std::unique_ptr<flow::SampledResponse> response;
    flow::SampledResponse::Estimate estimate;
    const double setup = cpu_seconds_of([&] {
      response = std::make_unique<flow::SampledResponse>(*task, 0, flow::SampledOptions{.samples = 1 << 16},
                                                         workers);
    });
    const double call = cpu_seconds_of([&] { estimate = response->single_estimate(field.w); });
    double square = 0;
    for (const double error : estimate.standard_error) square += error * error;
    first_cost += square * (setup + call);
    call_cost += square * call;
  }
  state.counters["gain_first_call"] = plain_cost / first_cost;
  state.counters["gain_per_call"] = plain_cost / call_cost;
  state.SetLabel(field.name);
}
BENCHMARK(BM_response)
    ->ArgName("field")
    ->Arg(0)
    ->Arg(1)
    ->Arg(2)
    ->Iterations(8)
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace sluice
