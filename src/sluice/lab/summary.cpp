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

std::vector<double> iprs_at(const file::Array& weights, std::int64_t time) {
  const auto units = static_cast<std::size_t>(weights.shape[1]);
  const auto inputs = static_cast<std::size_t>(weights.shape[2]);
  const auto now = std::span(weights.as<float>()).subspan(static_cast<std::size_t>(time) * units * inputs);
  std::vector<double> values;
  for (std::size_t k = 0; k < units; ++k) values.push_back(probe::ipr(now.subspan(k * inputs, inputs)));
  return values;
}

double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

void add_fields(const file::Array& weights, const task::Layout& layout, record::Summary& summary) {
  const std::vector<double> first = iprs_at(weights, 0);
  const std::vector<double> last = iprs_at(weights, weights.shape[0] - 1);
  const bool begins = std::ranges::none_of(first, [](double ipr) { return std::isnan(ipr); });
  if (begins) summary.add("ipr_median_start", math::median(first));  // fields of 0 have none
  const bool ends = std::ranges::none_of(last, [](double ipr) { return std::isnan(ipr); });
  if (ends) summary.add("ipr_median_end", math::median(last));
  if (begins) summary.add("ipr_mean_start", mean(first));
  if (ends) summary.add("ipr_mean_end", mean(last));
  if (!layout.has_places()) return;
  const auto fields = static_cast<std::size_t>(weights.shape[1] * weights.shape[2]);
  const std::vector<std::uint8_t> flags = probe::localized_flags(std::span(weights.as<float>()).last(fields),
                                                                 weights.shape[2], layout.torus_side());
  const auto localized = std::accumulate(flags.begin(), flags.end(), 0.0);
  summary.add("localized_share", localized / static_cast<double>(flags.size()));
}

void add_kurtosis(const Setup& setup, record::Summary& summary) {
  const task::Task& task = setup.task();
  try {
    const double stated = (task.moments(0).excess_kurtosis + task.moments(1).excess_kurtosis) / 2;
    const double measured = probe::input_kurtosis(setup.evaluation());
    summary.add("excess_kurtosis", stated);
    summary.add("excess_kurtosis_measured", measured);
  } catch (const Stopped&) {
    // Of a run that was asked to stop nobody makes samples any more; it is known when it has gone on to its end.
  }
}

}  // namespace

record::Summary summarize(const file::NamedArrays& watched, const Setup& setup) {
  record::Summary summary;
  summary.on = setup.evaluated();
  summary.add("steps", static_cast<double>(file::find(watched, "step")->as<std::int64_t>().back()));
  for (const char* name : {"loss", "accuracy", "train_loss", "train_accuracy", "error"}) {
    if (const file::Array* array = file::find(watched, name)) summary.add(name, array->as<double>().back());
  }
  if (const file::Array* accuracy = file::find(watched, "accuracy");
      setup.starts_from_file() && accuracy != nullptr)
    summary.add("accuracy_start", accuracy->as<double>().front());  // where something was learned before
  const task::Layout& layout = setup.subject().extents.layout;
  if (setup.task().layout().has_places()) add_kurtosis(setup, summary);
  if (layout.kind != task::Layout::Kind::plain) add_fields(*file::find(watched, "weights"), layout, summary);
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
