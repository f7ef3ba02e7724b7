#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>
#include <vector>

#include "sluice/figure/covariance_panel.hpp"
#include "sluice/figure/marginal_panel.hpp"
#include "sluice/figure/plot.hpp"
#include "sluice/figure/recipes.hpp"
#include "sluice/figure/text.hpp"

namespace sluice::figure {
namespace of_samples {
namespace {

constexpr std::size_t shown_samples = 4;  // of each class: its first ones, so that nobody can pick
constexpr std::size_t most_sites = 160;   // of a sample: more would be a block of ink
constexpr double width_mm = 180, height_mm = 86;
constexpr double header_mm = 12.5, top_mm = 15.5, bottom_mm = 76, letters_mm = 8;
constexpr double left_mm = 12.5, column_mm = 37, column_gap_mm = 4, row_gap_mm = 2;
constexpr double right_mm = 111, panel_mm = 65, panel_height_mm = 26.5;

std::string signed_text(double value) {
  return (value < 0 ? "−" : "") + fmt::format("{:.2g}", std::abs(value));
}

std::string kurtosis_text(double value) { return std::isinf(value) ? "∞" : fixed(value, 2); }

std::string caption(const SamplesView& view, bool is_discrete) {
  const auto& [first, second] = view.classes;
  const std::string marginal =
      is_discrete ? "share of each value over all sites."
                  : "law of one site over all sites, the middle 99.8 % of values; dashed, the normal law "
                    "with the stated mean and variance.";
  const std::string cut = view.columns == 0 && static_cast<std::size_t>(view.sites) > most_sites
                              ? fmt::format(" (their first {} sites)", most_sites)
                              : "";
  return fmt::format(
      "Samples of {} ({}). a, The first {} samples of each class{}, on one scale. b, Covariance against {}: "
      "stated (lines) and measured on {} and {} samples (points; bars, ±1 standard error where it "
      "is larger than the point). c, Marginal {} Blue, {}; red, {}. Stated excess kurtosis: {} and {}.",
      view.kind, view.parameters, shown_samples, cut,
      view.columns == 0    ? "ring distance"
      : view.closed        ? "distance along a row of the torus"
      : view.channels == 1 ? "distance along a row of the image"
                           : "distance along a row of the image, of pixels of one colour",
      grouped(static_cast<std::int64_t>(view.count(0))), grouped(static_cast<std::int64_t>(view.count(1))),
      marginal, first.name, second.name, kurtosis_text(first.excess_kurtosis),
      kurtosis_text(second.excess_kurtosis));
}

/// One column of small multiples.
struct Column {
  std::string name, kurtosis;
  std::vector<std::vector<double>> samples;
};

Column column_of(const SamplesView& view, std::size_t which_class) {
  const ClassView& shown = view.classes[which_class];
  Column column{shown.name, "excess kurtosis " + kurtosis_text(shown.excess_kurtosis), {}};
  for (std::size_t row = 0; row < std::min(shown_samples, view.count(which_class)); ++row) {
    const std::span<const float> x = view.sample(which_class, row);
    column.samples.emplace_back(
        x.begin(), x.begin() + static_cast<std::ptrdiff_t>(
                                   view.columns > 0 ? x.size() : std::min(x.size(), most_sites)));
  }
  return column;
}

/// The scale that all samples share.
struct Scale {
  Interval sites, values;
  bool steps = false;  // two-valued data: a slope between sites would show what is not there

