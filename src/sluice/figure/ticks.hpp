/// Round numbers along an axis: where ticks stand and what is written beside them.
#pragma once

#include <limits>
#include <ranges>
#include <string>
#include <vector>

namespace sluice::figure {

/// A range of values. Default: empty, so that including the first value makes it that value.
struct Interval {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  bool empty() const { return !(low <= high); }
  double length() const { return high - low; }
  void include(double value);  ///< values that are not finite are ignored
};

Interval finite_range(const std::ranges::input_range auto& values) {
  Interval range;
  for (const auto value : values) range.include(static_cast<double>(value));
  return range;
}

/// The smallest step of the form 1, 2 or 5 × 10ᵏ that cuts `length` into at most `most` pieces.
double nice_step(double length, int most);

/// Multiples of a nice step, ascending. An empty interval is taken as [0, 1]; one without length, or whose
/// length drowns in rounding, is widened first. From `most` = 3 on there is always at least one tick within
/// an interval, and at least two cover it.
std::vector<double> ticks_covering(Interval range, int most);  ///< first ≤ low, last ≥ high, at most `most`+2
std::vector<double> ticks_within(Interval range, int most, double least_step = 0);  ///< at most `most`+1

/// What is written beside the ticks. A power of ten common to all of them is taken out: {"0", "50", "100"},
/// "×10³".
struct TickLabels {
  std::vector<std::string> text;
  std::string factor;  ///< empty when the numbers are handy as they are
};
TickLabels tick_labels(const std::vector<double>& ticks);

}  // namespace sluice::figure
