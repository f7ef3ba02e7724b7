#include "sluice/lab/needs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>
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

/// Of so many runs that have most of it, the sum.
double largest(std::span<const Needs> runs, double Needs::*what, std::size_t count) {
  std::vector<double> all;
  for (const Needs& each : runs) all.push_back(each.*what);
  std::ranges::nth_element(all, all.begin() + static_cast<std::ptrdiff_t>(count), std::greater());
  return std::accumulate(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(count), 0.0);
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
  double sets = bytes_of(setup.task().training_set());
  if (setup.task().test_set() != setup.task().training_set()) sets += bytes_of(setup.task().test_set());
  double samples = 0;
  if (watcher.needs(probe::kSamples) && setup.task().training_set() == nullptr)
    samples =
        sizeof(float) * inputs * static_cast<double>(std::min(experiment.probe.samples, kMostProbeSamples));
  const bool trains = setup.batches() != nullptr && kept_activations(setup) == 0;
  const double gradient =
      trains ? (sizeof(float) + sizeof(double)) * static_cast<double>(network.gradient_size()) : 0;
  const double blocks = 2 * sizeof(float) * inputs * static_cast<double>(math::kBlockSamples) * threads;
  const double result = (experiment.record.compress ? 0.5 : 1) * record + state;
  return {.held = record + state + start + samples,
          .shared = sets,
          .work = gradient + blocks + kept_activations(setup) + record + state,
          .record = record,
          .folder = result,
          .beside = record + state};
}

Needs needs_in(const std::filesystem::path& folder, record::Existing existing, Needs needs) {
  std::error_code ignored;
  if (existing == record::Existing::overwrite) needs.freed = record::Manifest(folder, is_spec).bytes();
  if (existing == record::Existing::resume && std::filesystem::exists(folder / "record.npz", ignored))
    needs.folder = 0;
  return needs;
}

Room room_of(std::span<const Needs> runs, std::size_t at_once, std::size_t movers,
             const std::vector<bool>& shown) {
  Room room;
  double shared = 0;
  std::vector<Needs> kept;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    shared = std::max(shared, runs[i].shared);
    if (shown[i]) kept.push_back(runs[i]);
    room.disk += runs[i].folder;
    room.freed += runs[i].freed;
  }
  at_once = std::min(at_once, runs.size());
  // Of those at work the records are among what they hold.
  const double records = largest(kept, &Needs::record, kept.size()) -
                         largest(kept, &Needs::record, std::min(at_once, kept.size()));
  room.memory = records + shared + largest(runs, &Needs::held, at_once) +
                largest(runs, &Needs::work, std::min(at_once, movers));
  room.disk += largest(runs, &Needs::beside, at_once);
  return room;
}

void require_memory(const Room& room, const std::string& what) {
  if (const double there = math::memory_bytes(); room.memory > there)
    throw InputError(
        fmt::format("{}: needs at least {} of memory, and there are {}: fewer probe times, units, sites or "
                    "samples, or fewer runs at once, need less",
                    what, text_of(room.memory), text_of(there)));
}

void require_room(const Room& room, const std::filesystem::path& folder) {
  require_memory(room, folder.string());
  if (const double there = file::free_bytes(folder) + room.freed; room.disk > there)
    throw InputError(
        fmt::format("{}: needs at least {} of the disk, and {} are free there: fewer probe times, units or "
                    "sites need less",
                    folder.string(), text_of(room.disk), text_of(there)));
}

std::string remark_on(const Room& room) {
  if (std::max(room.memory, room.disk) < math::kGibibyte) return "";
  return fmt::format("takes at least {} of memory and {} of the disk", text_of(room.memory),
                     text_of(room.disk));
}

}  // namespace sluice::lab
