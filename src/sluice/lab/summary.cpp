#include "sluice/lab/summary.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <span>
#include <vector>

#include "sluice/lab/listeners.hpp"
#include "sluice/math/quantile.hpp"
#include "sluice/probe/flips.hpp"
#include "sluice/probe/ipr.hpp"
#include "sluice/probe/kurtosis.hpp"
#include "sluice/probe/localized.hpp"

namespace sluice::lab {
namespace {

std::vector<double> iprs_of(std::span<const float> fields, std::size_t inputs) {
  std::vector<double> values;
  for (std::size_t at = 0; at < fields.size(); at += inputs)
    values.push_back(probe::ipr(fields.subspan(at, inputs)));
  return values;
}

double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

/// Of weights [T, K, n], or [1, K, n] where those of the end alone are kept.
void add_fields(const file::Array& weights, const Setup& setup, record::Summary& summary) {
  const task::Layout& layout = setup.subject().extents.layout;
  const auto inputs = static_cast<std::size_t>(weights.shape[2]);
  const auto fields = static_cast<std::size_t>(weights.shape[1]) * inputs;
  const std::span<const float> all = weights.as<float>();
  std::vector<float> storage;
  const bool of_the_end = !setup.experiment().probe.of_the_end().empty();
  const std::vector<double> first =
      iprs_of(of_the_end ? setup.watched_fields(setup.start(), storage) : all.first(fields), inputs);
  const std::vector<double> last = iprs_of(all.last(fields), inputs);
  const bool begins = std::ranges::none_of(first, [](double ipr) { return std::isnan(ipr); });
  if (begins) summary.add("ipr_median_start", math::median(first));  // fields of 0 have none
  const bool ends = std::ranges::none_of(last, [](double ipr) { return std::isnan(ipr); });
  if (ends) summary.add("ipr_median_end", math::median(last));
  if (begins) summary.add("ipr_mean_start", mean(first));
  if (ends) summary.add("ipr_mean_end", mean(last));
  if (!layout.has_places()) return;
  const std::vector<std::uint8_t> flags =
      probe::localized_flags(all.last(fields), weights.shape[2], layout.torus_side());
  const auto localized = std::accumulate(flags.begin(), flags.end(), 0.0);
  summary.add("localized_share", localized / static_cast<double>(flags.size()));
}

void add_kurtosis(const Setup& setup, bool stopped, record::Summary& summary) {
  const task::Task& task = setup.task();
  try {
    const double stated = (task.moments(0).excess_kurtosis + task.moments(1).excess_kurtosis) / 2;
    const double measured = probe::input_kurtosis(setup.evaluation());
    summary.add("excess_kurtosis", stated);
    summary.add("excess_kurtosis_measured", measured);
  } catch (const Stopped&) {
    if (!stopped) throw;
  }
}

}  // namespace

record::Summary summarize(const file::NamedArrays& watched, const Setup& setup, bool stopped) {
  record::Summary summary;
  summary.on = setup.evaluated();
  summary.add("steps", static_cast<double>(file::find(watched, "step")->as<std::int64_t>().back()));
  for (const char* name : {"loss", "accuracy", "train_loss", "train_accuracy", "error"}) {
    if (const file::Array* array = file::find(watched, name)) summary.add(name, array->as<double>().back());
  }
  if (const file::Array* accuracy = file::find(watched, "accuracy");
      setup.starts_from_file() && accuracy != nullptr)
    summary.add("accuracy_start", accuracy->as<double>().front());  // where something was learned before
  if (const file::Array* accuracy = file::find(watched, "accuracy");
      setup.experiment().dynamics.patience > 0 && accuracy != nullptr) {
    const std::vector<double>& values = accuracy->as<double>();
    const auto best = std::ranges::max_element(values);  // the first of the highest
    summary.add("best_accuracy", *best);
    summary.add("best_step", static_cast<double>(
                                 file::find(watched, "step")
                                     ->as<std::int64_t>()[static_cast<std::size_t>(best - values.begin())]));
  }
  if (setup.task().layout().has_places()) add_kurtosis(setup, stopped, summary);
  if (setup.subject().extents.layout.kind != task::Layout::Kind::plain)
    add_fields(*file::find(watched, "weights"), setup, summary);
  if (const file::Array* distance = file::find(watched, "flow_distance")) {
    summary.add("flow_distance", distance->as<double>().back());
    // Relative to a start at 0 there is none.
    std::vector<double> finite;
    std::ranges::copy_if(distance->as<double>(), std::back_inserter(finite),
                         [](double d) { return std::isfinite(d); });
    if (!finite.empty()) summary.add("flow_distance_largest", std::ranges::max(finite));
  }
  if (const file::Array* flips = file::find(watched, "gate_flips")) {
    const probe::FlipMeans means =
        probe::flip_means(file::find(watched, "step")->as<std::int64_t>(), flips->as<float>());
    summary.add("gate_flips_early", means.early);
    summary.add("gate_flips_late", means.late);
  }
  return summary;
}

}  // namespace sluice::lab
