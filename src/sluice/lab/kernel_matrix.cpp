#include "sluice/lab/kernel_matrix.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <span>

#include "sluice/file/errors.hpp"
#include "sluice/kernel/tangent.hpp"
#include "sluice/net/deep_init.hpp"

namespace sluice::lab {
namespace {

constexpr std::array<spec::Choice, 5> kKinds{{
    {"tangent", "K, the Gram matrix of ∂ŷ/∂θ"},
    {"strength", "K^w, its part with gates held fixed"},
    {"gates", "K^a, its part through soft gates"},
    {"paths", "M = (x'x)∘λ, the Gram matrix of the path features"},
    {"overlap", "λ, paths that are active for both samples"},
}};

kernel::SampleMatrix<float> matrix_of(const kernel::Passage<float>& passage, const std::string& kind) {
  using Passage = kernel::Passage<float>;
  if (kind == "overlap") return passage.overlap();
  if (kind == "paths") return passage.paths();
  return passage.tangent(kind == "strength" ? Passage::strength
                         : kind == "gates"  ? Passage::gates
                                            : Passage::all);
}

}  // namespace

spec::Choices kernel_kinds() { return kKinds; }

KernelMatrix kernel_matrix(const Experiment& experiment, const KernelOptions& options) {
  if (!experiment.network.is_deep())
    throw InputError(
        "network.kind = \"two-layer\": expected \"deep-gated\"; its kernels are those of deep networks");
  const auto task = experiment.task.make();
  const task::FiniteSet* set = task->training_set();
  if (set == nullptr) throw InputError("task.kind: expected a finite task: points, dataset, mnist");
  if (set->classes > 2)
    throw InputError("task: expected two classes or numbers as labels: a kernel is that of one output");
  const net::DeepGated<float> network(experiment.network.deep, task->inputs(), 1);
  const std::vector<float> parameters =
      net::initial_parameters(network, static_cast<std::uint64_t>(experiment.seed));
  const std::int64_t count = options.samples > 0 ? std::min(options.samples, set->size()) : set->size();
  math::Workers workers(options.threads);

  KernelMatrix result;
  const auto start = std::chrono::steady_clock::now();
  const bool back = options.kind != "overlap" && options.kind != "paths";
  const kernel::Passage<float> passage(network, parameters,
                                       std::span(set->x).first(static_cast<std::size_t>(count * set->inputs)),
                                       static_cast<std::uint64_t>(experiment.seed), workers, back);
  result.matrix = matrix_of(passage, options.kind);
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  result.y.assign(set->y.begin(), set->y.begin() + count);
  return result;
}

}  // namespace sluice::lab
