#include "sluice/probe/shape.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace sluice::probe {

RingAngles::RingAngles(std::int64_t sites) {
  for (std::int64_t i = 0; i < sites; ++i) {
    const double angle = 2 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(sites);
    cosine_.push_back(std::cos(angle));
    sine_.push_back(std::sin(angle));
  }
}

FieldShape RingAngles::shape(std::span<const float> field) const {
  double second = 0;
  double fourth = 0;
  double logs = 0;  // Σ w² ln w²
  double x = 0;
  double y = 0;
  for (std::size_t i = 0; i < field.size(); ++i) {
    const double square = static_cast<double>(field[i]) * field[i];
    second += square;
    fourth += square * square;
    x += square * cosine_[i];
    y += square * sine_[i];
    const auto narrow = static_cast<float>(square);
    if (narrow > std::numeric_limits<float>::min()) logs += square * std::log(narrow);
  }
  const double n = static_cast<double>(field.size());
  const double length = std::min(std::hypot(x, y) / second, 1.0);
  const double turn = std::atan2(y, x) / (2 * std::numbers::pi);
  const double position = n * (turn < 0 ? turn + 1 : turn);
  return {.norm = std::sqrt(second),
          .ipr = fourth / (second * second),
          .entropy = std::max(std::log(second) - logs / second, 0.0),
          .position = second > 0 ? (position < n ? position : 0) : std::nan(""),
          .variance = 1 - length,
          .spread = n / (2 * std::numbers::pi) * std::sqrt(-2 * std::log(length))};
}

}  // namespace sluice::probe
