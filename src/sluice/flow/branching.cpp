#include "sluice/flow/branching.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace sluice::flow {
namespace {

double length_of(const std::vector<double>& v) {
  return std::sqrt(std::inner_product(v.begin(), v.end(), v.begin(), 0.0));
}

/// The longest of the critical vectors' parts with this mirror, and with the fields' own symmetry under exchange; empty where they have none.
std::vector<double> mirrored_direction(const Critical& critical, std::int64_t twice_axis, std::size_t units) {
  const std::vector<double>& field = critical.at.field;
  constexpr double kSome = 0.1;
  const double whole = length_of(field);
  const double sign = length_of(mirrored_part(field, twice_axis, 1, units)) > kSome * whole ? 1 : -1;
  std::vector<double> longest;
  for (const std::vector<double>& vector : critical.vectors) {
    std::vector<double> part = mirrored_part(vector, twice_axis, sign, units);
    for (const double exchange : {1.0, -1.0}) {
      if (units == 2 && length_of(exchanged_part(field, -exchange)) < 1e-3 * whole)
        part = exchanged_part(part, exchange);
    }
    if (length_of(part) > kSome && length_of(part) > length_of(longest)) longest = std::move(part);
  }
  return longest;
}

}  // namespace

std::optional<Offshoot> branch_off(const Family& family, const Critical& critical,
                                   std::vector<double> direction, const Sectors& sectors,
                                   const ContinuationOptions& options) {
  constexpr double kShare = 0.1;  // ε
  const double length = length_of(direction), size = length_of(critical.at.field);
  for (double& value : direction) value /= length;
  const Continuation continuation(family, sectors, options);
  Offshoot offshoot{.name = "tilted", .sectors = sectors, .start = {}, .along = {std::move(direction), 0}};
  const auto curvature = [&](double share) -> std::optional<double> {
    std::optional<FixedPoint> point =
        continuation.correct(critical.at, offshoot.along, share * size / options.size);
    if (!point) return std::nullopt;
    offshoot.start = std::move(*point);
    return (offshoot.start.coordinate - critical.at.coordinate) / (share * share);
  };
  const std::optional<double> fine = curvature(kShare / 2), coarse = curvature(kShare);
  if (!fine || !coarse) return std::nullopt;
  offshoot.curvature = *fine;
  offshoot.coarser = *coarse;
  if (std::abs(*fine - *coarse) < std::abs(*fine) / 2)
    offshoot.criticality = *fine * critical.slope > 0 ? Criticality::supercritical : Criticality::subcritical;
  return offshoot;
}

std::vector<Offshoot> branch_off(const Family& family, const Critical& critical,
                                 const ContinuationOptions& options, std::size_t units) {
  std::vector<Offshoot> offshoots;
  const auto add = [&](const char* name, std::vector<double> direction) {
    if (direction[0] < 0)
      for (double& value : direction) value = -value;
    std::vector<double> field = critical.at.field;
    const double share = 0.1 * length_of(field) / length_of(direction);
    for (std::size_t i = 0; i < field.size(); ++i) field[i] += share * direction[i];
    std::optional<Offshoot> offshoot =
        branch_off(family, critical, std::move(direction), isotropy(field, units), options);
    if (!offshoot) return;
    offshoot->name = name;
    offshoots.push_back(std::move(*offshoot));
  };
  for (const auto& [name, twice_axis] : {std::pair{"site", 0}, std::pair{"bond", 1}}) {
    if (std::vector<double> direction = mirrored_direction(critical, twice_axis, units); !direction.empty())
      add(name, std::move(direction));
  }
  if (offshoots.empty()) add("tilted", critical.vectors.front());
  return offshoots;
}

}  // namespace sluice::flow
