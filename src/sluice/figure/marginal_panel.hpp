/// The panel of the recipe `samples` that shows the law of one site.
#pragma once

#include <array>
#include <vector>

#include "sluice/figure/canvas.hpp"
#include "sluice/figure/samples_view.hpp"
#include "sluice/figure/ticks.hpp"

namespace sluice::figure {

/// The law of one site, all sites of a class together. Data of at most a dozen values show the share of each as a bar;
/// others a histogram as a density, over the middle 99.8 % of all values, with the normal law of the stated mean and
/// variance beside it.
struct MarginalPanel {
  explicit MarginalPanel(const SamplesView& view);
  void draw(Canvas& canvas, const Box& box) const;
  bool is_discrete() const { return !values_.empty(); }

 private:
  void count_values(const SamplesView& view);
  void count_bins(const SamplesView& view);
  void draw_bars(Canvas& canvas, const Box& box) const;
  void draw_densities(Canvas& canvas, const Box& box) const;

  struct Normal {
    double mean, variance;
  };
  std::vector<double> values_;                 // ascending; empty: not discrete
  Interval range_;                             // of the histogram
  std::array<std::vector<double>, 2> height_;  // shares of the values, or densities of the bins
  std::array<Normal, 2> normal_;
};

}  // namespace sluice::figure
