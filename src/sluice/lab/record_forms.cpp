#include "sluice/lab/record_forms.hpp"

#include <string>

#include "sluice/probe/deep_probes.hpp"
#include "sluice/probe/probe.hpp"

namespace sluice::lab {
namespace {

using record::ArrayForm, record::kSome, record::kTimes;

const std::size_t kDouble = file::Array::Data(std::vector<double>{}).index();
const std::size_t kInteger = file::Array::Data(std::vector<std::int64_t>{}).index();

/// n, where the spec itself says it.
std::int64_t sites_of(const task::Section& task) {
  if (const auto* ring = dynamic_cast<const task::RingOptions*>(&task.options())) return ring->sites();
  if (const auto* sites = dynamic_cast<const task::SiteOptions*>(&task.options())) return sites->n;
  return kSome;
}

std::vector<ArrayForm> two_layer_forms(const Experiment& experiment, const file::NamedArrays& record) {
  std::int64_t sites = sites_of(experiment.task);
  const file::Array* weights = file::find(record, "weights");
  if (sites == kSome && weights != nullptr && weights->shape.size() == 3 && weights->shape[2] > 0)
    sites = weights->shape[2];
  std::vector<ArrayForm> forms;
  for (const probe::Probe& probe : probe::probes()) {
    // Frequencies are counted from sites; where those are not known, weights do not fit either.
    file::Shape axes = probe::shape_of(probe.extent, kTimes, experiment.network.two_layer.hidden, sites);
    forms.push_back({std::string(probe.choice.name), probe.empty().index(), std::move(axes),
                     probe.when == probe::When::always});
  }
  return forms;
}

std::vector<ArrayForm> deep_forms(const Experiment& experiment) {
  std::vector<ArrayForm> forms{{"step", kInteger, {kTimes}}};
  for (const char* name : {"loss", "accuracy"}) forms.push_back({name, kDouble, {kTimes}});
  for (const char* name : {"train_loss", "train_accuracy", "error", "active_paths", "sensitive_paths"})
    forms.push_back({name, kDouble, {kTimes}, false});
  const auto depth = static_cast<std::int64_t>(experiment.network.deep.hidden(1).size()) + 1;
  for (const spec::Choice& probe : probe::deep_probe_choices()) {
    file::Shape axes{kTimes};
    if (probe.name == "weight_norms") axes.push_back(depth);
    if (probe.name == "tangent_spectrum") axes.push_back(kSome);
    forms.push_back({std::string(probe.name), kDouble, axes, false});
  }
  return forms;
}

}  // namespace

std::vector<ArrayForm> record_forms(const Experiment& experiment, const file::NamedArrays& record) {
  return experiment.network.is_deep() ? deep_forms(experiment) : two_layer_forms(experiment, record);
}

void require_fitting_record(const file::NamedArrays& record, const Experiment& experiment,
                            const std::filesystem::path& file) {
  record::require_fitting(record, record_forms(experiment, record), file, record::Others::allowed,
                          experiment.dynamics.steps);
}

}  // namespace sluice::lab
