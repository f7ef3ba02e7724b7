#include "sluice/lab/probing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "sluice/file/errors.hpp"
#include "sluice/file/npz.hpp"
#include "sluice/lab/opened_record.hpp"
#include "sluice/lab/samples.hpp"
#include "sluice/probe/gabor.hpp"
#include "sluice/probe/revisit.hpp"
#include "sluice/record/manifest.hpp"
#include "sluice/spec/suggest.hpp"

namespace sluice::lab {
namespace fs = std::filesystem;
namespace {

/// Where the inputs of kurtosis come from, or why there are none.
std::unique_ptr<probe::Samples> samples_of(const OpenedRecord& record, const std::string& array_name) {
  if (array_name.empty()) {
    if (!record.experiment) return nullptr;
    const auto task = record.experiment->task.make();
    if (task->inputs() != record.inputs) {
      throw InputError(
          fmt::format("{}: weights: expected {} sites, as many as its spec's task has inputs now, found {}",
                      record.file.string(), task->inputs(), record.inputs));
    }
    return probe_samples(*task, record.experiment->probe.samples,
                         static_cast<std::uint64_t>(record.experiment->seed));
  }
  const file::Array* x = file::find(record.arrays, array_name);
  if (x == nullptr)
    throw InputError(fmt::format("--inputs {}: no such array in {}", array_name, record.file.string()));
  const std::string expected = fmt::format("floats [N, {}], as weights has sites", record.inputs);
  if (x->shape.size() != 2 || x->shape[1] != record.inputs || x->shape[0] < 2) {
    throw InputError(fmt::format("{}: {}: expected {}, found {}", record.file.string(), array_name, expected,
                                 file::to_string(x->shape)));
  }
  const std::vector<float> values = floats_of(*x, record.file, array_name, expected);
  return std::make_unique<probe::Samples>(values, record.inputs, std::span<const std::uint8_t>{});
}

/// The weights to hold against: at the same times, or one set for all of them.
std::vector<float> reference_of(const OpenedRecord& record, const fs::path& path) {
  if (path.empty()) return {};
  const OpenedRecord other = open_record(path);
  if (other.units != record.units || other.inputs != record.inputs ||
      (other.times != 1 && other.step != record.step)) {
    throw InputError(fmt::format(
        "--reference {}: expected weights [{}, {}, {}] at the same steps, or [{}, {}], found [{}, {}, {}]",
        path.string(), record.times, record.units, record.inputs, record.units, record.inputs, other.times,
        other.units, other.inputs));
  }
  if (other.times == record.times) return other.weights;
  std::vector<float> repeated;
  for (std::int64_t t = 0; t < record.times; ++t)
    repeated.insert(repeated.end(), other.weights.begin(), other.weights.end());
  return repeated;
}

std::string why_not(const probe::Probe& probe, const OpenedRecord& record) {
  using probe::GaborFitter, probe::Needs;
  switch (probe.needs) {
    case Needs::run:
      return "is measured while a run goes on";
    case Needs::ring:
      return "needs sites on a ring, found a torus";
    case Needs::gabor:
      return record.dimensions() != 1
                 ? "needs sites on a ring, found a torus"
                 : fmt::format("needs {} to {} sites, found {}", GaborFitter::kLeastSites,
                               GaborFitter::kMostSites, record.inputs);
    case Needs::bias:
      return "needs an array 'bias'";
    case Needs::samples:
      return "needs inputs: a run folder, or --inputs NAME";
    case Needs::reference:
      return "needs --reference RUN_OR_FILE";
    case Needs::weights:
      break;
  }
  return "cannot be measured";
}

std::vector<const probe::Probe*> chosen(const ProbeRequest& request, const OpenedRecord& record,
                                        const probe::Trajectory& trajectory) {
  std::vector<const probe::Probe*> probes;
  if (request.names.empty()) {
    for (const probe::Probe& probe : probe::probes())
      if (trajectory.has(probe.needs)) probes.push_back(&probe);
    return probes;
  }
  for (const std::string& name : request.names) {
    const probe::Probe* probe = probe::find_probe(name);
    if (probe == nullptr) {
      std::vector<std::string> known;
      for (const probe::Probe& each : probe::probes()) known.emplace_back(each.choice.name);
      throw InputError(
          fmt::format("{}: no such probe, see sluice probe --list{}", name, spec::hint(name, known)));
    }
    if (!trajectory.has(probe->needs)) {
      throw InputError(fmt::format("{}: {} {}", record.file.string(), name, why_not(*probe, record)));
    }
    if (std::ranges::find(probes, probe) == probes.end()) probes.push_back(probe);
  }
  return probes;
}

fs::path place_for(const ProbeRequest& request, const OpenedRecord& record) {
  if (request.out.empty()) {
    return record.experiment ? record.file.parent_path() / "probes.npz"
                             : fs::path(record.file).replace_extension(".probes.npz");
  }
  std::error_code ignored;
  const fs::path folder = request.out.has_parent_path() ? request.out.parent_path() : fs::path(".");
  if (request.out.extension() != ".npz")
    throw InputError(fmt::format("--out {}: expected a file ending in .npz", request.out.string()));
  if (!fs::is_directory(folder, ignored))
    throw InputError(fmt::format("--out {}: no such folder: {}", request.out.string(), folder.string()));
  if (fs::exists(request.out, ignored) && !request.overwrite) {
    throw InputError(fmt::format("--out {}: exists; add --overwrite to replace it, or choose another --out",
                                 request.out.string()));
  }
  return request.out;
}

}  // namespace

Probed probe_record(const ProbeRequest& request, math::Workers& workers) {
  const OpenedRecord record = open_record(request.source, request.weights);
  const fs::path out = place_for(request, record);
  const bool wants_samples =
      request.names.empty() || std::ranges::any_of(request.names, [](const std::string& name) {
        const probe::Probe* probe = probe::find_probe(name);
        return probe != nullptr && probe->needs == probe::Needs::samples;
      });
  const auto samples = wants_samples ? samples_of(record, request.inputs) : nullptr;
  const std::vector<float> reference = reference_of(record, request.reference);
  const probe::Trajectory trajectory{.times = record.times,
                                     .units = record.units,
                                     .inputs = record.inputs,
                                     .step = record.step,
                                     .weights = record.weights,
                                     .bias = record.bias,
                                     .reference = reference,
                                     .samples = samples.get(),
                                     .on_ring = record.dimensions() == 1};
  const std::vector<const probe::Probe*> probes = chosen(request, record, trajectory);
  Probed probed{out, record.times, record.units, record.inputs, {}};
  probed.arrays.emplace_back("step", file::Array{{record.times}, record.step});
  for (auto& named : probe::revisit(trajectory, probes, workers)) probed.arrays.push_back(std::move(named));
  const auto write = [&] { file::write_npz(out, probed.arrays, file::Packing::stored); };
  if (request.out.empty() && record.experiment)
    record::write_into(out.parent_path(), {out.filename().string()}, is_spec, write);
  else
    write();
  return probed;
}

}  // namespace sluice::lab
