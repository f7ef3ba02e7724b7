/// Ensembles of networks with one hidden layer on a GPU.
///   gpu_ensembles             prints one JSON object: microseconds per network and step, by name of the case
///   gpu_ensembles NAME...     these cases alone
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "sluice/gpu/ensemble.hpp"
#include "sluice/lab/setup.hpp"

namespace sluice {
namespace {

struct Case {
  std::string_view name;
  int n, units, batch, members;
  const char* unit;
  gpu::Precision precision = gpu::Precision::usual;
  const char* of_spec = "strict";
};
constexpr Case kCases[] = {
    {"relu", 40, 100, 1000, 1024, "relu"},
    {"relu, 4096 networks", 40, 100, 1000, 4096, "relu"},
    {"relu, plain", 40, 100, 1000, 1024, "relu", gpu::Precision::single},
    {"relu, fast", 40, 100, 1000, 1024, "relu", gpu::Precision::usual, "fast"},
    {"relu, 4096 networks, fast", 40, 100, 1000, 4096, "relu", gpu::Precision::usual, "fast"},
    {"erf", 40, 100, 1000, 1024, "erf"},
    {"erf, fast", 40, 100, 1000, 1024, "erf", gpu::Precision::usual, "fast"},
    {"sigmoid", 40, 100, 1000, 1024, "sigmoid"},
    {"one unit", 40, 1, 1000, 4096, "relu"},
    {"large", 100, 300, 1000, 64, "erf"},
    {"wide", 200, 400, 1000, 64, "erf"},
    {"wide, plain", 200, 400, 1000, 64, "erf", gpu::Precision::single},
    {"alone", 40, 100, 1000, 1, "relu"},
    {"alone, 10,000 samples", 40, 100, 10'000, 1, "relu"}};

/// The median of five stretches of steps; what comes back at their ends is timed alone and taken off.
double step_us(const Case& which) {
  math::Workers alone(1);
  std::deque<lab::Setup> setups;
  std::vector<learn::EnsembleMember> members;
  for (int e = 0; e < which.members; ++e) {
    setups.emplace_back(lab::load(
        {.name_or_file = "localization",
         .assignments = {
             fmt::format("task.n={}", which.n), fmt::format("network.hidden={}", which.units),
             fmt::format("network.activation={}", which.unit), fmt::format("dynamics.batch={}", which.batch),
             fmt::format("dynamics.precision={}", which.of_spec), fmt::format("seed={}", e + 1)}}));
    members.push_back(setups.back().member(setups.back().begins(), alone));
  }
  std::unique_ptr<learn::Ensemble> ensemble;
  std::unique_ptr<learn::Engine> engine;  // of one that has the device to itself
  if (members.size() == 1)
    engine = gpu::make_engine(std::move(members.front()), which.precision, alone);
  else
    ensemble = gpu::make_ensemble(std::move(members), which.precision, alone);
  const auto seconds = [&](std::int64_t steps) {
    const auto begin = std::chrono::steady_clock::now();
    if (engine) {
      engine->stretch(steps);
      static_cast<void>(engine->parameters());
    } else {
      ensemble->move(steps);
      static_cast<void>(ensemble->parameters(0));
    }
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  };
  std::int64_t steps = 16;
  while (seconds(steps) < 0.1 && steps < 16384) steps *= 2;
  std::vector<double> times;
  for (int i = 0; i < 5; ++i) times.push_back(seconds(steps + 16) - seconds(16));
  std::ranges::nth_element(times, times.begin() + 2);
  return 1e6 * times[2] / static_cast<double>(steps * which.members);
}

}  // namespace
}  // namespace sluice

int main(int argc, char** argv) {
  using namespace sluice;
  const std::vector<std::string_view> only(argv + 1, argv + argc);
  try {
    fmt::print("{{\"device\": \"{}, {}\"", gpu::device().name(), gpu::device().libraries());
    for (const Case& each : kCases) {
      if (!only.empty() && std::ranges::find(only, each.name) == only.end()) continue;
      fmt::print(", \"{}\": {:.5f}", each.name, step_us(each));
      std::fflush(stdout);
    }
    fmt::print("}}\n");
    return 0;
  } catch (const std::exception& failure) {
    fmt::print(stderr, "\ngpu_ensembles: {}\n", failure.what());
    return 1;
  }
}
