/// What is no number, and what is beyond all numbers, spreads: it is asked for before anything is made of it.
#pragma once

#include <algorithm>
#include <cmath>
#include <ranges>

namespace sluice::math {

template <std::ranges::input_range Numbers>
bool all_finite(const Numbers& numbers) {
  return std::ranges::all_of(numbers, [](auto number) { return std::isfinite(number); });
}

}  // namespace sluice::math
