#include "sluice/lab/summary.hpp"

#include <algorithm>
#include <span>
#include <vector>

#include "sluice/math/quantile.hpp"
#include "sluice/probe/ipr.hpp"

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

}  // namespace

Summary summarize(const file::NamedArrays& record, const task::Task& task, double measured_kurtosis) {
  const file::Array& weights = *file::find(record, "weights");
  const std::vector<double> last = iprs_at(weights, weights.shape[0] - 1);
  const double threshold = probe::localized_threshold(weights.shape[2]);
  const auto localized =
      std::count_if(last.begin(), last.end(), [&](double ipr) { return ipr >= threshold; });
  return {
      .steps = file::find(record, "step")->as<std::int64_t>().back(),
      .excess_kurtosis = (task.moments(0).excess_kurtosis + task.moments(1).excess_kurtosis) / 2,
      .excess_kurtosis_measured = measured_kurtosis,
      .ipr_start = math::median(iprs_at(weights, 0)),
      .ipr_end = math::median(last),
      .localized = static_cast<double>(localized) / static_cast<double>(last.size()),
      .loss = file::find(record, "loss")->as<double>().back(),
      .accuracy = file::find(record, "accuracy")->as<double>().back(),
  };
}

Summary summarize_deep(const file::NamedArrays& record) {
  const auto last = [&](const std::string& name) {
    const file::Array* array = file::find(record, name);
    return array == nullptr ? std::numeric_limits<double>::quiet_NaN() : array->as<double>().back();
  };
  return {.steps = file::find(record, "step")->as<std::int64_t>().back(),
          .loss = last("loss"),
          .accuracy = last("accuracy"),
          .deep = true,
          .train_loss = last("train_loss"),
          .train_accuracy = last("train_accuracy"),
          .error = last("error")};
}

}  // namespace sluice::lab