  explicit Scale(const std::array<Column, 2>& columns, std::int64_t n) {
    std::set<double> different;
    for (const Column& column : columns)
      for (const auto& sample : column.samples)
        for (const double value : sample) {
          values.include(value);
          if (different.size() < 3) different.insert(value);
        }
    steps = different.size() <= 2;
    const auto shown = static_cast<double>(std::min(static_cast<std::size_t>(n), most_sites));
    sites = {steps ? -0.5 : 0.0, shown - (steps ? 0.5 : 1.0)};
    if (values.empty()) return;
    const double air = values.length() > 0 ? 0.06 * values.length() : std::max(1.0, std::abs(values.low));
    values = {values.low - air, values.high + air};
  }
};

void draw_sample(Canvas& canvas, const Plot& plot, const std::vector<double>& sample, bool steps,
                 const Color& color) {
  if (finite_range(sample).empty()) return say_no_finite_data(canvas, plot.box());
  std::vector<Point> line;
  for (std::size_t i = 0; i < sample.size(); ++i) {
    const auto site = static_cast<double>(i);
    for (const double x : steps ? std::vector{site - 0.5, site + 0.5} : std::vector{site})
      line.push_back(plot.at(x, sample[i]));
  }
  canvas.line(line, {color, 0.8});
}

/// One tick is no scale: then rather more of them than a row has room for.
Axis value_axis(const Interval& values) {
  const Axis few = Axis::snug("", values, 3);
  return few.ticks().size() < 2 ? Axis::snug("", values, 5) : few;
}

double left_of(std::size_t which_class) {
  return left_mm + static_cast<double>(which_class) * (column_mm + column_gap_mm);
}

void draw_headers(Canvas& canvas, const std::array<Column, 2>& columns) {
  for (std::size_t c = 0; c < columns.size(); ++c) {
    canvas.fitted_text({left_of(c), header_mm - 3}, columns[c].name,
                       {.size_pt = 7, .color = category(c), .bold = true}, column_mm);
    canvas.fitted_text({left_of(c), header_mm}, columns[c].kurtosis, {.size_pt = 6.5, .color = grey},
                       column_mm);
  }
}

/// Samples of a ring, one below the other.
void draw_lines(Canvas& canvas, const std::array<Column, 2>& columns, const Scale& scale) {
  const double row_mm = (bottom_mm - top_mm + row_gap_mm) / shown_samples - row_gap_mm;
  const Axis values = value_axis(scale.values);
  for (std::size_t c = 0; c < columns.size(); ++c) {
    for (std::size_t row = 0; row < shown_samples; ++row) {
      const Box box{left_of(c), top_mm + static_cast<double>(row) * (row_mm + row_gap_mm), column_mm, row_mm};
      const Plot plot(canvas, box, Axis::snug("site i", scale.sites, 4, 1), values);
      const bool x = row + 1 == shown_samples, y = c == 0;
      plot.draw_axes(canvas, x ? (y ? Plot::Labels::both : Plot::Labels::only_x)
                               : (y ? Plot::Labels::only_y : Plot::Labels::neither));
      if (row < columns[c].samples.size())
        draw_sample(canvas, plot, columns[c].samples[row], scale.steps, category(c));
    }
  }
  canvas.text({3, (top_mm + bottom_mm) / 2}, "Xᵢ", {.across = 0.5, .upward = true});
}

/// How many samples are images, and of what size.
struct Images {
  std::size_t in_row = 0, rows = 0, channels = 1;

