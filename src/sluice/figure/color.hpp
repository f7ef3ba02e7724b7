/// The colours of all figures, chosen to survive colour blindness and greyscale print.
#pragma once

#include <cstddef>

namespace sluice::figure {

/// An sRGB colour, every channel in [0, 1].
struct Color {
  double red = 0, green = 0, blue = 0, alpha = 1;

  Color faded(double opacity) const { return {red, green, blue, opacity}; }
};

inline constexpr Color ink{0.13, 0.13, 0.15};
inline constexpr Color grey{0.42, 0.42, 0.45};
inline constexpr Color hairline{0.80, 0.80, 0.82};

/// Colour of category `index`: the Okabe–Ito palette, which stays apart under the common colour-vision
/// deficiencies. Repeats after seven; its yellow is left out because a thin yellow line vanishes on white.
Color category(std::size_t index);

/// A sequential map for ordered quantities, dark blue at 0 to light yellow at 1. Lightness rises linearly and
/// equal steps in t look equally large, so it survives greyscale printing and red-green blindness alike.
Color sequential(double t);

/// A diverging map for signed quantities: blue at −1, white at 0, vermilion at 1 (of the same palette), white where t is
/// not a number.
Color diverging(double t);

/// Relative luminance (Y of CIE XYZ): what is left of a colour in a greyscale print.
double luminance(const Color& color);

}  // namespace sluice::figure
