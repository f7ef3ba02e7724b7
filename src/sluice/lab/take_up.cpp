#include "sluice/lab/take_up.hpp"

#include <fmt/format.h>

#include <utility>

#include "sluice/file/errors.hpp"
#include "sluice/lab/fingerprint.hpp"
#include "sluice/record/checkpoint.hpp"
#include "sluice/record/fitting.hpp"

namespace sluice::lab {
namespace fs = std::filesystem;
namespace {

void require_fitting_state(const learn::State& state, const Setup& setup, const fs::path& path) {
  const DynamicsOptions& dynamics = setup.experiment().dynamics;
  const std::size_t parameters = setup.start().size();
  const auto require_length = [&](const char* array, std::size_t found, std::size_t expected) {
    if (found != expected)
      throw InputError(fmt::format("{}: checkpoint.{}: expected {} numbers, found {}", path.string(), array,
                                   expected, found));
  };
  if (state.step < setup.first_step() || state.step > dynamics.steps)
    throw InputError(fmt::format("{}: checkpoint.step: expected {} to {}, found {}", path.string(),
                                 setup.first_step(), dynamics.steps, state.step));
  require_length("parameters", state.parameters.size(), parameters);
  const std::size_t memories =
      dynamics.is_flow() ? 0 : static_cast<std::size_t>(learn::optimizer(dynamics.kind).memories);
  require_length("memory", state.memory.size(), memories * parameters);
  // A flow has exact numbers from its first step on, or from those of the flow that it continues.
  const bool moved = state.step > setup.first_step() || !setup.begins().exact.empty();
  require_length("exact", state.exact.size(), dynamics.is_flow() && moved ? setup.exact_numbers() : 0);
}

}  // namespace

learn::State take_up(const fs::path& path, const std::string& spec, const Setup& setup,
                     Simulation& simulation) {
  record::Checkpoint checkpoint = record::load_checkpoint(path);
  if (!made_by(checkpoint.spec, setup.experiment(), spec))
    throw InputError(
        fmt::format("{}: made by another spec; overwrite the run to begin again", path.string()));
  require_fitting_state(checkpoint.state, setup, path);
  // Version 0.1.0 did not keep the fields of deep networks: a run that began without them goes on without.
  if (!file::find(checkpoint.watched, "weights") && setup.network().find_part("weights") == nullptr)
    simulation.forget("weights");
  std::vector<record::ArrayForm> forms =
      record::forms_of(simulation.watched(), setup.experiment().probe.of_the_end());
  // What a given probe sees has the shape that it had the first time.
  for (const probe::GivenProbe& probe : setup.given_probes())
    if (const file::Array* seen = file::find(checkpoint.watched, probe.name()))
      forms.push_back(record::forms_of({{probe.name(), *seen}}).front());
  record::require_fitting(checkpoint.watched, forms, path, record::Others::refused, checkpoint.state.step);
  if (!simulation.restore(checkpoint.watched))
    throw InputError(fmt::format("{}: not what this spec watches", path.string()));
  checkpoint.state.memory_from = setup.begins().memory_from;
  return std::move(checkpoint.state);
}

}  // namespace sluice::lab
