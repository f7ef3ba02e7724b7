#include "sluice/figure/marginal_panel.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>

#include "sluice/figure/plot.hpp"

namespace sluice::figure {
namespace {

constexpr std::size_t most_values = 12, bins = 50;
constexpr double left_out = 0.001;  // of all values, at either end: tails would squeeze the rest

std::vector<float> finite_values(const SamplesView& view) {
  std::vector<float> values;
  for (const ClassView& each : view.classes)
    std::ranges::copy_if(each.x, std::back_inserter(values), [](float v) { return std::isfinite(v); });
  return values;
}

// The different values, ascending; nothing when there are more than `most_values`.
std::vector<double> few_values(const std::vector<float>& all) {
  std::set<float> different;
  for (const float value : all) {
    different.insert(value);
    if (different.size() > most_values) return {};
  }
  return {different.begin(), different.end()};
}

double normal_density(double x, double mean, double variance) {
  return std::exp(-(x - mean) * (x - mean) / (2 * variance)) / std::sqrt(2 * std::numbers::pi * variance);
}

}  // namespace

MarginalPanel::MarginalPanel(const SamplesView& view) {
  for (std::size_t c = 0; c < normal_.size(); ++c) {
    const ClassView& each = view.classes[c];
    normal_[c] = {each.mean, each.covariance.empty() ? std::nan("") : each.covariance[0]};
  }
  std::vector<float> all = finite_values(view);
  if (all.empty()) return;
  values_ = few_values(all);
  if (is_discrete()) {
    count_values(view);
    return;
  }
  const auto place = [&](double share) {
    return all.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(all.size() - 1));
  };
  for (const double share : {left_out, 1 - left_out}) {
    std::nth_element(all.begin(), place(share), all.end());
    range_.include(*place(share));
  }
  if (!(range_.length() > 0)) range_ = finite_range(all);  // nearly all values are one
  count_bins(view);
}

void MarginalPanel::count_values(const SamplesView& view) {
  for (std::size_t c = 0; c < height_.size(); ++c) {
    height_[c].resize(values_.size());
    for (const float x : view.classes[c].x) {
      if (!std::isfinite(x)) continue;
      const auto place = std::ranges::lower_bound(values_, x) - values_.begin();
      height_[c][static_cast<std::size_t>(place)] += 1 / static_cast<double>(view.classes[c].x.size());
    }
  }
}

void MarginalPanel::count_bins(const SamplesView& view) {
  const double width = range_.length() / bins;
  for (std::size_t c = 0; c < height_.size(); ++c) {
    height_[c].resize(bins);
    for (const float x : view.classes[c].x) {
      if (!(x >= range_.low && x <= range_.high)) continue;
      const auto bin = std::min(bins - 1, static_cast<std::size_t>((x - range_.low) / width));
      height_[c][bin] += 1 / (width * static_cast<double>(view.classes[c].x.size()));
    }
  }
}

void MarginalPanel::draw(Canvas& canvas, const Box& box) const {
  if (is_discrete()) return draw_bars(canvas, box);
  if (!range_.empty()) return draw_densities(canvas, box);
  Plot(box, Axis::snug("Xᵢ", {}, 3), Axis::rounded("density", {}, 3)).draw_axes(canvas);
  say_no_finite_data(canvas, box);
}

void MarginalPanel::draw_bars(Canvas& canvas, const Box& box) const {
  double gap = values_.size() < 2 ? std::max(1.0, std::abs(values_[0])) : values_.back() - values_.front();
  for (std::size_t i = 1; i < values_.size(); ++i) gap = std::min(gap, values_[i] - values_[i - 1]);
  Interval shares{0, 0};
  for (const auto& heights : height_)
    for (const double height : heights) shares.include(height);
  const Plot plot(canvas, box,
                  Axis::snug("Xᵢ", {values_.front() - gap / 2, values_.back() + gap / 2},
                             intervals_in(box.width, x_label_mm)),
                  Axis::rounded("probability", shares, intervals_in(box.height, y_label_mm)));
  for (std::size_t c = 0; c < height_.size(); ++c) {
    const double from = c == 0 ? -0.2 : 0.02, to = c == 0 ? -0.02 : 0.2;
    for (std::size_t i = 0; i < values_.size(); ++i) {
      const Point top = plot.at(values_[i] + from * gap, height_[c][i]);
      const Point foot = plot.at(values_[i] + to * gap, 0);
      canvas.box({top.x, top.y, foot.x - top.x, foot.y - top.y}, category(c).faded(0.75));
    }
  }
  plot.draw_axes(canvas);
}

void MarginalPanel::draw_densities(Canvas& canvas, const Box& box) const {
  constexpr std::size_t points = 121;
  std::array<std::vector<double>, 2> density;
  std::vector<double> x;
  for (std::size_t i = 0; i < points; ++i)
    x.push_back(range_.low + range_.length() * static_cast<double>(i) / (points - 1));
  Interval heights{0, 0};
  for (std::size_t c = 0; c < height_.size(); ++c) {
    for (const double value : x)
      density[c].push_back(normal_density(value, normal_[c].mean, normal_[c].variance));
    for (const double height : height_[c]) heights.include(height);
    for (const double height : density[c]) heights.include(height);
  }
  const Plot plot(canvas, box, Axis::snug("Xᵢ", range_, intervals_in(box.width, x_label_mm)),
                  Axis::rounded("density", heights, intervals_in(box.height, y_label_mm)));
  const double width = range_.length() / bins;
  for (std::size_t c = 0; c < height_.size(); ++c) {
    std::vector<Point> outline{plot.at(range_.low, 0)};
    for (std::size_t bin = 0; bin < height_[c].size(); ++bin) {
      const double left = range_.low + static_cast<double>(bin) * width;
      outline.push_back(plot.at(left, height_[c][bin]));
      outline.push_back(plot.at(left + width, height_[c][bin]));
    }
    outline.push_back(plot.at(range_.high, 0));
    // The first class thick, the second thin on top of it: often they have one law, and both must show.
    canvas.polygon(outline, category(c).faded(0.12));
    canvas.line(outline, {category(c), c == 0 ? 1.6 : 0.6});
  }
  plot.curve(canvas, x, density[0], {ink, 0.6, true});
  if (normal_[1].mean != normal_[0].mean || normal_[1].variance != normal_[0].variance)
    plot.curve(canvas, x, density[1], {ink, 0.6, true});
  plot.draw_axes(canvas);
}

}  // namespace sluice::figure