  explicit Images(const SamplesView& view)
      : in_row(static_cast<std::size_t>(view.columns)), channels(static_cast<std::size_t>(view.channels)) {
    if (in_row > 0) rows = static_cast<std::size_t>(view.sites) / (in_row * channels);
  }
};

/// What becomes black and what becomes full of a colour: 0 and 1 where that holds all values, as it does those of photographs.
Interval color_range(const std::array<Column, 2>& columns) {
  Interval range;
  for (const Column& column : columns)
    for (const auto& sample : column.samples)
      for (const double value : sample) range.include(value);
  if (range.empty() || (range.low >= 0 && range.high <= 1) || !(range.length() > 0)) return {0, 1};
  return range;
}

/// Photographs as they are.
std::vector<Color> photograph(const std::vector<double>& sample, const Interval& range) {
  const std::size_t plane = sample.size() / 3;
  const auto share = [&](std::size_t at) {
    const double t = (sample[at] - range.low) / range.length();
    return std::isfinite(t) ? std::clamp(t, 0.0, 1.0) : 1.0;
  };
  std::vector<Color> pixels;
  for (std::size_t i = 0; i < plane; ++i)
    pixels.push_back({share(i), share(plane + i), share(2 * plane + i)});
  return pixels;
}

/// Samples of a torus, or images, two by two, and the colours of their values.
void draw_images(Canvas& canvas, const std::array<Column, 2>& columns, const Scale& scale,
                 const Images& images) {
  const auto& [in_row, rows, channels] = images;
  const bool photographs = channels == 3;
  const Interval range = color_range(columns);
  const auto across = static_cast<double>(in_row), down = static_cast<double>(rows);
  const double site = std::min((column_mm - row_gap_mm) / 2 / across, (column_mm - row_gap_mm) / 2 / down);
  const double width = site * across, height = site * down;
  const double largest = std::max({std::abs(scale.values.low), std::abs(scale.values.high), 1e-30});
  for (std::size_t c = 0; c < columns.size(); ++c) {
    for (std::size_t k = 0; k < columns[c].samples.size(); ++k) {
      std::vector<Color> pixels;
      if (photographs)
        pixels = photograph(columns[c].samples[k], range);
      else
        for (const double value : columns[c].samples[k]) pixels.push_back(diverging(value / largest));
      const auto right = static_cast<double>(k % 2), below = k < 2 ? 0.0 : 1.0;
      canvas.image(
          {left_of(c) + right * (width + row_gap_mm), top_mm + below * (height + row_gap_mm), width, height},
          pixels, in_row);
    }
  }
  const double middle = top_mm + 2 * height + row_gap_mm + 5;
  if (photographs) {
    canvas.text(
        {left_mm, middle},
        fmt::format("red, green, blue: Xᵢ from {} to {}", signed_text(range.low), signed_text(range.high)),
        {.size_pt = 6.5, .up = 0.5});
    return;
  }
  std::vector<Color> bar;
  for (int i = -20; i <= 20; ++i) bar.push_back(diverging(i / 20.0));
  canvas.image({left_mm, middle - 1, 20, 2}, bar, bar.size());
  canvas.text({left_mm + 21.5, middle}, fmt::format("Xᵢ from −{0:.2g} to {0:.2g}", largest),
              {.size_pt = 6.5, .up = 0.5});
}

void draw_legend(Canvas& canvas, const std::array<Column, 2>& columns, const Box& panel) {
  const TextStyle style{.size_pt = 6.5, .color = grey, .up = 0.5};
  const double left = panel.right() - 39;
  double y = panel.top + 1;
  for (std::size_t c = 0; c < columns.size(); ++c, y += 3) {
    canvas.line(std::array{Point{left, y}, Point{left + 4, y}}, {category(c), 1.2});
    canvas.fitted_text({left + 5.5, y}, columns[c].name, style, 33.5);
  }
  canvas.line(std::array{Point{left, y}, Point{left + 4, y}}, {grey, 0.8});
  canvas.text({left + 5.5, y}, "stated", style);
  canvas.disc({left + 17, y}, 0.55, grey);
  canvas.text({left + 18.5, y}, "measured", style);
}

void require_whole_samples(const SamplesView& view) {
  for (const ClassView& each : view.classes)
    if (view.sites < 1 || each.x.size() % static_cast<std::size_t>(view.sites) != 0)
      throw std::invalid_argument(fmt::format("samples of {}: {} numbers, expected a multiple of {} sites",
                                              view.kind, each.x.size(), view.sites));
}

}  // namespace
}  // namespace of_samples

Figure samples(const SamplesView& view) {
  using namespace of_samples;
  require_whole_samples(view);
  const std::array columns{column_of(view, 0), column_of(view, 1)};
  const MarginalPanel marginal(view);
  return {"samples", caption(view, marginal.is_discrete()), width_mm, height_mm,
          [columns, scale = Scale(columns, view.sites), covariance = CovariancePanel(view), marginal,
           images = Images(view), kind = view.kind, parameters = view.parameters](Canvas& canvas) {
            const TextStyle title{.size_pt = 8, .up = 1, .bold = true};
            canvas.text({left_mm, 1.5}, kind, title);
            const double after = left_mm + canvas.text_width(kind, title) + 3;
            canvas.fitted_text({after, 1.5}, parameters, {.size_pt = 7, .color = grey, .up = 1},
                               width_mm - after - 2);
            draw_panel_letter(canvas, {1, letters_mm - 1}, "a");
            draw_headers(canvas, columns);
            if (images.in_row > 0)
              draw_images(canvas, columns, scale, images);
            else
              draw_lines(canvas, columns, scale);
            const Box upper{right_mm, letters_mm, panel_mm, panel_height_mm};
            const Box lower{right_mm, bottom_mm - panel_height_mm, panel_mm, panel_height_mm};
            draw_panel_letter(canvas, {right_mm - 14, upper.top - 1}, "b");
            covariance.draw(canvas, upper);
            draw_legend(canvas, columns, upper);
            draw_panel_letter(canvas, {right_mm - 14, lower.top - 3}, "c");
            marginal.draw(canvas, lower);
          }};
}

}  // namespace sluice::figure
