#include "sluice/lab/continuation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <variant>

#include "sluice/file/atomic_file.hpp"
#include "sluice/file/errors.hpp"
#include "sluice/file/json.hpp"
#include "sluice/file/npz.hpp"
#include "sluice/lab/fingerprint.hpp"
#include "sluice/record/checkpoint.hpp"
#include "sluice/record/end_state.hpp"

namespace sluice::lab {
namespace fs = std::filesystem;
namespace {

struct Found {
  fs::path file;
  record::EndState end;
};

/// The last entry of an array over times, or the array itself where it is of this shape.
file::Array last_of(const file::Array& array, const file::Shape& shape) {
  const auto count = static_cast<std::size_t>(file::element_count(shape));
  file::Array last{shape, {}};
  std::visit(
      [&](const auto& values) {
        std::vector<float> numbers;
        for (auto at = values.end() - static_cast<std::ptrdiff_t>(count); at != values.end(); ++at)
          numbers.push_back(static_cast<float>(*at));
        last.data = std::move(numbers);
      },
      array.data);
  return last;
}

/// Of a folder without state.npz: the parts of the network as its record has them at the end.
record::EndState end_in_record(const fs::path& file, const net::Network& network) {
  const file::NamedArrays record = file::read_npz(file);
  const file::Array* step = file::find(record, "step");
  if (step == nullptr || !std::holds_alternative<std::vector<std::int64_t>>(step->data) ||
      step->as<std::int64_t>().empty())
    throw InputError(fmt::format("{}: no array 'step' of a run", file.string()));
  record::EndState end{
      .parts = {}, .state = {.step = step->as<std::int64_t>().back(), .parameters = {}}, .belongs_to = 0};
  for (const net::Part& part : network.parts()) {
    const file::Array* array = file::find(record, part.name);
    if (array == nullptr) continue;
    file::Shape shape = array->shape;
    if (shape.size() == part.shape.size() + 1 && shape[0] > 0) shape.erase(shape.begin());
    end.parts.emplace_back(part.name, last_of(*array, shape));
  }
  return end;
}

Found find_end(const std::string& run, const net::Network& network) {
  const fs::path given(run);
  if (!fs::exists(given))
    throw InputError(fmt::format("start.run: {}: no such run; expected its folder", run));
  if (!fs::is_directory(given)) return {given, record::read_end_state(given)};
  const fs::path conclusion = given / "run.json";
  const std::optional<file::Json> json =
      fs::exists(conclusion) ? file::Json::parse(file::read_text(conclusion)) : std::nullopt;
  const std::string status = json ? json->text_at("status") : "";
  if (status == "diverged")
    throw InputError(fmt::format("start.run: {}: it diverged; there is nothing to go on from", run));
  // An interrupted run that is at work again has no state.npz until it ends.
  const bool ended = status == "finished" || status == "interrupted";
  if (ended && fs::exists(given / "state.npz"))
    return {given / "state.npz", record::read_end_state(given / "state.npz")};
  if (status != "finished" || !fs::exists(given / "record.npz"))
    throw InputError(
        fmt::format("start.run: {}: expected the folder of a run that has ended; resume it first", run));
  return {given / "record.npz", end_in_record(given / "record.npz", network)};
}

/// The parameters, all parts of the network from those of the run.
std::vector<float> parameters_from(const Found& found, const net::Network& network) {
  std::vector<float> parameters(network.parameter_count());
  for (const net::Part& part : network.parts()) {
    const file::Array* array = file::find(found.end.parts, part.name);
    if (array == nullptr)
      throw InputError(fmt::format("{}: no part '{}', which this network has, {}", found.file.string(),
                                   part.name, file::to_string(part.shape)));
    if (array->shape != part.shape || !std::holds_alternative<std::vector<float>>(array->data))
      throw InputError(fmt::format("{}: {}: expected {} as this network has it, found {}",
                                   found.file.string(), part.name, file::to_string(part.shape),
                                   file::to_string(array->shape)));
    std::ranges::copy(array->as<float>(), part.of(std::span(parameters)).begin());
  }
  for (const auto& [name, array] : found.end.parts)
    if (network.find_part(name) == nullptr)
      throw InputError(fmt::format("{}: {} {}: this network has no such part", found.file.string(), name,
                                   file::to_string(array.shape)));
  return parameters;
}

/// What is not trained stays as the run had it: a spec that says something else of it would not be what runs.
void require_same_fixed(const Found& found, const net::Network& network, std::uint64_t seed,
                        const std::vector<float>& parameters) {
  std::vector<bool> fixed(parameters.size(), true);
  for (const net::Stretch& stretch : network.trained())
    std::fill_n(fixed.begin() + static_cast<std::ptrdiff_t>(stretch.parameter), stretch.count, false);
  if (std::ranges::find(fixed, true) == fixed.end()) return;
  const std::vector<float> start = network.start(seed);
  for (const net::Part& part : network.parts())
    for (std::size_t i = part.offset; i < part.offset + part.size(); ++i)
      if (fixed[i] && parameters[i] != start[i])
        throw InputError(fmt::format(
            "network: part '{}' is not trained, and number {} of it is {} in {} but {} by this spec; "
            "expected the same",
            part.name, i - part.offset, parameters[i], found.file.string(), start[i]));
}

void require_continuable(const DynamicsOptions& dynamics) {
  if (dynamics.kind == "exact")
    throw InputError("start.run: expected none for dynamics.kind = \"exact\", which has any time at once");
  if (!dynamics.is_flow() && dynamics.rate_unit == "kernel")
    throw InputError(
        "dynamics.rate_unit = \"kernel\": expected \"one\": it is measured at the start of a run, not where "
        "one is continued");
}

}  // namespace

std::int64_t owner_of_memory(const Experiment& experiment) {
  const DynamicsOptions& dynamics = experiment.dynamics;
  if (!dynamics.is_flow()) return record::fingerprint(dynamics.kind);
  std::string keys;
  for (const std::string& key : chosen_keys(experiment))
    if (!key.starts_with("dynamics.steps") && !key.starts_with("start.") && !key.starts_with("probe.") &&
        !key.starts_with("network.init"))
      keys += key + "\n";
  return record::fingerprint(keys);
}

void require_kept_start(const Experiment& experiment, const fs::path& replaced) {
  if (experiment.start.run.empty()) return;
  std::error_code missing, elsewhere;
  if (fs::equivalent(experiment.start.run, replaced / experiment.kept_start().file, elsewhere))
    return;  // the copy that a run keeps, and keeps again
  for (fs::path at = fs::canonical(experiment.start.run, missing); !missing; at = at.parent_path()) {
    if (fs::equivalent(at, replaced, elsewhere))
      throw InputError(fmt::format("start.run: {}: expected a run outside of {}, which would be replaced",
                                   experiment.start.run, replaced.string()));
    if (at == at.parent_path()) return;
  }
}

Origin continued(const Experiment& experiment, const net::Network& network) {
  const DynamicsOptions& dynamics = experiment.dynamics;
  require_continuable(dynamics);
  Found found = find_end(experiment.start.run, network);
  Origin origin{.state = {.step = found.end.state.step, .parameters = parameters_from(found, network)},
                .remarks = {}};
  require_same_fixed(found, network, static_cast<std::uint64_t>(experiment.seed), origin.state.parameters);
  if (dynamics.steps <= origin.state.step)
    throw InputError(fmt::format("{}: already at step {}; set dynamics.steps above it", experiment.start.run,
                                 origin.state.step));
  origin.remarks.push_back(
      fmt::format("goes on from step {} of {}", origin.state.step, experiment.start.run));
  const bool same = found.end.belongs_to == owner_of_memory(experiment);
  if (same) {
    origin.state.memory = std::move(found.end.state.memory);
    origin.state.exact = std::move(found.end.state.exact);
    origin.state.memory_from = found.end.state.memory_from;
    return origin;
  }
  origin.state.memory_from = origin.state.step;
  if (dynamics.is_flow())
    origin.remarks.push_back("the flow begins anew from weights in single precision");
  else if (learn::optimizer(dynamics.kind).memories > 0)
    origin.remarks.push_back(
        fmt::format("the optimiser begins anew: {} holds no memory of dynamics.kind = \"{}\"",
                    found.file.string(), dynamics.kind));
  return origin;
}

}  // namespace sluice::lab
