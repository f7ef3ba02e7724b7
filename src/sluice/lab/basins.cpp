#include "sluice/lab/basins.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <numbers>

#include "sluice/flow/flow.hpp"
#include "sluice/lab/onset.hpp"
#include "sluice/math/finite.hpp"
#include "sluice/math/symmetric.hpp"

namespace sluice::lab {
namespace {

/// Energies of one unit: Σ w², Σ w⁴ and Σ w² e^(2πix/n).
struct Energy {
  double square = 0, fourth = 0, largest = 0;
  std::complex<double> turning;

  explicit Energy(std::span<const double> field) {
    const auto n = static_cast<double>(field.size());
    for (std::size_t i = 0; i < field.size(); ++i) {
      const double w2 = field[i] * field[i];
      square += w2;
      fourth += w2 * w2;
      turning += w2 * std::polar(1.0, 2 * std::numbers::pi * static_cast<double>(i) / n);
      if (std::abs(field[i]) > std::abs(largest)) largest = field[i];
    }
  }
  double concentration() const { return square > 0 ? std::abs(turning) / square : 0; }
};

bool alike(const Basin& a, const Basin& b) {
  const auto apart = [](const Basin& basin) { return basin.arrangement.apart.value_or(-1); };
  return std::abs(a.loss - b.loss) < 1e-6 && a.growing == b.growing && a.at_rest == b.at_rest &&
         a.arrangement.opposite == b.arrangement.opposite &&
         std::abs(a.arrangement.concentration - b.arrangement.concentration) < 0.02 &&
         std::abs(apart(a) - apart(b)) < 0.5;
}

/// Down the flow until it stands still.
Basin end_of(const flow::CurvedLandscape& landscape, std::int64_t units, const std::vector<double>& start,
             double still) {
  constexpr double kSteady = 1e-6;  // |dw/dt|, where an error of 10⁻⁷ a step cannot be seen
  constexpr double kLongest =
      3000;  // in time; a bump that slides more slowly than that is at rest in all but its place
  const auto slower = static_cast<double>(units * units);  // than one unit
  flow::Flow flow(landscape, {.parameters = start}, {.tolerance = 1e-7, .steady = kSteady / slower});
  const bool rests = flow.advance(kLongest * slower) == flow::Stop::steady;
  Basin basin{.starts = 1, .loss = flow.loss(), .at_rest = rests};
  basin.fields.assign(flow.parameters().begin(), flow.parameters().end());
  if (!math::all_finite(basin.fields)) {
    basin.fastest = std::numeric_limits<double>::quiet_NaN();
    return basin;
  }
  basin.arrangement = arrangement_of(basin.fields, units);
  const std::size_t size = basin.fields.size();
  std::vector<double> jacobian(size * size);
  landscape.jacobian(basin.fields, jacobian);
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = 0; j < i; ++j)
      jacobian[i * size + j] = (jacobian[i * size + j] + jacobian[j * size + i]) / 2;
  }
  const std::vector<double> rates =
      math::symmetric_eigen(std::move(jacobian), static_cast<std::int64_t>(size)).values;
  basin.fastest = rates.back();
  basin.growing = std::ranges::count_if(rates, [still](double rate) { return rate > still; });
  return basin;
}

}  // namespace

Arrangement arrangement_of(const std::vector<double>& fields, std::int64_t units) {
  const std::size_t n = fields.size() / static_cast<std::size_t>(units);
  std::vector<Energy> energies;
  Arrangement arrangement;
  for (std::size_t at = 0; at < fields.size(); at += n) {
    const Energy& energy = energies.emplace_back(std::span(fields).subspan(at, n));
    arrangement.concentration += energy.concentration() / static_cast<double>(units);
    arrangement.ipr += energy.fourth / (energy.square * energy.square) / static_cast<double>(units);
  }
  if (units != 2) return arrangement;
  arrangement.opposite = energies[0].largest * energies[1].largest < 0;
  if (std::ranges::all_of(energies,
                          [](const Energy& energy) { return energy.concentration() >= kConcentratedFrom; }))
    arrangement.apart = std::abs(std::arg(energies[0].turning * std::conj(energies[1].turning))) *
                        static_cast<double>(n) / (2 * std::numbers::pi);
  return arrangement;
}

std::vector<Basin> basins_of(const flow::CurvedLandscape& landscape, std::int64_t units,
                             const std::vector<std::vector<double>>& starts, double still,
                             math::Workers& workers) {
  std::vector<Basin> ends(starts.size()), basins;
  workers.run(std::ssize(starts), [&](std::int64_t start, int) {
    const auto at = static_cast<std::size_t>(start);
    ends[at] = end_of(landscape, units, starts[at], still);
  });
  for (Basin& end : ends) {
    const auto same = std::ranges::find_if(basins, [&](const Basin& basin) { return alike(basin, end); });
    if (same == basins.end())
      basins.push_back(std::move(end));
    else
      ++same->starts;
  }
  for (Basin& basin : basins) basin.of = std::ssize(starts);
  std::ranges::stable_sort(basins, std::ranges::greater{}, &Basin::starts);
  return basins;
}

}  // namespace sluice::lab
