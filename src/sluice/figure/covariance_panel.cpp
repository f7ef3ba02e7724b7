#include "sluice/figure/covariance_panel.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "sluice/figure/plot.hpp"
#include "sluice/figure/select.hpp"

namespace sluice::figure {
namespace {

constexpr std::size_t most_points = 41;  // of a class: more would merge into a band
constexpr double disc_mm = 0.55;

std::vector<double> means_of_sites(std::span<const float> x, std::size_t sites) {
  std::vector<double> means(sites);
  for (std::size_t k = 0; k < x.size(); ++k) means[k % sites] += x[k];
  for (double& mean : means) mean *= static_cast<double>(sites) / static_cast<double>(x.size());
  return means;
}

// How far there is something to see: to twice the last distance with a stated |Cov_d| above 2 % of the variance, at least
// 20 and at most half the ring (or a row of the torus: [d] is then the distance along a row).
std::size_t shown_distance(const SamplesView& view) {
  const auto half = view.line() / 2;
  std::size_t shown = 20;
  for (const ClassView& each : view.classes)
    for (std::size_t d = 0; d < std::min(half + 1, each.covariance.size()); ++d)
      if (std::abs(each.covariance[d]) > 0.02 * each.covariance[0]) shown = std::max(shown, 2 * d);
  return std::min(shown, half);
}

}  // namespace

MeasuredCovariance measure_covariance(std::span<const float> x, std::size_t sites, std::size_t line,
                                      std::span<const std::size_t> distances, bool closed) {
  const std::size_t rows = sites == 0 ? 0 : x.size() / sites;
  const auto count = static_cast<double>(rows);
  std::vector<double> sum(distances.size()), sum_of_squares(distances.size());
  const std::vector<double> mean = rows == 0 ? std::vector<double>(sites) : means_of_sites(x, sites);
  std::vector<double> twice(2 * line);  // a line twice, so that i + d needs no wrapping
  std::vector<double> product(distances.size());
  for (std::size_t row = 0; row < rows; ++row) {
    std::ranges::fill(product, 0.0);
    for (std::size_t first = 0; first < sites; first += line) {
      for (std::size_t i = 0; i < line; ++i)
        twice[i] = twice[i + line] = x[row * sites + first + i] - mean[first + i];
      const auto begin = twice.begin();
      for (std::size_t j = 0; j < distances.size(); ++j) {
        const std::size_t pairs = closed ? line : line - distances[j];
        const std::size_t summed = sites / line * pairs;
        product[j] += std::inner_product(begin, begin + static_cast<std::ptrdiff_t>(pairs),
                                         begin + static_cast<std::ptrdiff_t>(distances[j]), 0.0) /
                      static_cast<double>(summed);
      }
    }
    for (std::size_t j = 0; j < distances.size(); ++j) {
      sum[j] += product[j];
      sum_of_squares[j] += product[j] * product[j];
    }
  }
  MeasuredCovariance measured;
  for (std::size_t j = 0; j < distances.size(); ++j) {
    const double average = sum[j] / count;
    const double variance = std::max(0.0, sum_of_squares[j] / count - average * average);
    const bool known = rows >= 2;
    measured.distance.push_back(static_cast<double>(distances[j]));
    measured.covariance.push_back(known ? sum[j] / (count - 1) : std::nan(""));
    measured.standard_error.push_back(known ? std::sqrt(variance / (count - 1)) : std::nan(""));
  }
  return measured;
}

CovariancePanel::CovariancePanel(const SamplesView& view)
    : along_(view.columns > 0 ? "distance d along a row" : "ring distance d") {
  const auto sites = static_cast<std::size_t>(view.sites);
  const std::size_t shown = shown_distance(view) + 1;
  const std::vector<std::size_t> distances = evenly_chosen(shown, most_points);
  for (std::size_t c = 0; c < stated_.size(); ++c) {
    const std::span<const double> covariance = view.classes[c].covariance;
    const auto end = covariance.begin() + static_cast<std::ptrdiff_t>(std::min(shown, covariance.size()));
    stated_[c].assign(covariance.begin(), end);
    measured_[c] = measure_covariance(view.classes[c].x, sites, view.line(), distances, view.closed);
  }
}

void CovariancePanel::draw(Canvas& canvas, const Box& box) const {
  Interval range, reach;
  range.include(0);
  bool has_data = false;
  for (std::size_t c = 0; c < stated_.size(); ++c) {
    for (const double value : stated_[c]) range.include(value);
    for (const double value : measured_[c].covariance) range.include(value);
    for (const double d : measured_[c].distance) reach.include(d);
    has_data =
        has_data || !finite_range(stated_[c]).empty() || !finite_range(measured_[c].covariance).empty();
  }
  const double air = range.length() > 0 ? 0.05 * range.length() : 1;
  const Plot plot(
      canvas, box, Axis::snug(along_, reach, intervals_in(box.width, x_label_mm), 1),
      Axis::snug("covariance", {range.low - air, range.high + air}, intervals_in(box.height, y_label_mm)));
  plot.draw_axes(canvas);
  if (!has_data) return say_no_finite_data(canvas, box);
  if (plot.at(0, 0).y < box.bottom() - 0.1) plot.reference(canvas, 0);
  for (std::size_t c = 0; c < stated_.size(); ++c) {
    std::vector<double> distance(stated_[c].size());
    std::iota(distance.begin(), distance.end(), 0.0);
    plot.curve(canvas, distance, stated_[c], {category(c), 0.8});
  }
  for (std::size_t c = 0; c < measured_.size(); ++c) {
    const auto& [distance, covariance, error] = measured_[c];
    for (std::size_t j = 0; j < distance.size(); ++j) {
      if (!std::isfinite(covariance[j])) continue;
      const Point low = plot.at(distance[j], covariance[j] - error[j]);
      const Point high = plot.at(distance[j], covariance[j] + error[j]);
      if (low.y - high.y > 2 * disc_mm) canvas.line(std::array{low, high}, {category(c), 0.5});
      canvas.disc(plot.at(distance[j], covariance[j]), disc_mm, category(c));
    }
  }
}

}  // namespace sluice::figure
