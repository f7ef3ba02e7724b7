#include "sluice/theory/sign_sums.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "sluice/file/errors.hpp"

namespace sluice::theory {
namespace {

using Steps = std::span<const std::int64_t>;
constexpr int kBits = 62;  // of Σ|steps|

/// The exponent of the lowest bit that is set in w ≠ 0.
int lowest_bit(double w) {
  constexpr int kMantissa = std::numeric_limits<double>::digits;
  int exponent = 0;
  const double mantissa = std::frexp(std::abs(w), &exponent);
  const auto bits = static_cast<std::uint64_t>(std::ldexp(mantissa, kMantissa));
  return exponent - kMantissa + std::countr_zero(bits);
}

/// |s ± w| of an ascending list of s ≥ 0, ascending: w − s falls as s grows to w, s − w and s + w rise.
void append_entry(std::int64_t w, std::vector<std::int64_t>& sums, std::vector<std::int64_t>& next) {
  constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();
  const std::size_t count = sums.size();
  auto above = static_cast<std::size_t>(std::ranges::lower_bound(sums, w) - sums.begin());
  std::size_t below = above;
  std::size_t beyond = 0;
  next.resize(2 * count);
  for (std::int64_t& out : next) {
    const std::int64_t falling = below > 0 ? w - sums[below - 1] : kNever;
    const std::int64_t rising = above < count ? sums[above] - w : kNever;
    const std::int64_t far = beyond < count ? sums[beyond] + w : kNever;
    if (falling <= rising && falling <= far) {
      out = falling;
      --below;
    } else if (rising <= far) {
      out = rising;
      ++above;
    } else {
      out = far;
      ++beyond;
    }
  }
  std::swap(sums, next);
}

/// |Σ_i ± w_i| over all signs, those of x and −x once; {0} of no entries.
std::vector<std::int64_t> absolute_sums(Steps w) {
  if (w.empty()) return {0};
  std::vector<std::int64_t> sums{std::abs(w[0])};
  std::vector<std::int64_t> scratch;
  for (const std::int64_t step : w.subspan(1)) append_entry(std::abs(step), sums, scratch);
  return sums;
}

struct SignedSum {
  std::int64_t sum;
  std::size_t signs;  // bit i is set where x_i = +1
};
std::vector<SignedSum> states_of(Steps w) {
  std::vector<SignedSum> states{{0, 0}};
  for (std::size_t i = 0; i < w.size(); ++i) {
    const std::size_t count = states.size();
    for (std::size_t s = 0; s < count; ++s) {
      const SignedSum before = states[s];
      states[s].sum -= w[i];
      states.push_back({before.sum + w[i], before.signs | std::size_t{1} << i});
    }
  }
  return states;
}

/// Signs of half of the entries with Σ_i w_i x_i = sum, which there are: the same meeting in the middle, small enough to remember
/// the states.
void find_signs(Steps w, std::int64_t sum, std::span<std::int8_t> signs) {
  const std::size_t cut = w.size() / 2;
  std::vector<SignedSum> first = states_of(w.first(cut));
  std::ranges::sort(first, {}, &SignedSum::sum);
  for (const SignedSum& second : states_of(w.subspan(cut))) {
    const auto match = std::ranges::lower_bound(first, sum - second.sum, {}, &SignedSum::sum);
    if (match == first.end() || match->sum != sum - second.sum) continue;
    const std::size_t all = match->signs | second.signs << cut;
    for (std::size_t i = 0; i < w.size(); ++i) signs[i] = (all >> i & 1U) != 0 ? 1 : -1;
    return;
  }
}

struct Nearest {
  std::int64_t distance = std::numeric_limits<std::int64_t>::max();
  std::int64_t first = 0, second = 0;
};
/// The pair of least distance, one of each ascending list.
Nearest nearest_pair(Steps first, Steps second) {
  Nearest best;
  if (first.empty()) return best;
  auto at = std::ranges::lower_bound(second, first.front());
  const auto consider = [&](std::int64_t a, std::int64_t b) {
    const std::int64_t distance = std::abs(a - b);
    if (distance < best.distance) best = {distance, a, b};
  };
  for (const std::int64_t a : first) {
    while (at != second.end() && *at < a) ++at;
    if (at != second.end()) consider(a, *at);
    if (at != second.begin()) consider(a, *(at - 1));
  }
  return best;
}

}  // namespace

double Grid::value(std::int64_t sum) const { return std::ldexp(static_cast<double>(sum), exponent); }

Grid grid_of(std::span<const double> w) {
  int top = std::numeric_limits<int>::min();  // |w_i| < 2^top
  int low = std::numeric_limits<int>::max();
  for (const double value : w) {
    if (!std::isfinite(value))
      throw InputError(fmt::format("weights: expected finite numbers, found {}", value));
    if (value == 0) continue;
    top = std::max(top, std::ilogb(value) + 1);
    low = std::min(low, lowest_bit(value));
  }
  Grid grid{std::vector<std::int64_t>(w.size())};
  if (low > top) return grid;  // all zero
  double size = 0;             // Σ|w|/2^top
  for (const double value : w) size += std::abs(std::ldexp(value, -top));
  const int coarsest = top + std::ilogb(size) + 1 - kBits;
  grid.exact = coarsest <= low;
  grid.exponent = std::max(coarsest, low);
  for (std::size_t i = 0; i < w.size(); ++i) grid.steps[i] = std::llround(std::ldexp(w[i], -grid.exponent));
  return grid;
}

SignSums::SignSums(std::span<const double> w, math::Workers& workers) : all_(w.size()), workers_(workers) {
  std::vector<double> entries;
  for (std::size_t i = 0; i < w.size(); ++i) {
    if (w[i] == 0) continue;
    places_.push_back(i);
    entries.push_back(w[i]);
  }
  if (entries.size() > kMost)
    throw InputError(
        fmt::format("weights: expected at most {} entries other than zero, found {}", kMost, entries.size()));
  grid_ = grid_of(entries);
  workers_.run(2, [&](std::int64_t chunk, int) {
    const auto which = static_cast<std::size_t>(chunk);
    sums_.at(which) = absolute_sums(half(which));
  });
}

std::span<const std::int64_t> SignSums::half(std::size_t which) const {
  const Steps steps = grid_.steps;
  return which == 0 ? steps.first(steps.size() / 2) : steps.subspan(steps.size() / 2);
}

SignSums::Margin SignSums::margin() const {
  constexpr std::size_t kChunks = 64;
  std::array<Nearest, kChunks> nearest;
  const Steps first = sums_[0];
  workers_.run(kChunks, [&](std::int64_t chunk, int) {
    const auto c = static_cast<std::size_t>(chunk);
    const std::size_t begin = first.size() * c / kChunks;
    nearest.at(c) = nearest_pair(first.subspan(begin, first.size() * (c + 1) / kChunks - begin), sums_[1]);
  });
  const Nearest best = *std::ranges::min_element(nearest, {}, &Nearest::distance);
  Margin margin{.value = grid_.value(best.distance), .signs = std::vector<std::int8_t>(all_, 1)};
  if (!grid_.exact) margin.rounding = grid_.value(static_cast<std::int64_t>(places_.size())) / 2;
  std::vector<std::int8_t> signs(places_.size());
  find_signs(half(0), best.first, std::span(signs).first(half(0).size()));
  find_signs(half(1), -best.second, std::span(signs).subspan(half(0).size()));
  for (std::size_t i = 0; i < places_.size(); ++i) margin.signs[places_[i]] = signs[i];
  return margin;
}

std::int64_t SignSums::ties(double tie) const {
  double size = 0;
  for (const std::int64_t step : grid_.steps) size += std::abs(static_cast<double>(step));
  const auto reach = static_cast<std::int64_t>(tie * size);
  // Of a pair (a, b) ≥ 0 the four sums are ±(a − b) and ±(a + b).
  std::int64_t count = 0;
  const Steps second = sums_[1];
  std::size_t from = 0;  // first b ≥ a − reach
  std::size_t to = 0;    // first b > a + reach
  for (const std::int64_t a : sums_[0]) {
    while (from < second.size() && second[from] < a - reach) ++from;
    while (to < second.size() && second[to] <= a + reach) ++to;
    count += 2 * static_cast<std::int64_t>(to - from);
    if (a <= reach) count += 2 * (std::ranges::upper_bound(second, reach - a) - second.begin());
  }
  for (const std::size_t which : {0U, 1U})
    if (half(which).empty()) count /= 2;  // its one sum is 0, not ±0
  return count;
}

}  // namespace sluice::theory
