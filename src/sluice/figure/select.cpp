#include "sluice/figure/select.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>

namespace sluice::figure {
namespace {

// Site of the largest |w|; past the last site when no weight is finite.
std::size_t peak_site(std::span<const float> field) {
  std::size_t peak = field.size();
  float largest = -1;
  for (std::size_t site = 0; site < field.size(); ++site)
    if (std::isfinite(field[site]) && std::abs(field[site]) > largest) {
      largest = std::abs(field[site]);
      peak = site;
    }
  return peak;
}

double distance_to_final(const RunView& view, const std::vector<std::size_t>& units, std::size_t time) {
  double squares = 0;
  for (const std::size_t k : units) {
    const auto now = view.field(time, k), last = view.field(view.times() - 1, k);
    for (std::size_t site = 0; site < now.size(); ++site)
      squares += std::pow(double{now[site]} - last[site], 2);
  }
  return std::sqrt(squares);
}

}  // namespace

std::vector<std::size_t> evenly_chosen(std::size_t count, std::size_t most) {
  const std::size_t chosen = std::min(count, most);
  std::vector<std::size_t> indices(chosen);
  for (std::size_t i = 0; i < chosen; ++i) indices[i] = chosen > 1 ? i * (count - 1) / (chosen - 1) : 0;
  return indices;
}

std::vector<std::size_t> some_units(const RunView& view, std::size_t most) {
  return view.chosen.empty() ? evenly_chosen(view.shown_units(), most) : view.chosen;
}

std::vector<std::size_t> ordered_by_position(const RunView& view, std::vector<std::size_t> units) {
  const auto channels = static_cast<std::size_t>(view.channels);
  std::ranges::sort(units);
  std::ranges::stable_sort(units, {}, [&](std::size_t k) {
    const auto field = view.field(view.times() - 1, k);
    const std::size_t peak = peak_site(field), plane = field.size() / channels;
    return peak < field.size() ? peak % plane : peak;  // of whichever channel
  });
  return units;
}

std::string how_chosen(const RunView& view) { return view.chosen.empty() ? "evenly chosen" : "as asked for"; }

std::string most_localized_in_words(const RunView& view, std::size_t shown) {
  if (!view.chosen.empty())
    return shown == 1 ? "the unit that was asked for" : fmt::format("{} units that were asked for", shown);
  if (view.kernels)  // small by construction, none is more localized than another
    return shown == 1 ? "the unit of the largest final IPR"
                      : fmt::format("the {} units of the largest final IPR", shown);
  return shown == 1 ? "the most localized unit (largest final IPR)"
                    : fmt::format("the {} most localized units (largest final IPR)", shown);
}

std::vector<std::size_t> most_localized(const RunView& view, std::size_t most) {
  if (!view.chosen.empty()) return view.chosen;
  std::vector<std::size_t> units(view.shown_units());
  std::iota(units.begin(), units.end(), std::size_t{0});
  std::ranges::stable_sort(units, std::ranges::greater{}, [&](std::size_t k) {
    const float ipr = view.final_ipr(k);
    return std::isfinite(ipr) ? ipr : -std::numeric_limits<float>::infinity();
  });
  units.resize(std::min(units.size(), most));
  return units;
}

std::vector<std::size_t> times_of_equal_progress(const RunView& view, const std::vector<std::size_t>& units,
                                                 std::size_t most) {
  const double start = view.times() > most ? distance_to_final(view, units, 0) : 0;
  if (!(start > 0 && std::isfinite(start))) return evenly_chosen(view.times(), most);
  const auto part = [&](std::size_t parts) {
    return start * static_cast<double>(most - 1 - parts) / static_cast<double>(most - 1);
  };
  std::vector<std::size_t> times{0};
  for (std::size_t t = 1; t + 1 < view.times() && times.size() + 1 < most; ++t)
    if (distance_to_final(view, units, t) <= part(times.size())) times.push_back(t);
  times.push_back(view.times() - 1);
  return times;
}

}  // namespace sluice::figure
