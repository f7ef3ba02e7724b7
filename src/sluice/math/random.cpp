#include "sluice/math/random.hpp"

#include <cmath>
#include <numbers>

namespace sluice::math {

double RowNumbers::uniform() {
  if (left_ == 0) {
    words_ = philox({counter_++, row_, step_, tag_}, key_);
    left_ = 2;
  }
  --left_;
  const auto pair = 2 * static_cast<std::size_t>(left_);
  const std::uint64_t bits = (std::uint64_t{words_[pair]} << 32 | words_[pair + 1]) >> 12;
  return (static_cast<double>(bits) + 0.5) * 0x1p-52;
}

std::int64_t RowNumbers::below(std::int64_t count) {
  return static_cast<std::int64_t>(uniform() * static_cast<double>(count));
}

double RowNumbers::normal() {
  const double radius = std::sqrt(-2 * std::log(uniform()));
  return radius * std::cos(2 * std::numbers::pi * uniform());
}

double RowNumbers::gamma(double shape) {
  const double d = shape - 1.0 / 3;
  const double c = 1 / std::sqrt(9 * d);
  while (true) {
    const double z = normal();
    const double root = 1 + c * z;
    if (root <= 0) continue;
    const double v = root * root * root;
    if (std::log(uniform()) < z * z / 2 + d * (1 - v + std::log(v))) return d * v;
  }
}

}  // namespace sluice::math
