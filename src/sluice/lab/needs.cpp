#include "sluice/lab/needs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "sluice/file/errors.hpp"
#include "sluice/file/system.hpp"
#include "sluice/lab/samples.hpp"
#include "sluice/learn/optimizer.hpp"
#include "sluice/math/lanes.hpp"
#include "sluice/math/memory.hpp"
#include "sluice/net/deep_network.hpp"

namespace sluice::lab {
namespace {

/// What an optimiser, or a flow, has of its own for every parameter.
double state_bytes(const Setup& setup) {
  const auto parameters = static_cast<double>(setup.network().parameter_count());
  const DynamicsOptions& dynamics = setup.experiment().dynamics;
  if (dynamics.is_flow())
    return sizeof(float) * parameters + sizeof(double) * static_cast<double>(setup.exact_numbers());
  return sizeof(float) * parameters * (1 + learn::optimizer(dynamics.kind).memories);
}

/// Activations of a whole batch, of networks that keep them for the gradient: z, q, gate and δ of every layer.
double kept_activations(const Setup& setup) {
  const auto* deep = dynamic_cast<const net::DeepNetwork*>(&setup.network());
  if (deep == nullptr || setup.batches() == nullptr) return 0;
  double units = 0;
  for (std::int64_t l = 0; l <= deep->layers().depth(); ++l)
    units += static_cast<double>(deep->layers().width(l));
  return 4 * sizeof(float) * units * static_cast<double>(setup.batches()->rows());
}

double bytes_of(const task::FiniteSet* set) {
  return set == nullptr ? 0 : sizeof(float) * static_cast<double>(set->x.size());
}

std::string text_of(double bytes) {
  return bytes < math::kGibibyte ? fmt::format("{:.3g} MiB", 1024 * bytes / math::kGibibyte)
                                 : fmt::format("{:.3g} GiB", bytes / math::kGibibyte);
}

}  // namespace

Needs needs_of(const Setup& setup, int threads) {
  const Experiment& experiment = setup.experiment();
  const net::Network& network = setup.network();
  const probe::Watcher watcher = setup.watcher();
  const auto inputs = static_cast<double>(network.inputs());
  const double record =
      watcher.bytes_of(static_cast<double>(probe::probe_times(experiment.probe, experiment.dynamics.steps)));
  const double state = state_bytes(setup);
  const double start = sizeof(float) * static_cast<double>(network.parameter_count());
  double samples = bytes_of(setup.task().training_set());
  if (setup.task().test_set() != setup.task().training_set()) samples += bytes_of(setup.task().test_set());
  if (watcher.needs(probe::kSamples) && setup.task().training_set() == nullptr)
    samples +=
        sizeof(float) * inputs * static_cast<double>(std::min(experiment.probe.samples, kMostProbeSamples));
  const bool trains = setup.batches() != nullptr && kept_activations(setup) == 0;
  const double gradient =
      trains ? (sizeof(float) + sizeof(double)) * static_cast<double>(network.gradient_size()) : 0;
  const double blocks = 2 * sizeof(float) * inputs * static_cast<double>(math::kBlockSamples) * threads;
  const double result = (experiment.record.compress ? 0.5 : 1) * record + state;
  return {.held = record + state + start + samples,
          .work = gradient + blocks + kept_activations(setup) + record + state,
          .record = record,
          .folder = result,
          .beside = record + state};
}

void require_room(double memory, double disk, const std::filesystem::path& folder) {
  if (const double there = math::memory_bytes(); memory > there)
    throw InputError(
        fmt::format("{}: needs at least {} of memory, and there are {}: fewer probe times, units, sites or "
                    "samples, or fewer runs at once, need less",
                    folder.string(), text_of(memory), text_of(there)));
  if (const double there = file::free_bytes(folder); disk > there)
    throw InputError(
        fmt::format("{}: needs at least {} of the disk, and {} are free there: fewer probe times, units or "
                    "sites need less",
                    folder.string(), text_of(disk), text_of(there)));
}

}  // namespace sluice::lab
