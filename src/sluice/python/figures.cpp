/// Figures: drawn when they are shown or saved, in any format.
#include <fmt/format.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <string>

#include "sluice/figure/figure.hpp"
#include "sluice/file/errors.hpp"
#include "sluice/python/attention.hpp"
#include "sluice/python/bindings.hpp"

namespace sluice::python {
namespace py = pybind11;
namespace {

double checked(const char* name, double value, double low, double high) {
  if (!(value >= low && value <= high))
    throw InputError(fmt::format("{} = {}: expected a number from {} to {}", name, value, low, high));
  return value;
}

std::optional<figure::Interval> limits(const char* name, const std::optional<std::array<double, 2>>& ends) {
  if (!ends) return std::nullopt;
  const auto [low, high] = *ends;
  constexpr double kLeast = 1e-9;  // of their size: closer numbers have no ticks between them
  const double length = high - low;
  if (!(std::isfinite(length) && length > kLeast * std::max(std::abs(low), std::abs(high))))
    throw InputError(fmt::format("{} = ({}, {}): expected two numbers, the smaller first, with room between",
                                 name, low, high));
  return figure::Interval{low, high};
}

figure::Palette palette_of(const std::string& name) {
  const std::vector<std::string>& names = figure::palette_names();
  const auto found = std::ranges::find(names, name);
  if (found == names.end())
    throw InputError(fmt::format("palette = \"{}\": expected one of {}", name, fmt::join(names, ", ")));
  return static_cast<figure::Palette>(found - names.begin());
}

py::bytes render(const figure::Figure& figure, const std::string& format, double dpi,
                 std::optional<double> width, std::optional<double> height,
                 const std::optional<std::string>& font, std::optional<double> font_size,
                 const std::optional<std::array<double, 2>>& xlim,
                 const std::optional<std::array<double, 2>>& ylim,
                 const std::optional<std::string>& palette) {
  const std::optional<figure::Format> which = figure::format_of("." + format);
  if (!which) throw InputError(fmt::format("format = \"{}\": expected svg, pdf or png", format));
  constexpr double kMostMillimetres = 1e4;
  figure::Style style;
  if (width) style.width_mm = checked("width", *width, 1, kMostMillimetres);
  if (height) style.height_mm = checked("height", *height, 1, kMostMillimetres);
  if (font) style.font = *font;
  if (font_size) style.font_pt = checked("font_size", *font_size, 1, 100);
  if (palette) style.palette = palette_of(*palette);
  style.x = limits("xlim", xlim);
  style.y = limits("ylim", ylim);
  checked("dpi", dpi, 10, 2400);
  try {
    return py::bytes(unlocked([&] { return figure::render(figure, *which, dpi, style); }));
  } catch (const InputError&) {
    throw;
  } catch (const std::runtime_error& failure) {  // cairo's, of numbers too large for it
    if (!style.x && !style.y) throw;
    throw InputError(fmt::format("{}: expected limits nearer to what is drawn", failure.what()));
  }
}

}  // namespace

void bind_figures(py::module_& module) {
  py::class_<figure::Figure>(module, "Figure")
      .def_readonly("name", &figure::Figure::name)
      .def_readonly("caption", &figure::Figure::caption)
      .def_property_readonly(
          "size",
          [](const figure::Figure& figure) { return py::make_tuple(figure.width_mm, figure.height_mm); })
      .def("render", &render, py::arg("format"), py::arg("dpi") = 200, py::arg("width") = py::none(),
           py::arg("height") = py::none(), py::arg("font") = py::none(), py::arg("font_size") = py::none(),
           py::arg("xlim") = py::none(), py::arg("ylim") = py::none(), py::arg("palette") = py::none());
}

}  // namespace sluice::python
