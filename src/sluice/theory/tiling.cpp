#include "sluice/theory/tiling.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "sluice/math/assert.hpp"

namespace sluice::theory {
namespace {

double length_of(std::span<const double> v) {
  double sum = 0;
  for (const double value : v) sum += value * value;
  return std::sqrt(sum);
}

/// out += factor · (the field moved back by `shift`)
void add_aligned(std::span<const double> field, std::int64_t shift, double factor, std::span<double> out) {
  const std::size_t n = field.size();
  for (std::size_t i = 0; i < n; ++i) out[i] += factor * field[(i + static_cast<std::size_t>(shift)) % n];
}

}  // namespace

Placement placement(std::span<const double> field, std::span<const double> filter) {
  const std::size_t n = field.size();
  Placement best;
  double largest = -1;
  for (std::size_t shift = 0; shift < n; ++shift) {
    double product = 0;
    for (std::size_t i = 0; i < n; ++i) product += field[(i + shift) % n] * filter[i];
    if (std::abs(product) > largest) {
      largest = std::abs(product);
      best.shift = static_cast<std::int64_t>(shift);
      best.sign = product < 0 ? -1 : 1;
    }
  }
  best.similarity = largest / (length_of(field) * length_of(filter));
  return best;
}

Tiling tile(std::span<const double> fields, std::int64_t n) {
  const auto sites = static_cast<std::size_t>(n);
  const std::size_t units = fields.size() / sites;
  SLUICE_ASSERT(units > 0 && fields.size() == units * sites);
  const auto field = [&](std::size_t k) { return fields.subspan(k * sites, sites); };
  std::vector<double> lengths;
  double mean_length = 0;
  for (std::size_t k = 0; k < units; ++k) {
    lengths.push_back(length_of(field(k)));
    mean_length += lengths.back() / static_cast<double>(units);
  }
  const auto longest = static_cast<std::size_t>(std::ranges::max_element(lengths) - lengths.begin());
  Tiling tiling;
  tiling.filter.assign(field(longest).begin(), field(longest).end());
  constexpr int kMostRounds = 50;
  for (int round = 0; round < kMostRounds; ++round) {
    std::vector<Placement> placements;
    std::vector<double> mean(sites);
    for (std::size_t k = 0; k < units; ++k) {
      placements.push_back(placement(field(k), tiling.filter));
      add_aligned(field(k), placements[k].shift, placements[k].sign / lengths[k], mean);
    }
    const double scale = mean_length / length_of(mean);
    for (double& value : mean) value *= scale;
    const bool settled = std::ranges::equal(placements, tiling.placements, [](const auto& a, const auto& b) {
      return a.shift == b.shift && a.sign == b.sign;
    });
    tiling.placements = std::move(placements);
    tiling.filter = std::move(mean);
    if (settled) break;
  }
  // Its largest weight at site 0, and positive.
  const auto peak = std::ranges::max_element(tiling.filter, {}, [](double w) { return std::abs(w); });
  const double turn = *peak < 0 ? -1 : 1;
  const std::int64_t centre = peak - tiling.filter.begin();
  std::rotate(tiling.filter.begin(), peak, tiling.filter.end());  // clang 14 cannot read that of ranges
  for (double& w : tiling.filter) w *= turn;
  for (Placement& place : tiling.placements) {
    place.shift = (place.shift + centre) % n;
    place.sign *= turn;
  }
  std::map<std::int64_t, double> histogram;
  std::vector<std::vector<double>> aligned(units, std::vector<double>(sites));
  for (std::size_t k = 0; k < units; ++k) {
    Placement& place = tiling.placements[k];
    place.similarity = placement(field(k), tiling.filter).similarity;
    tiling.similarity += place.similarity / static_cast<double>(units);
    histogram[place.shift] += 1 / static_cast<double>(units);
    add_aligned(field(k), place.shift, place.sign / lengths[k], aligned[k]);
  }
  double entropy = 0;
  for (const auto& [shift, share] : histogram) entropy -= share * std::log(share);
  tiling.coverage = std::exp(entropy) / static_cast<double>(std::min(units, sites));
  // Σλ = K and Σλ² = Σ_kl ⟨u_k,u_l⟩², without the eigenvalues themselves.
  double squares = 0;
  for (const std::vector<double>& a : aligned)
    for (const std::vector<double>& b : aligned) {
      double product = 0;
      for (std::size_t i = 0; i < sites; ++i) product += a[i] * b[i];
      squares += product * product;
    }
  tiling.filters = static_cast<double>(units * units) / squares;
  return tiling;
}

}  // namespace sluice::theory
