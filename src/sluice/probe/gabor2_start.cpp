#include "sluice/probe/gabor2_start.hpp"

#include <algorithm>
#include <complex>
#include <numbers>

#include "sluice/probe/plane.hpp"

namespace sluice::probe {
namespace of_gabor2_start {
namespace {

constexpr double kTurn = 2 * std::numbers::pi;

/// Frequencies from the first half step on, so that none is 0, where sines have nothing to say.
std::vector<double> frequencies(double step, bool both_signs) {
  std::vector<double> list;
  double f = step / 2;
  while (f <= 0.5) {
    list.push_back(f);
    f += step;
  }
  if (both_signs)
    for (std::size_t i = 0, end = list.size(); i < end; ++i) list.push_back(-list[i]);
  return list;
}

}  // namespace
}  // namespace of_gabor2_start

Gabor2Starts::Gabor2Starts(const task::Layout& layout) : layout_(layout) {
  const auto longer = static_cast<double>(std::max(layout.rows, layout.columns));
  double width = 0.8;
  while (width < longer / 3) {
    widths_.push_back(width);
    width *= 1.7;
  }
  widths_.push_back(longer);
}

Gabor2Start Gabor2Starts::best_wave(std::span<const float> field, double x, double y, double width) const {
  using namespace of_gabor2_start;
  using Complex = std::complex<double>;
  const bool closed = layout_.kind == task::Layout::Kind::torus;
  const auto rows = static_cast<std::size_t>(layout_.rows),
             columns = static_cast<std::size_t>(layout_.columns);
  const auto longer = static_cast<double>(std::max(rows, columns));
  const double step = std::max(0.8 / (kTurn * width), 0.5 / longer);
  const std::vector<double> across = frequencies(step, false), down = frequencies(step, true);
  const auto bell = [&](double d) { return std::exp(-d * d / (2 * width * width)); };
  // e^(−iθ) under the envelope along each axis: the plane's are their products.
  const auto waves_along = [&](double from, std::size_t sites, const std::vector<double>& list) {
    std::vector<Complex> waves;
    for (std::size_t i = 0; i < sites; ++i) {
      const double d = way(from, static_cast<double>(i), static_cast<std::int64_t>(sites), closed);
      for (const double f : list) waves.push_back(bell(d) * std::polar(1.0, -kTurn * f * d));
    }
    return waves;
  };
  const std::vector<Complex> of_columns = waves_along(x, columns, across),
                             of_rows = waves_along(y, rows, down);
  const auto envelope = [&](double from, std::size_t sites) {
    double sum = 0;
    for (std::size_t i = 0; i < sites; ++i)
      sum += std::pow(bell(way(from, static_cast<double>(i), static_cast<std::int64_t>(sites), closed)), 2);
    return sum;
  };
  const double energy = envelope(x, columns) * envelope(y, rows);
  std::vector<Complex> half(rows * across.size());
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < columns; ++j) {
      const double w = field[i * columns + j];
      for (std::size_t k = 0; k < across.size(); ++k)
        half[i * across.size() + k] += w * of_columns[j * across.size() + k];
    }
  Gabor2Start best{.x = x, .y = y, .width = width, .explained = -1};
  for (std::size_t l = 0; l < down.size(); ++l)
    for (std::size_t k = 0; k < across.size(); ++k) {
      double cosine = 0, sine = 0;  // ⟨w, e cos⟩, ⟨w, e sin⟩
      for (std::size_t i = 0; i < rows; ++i) {
        const Complex &u = half[i * across.size() + k], &v = of_rows[i * down.size() + l];
        cosine += u.real() * v.real() - u.imag() * v.imag();
        sine -= u.real() * v.imag() + u.imag() * v.real();
      }
      const double turns = kTurn * width * std::hypot(across[k], down[l]);
      const double overlap = std::exp(-turns * turns);
      const double cosine_square = energy * (1 + overlap) / 2, sine_square = energy * (1 - overlap) / 2;
      const double explained = cosine * cosine / cosine_square + sine * sine / sine_square;
      if (explained > best.explained)
        best = {cosine / cosine_square, sine / sine_square, x, y, width, across[k], down[l], explained};
    }
  return best;
}

std::vector<Gabor2Start> Gabor2Starts::of(std::span<const float> field) const {
  const PlaneShape energy = PlaneOptics(layout_).shape(field);
  const auto peak = std::ranges::max_element(field, {}, [](float w) { return std::abs(w); }) - field.begin();
  const std::int64_t row = peak / layout_.columns, column = peak % layout_.columns;
  std::vector<Gabor2Start> starts;
  for (const double width : widths_) {
    starts.push_back(best_wave(field, energy.x, energy.y, width));
    starts.push_back(best_wave(field, static_cast<double>(column), static_cast<double>(row), width));
  }
  std::ranges::stable_sort(starts, std::ranges::greater{}, &Gabor2Start::explained);
  return starts;
}

}  // namespace sluice::probe
