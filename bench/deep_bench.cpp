/// Times training steps of the deep networks of document 004's figure 5 and of its experiments 6 and 7, and tangent kernels.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <vector>

#include "sluice/kernel/tangent.hpp"
#include "sluice/learn/deep_trainer.hpp"
#include "sluice/net/deep_init.hpp"

namespace sluice {
namespace {

/// Numbers in [0, 1) that cost nothing to make.
std::vector<float> pixels(std::size_t count) {
  std::vector<float> values(count);
  std::uint32_t word = 1;
  for (float& value : values) {
    word = word * 1664525U + 1013904223U;
    value = static_cast<float>(word >> 8) / 16777216.0F;
  }
  return values;
}

double median_ms(std::vector<double> seconds) {
  std::nth_element(seconds.begin(), seconds.begin() + static_cast<std::ptrdiff_t>(seconds.size() / 2),
                   seconds.end());
  return 1e3 * seconds[seconds.size() / 2];
}

double seconds_of(const auto& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// The networks that are timed; the last spells out the gates of the one before it.
struct Timed {
  const char* name;
  const char* gates;
  double beta;
  const char* train;
  const char* shape = "logistic";
};
constexpr std::array<Timed, 4> kTimed{
    {{"relu", "own", INFINITY, "weights"},
     {"galu", "network", INFINITY, "weights"},
     {"soft-galu", "network", 4, "both"},
     {"typed soft-galu", "network", INFINITY, "both", "1/(1 + exp(-4*q))"}}};

/// `images` images, ten classes, batch 128, Adam, two threads.
void time_steps(benchmark::State& state, const net::DeepOptions& options, const net::Volume& image,
                std::int64_t images, int warm_up) {
  constexpr std::int64_t kBatch = 128;
  task::FiniteSet set{.inputs = image.size(),
                      .x = pixels(static_cast<std::size_t>(images * image.size())),
                      .y = std::vector<float>(static_cast<std::size_t>(images)),
                      .classes = 10};
  for (std::size_t i = 0; i < set.y.size(); ++i) set.y[i] = static_cast<float>(i * 7 % 10);
  const net::DeepGated<float> network(options, image, 10);
  math::Workers workers(2);
  const learn::EpochBatches batches(set, 1, kBatch);
  const learn::OutputLoss loss(learn::loss("cross-entropy"), 10, 0.5);
  learn::TrainingOptions training{.kind = "adam", .optimizer = {.rate = 3e-4}, .batch = kBatch};
  learn::DeepTrainer trainer(batches, network, loss, training, 1,
                             {.step = 0, .parameters = net::initial_parameters(network, 1)}, workers);
  for (int warm = 0; warm < warm_up; ++warm) trainer.move();
  std::vector<double> times;
  for (auto each : state) {
    static_cast<void>(each);
    times.push_back(seconds_of([&] { trainer.move(); }));
  }
  state.counters["median_ms"] = median_ms(times);
  state.counters["epoch_s"] = median_ms(times) * static_cast<double>(images / kBatch + 1) / 1e3;
}

/// 60,000 images of 784 pixels. range(0): which of the networks above.
void BM_deep_step(benchmark::State& state) {
  net::DeepOptions options;
  options.widths = {512, 512, 256, 256, 128, 64};
  const Timed& timed = kTimed[static_cast<std::size_t>(state.range(0))];
  options.gates = timed.gates;
  options.beta = timed.beta;
  options.train = timed.train;
  options.gate_shape = timed.shape;
  options.init.law = "xavier-uniform";
  time_steps(state, options, {.columns = 784}, 60'000, 5);
  state.SetLabel(timed.name);
}
BENCHMARK(BM_deep_step)
    ->DenseRange(0, kTimed.size() - 1)
    ->MinTime(6)
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

/// The network of experiments 6 and 7, on images of 32 × 32 pixels in three colours: convolutions of 64, 64, 128 and 128 channels, zero padding, then 256, 256, 10.
void BM_convolution_step(benchmark::State& state) {
  net::DeepOptions options;
  options.layers = "convolutional";
  options.channels = {64, 64, 128, 128};
  options.widths = {256, 256};
  options.init.law = "xavier-uniform";
  time_steps(state, options, {3, 32, 32}, 1000, 1);
}
BENCHMARK(BM_convolution_step)->Iterations(7)->UseRealTime()->Unit(benchmark::kMillisecond);

/// Depth 6, width 100, ReLU, n inputs of 784 numbers, two threads.
void BM_tangent(benchmark::State& state) {
  const std::int64_t n = state.range(0);
  net::DeepOptions options;
  const net::DeepGated<float> network(options, 784, 1);
  const std::vector<float> parameters = net::initial_parameters(network, 1);
  const std::vector<float> x = pixels(static_cast<std::size_t>(n * 784));
  math::Workers workers(2);
  std::vector<double> times;
  for (auto each : state) {
    static_cast<void>(each);
    times.push_back(seconds_of([&] {
      const auto matrix = kernel::Passage<float>(network, parameters, x, 1, workers).tangent();
      benchmark::DoNotOptimize(matrix.values.data());
    }));
  }
  state.counters["median_ms"] = median_ms(times);
}
BENCHMARK(BM_tangent)->Arg(2000)->Iterations(5)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(BM_tangent)->Arg(10'000)->Iterations(2)->UseRealTime()->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace sluice
