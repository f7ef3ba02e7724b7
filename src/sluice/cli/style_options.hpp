/// How a picture is to look, as it is typed: the same options for every verb that draws.
#pragma once

#include <optional>
#include <string>

#include "sluice/cli/app.hpp"
#include "sluice/figure/style.hpp"

namespace sluice::cli {

struct StyleOptions {
  std::string width, height, xlim, ylim, font, palette;
  double font_pt = 0;
  std::optional<int> dots;  // per inch of a .png

  void add_to(App& verb);
  /// An option that was typed, --dpi aside; empty: none was.
  std::string first_typed() const;
  figure::Style style() const;
  int dpi() const { return dots.value_or(200); }
  /// Throws InputError where one was typed and `out` does not end as a picture, --dpi and it ends as another than .png, or where they make no style.
  void require_picture(const std::string& out) const;
  /// Throws InputError where --dpi was typed, and the picture is no .png.
  void require_dots(const std::string& ending) const;
};

}  // namespace sluice::cli
