#include "sluice/cli/style_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "sluice/cli/check_number.hpp"
#include "sluice/cli/numbers_in.hpp"
#include "sluice/cli/one_of.hpp"
#include "sluice/figure/figure.hpp"
#include "sluice/file/errors.hpp"

namespace sluice::cli {
namespace {

/// "86", "86mm" or "244pt" in millimetres; 0 where nothing was typed.
double length_in(const std::string& option, const std::string& text) {
  if (text.empty()) return 0;
  double length = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), length);
  const std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
  const bool points = unit == "pt";
  if (error != std::errc{} || !(length > 0 && length < 1e5) || (!unit.empty() && unit != "mm" && !points))
    throw InputError(fmt::format("{} {}: expected millimetres, 86 or 86mm, or points, 244pt", option, text));
  return points ? length * 25.4 / 72 : length;
}

std::optional<figure::Interval> limits_in(const std::string& option, const std::string& text) {
  if (text.empty()) return std::nullopt;
  constexpr const char* kExpected = "two numbers, the smaller first: 0,0.5";
  const std::vector<double> ends = numbers_in<double>(option, text, kExpected);
  if (ends.size() != 2 || !(ends[0] < ends[1]) || !std::isfinite(ends[0]) || !std::isfinite(ends[1]))
    throw InputError(fmt::format("{} {}: expected {}", option, text, kExpected));
  constexpr double kLeast = 1e-9;         // of their size: closer numbers have no ticks between them
  constexpr double kLeastOfAll = 1e-100;  // what lies outside must stay a number in millimetres, too
  const double length = ends[1] - ends[0];
  const double size = std::max(std::abs(ends[0]), std::abs(ends[1]));
  if (!std::isfinite(length) || length <= std::max(kLeast * size, kLeastOfAll))
    throw InputError(fmt::format("{} {}: too {} apart for an axis", option, text,
                                 std::isfinite(length) ? "little" : "far"));
  return figure::Interval{ends[0], ends[1]};
}

}  // namespace

void StyleOptions::add_to(App& verb) {
  verb.add_option("--width", width, "Width in mm, or in points as 244pt (default: the figure's own)")
      ->type_name("LENGTH");
  verb.add_option("--height", height, "Height likewise; one of them alone keeps the proportions")
      ->type_name("LENGTH");
  verb.add_option("--font", font, "Font family, installed here (default: DejaVu Sans)")->type_name("NAME");
  verb.add_option("--font-size", font_pt, "Points of labels, other type in proportion (default: 7)")
      ->check([](const std::string& text) { return check_number(text, 4.0, 20.0, "4 to 20 points"); })
      ->type_name("PT");
  verb.add_option("--xlim", xlim, "Limits of the x axis: 0,2000")->type_name("A,B");
  verb.add_option("--ylim", ylim, "Limits of the y axis")->type_name("A,B");
  verb.add_option("--palette", palette, "Colours: okabe-ito, ramp or grey (default: okabe-ito)")
      ->check(one_of(figure::palette_names()))
      ->type_name("NAME");
  verb.add_option("--dpi", dots, "Dots per inch of a .png (default: 200)")
      ->check(
          [](const std::string& text) { return check_number(text, 20, 1200, "an integer from 20 to 1200"); })
      ->type_name("N");
}

std::string StyleOptions::first_typed() const {
  for (const auto& [option, value] : {std::pair{"--width", &width},
                                      {"--height", &height},
                                      {"--font", &font},
                                      {"--xlim", &xlim},
                                      {"--ylim", &ylim},
                                      {"--palette", &palette}})
    if (!value->empty()) return option;
  return font_pt > 0 ? "--font-size" : "";
}

figure::Style StyleOptions::style() const {
  figure::Style style;
  style.width_mm = length_in("--width", width);
  style.height_mm = length_in("--height", height);
  if (!font.empty()) style.font = font;
  if (font_pt > 0) style.font_pt = font_pt;
  style.x = limits_in("--xlim", xlim);
  style.y = limits_in("--ylim", ylim);
  const std::vector<std::string>& names = figure::palette_names();
  if (!palette.empty())
    style.palette = static_cast<figure::Palette>(std::ranges::find(names, palette) - names.begin());
  return style;
}

void StyleOptions::require_picture(const std::string& out) const {
  const std::string option = first_typed();
  const std::string ending = std::filesystem::path(out).extension().string();
  if (!option.empty() && !figure::format_of(ending))
    throw InputError(
        fmt::format("{}: an option of pictures; expected --out FILE.svg, .pdf or .png with it", option));
  require_dots(ending);
  style();
}

void StyleOptions::require_dots(const std::string& ending) const {
  if (dots && ending != ".png")
    throw InputError("--dpi: dots per inch of a .png; expected a picture that ends so");
}

}  // namespace sluice::cli
