#include "sluice/lab/boundary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sluice/file/errors.hpp"
#include "sluice/net/two_layer_network.hpp"

namespace sluice::lab {
namespace {

constexpr std::string_view kGain = "task.gain";

/// Keys that theory asks for.
bool is_asked(const std::string& key) {
  return (key.starts_with("task.") && key != kGain) || key == "network.kind" || key == "network.activation";
}

/// One of them in which two runs differ; empty: none.
std::string difference(const RunPoint& run, const RunPoint& other) {
  for (const RunPoint* each : {&run, &other})
    for (const auto& [name, cell] : each->row)
      if (is_asked(name) && run.text(name) != other.text(name)) return name;
  return "";
}

Experiment experiment_of(const RunPoint& run) {
  if (run.folder.empty()) return parse_spec(run.spec, "spec");
  return load({.name_or_file = (run.folder / "spec.toml").string()});
}

}  // namespace

void require_gain(const RunPoints& points, const std::string& name) {
  if (points.whole_name(name) != kGain)
    throw InputError(fmt::format("{}: a boundary is known along {} alone", points.short_name(name), kGain));
}

task::NlgpOptions task_of_theory(const theory::GainBoundary& boundary,
                                 const std::vector<const RunPoint*>& runs, const std::string& which) {
  const std::string who = fmt::format("boundary {}", boundary.choice.name);
  for (const RunPoint* run : runs)
    if (const std::string key = difference(*runs.front(), *run); !key.empty())
      throw InputError(fmt::format("{}: {} differ in {}: choose those that share it", who, which, key));
  const Experiment experiment = experiment_of(*runs.front());
  const auto* units = experiment.network.as<net::TwoLayerFamily>();
  const std::string found = units == nullptr ? experiment.network.kind() : units->layers.activation;
  if (units == nullptr || found != "relu")
    throw InputError(
        fmt::format("{}: {} have {}: expected ReLU units, network.kind = two-layer", who, which, found));
  return theory::task_of_one_unit(experiment.task, who);
}

std::string task_but_gain(const RunPoint& run) {
  std::string text;
  for (const auto& [name, cell] : run.row)
    if (is_asked(name)) text += fmt::format("{}={};", name, file::to_text(cell));
  return text;
}

std::string to_text(const theory::CriticalGain& critical) {
  if (!std::isfinite(critical.gain)) return "not found";
  const int decimals = std::clamp(1 - static_cast<int>(std::floor(std::log10(critical.error))), 0, 6);
  return fmt::format("{:.{}f} ± {:.{}f}", critical.gain, decimals, critical.error, decimals);
}

}  // namespace sluice::lab
