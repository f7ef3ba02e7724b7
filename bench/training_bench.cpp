/// Times training steps, and beside each step what the machine's own matrix product (OpenBLAS sgemm on
/// cache-resident matrices) would need for the same flops on as many threads.
#include <benchmark/benchmark.h>
#include <cblas.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <string>
#include <vector>

#include "sluice/learn/trainer.hpp"
#include "sluice/math/kernels.hpp"
#include "sluice/net/gated_linear.hpp"
#include "sluice/net/two_layer_network.hpp"
#include "sluice/task/nlgp.hpp"

namespace sluice {
namespace {

double seconds_of(const auto& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Median time of one step, after a first.
double median_step(benchmark::State& state, const task::Task& task, const net::Network& network,
                   std::int64_t batch, int threads) {
  const learn::OutputLoss loss(learn::loss("half-squared"), 1, 0.5);
  math::Workers workers(threads);
  learn::Trainer trainer(learn::FreshBatches(task, 1, math::Purpose::training, batch), network, loss,
                         {.optimizer = {.rate = 1.0}}, 1, {0, network.start(1)}, workers);
  trainer.move();
  std::vector<double> seconds;
  for (auto _ : state) seconds.push_back(seconds_of([&] { trainer.move(); }));
  std::nth_element(seconds.begin(), seconds.begin() + static_cast<std::ptrdiff_t>(seconds.size() / 2),
                   seconds.end());
  return seconds[seconds.size() / 2];
}

/// Single-precision flops per second of one thread, best of several.
double matrix_product_rate() {
  static const double rate = [] {
    openblas_set_num_threads(1);
    constexpr int kSize = 384;
    const std::vector<float> a(kSize * kSize, 0.5F);
    const std::vector<float> b(kSize * kSize, 0.25F);
    std::vector<float> c(kSize * kSize);
    double best = 0;
    for (int trial = 0; trial < 40; ++trial) {
      const double seconds = seconds_of([&] {
        cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, kSize, kSize, kSize, 1.0F, a.data(), kSize,
                    b.data(), kSize, 0.0F, c.data(), kSize);
      });
      best = std::max(best, 2.0 * kSize * kSize * kSize / seconds);
    }
    return best;
  }();
  return rate;
}

constexpr std::array<const char*, 5> kUnits{"relu", "erf", "erf(h/sqrt(2))", "soft-relu", "h/(1 + exp(-h))"};

/// One step: n, K, batch, threads, the activation (its number above) and the readout (0 mean, 1 learned).
void BM_step(benchmark::State& state) {
  const std::int64_t n = state.range(0);
  const std::int64_t units = state.range(1);
  const std::int64_t batch = state.range(2);
  const auto threads = static_cast<int>(state.range(3));
  task::NlgpOptions task_options;
  task_options.n = n;
  net::TwoLayerOptions network_options;
  network_options.hidden = units;
  network_options.activation = kUnits[static_cast<std::size_t>(state.range(4))];
  network_options.readout = state.range(5) == 0 ? "mean" : "learned";
  const auto task = task_options.make();
  const net::TwoLayerNetwork network(network_options, n);
  const double median = median_step(state, *task, network, batch, threads);

  // Correlating the noise 2n², forward 2nK, backward 2nK.
  const auto flops = static_cast<double>(batch * (2 * n * n + 4 * n * units));
  state.counters["median_ms"] = 1e3 * median;
  state.counters["times_matrix_product"] = median / (flops / (matrix_product_rate() * threads));
  state.counters["samples_per_s"] = static_cast<double>(batch) / median;
  state.SetLabel(network_options.activation + (network_options.learns_readout() ? " learned" : ""));
}
BENCHMARK(BM_step)
    ->ArgNames({"n", "K", "batch", "threads", "act", "readout"})
    ->Args({40, 100, 1000, 2, 0, 0})
    ->Args({40, 100, 1000, 2, 1, 0})
    ->Args({40, 100, 10'000, 2, 0, 0})
    ->Args({40, 100, 10'000, 2, 1, 0})
    ->Args({40, 1, 10'000, 2, 0, 0})
    ->Args({100, 300, 1000, 2, 1, 0})
    ->Args({400, 100, 1000, 2, 0, 0})
    ->Args({40, 100, 1000, 1, 0, 0})
    ->Args({40, 100, 1000, 1, 0, 1})
    ->Args({40, 100, 1000, 1, 1, 0})
    ->Args({40, 100, 1000, 1, 1, 1})
    ->Args({40, 100, 1000, 2, 2, 0})
    ->Args({40, 100, 1000, 2, 3, 0})
    ->Args({40, 100, 1000, 2, 4, 0})
    ->UseRealTime()
    ->MinTime(1.0)
    ->Unit(benchmark::kMicrosecond);

/// One step of 100 linear units behind gates: half-spaces, or a formula of the same projections. n = 40, batch 1000, two threads.
void BM_gated_step(benchmark::State& state) {
  task::NlgpOptions task_options;
  const auto task = task_options.make();
  net::GatedLinearFamily family;
  family.hidden = 100;
  family.gate.law = "random";
  family.gate.shape = state.range(0) == 0 ? "half-space" : "Phi(2*q)";
  const auto network = family.make({.inputs = task->inputs()});
  state.counters["median_ms"] = 1e3 * median_step(state, *task, *network, 1000, 2);
  state.SetLabel(family.gate.shape);
}
BENCHMARK(BM_gated_step)->Arg(0)->Arg(1)->UseRealTime()->MinTime(1.0)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace sluice
