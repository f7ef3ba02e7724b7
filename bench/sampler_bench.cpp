/// Sampling alone, one thread, blocks of 48 samples as training draws them; items per second of processor time.
#include <benchmark/benchmark.h>

#include <memory>

#include "sluice/math/kernels.hpp"
#include "sluice/task/gaussian.hpp"
#include "sluice/task/nlgp.hpp"

namespace sluice {
namespace {

void sample_blocks(benchmark::State& state, const task::Task& task) {
  constexpr std::int64_t kRows = 48;
  math::LanesBuffer<float> x(task.inputs(), kRows);
  math::LanesBuffer<float> scratch(task.inputs(), kRows);
  std::uint64_t step = 0;
  for (auto _ : state) {
    task.sample({.seed = 1, .step = step++}, 0, x.lanes(kRows), scratch.lanes(kRows));
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * kRows);
}

template <class Options>
void BM_sample(benchmark::State& state) {
  Options options;
  options.n = state.range(0);
  options.dim = state.range(1);
  sample_blocks(state, *options.make());
}

void sizes(benchmark::internal::Benchmark* bench) {
  bench->ArgNames({"n", "dim"});
  for (const std::int64_t n : {40, 100, 400, 1000, 4096, 16'384, 65'536}) bench->Args({n, 1});
  bench->Args({40, 2})->Repetitions(5)->MinTime(0.2)->Unit(benchmark::kMicrosecond);
}
BENCHMARK_TEMPLATE(BM_sample, task::NlgpOptions)->Name("BM_sample/nlgp")->Apply(sizes);
BENCHMARK_TEMPLATE(BM_sample, task::GaussianOptions)->Name("BM_sample/gaussian")->Apply(sizes);

}  // namespace
}  // namespace sluice
