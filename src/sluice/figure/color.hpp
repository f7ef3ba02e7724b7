/// The colours of all figures, chosen to survive colour blindness and greyscale print.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace sluice::figure {

/// An sRGB colour, every channel in [0, 1]. One that was taken from a palette knows its place there, so that a figure can be drawn in
/// another.
struct Color {
  double red = 0, green = 0, blue = 0, alpha = 1;
  enum class Role { fixed, category, sequential };
  Role role = Role::fixed;
  double place = 0;  ///< the index of the category, or t

  Color faded(double opacity) const {
    Color color = *this;
    color.alpha = opacity;
    return color;
  }
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

/// Three signed quantities as red, green and blue: grey where all are 0, a channel dark at −1 and bright at 1; white where one is
/// not a number.
Color signed_rgb(double red, double green, double blue);

/// What categories and ordered numbers are painted in. Signed numbers stay blue and vermilion.
enum class Palette {
  okabe_ito,  ///< as category() and sequential() have them
  ramp,       ///< categories along the sequential map
  greys,      ///< both in greys
};
/// "okabe-ito", "ramp", "grey", in their order.
const std::vector<std::string>& palette_names();
Color painted(const Color& color, Palette palette);

/// Relative luminance (Y of CIE XYZ): what is left of a colour in a greyscale print.
double luminance(const Color& color);

}  // namespace sluice::figure
