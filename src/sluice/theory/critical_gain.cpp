#include "sluice/theory/critical_gain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <vector>

#include "sluice/file/errors.hpp"
#include "sluice/flow/advantage.hpp"
#include "sluice/flow/flat_field.hpp"
#include "sluice/flow/modulation.hpp"
#include "sluice/math/statistics.hpp"
#include "sluice/spec/suggest.hpp"
#include "sluice/theory/premises.hpp"
#include "sluice/theory/shapes.hpp"

namespace sluice::theory {
namespace {

constexpr std::int64_t kCriticalSets = 8;

/// By how much R of the bump exceeds that of the flat field, on every set.
std::vector<double> leads_of_bump(task::NlgpOptions task, double gain, std::uint64_t seed,
                                  math::Workers& workers) {
  constexpr double kWidth = 3;  // sites
  constexpr std::int64_t kSamples = 1 << 15;
  task.gain = gain;
  const std::unique_ptr<task::Task> made = task.make();
  const auto n = static_cast<std::size_t>(task.n);
  const Vector flat_field = flat(n), bump_field = bump(n, kWidth);
  std::vector<double> leads;
  for (std::int64_t set = 0; set < kCriticalSets; ++set) {
    const flow::SampledResponse response(
        *made, 0, {.samples = kSamples, .seed = seed + static_cast<std::uint64_t>(set)}, workers);
    leads.push_back(flow::advantage(*made, view(bump_field), response).value -
                    flow::advantage(*made, view(flat_field), response).value);
  }
  return leads;
}

}  // namespace

CriticalGain flat_loses_stability(const task::NlgpOptions& task, std::uint64_t seed, math::Workers& workers) {
  constexpr std::int64_t kDraws = 1 << 14;
  const double near = flow::modulation_gain(task);
  if (!std::isfinite(near)) return {};
  std::vector<double> gains;
  for (std::int64_t set = 0; set < kCriticalSets; ++set) {
    const std::optional<double> gain = flow::flat_onset({task}, flow::unit_parameter("gain"), near, 1,
                                                        {.draws = kDraws, .seed = seed, .set = set}, workers);
    if (!gain) return {};
    gains.push_back(*gain);
  }
  const math::Statistics over(gains);
  return {over.mean(), over.error()};
}

CriticalGain bump_beats_flat(const task::NlgpOptions& task, std::uint64_t seed, math::Workers& workers) {
  constexpr double kStride = 1.5, kFarthest = 30, kNear = 1e-3;  // factors of the gain, but the last: of ln g
  const auto lead = [&](double gain) { return math::Statistics(leads_of_bump(task, gain, seed, workers)); };
  double low = flow::modulation_gain(task);  // leading order: no bump is better there
  if (!std::isfinite(low) || low <= 0) return {};
  const double first = low;
  double high = kStride * low;
  math::Statistics below = lead(low), above = lead(high);
  while (above.mean() < 0 && high < kFarthest * first) {
    low = high;
    below = above;
    high *= kStride;
    above = lead(high);
  }
  if (below.mean() > 0 || above.mean() < 0) return {};
  // D is nearly linear in ln g between two strides: false position, and the slope of the last chord.
  double gain = low;
  for (int i = 0; i < 12; ++i) {
    const double slope = (above.mean() - below.mean()) / std::log(high / low);
    const double next = low * std::exp(-below.mean() / slope);
    const bool settled = std::abs(std::log(next / gain)) < kNear;
    gain = next;
    const math::Statistics here = lead(gain);
    if (settled) return {gain, gain * here.error() / slope};
    if (here.mean() < 0) {
      low = gain;
      below = here;
    } else {
      high = gain;
      above = here;
    }
  }
  return {};
}

const task::NlgpOptions& task_of_one_unit(const task::Section& task, const std::string& who) {
  const auto* nlgp = dynamic_cast<const task::NlgpOptions*>(&task.options());
  if (nlgp == nullptr) throw InputError(fmt::format("{}: task.kind = {}: expected nlgp", who, task.kind()));
  constexpr std::int64_t kMostSites = 128;
  if (nlgp->n > kMostSites)
    throw InputError(fmt::format("{}: task.n = {}: expected at most {}", who, nlgp->n, kMostSites));
  if (nlgp->dim != 1) throw InputError(fmt::format("{}: task.dim = {}: expected 1, a ring", who, nlgp->dim));
  require_even_classes(nlgp->classes, who);
  return *nlgp;
}

std::span<const GainBoundary> gain_boundaries() {
  static const std::array<GainBoundary, 2> all{
      {{{"flat", "the gain at which the flat field loses its stability"},
        "flat field unstable",
        flat_loses_stability},
       {{"bump", "the gain at which a bump of 3 sites has the loss of the flat field"},
        "bump beats flat field",
        bump_beats_flat}}};
  return all;
}

const GainBoundary& gain_boundary(const std::string& name) {
  std::vector<std::string> known;
  for (const GainBoundary& boundary : gain_boundaries()) {
    if (boundary.choice.name == name) return boundary;
    known.emplace_back(boundary.choice.name);
  }
  throw InputError(fmt::format("{}: no such boundary{}", name, spec::hint(name, known)));
}

}  // namespace sluice::theory
