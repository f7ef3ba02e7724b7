#include "sluice/cli/figure_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "sluice/cli/check_number.hpp"
#include "sluice/cli/one_of.hpp"
#include "sluice/file/errors.hpp"

namespace sluice::cli {
namespace {

/// "3,17,40"
template <class Number>
std::vector<Number> numbers_in(const std::string& option, const std::string& text, const char* expected) {
  std::vector<Number> numbers;
  const char* at = text.data();
  const char* const last = text.data() + text.size();
  while (at <= last && !text.empty()) {
    Number number{};
    const auto [end, error] = std::from_chars(at, last, number);
    if (error != std::errc{} || (end != last && *end != ','))
      throw InputError(fmt::format("{} {}: expected {}", option, text, expected));
    numbers.push_back(number);
    if (end == last) break;
    at = end + 1;
  }
  return numbers;
}

lab::CurveRequest::Bars bars_of(const std::string& name) {
  using Bars = lab::CurveRequest::Bars;
  static const std::map<std::string, Bars> all{
      {"se", Bars::error}, {"sd", Bars::deviation}, {"range", Bars::range}, {"none", Bars::none}};
  return name.empty() ? Bars::error : all.at(name);
}

lab::CurveRequest::Log log_of(const std::string& name) {
  using Log = lab::CurveRequest::Log;
  static const std::map<std::string, Log> all{
      {"none", Log::none}, {"x", Log::x}, {"y", Log::y}, {"xy", Log::xy}};
  return name.empty() ? Log::automatic : all.at(name);
}

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
  constexpr double kLeast = 1e-9;  // of their size: closer numbers have no ticks between them
  const double length = ends[1] - ends[0];
  if (!std::isfinite(length) || length <= kLeast * std::max(std::abs(ends[0]), std::abs(ends[1])))
    throw InputError(fmt::format("{} {}: too {} apart for an axis", option, text,
                                 std::isfinite(length) ? "little" : "far"));
  return figure::Interval{ends[0], ends[1]};
}

}  // namespace

const std::vector<std::string>& bar_names() {
  static const std::vector<std::string> all{"se", "sd", "range", "none"};
  return all;
}

const std::vector<std::string>& log_names() {
  static const std::vector<std::string> all{"x", "y", "xy", "none"};
  return all;
}

void FigureOptions::add_to(App& verb) {
  verb.add_option("--runs", runs,
                  "Which runs of a sweep: names of their folders, * and ? as in a shell (repeatable)")
      ->allow_extra_args(false)
      ->type_name("NAME");
  verb.add_option("--units", units, "Which units, where a figure shows some: 3,17,40")->type_name("K,…");
  verb.add_option("--x", x, "curve: the key along x (default: the first whose values are numbers)")
      ->type_name("KEY");
  verb.add_option("--y", y, "curve: a number of summary.csv (default: ipr_mean_end, else accuracy)")
      ->type_name("NAME");
  verb.add_option("--bars", bars, "curve: se, sd, range or none (default: se)")
      ->check(one_of(bar_names()))
      ->type_name("NAME");
  verb.add_option("--log", log,
                  "curve: logarithmic axes, x, y, xy or none (default: x where it spans a decade)")
      ->check(one_of(log_names()))
      ->type_name("AXES");
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
}

std::string FigureOptions::first_typed() const {
  if (!runs.empty()) return "--runs";
  for (const auto& [option, value] : {std::pair{"--units", &units},
                                      {"--x", &x},
                                      {"--y", &y},
                                      {"--bars", &bars},
                                      {"--log", &log},
                                      {"--width", &width},
                                      {"--height", &height},
                                      {"--font", &font},
                                      {"--xlim", &xlim},
                                      {"--ylim", &ylim},
                                      {"--palette", &palette}})
    if (!value->empty()) return option;
  return font_pt > 0 ? "--font-size" : "";
}

figure::Style FigureOptions::style(const std::string& name) const {
  figure::Style style;
  style.width_mm = length_in("--width", width);
  style.height_mm = length_in("--height", height);
  if (!font.empty()) style.font = font;
  if (font_pt > 0) style.font_pt = font_pt;
  style.x = limits_in("--xlim", xlim);
  style.y = limits_in("--ylim", ylim);
  if ((style.x || style.y) && name.empty())
    throw InputError(
        fmt::format("{}: expected the NAME of one figure with it", style.x ? "--xlim" : "--ylim"));
  const std::vector<std::string>& names = figure::palette_names();
  if (!palette.empty())
    style.palette = static_cast<figure::Palette>(std::ranges::find(names, palette) - names.begin());
  return style;
}

lab::FigureRequest FigureOptions::request(const std::string& name) const {
  for (const auto& [option, value] : {std::pair{"--x", &x}, {"--y", &y}, {"--bars", &bars}, {"--log", &log}})
    if (!value->empty() && name != "curve")
      throw InputError(fmt::format("{}: an option of the figure curve{}", option,
                                   name.empty() ? "; expected its name" : ", not of " + name));
  if (!units.empty() && name.empty()) throw InputError("--units: expected the NAME of one figure with it");
  return {.runs = runs,
          .units = numbers_in<std::int64_t>("--units", units, "numbers of units, 3,17,40"),
          .curve = {x, y, bars_of(bars), log_of(log)},
          .fields = fields};
}

}  // namespace sluice::cli
