#include "sluice/figure/color.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace sluice::figure {
namespace {

double gamma_encoded(double linear) {
  return linear <= 0.0031308 ? 12.92 * linear : 1.055 * std::pow(linear, 1 / 2.4) - 0.055;
}

double gamma_decoded(double channel) {
  return channel <= 0.04045 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
}

// Oklab: lightness, green–red, blue–yellow. Euclidean distance in it is close to perceived difference.
struct Oklab {
  double lightness, a, b;
};

Color srgb(const Oklab& lab) {
  const auto cube = [](double x) { return x * x * x; };
  const double l = cube(lab.lightness + 0.3963377774 * lab.a + 0.2158037573 * lab.b);
  const double m = cube(lab.lightness - 0.1055613458 * lab.a - 0.0638541728 * lab.b);
  const double s = cube(lab.lightness - 0.0894841775 * lab.a - 1.2914855480 * lab.b);
  const auto channel = [](double linear) { return gamma_encoded(std::clamp(linear, 0.0, 1.0)); };
  return {channel(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
          channel(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
          channel(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s)};
}

}  // namespace

Color category(std::size_t index) {
  static constexpr std::array<Color, 7> okabe_ito{{
      {0.000, 0.447, 0.698},  // blue
      {0.835, 0.369, 0.000},  // vermillion
      {0.000, 0.620, 0.451},  // bluish green
      {0.800, 0.475, 0.655},  // reddish purple
      {0.902, 0.624, 0.000},  // orange
      {0.337, 0.706, 0.914},  // sky blue
      {0.000, 0.000, 0.000},  // black
  }};
  Color color = okabe_ito[index % okabe_ito.size()];
  color.role = Color::Role::category;
  color.place = static_cast<double>(index);
  return color;
}

Color diverging(double t) {
  t = std::isfinite(t) ? std::clamp(t, -1.0, 1.0) : 0.0;
  const Color end = category(t < 0 ? 0 : 1);
  const auto mixed = [t](double channel) { return 1 - std::abs(t) * (1 - channel); };
  return {mixed(end.red), mixed(end.green), mixed(end.blue)};
}

Color signed_rgb(double red, double green, double blue) {
  if (!std::isfinite(red) || !std::isfinite(green) || !std::isfinite(blue)) return {1, 1, 1};
  const auto level = [](double t) { return 0.5 + 0.5 * std::clamp(t, -1.0, 1.0); };
  return {level(red), level(green), level(blue)};
}

Color sequential(double t) {
  t = std::isfinite(t) ? std::clamp(t, 0.0, 1.0) : 0.0;
  // A parabola in the plane of hues, blue to yellow by way of teal. Its control points were chosen so that
  // the whole path lies inside sRGB: clipping would bend the lightness.
  static constexpr Oklab from{0.30, 0.015, -0.13}, via{0.59, -0.15, -0.02}, to{0.88, -0.03, 0.17};
  const double f = (1 - t) * (1 - t), v = 2 * t * (1 - t), e = t * t;
  Color color = srgb({from.lightness + (to.lightness - from.lightness) * t, f * from.a + v * via.a + e * to.a,
                      f * from.b + v * via.b + e * to.b});
  color.role = Color::Role::sequential;
  color.place = t;
  return color;
}

const std::vector<std::string>& palette_names() {
  static const std::vector<std::string> names{"okabe-ito", "ramp", "grey"};
  return names;
}

Color painted(const Color& color, Palette palette) {
  if (palette == Palette::okabe_ito || color.role == Color::Role::fixed) return color;
  // Neighbours far apart; seven as in the palette of categories.
  static constexpr std::array<double, 7> along{0.00, 0.64, 0.32, 0.80, 0.16, 0.48, 0.72};
  const bool category = color.role == Color::Role::category;
  const double t = category ? along[static_cast<std::size_t>(color.place) % along.size()] : color.place;
  Color other = sequential(t);
  if (palette == Palette::greys) {  // of the same lightness, from the same ends
    constexpr double dark = 0.25, light = 0.88;
    other = srgb({dark + (light - dark) * t, 0, 0});
  }
  return other.faded(color.alpha);
}

double luminance(const Color& color) {
  return 0.2126 * gamma_decoded(color.red) + 0.7152 * gamma_decoded(color.green) +
         0.0722 * gamma_decoded(color.blue);
}

}  // namespace sluice::figure
