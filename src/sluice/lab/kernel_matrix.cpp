#include "sluice/lab/kernel_matrix.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <span>
#include <utility>

#include "sluice/file/errors.hpp"
#include "sluice/kernel/memory.hpp"
#include "sluice/kernel/spectrum.hpp"
#include "sluice/kernel/tangent.hpp"
#include "sluice/lab/setup.hpp"
#include "sluice/math/finite.hpp"
#include "sluice/math/memory.hpp"
#include "sluice/net/deep_network.hpp"

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

KernelSpectrum spectrum_of(const kernel::SampleMatrix<double>& matrix, const std::vector<double>& y) {
  const std::vector<double> rho = kernel::eigenvalues(matrix);
  return {.smallest = rho.front(),
          .largest = rho.back(),
          .condition = kernel::condition_number(rho),
          .alignment = kernel::alignment(kernel::trace_normalised(matrix), y)};
}

void require_affordable(const net::DeepGated<float>& layers, std::int64_t samples, bool back) {
  const double bytes = kernel::passage_bytes(layers, samples, sizeof(float)) +
                       (back ? kernel::tangent_bytes(layers, samples, sizeof(float))
                             : kernel::paths_bytes(samples, sizeof(float)));
  const double most = math::affordable_bytes();
  if (bytes > most)
    throw InputError(
        fmt::format("samples = {}: the kernel needs {:.3g} GiB, expected at most {:.3g} GiB: fewer "
                    "samples or units",
                    samples, bytes / math::kGibibyte, most / math::kGibibyte));
}

}  // namespace

spec::Choices kernel_kinds() { return kKinds; }

KernelMatrix kernel_matrix(Experiment experiment, const KernelOptions& options) {
  auto* family = dynamic_cast<net::DeepFamily*>(&experiment.network.options());
  if (family == nullptr)
    throw InputError(
        fmt::format("network.kind = \"{}\": expected \"deep-gated\"; its kernels are those of deep networks",
                    experiment.network.kind()));
  if (!options.from.empty()) {
    family->layers.init = {.law = "file", .path = options.from};
    if (family->layers.gated_by_network()) family->layers.gate_init = {"file", options.from};
  }
  const Setup setup(std::move(experiment));
  const task::FiniteSet* set = setup.task().training_set();
  if (set == nullptr) throw InputError("task.kind: expected a finite task: points, dataset, mnist, cifar10");
  if (set->classes > 2)
    throw InputError("task: expected two classes or numbers as labels: a kernel is that of one output");
  const std::int64_t count = options.samples > 0 ? std::min(options.samples, set->size()) : set->size();
  const bool back = options.kind != "overlap" && options.kind != "paths";
  const net::DeepGated<float>& layers = dynamic_cast<const net::DeepNetwork&>(setup.network()).layers();
  require_affordable(layers, count, back);
  math::Workers workers(options.threads);

  KernelMatrix result;
  const auto start = std::chrono::steady_clock::now();
  const kernel::Passage<float> passage(layers, setup.start(),
                                       std::span(set->x).first(static_cast<std::size_t>(count * set->inputs)),
                                       setup.seed(), workers, back);
  result.matrix = matrix_of(passage, options.kind);
  if (!math::all_finite(result.matrix.values))
    throw InputError(
        fmt::format("{}: an entry of this kernel is not a finite number in float32", options.kind));
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  result.y.assign(set->y.begin(), set->y.begin() + count);
  double trace = 0;
  for (std::int64_t s = 0; s < count; ++s) trace += result.matrix.at(s, s);
  result.mean_diagonal = trace / static_cast<double>(count);
  if (count <= kMostForSpectrum) {
    kernel::SampleMatrix<double> wide(count);
    wide.values.assign(result.matrix.values.begin(), result.matrix.values.end());
    result.spectrum = spectrum_of(wide, result.y);
  }
  return result;
}

}  // namespace sluice::lab
