#include "sluice/lab/probing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "sluice/file/errors.hpp"
#include "sluice/file/npz.hpp"
#include "sluice/file/place.hpp"
#include "sluice/lab/recorded.hpp"
#include "sluice/lab/samples.hpp"
#include "sluice/probe/revisit.hpp"
#include "sluice/record/manifest.hpp"
#include "sluice/spec/suggest.hpp"

namespace sluice::lab {
namespace fs = std::filesystem;
namespace {

/// Where the inputs of kurtosis come from, or none.
std::unique_ptr<probe::Samples> samples_of(const Recorded& record, std::int64_t sites,
                                           const std::string& array_name) {
  const std::string file = record.file().string();
  if (array_name.empty()) {
    if (!record.experiment) return nullptr;
    const auto task = record.experiment->task.make();
    if (task->inputs() != sites)
      throw InputError(
          fmt::format("{}: weights: expected {} sites, as many as its spec's task has inputs now, found {}",
                      file, task->inputs(), sites));
    return probe_samples(*task, record.experiment->probe.samples,
                         static_cast<std::uint64_t>(record.experiment->seed));
  }
  const file::Array* x = file::find(record.experiment ? record.arrays() : record.others, array_name);
  if (x == nullptr) throw InputError(fmt::format("{}: no array '{}' for inputs", file, array_name));
  const std::string expected = fmt::format("floats [N, {}], as weights has sites", sites);
  if (x->shape.size() < 2 || x->shape[0] < 2 || file::element_count(x->shape) != x->shape[0] * sites)
    throw InputError(
        fmt::format("{}: {}: expected {}, found {}", file, array_name, expected, file::to_string(x->shape)));
  const std::vector<float> values = floats_of(*x, record.file(), array_name, expected);
  require_finite(values, record.file(), array_name);
  return std::make_unique<probe::Samples>(values, sites, std::span<const std::uint8_t>{});
}

/// The weights to hold against: at the same times, or one set for all of them.
std::vector<float> reference_of(const probe::Trajectory& record, const Recorded* reference) {
  if (reference == nullptr) return {};
  const probe::Trajectory other = reference->trajectory();
  if (other.units != record.units || other.inputs != record.inputs ||
      (other.times != 1 && !std::ranges::equal(other.step, record.step)))
    throw InputError(
        fmt::format("{}: expected weights [{}, {}, {}] at the same steps, or [{}, {}], found [{}, {}, {}]",
                    reference->file().string(), record.times, record.units, record.inputs, record.units,
                    record.inputs, other.times, other.units, other.inputs));
  std::vector<float> repeated;
  for (std::int64_t t = 0; t < (other.times == record.times ? 1 : record.times); ++t)
    repeated.insert(repeated.end(), other.weights.begin(), other.weights.end());
  return repeated;
}

std::vector<const probe::Probe*> chosen(const std::vector<std::string>& names, const Recorded& record,
                                        const probe::Subject& subject) {
  std::vector<const probe::Probe*> probes;
  if (names.empty()) {
    for (const probe::Probe& probe : probe::probes())
      if (probe::lack(probe, subject).empty()) probes.push_back(&probe);
    return probes;
  }
  for (const std::string& name : names) {
    const probe::Probe* probe = probe::find_probe(name);
    if (probe == nullptr) {
      std::vector<std::string> known;
      for (const probe::Probe& each : probe::probes()) known.emplace_back(each.choice.name);
      throw InputError(fmt::format("{}: no such probe{}", name, spec::hint(name, known)));
    }
    if (const std::string why = probe::lack(*probe, subject); !why.empty())
      throw InputError(fmt::format("{}: {} {}", record.file().string(), name, why));
    if (std::ranges::find(probes, probe) == probes.end()) probes.push_back(probe);
  }
  return probes;
}

fs::path place_for(const ProbeRequest& request, const Recorded& record) {
  if (request.out.empty() && record.experiment) return record.recording.folder / "probes.npz";
  fs::path out = request.out.empty() ? fs::path(record.file()).replace_extension(".probes.npz") : request.out;
  file::require_place(out, {".npz"}, request.overwrite);
  if (!record.experiment) file::require_other(out, record.file());
  return out;
}

}  // namespace

file::NamedArrays measure(const Recorded& record, const Measurement& measurement, math::Workers& workers) {
  const std::vector<std::string>& names = measurement.names;
  const bool wants_samples = names.empty() || std::ranges::any_of(names, [](const std::string& name) {
                               const probe::Probe* probe = probe::find_probe(name);
                               return probe != nullptr && (probe->needs & probe::kSamples) != 0;
                             });
  probe::Trajectory trajectory = record.trajectory();
  const auto samples = wants_samples ? samples_of(record, trajectory.inputs, measurement.inputs) : nullptr;
  const std::vector<float> reference = reference_of(trajectory, measurement.reference);
  trajectory.samples = samples.get();
  trajectory.reference = reference;
  const std::vector<const probe::Probe*> probes = chosen(names, record, trajectory.subject());
  file::NamedArrays arrays;
  arrays.emplace_back("step",
                      file::Array{{trajectory.times},
                                  std::vector<std::int64_t>(trajectory.step.begin(), trajectory.step.end())});
  for (auto& named : probe::revisit(trajectory, probes, workers)) arrays.push_back(std::move(named));
  return arrays;
}

Probed probe_record(const ProbeRequest& request, math::Workers& workers) {
  const Recorded record = open_run_or_file(request.source, request.fields);
  const fs::path out = place_for(request, record);
  const std::optional<Recorded> reference =
      request.reference.empty() ? std::nullopt : std::optional(open_run_or_file(request.reference));
  const probe::Trajectory trajectory = record.trajectory();
  Probed probed{
      out, trajectory.times, trajectory.units, trajectory.inputs,
      measure(
          record,
          {.names = request.names, .inputs = request.inputs, .reference = reference ? &*reference : nullptr},
          workers)};
  const auto write = [&](file::IfTaken if_taken) {
    file::write_npz(out, probed.arrays, file::Packing::stored, if_taken);
  };
  if (request.out.empty() && record.experiment)
    record::write_into(out.parent_path(), {out.filename().string()}, is_spec,
                       [&] { write(file::IfTaken::replace); });
  else
    write(file::if_taken(request.overwrite));
  return probed;
}

}  // namespace sluice::lab
