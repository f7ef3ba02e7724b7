#include "sluice/probe/plane.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

namespace sluice::probe {
namespace of_plane {
namespace {

struct Along {
  double place = 0, spread = 0;
};

/// Of energies on a line of sites that closes on itself.
Along around(const std::vector<double>& energy, const std::vector<double>& cosine,
             const std::vector<double>& sine) {
  double all = 0, x = 0, y = 0;
  for (std::size_t i = 0; i < energy.size(); ++i) {
    all += energy[i];
    x += energy[i] * cosine[i];
    y += energy[i] * sine[i];
  }
  const auto n = static_cast<double>(energy.size());
  const double turn = std::atan2(y, x) / (2 * std::numbers::pi);
  const double place = n * (turn < 0 ? turn + 1 : turn);
  const double length = std::min(std::hypot(x, y) / all, 1.0);
  return {all > 0 ? (place < n ? place : 0) : std::nan(""),
          n / (2 * std::numbers::pi) * std::sqrt(-2 * std::log(length))};
}

/// The same between two ends.
Along between(const std::vector<double>& energy) {
  double all = 0, first = 0, second = 0;
  for (std::size_t i = 0; i < energy.size(); ++i) {
    const auto x = static_cast<double>(i);
    all += energy[i];
    first += energy[i] * x;
    second += energy[i] * x * x;
  }
  const double mean = first / all;
  return {mean, std::sqrt(std::max(second / all - mean * mean, 0.0))};
}

void turn(std::int64_t n, std::vector<double>& cosine, std::vector<double>& sine) {
  for (std::int64_t i = 0; i < n; ++i) {
    const double angle = 2 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(n);
    cosine.push_back(std::cos(angle));
    sine.push_back(std::sin(angle));
  }
}

}  // namespace
}  // namespace of_plane

PlaneOptics::PlaneOptics(const task::Layout& layout)
    : rows_(layout.rows), columns_(layout.columns), closed_(layout.kind == task::Layout::Kind::torus) {
  of_plane::turn(rows_, row_cosine_, row_sine_);
  of_plane::turn(columns_, column_cosine_, column_sine_);
}

PlaneShape PlaneOptics::shape(std::span<const float> field) const {
  using namespace of_plane;
  std::vector<double> down(static_cast<std::size_t>(rows_)), across(static_cast<std::size_t>(columns_));
  std::size_t at = 0;
  for (double& row : down)
    for (double& column : across) {
      const double square = static_cast<double>(field[at]) * field[at];
      row += square;
      column += square;
      ++at;
    }
  const Along x = closed_ ? around(across, column_cosine_, column_sine_) : between(across);
  const Along y = closed_ ? around(down, row_cosine_, row_sine_) : between(down);
  return {x.place, y.place, x.spread, y.spread};
}

PlaneWaves PlaneOptics::waves(std::span<const float> field) const {
  const auto h = static_cast<std::size_t>(rows_), w = static_cast<std::size_t>(columns_), half = w / 2 + 1;
  std::vector<std::complex<double>> along(h * half);  // transformed over columns
  double energy = 0;
  for (std::size_t i = 0; i < h; ++i)
    for (std::size_t j = 0; j < w; ++j) {
      const double value = field[i * w + j];
      energy += value * value;
      for (std::size_t k = 0; k < half; ++k) {
        const std::size_t angle = j * k % w;
        along[i * half + k] += std::complex(value * column_cosine_[angle], -value * column_sine_[angle]);
      }
    }
  PlaneWaves waves;
  double all = 0;
  std::complex<double> sum;
  for (std::size_t k1 = 0; k1 < h; ++k1)
    for (std::size_t k2 = 0; k2 < half; ++k2) {
      double real = 0, imaginary = 0;
      for (std::size_t i = 0; i < h; ++i) {
        const std::size_t angle = i * k1 % h;
        const std::complex<double>& value = along[i * half + k2];
        real += value.real() * row_cosine_[angle] + value.imag() * row_sine_[angle];
        imaginary += value.imag() * row_cosine_[angle] - value.real() * row_sine_[angle];
      }
      const double times = k2 == 0 || 2 * k2 == w ? 1 : 2;
      const double share =
          times * (real * real + imaginary * imaginary) / (static_cast<double>(h * w) * energy);
      waves.shares.push_back(static_cast<float>(share));
      const double folded =
          2 * k1 > h ? static_cast<double>(k1) - static_cast<double>(h) : static_cast<double>(k1);
      const double fy = folded / static_cast<double>(h),
                   fx = static_cast<double>(k2) / static_cast<double>(w);
      waves.mean_frequency += share * std::hypot(fx, fy);
      if (k1 == 0 && k2 == 0) continue;
      all += share;
      sum += share *
             std::polar(1.0, 2 * std::atan2(fy, fx));  // the share of a field without energy is no number
    }
  const double angle = std::arg(sum) / 2;
  waves.orientation = angle < 0 ? angle + std::numbers::pi : angle;
  waves.strength = std::abs(sum) / all;
  return waves;
}

}  // namespace sluice::probe
