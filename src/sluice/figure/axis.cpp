#include "sluice/figure/axis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "sluice/figure/text.hpp"
#include "sluice/file/errors.hpp"

namespace sluice::figure {
Axis::Axis(std::string label, Interval range, std::vector<double> ticks, TickLabels tick_labels,
           bool logarithmic)
    : label_(std::move(label)),
      range_(range),
      ticks_(std::move(ticks)),
      tick_labels_(std::move(tick_labels)),
      logarithmic_(logarithmic) {}

Axis Axis::snug(std::string label, Interval data, int most, double least_step) {
  if (data.empty()) data = {0, 1};
  if (data.length() == 0) data.high = data.low + 1;
  const std::vector<double> ticks = ticks_within(data, most, least_step);
  return {std::move(label), data, ticks, figure::tick_labels(ticks), false};
}

Axis Axis::rounded(std::string label, Interval data, int most) {
  const std::vector<double> ticks = ticks_covering(data, most);
  return {std::move(label), {ticks.front(), ticks.back()}, ticks, figure::tick_labels(ticks), false};
}

Axis Axis::adaptive(std::string label, Interval data, int most) {
  const bool wide = !data.empty() && data.low > 0 && data.high > 100 * data.low;
  return wide ? logarithmic(std::move(label), data, most) : rounded(std::move(label), data, most);
}

Axis Axis::logarithmic(std::string label, Interval data, int most) {
  if (data.empty() || !(data.low > 0)) return rounded(std::move(label), data, most);
  const Interval exponents{
      std::max(-307.0, std::floor(std::log10(data.low))),  // what a double can hold
      std::min(308.0, std::max(std::ceil(std::log10(data.high)), std::floor(std::log10(data.low)) + 1))};
  std::vector<double> ticks;
  TickLabels labels;
  for (const double exponent : ticks_within(exponents, most, 1)) {
    ticks.push_back(std::pow(10.0, exponent));
    labels.text.push_back(power_of_ten(static_cast<int>(exponent)));
  }
  const Interval range{std::pow(10.0, exponents.low), std::pow(10.0, exponents.high)};
  return {std::move(label), range, ticks, std::move(labels), true};
}

Axis Axis::through(std::string label, std::vector<double> values, std::vector<std::string> names,
                   bool logarithmic) {
  constexpr double kAir = 0.07;
  Interval range = finite_range(values);
  if (range.empty()) range = {0, 1};
  if (logarithmic) {
    const double ratio = range.length() == 0 ? 2 : std::pow(range.high / range.low, kAir);
    range = {range.low / ratio, range.high * ratio};
  } else {
    const double air = range.length() == 0 ? 0.5 : kAir * range.length();
    range = {range.low - air, range.high + air};
  }
  return {std::move(label), range, std::move(values), {std::move(names), ""}, logarithmic};
}

Axis Axis::limited_to(const Interval& limits) const {
  if (logarithmic_ && !(limits.low > 0))
    throw InputError(fmt::format("{}: an axis that is logarithmic cannot begin at {}", label_, limits.low));
  const int most = std::max(3, static_cast<int>(ticks_.size()) - 1);
  if (!logarithmic_) return snug(label_, limits, most);
  std::vector<double> ticks;
  TickLabels labels;
  for (const double exponent : ticks_within({std::log10(limits.low), std::log10(limits.high)}, most, 1)) {
    ticks.push_back(std::pow(10.0, exponent));
    labels.text.push_back(power_of_ten(static_cast<int>(exponent)));
  }
  if (ticks.size() < 2) {  // within a decade
    ticks = ticks_within(limits, most);
    labels = figure::tick_labels(ticks);
  }
  return {label_, limits, ticks, labels, true};
}

Axis Axis::with_room(double share) const {
  const auto most =
      static_cast<std::size_t>(std::max(2.0, std::ceil(share * static_cast<double>(ticks_.size()))));
  if (share >= 1 || ticks_.size() <= most) return *this;
  Axis thinner = *this;
  thinner.ticks_.clear();
  thinner.tick_labels_.text.clear();
  const std::size_t every = (ticks_.size() + most - 1) / most;
  for (std::size_t i = 0; i < ticks_.size(); i += every) {
    thinner.ticks_.push_back(ticks_[i]);
    thinner.tick_labels_.text.push_back(tick_labels_.text[i]);
  }
  return thinner;
}

std::string Axis::title() const {
  return tick_labels_.factor.empty() ? label_ : label_ + "  (" + tick_labels_.factor + ")";
}

double Axis::position(double value) const {
  if (!logarithmic_) return (value - range_.low) / range_.length();
  if (!(value > 0)) return std::numeric_limits<double>::quiet_NaN();
  return (std::log(value) - std::log(range_.low)) / (std::log(range_.high) - std::log(range_.low));
}

int intervals_in(double length_mm, double label_mm) {
  return static_cast<int>(std::clamp(length_mm / label_mm, 3.0, 6.0));
}

}  // namespace sluice::figure
