/// Times the pieces of a training step, and what the machine's own matrix product would need for the same
/// flops. A ratio travels, microseconds do not: `of_matrix_product` is (time of the flops alone)/(time of the
/// step).
#include <benchmark/benchmark.h>

#include <Eigen/Core>
#include <chrono>

#include "sluice/learn/trainer.hpp"
#include "sluice/net/init.hpp"
#include "sluice/task/nlgp.hpp"

namespace sluice {
namespace {

/// Single-precision flops per second of one thread on a cache-resident matrix product, best of several.
double matrix_product_rate() {
  static const double rate = [] {
    constexpr int kSize = 256;
    const Eigen::MatrixXf a = Eigen::MatrixXf::Random(kSize, kSize);
    const Eigen::MatrixXf b = Eigen::MatrixXf::Random(kSize, kSize);
    Eigen::MatrixXf c(kSize, kSize);
    double best = 0;
    for (int trial = 0; trial < 20; ++trial) {
      const auto start = std::chrono::steady_clock::now();
      for (int i = 0; i < 10; ++i) c.noalias() = a * b;
      benchmark::DoNotOptimize(c.data());
      const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
      best = std::max(best, 10 * 2.0 * kSize * kSize * kSize / seconds);
    }
    return best;
  }();
  return rate;
}

/// One step: arguments n, K, batch, threads.
void BM_step(benchmark::State& state) {
  task::NlgpOptions task_options;
  task_options.n = state.range(0);
  net::TwoLayerOptions network_options;
  network_options.hidden = state.range(1);
  const learn::SgdOptions sgd{.rate = 1.0, .batch = state.range(2), .steps = 1};
  const auto threads = static_cast<int>(state.range(3));
  const auto task = task_options.make();
  const net::TwoLayer<float> network(network_options, task_options.n);
  math::Workers workers(threads);
  learn::Trainer trainer(*task, network, sgd, 1,
                         {0, net::initial_parameters(network_options, task_options.n, 1)}, workers);
  trainer.step();
  const auto start = std::chrono::steady_clock::now();
  for (auto _ : state) trainer.step();
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();

  // Correlating the noise 2n², forward 2nK, backward 2nK.
  const auto n = static_cast<double>(state.range(0));
  const auto units = static_cast<double>(state.range(1));
  const double flops = static_cast<double>(state.range(2)) * (2 * n * n + 4 * n * units);
  const double per_step = seconds / static_cast<double>(state.iterations());
  state.counters["of_matrix_product"] = flops / (matrix_product_rate() * threads) / per_step;
  state.counters["samples/s"] = static_cast<double>(state.range(2)) / per_step;
}
BENCHMARK(BM_step)
    ->ArgNames({"n", "K", "batch", "threads"})
    ->Args({40, 100, 1000, 1})
    ->Args({40, 100, 1000, 2})
    ->Args({40, 100, 10'000, 2})
    ->Args({40, 1, 10'000, 2})
    ->Args({400, 100, 1000, 2})
    ->UseRealTime()
    ->Unit(benchmark::kMicrosecond);

/// Sampling alone: argument n; per second on one thread.
void BM_sample(benchmark::State& state) {
  task::NlgpOptions options;
  options.n = state.range(0);
  const auto task = options.make();
  constexpr std::int64_t kRows = 64;
  std::vector<float> rows(static_cast<std::size_t>(kRows * options.n));
  std::vector<float> scratch(rows.size());
  std::uint64_t step = 0;
  for (auto _ : state) {
    task->sample({.seed = 1, .step = step++}, 0, rows, scratch);
    benchmark::DoNotOptimize(rows.data());
  }
  state.SetItemsProcessed(state.iterations() * kRows);
}
BENCHMARK(BM_sample)->ArgName("n")->Arg(40)->Arg(100)->Arg(400)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace sluice
