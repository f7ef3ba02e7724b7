/// Training steps on a GPU: the network of experiments 6 and 7 of document 004, alone and several side by side.
///   gpu_bench [PRECISION...]      prints one JSON object: milliseconds of a step by precision, and per network where N are trained at once
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <memory>
#include <string_view>
#include <thread>
#include <vector>

#include "sluice/file/errors.hpp"
#include "sluice/gpu/deep_engine.hpp"
#include "sluice/net/deep_network.hpp"

namespace sluice {
namespace {

constexpr std::int64_t kBatch = 128;

task::FiniteSet images(std::int64_t count) {
  task::FiniteSet set{.inputs = 3072,
                      .x = std::vector<float>(static_cast<std::size_t>(count * 3072)),
                      .y = std::vector<float>(static_cast<std::size_t>(count)),
                      .classes = 10};
  std::uint32_t word = 1;
  for (float& value : set.x) {
    word = word * 1664525U + 1013904223U;
    value = static_cast<float>(word >> 8) / 16777216.0F;
  }
  for (std::size_t i = 0; i < set.y.size(); ++i) set.y[i] = static_cast<float>(i * 7 % 10);
  return set;
}

net::DeepOptions network_options() {
  net::DeepOptions options;
  options.layers = "convolutional";
  options.channels = {64, 64, 128, 128};
  options.widths = {256, 256};
  options.init.law = "xavier-uniform";
  return options;
}

/// Milliseconds of a step per network, `together` of them at once, each by a thread of its own; the median of five stretches.
double step_ms(const task::FiniteSet& set, gpu::Precision precision, int together) {
  constexpr int kWarm = 20, kSteps = 200, kStretches = 5;
  const net::DeepNetwork network(network_options(), net::Volume{3, 32, 32}, 10);
  const learn::OutputLoss loss(learn::loss("cross-entropy"), 10, 0.5);
  const learn::TrainingOptions training{.kind = "adam", .optimizer = {.rate = 3e-4}, .batch = kBatch};
  math::Workers alone(1);
  std::vector<std::unique_ptr<learn::EpochBatches>> batches;
  std::vector<std::unique_ptr<learn::Engine>> engines;
  for (int i = 0; i < together; ++i) {
    batches.push_back(std::make_unique<learn::EpochBatches>(set, static_cast<std::uint64_t>(i), kBatch));
    engines.push_back(gpu::make_trainer(*batches.back(), network, loss, training, 0.5, 1,
                                        {.step = 0, .parameters = network.start(1)}, alone, precision));
  }
  const auto all = [&](int steps) {
    std::vector<std::thread> threads;
    const auto begin = std::chrono::steady_clock::now();
    for (auto& engine : engines)
      threads.emplace_back([&engine, steps] {
        for (int s = 0; s < steps; ++s) engine->move();
        engine->wait();
      });
    for (std::thread& thread : threads) thread.join();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  };
  all(kWarm);
  std::vector<double> times;
  for (int i = 0; i < kStretches; ++i) times.push_back(1e3 * all(kSteps) / (kSteps * together));
  std::nth_element(times.begin(), times.begin() + kStretches / 2, times.end());
  return times[kStretches / 2];
}

}  // namespace
}  // namespace sluice

int main(int argc, char** argv) {
  using namespace sluice;
  const std::vector<std::string_view> only(argv + 1, argv + argc);
  try {
    const task::FiniteSet set = images(10'000);
    fmt::print("{{\"device\": \"{}, {}\"", gpu::device().name(), gpu::device().libraries());
    std::fflush(stdout);
    for (const auto& [name, precision] :
         {std::pair{"single", gpu::Precision::single}, std::pair{"tf32", gpu::Precision::tf32},
          std::pair{"bfloat16", gpu::Precision::bfloat16}}) {
      if (!only.empty() && std::ranges::find(only, name) == only.end()) continue;
      for (const int together : {1, 4}) {
        if (precision == gpu::Precision::single && together > 1) continue;
        fmt::print(", \"{}, {}\": {:.4f}", name, together, step_ms(set, precision, together));
        std::fflush(stdout);
      }
    }
    fmt::print("}}\n");
    return 0;
  } catch (const std::exception& failure) {
    fmt::print(stderr, "gpu_bench: {}\n", failure.what());
    return 1;
  }
}
