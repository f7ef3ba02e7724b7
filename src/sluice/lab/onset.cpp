#include "sluice/lab/onset.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "sluice/file/errors.hpp"
#include "sluice/theory/localized.hpp"

namespace sluice::lab {

namespace {

/// Shares that rise: where they would fall, neighbours are pooled until they do not.
std::vector<double> rising_shares(const std::vector<OnsetShare>& shares) {
  struct Pool {
    double having, units;
    std::size_t values;
    double share() const { return having / units; }
  };
  std::vector<Pool> pools;
  for (const OnsetShare& at : shares) {
    pools.push_back({static_cast<double>(at.having), static_cast<double>(at.units), 1});
    while (pools.size() > 1 && pools[pools.size() - 2].share() > pools.back().share()) {
      const Pool last = pools.back();
      pools.pop_back();
      pools.back().having += last.having;
      pools.back().units += last.units;
      pools.back().values += last.values;
    }
  }
  std::vector<double> rising;
  for (const Pool& pool : pools) rising.insert(rising.end(), pool.values, pool.share());
  return rising;
}

}  // namespace

Onset half_point(std::vector<OnsetShare> shares, const flow::UnitParameter& parameter) {
  Onset onset{.shares = std::move(shares), .half = std::nullopt};
  std::ranges::sort(onset.shares, {}, &OnsetShare::parameter);
  std::vector<double> x;
  for (const OnsetShare& at : onset.shares) x.push_back(parameter.coordinate(at.parameter));
  const std::vector<double> share = rising_shares(onset.shares);
  if (share.size() < 2 || share.front() > 0 || share.back() < 1) return onset;
  double half = 0, variance = 0;
  for (std::size_t i = 0; i + 1 < x.size(); ++i) {
    half += (share[i + 1] - share[i]) * (x[i] + x[i + 1]) / 2;
    if (i == 0) continue;
    const double span = (x[i + 1] - x[i - 1]) / 2;
    const auto units = static_cast<double>(std::max<std::int64_t>(onset.shares[i].units - 1, 1));
    variance += share[i] * (1 - share[i]) / units * span * span;
  }
  onset.half = parameter.value(half);
  const double scale = parameter.logarithmic ? *onset.half : 1;
  onset.error = scale * std::sqrt(variance);
  const auto above = std::ranges::upper_bound(x, half);
  if (above != x.begin() && above != x.end()) onset.spacing = scale * (*above - *(above - 1));
  return onset;
}

Onset trained_onset(const std::vector<Recorded>& runs, const flow::UnitParameter& parameter, OnsetOf what) {
  std::map<double, OnsetShare> shares;
  for (const Recorded& run : runs) {
    const auto* task =
        run.experiment ? dynamic_cast<const task::NlgpOptions*>(&run.experiment->task.options()) : nullptr;
    run.need(task != nullptr && task->dim == 1, "task.kind",
             run.experiment ? run.experiment->task.kind() : "", "\"nlgp\" on a ring");
    flow::UnitSpec spec{*task};  // NOLINT(clang-analyzer-core.NonNullParamChecker): need() throws
    run.need(std::isfinite(parameter.coordinate(parameter.of(spec))), std::string(parameter.choice.name),
             fmt::format("{:g}", parameter.of(spec)), "a finite one");
    const probe::Trajectory trajectory = run.trajectory();
    const std::span<const float> fields =
        trajectory.weights.last(static_cast<std::size_t>(trajectory.units * trajectory.inputs));
    OnsetShare& share = shares[parameter.of(spec)];
    share.parameter = parameter.of(spec);
    const theory::Localization localization(trajectory.inputs);
    for (std::int64_t k = 0; k < trajectory.units; ++k) {
      const auto field = fields.subspan(static_cast<std::size_t>(k * trajectory.inputs),
                                        static_cast<std::size_t>(trajectory.inputs));
      const bool has = what == OnsetOf::localized
                           ? localization.localized(field)
                           : localization.evidence(field).front().concentration[0] >= kConcentratedFrom;
      ++share.units;
      share.having += has ? 1 : 0;
    }
  }
  std::vector<OnsetShare> all;
  for (const auto& [value, share] : shares) all.push_back(share);
  return half_point(std::move(all), parameter);
}

}  // namespace sluice::lab
