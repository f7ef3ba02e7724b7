/// A whole run in memory, on one thread and on two: what the runs of a sweep are held against (ensemble.py).
#include <benchmark/benchmark.h>

#include <fmt/format.h>

#include "sluice/lab/simulation.hpp"

namespace sluice {
namespace {

/// K units, so many steps of 1000 samples, threads.
void BM_simulate(benchmark::State& state) {
  const lab::Source source{
      .name_or_file = "localization",
      .assignments = {fmt::format("network.hidden={}", state.range(0)),
                      fmt::format("dynamics.rate={}", 0.05 * static_cast<double>(state.range(
                                                                 0))),  // of a unit, 0.05: nothing diverges
                      fmt::format("dynamics.steps={}", state.range(1)), "probe.every=500"}};
  for (auto _ : state) {
    static_cast<void>(_);
    if (lab::simulate(lab::load(source), "bench", static_cast<int>(state.range(2))).status != "finished")
      state.SkipWithError("a run did not come to its end: its time says nothing");
  }
  state.counters["samples_per_s"] = benchmark::Counter(static_cast<double>(state.range(1)) * 1000,
                                                       benchmark::Counter::kIsIterationInvariantRate);
}
BENCHMARK(BM_simulate)
    ->ArgNames({"K", "steps", "threads"})
    ->ArgsProduct({{1, 10, 100}, {4000}, {1, 2}})
    ->Iterations(3)
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace sluice
