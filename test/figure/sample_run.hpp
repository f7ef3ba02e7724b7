#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "sluice/figure/run_view.hpp"

namespace sluice::figure::testing {

inline constexpr float nan_f = std::numeric_limits<float>::quiet_NaN();
inline constexpr double nan_d = std::numeric_limits<double>::quiet_NaN();

/// A made-up record that owns its arrays: unit k grows a bump at site (7k mod n), alternating in sign.
struct SampleRun {
  std::int64_t units, sites;
  std::vector<std::int64_t> step;
  std::vector<float> weights, ipr;
  std::vector<double> loss, accuracy;

  SampleRun(std::int64_t k_count, std::int64_t n, std::int64_t times) : units(k_count), sites(n) {
    for (std::int64_t t = 0; t < times; ++t) {
      const double grown = static_cast<double>(t + 1) / static_cast<double>(times);
      step.push_back(50 * t);
      loss.push_back(0.125 - 0.05 * grown);
      accuracy.push_back(0.5 + 0.4 * grown);
      for (std::int64_t k = 0; k < units; ++k) {
        double second = 0, fourth = 0;
        for (std::int64_t i = 0; i < sites; ++i) {
          const double away = static_cast<double>(i - (7 * k) % sites);
          const double w = (k % 2 == 0 ? 1 : -1) * grown * std::exp(-away * away / 4) + 0.01;
          weights.push_back(static_cast<float>(w));
          second += w * w;
          fourth += w * w * w * w;
        }
        ipr.push_back(static_cast<float>(fourth / (second * second)));
      }
    }
  }

  RunView view(std::string title = "sample") const {
    return {std::move(title), units, sites, step, weights, ipr, loss, accuracy};
  }

  void fill(double value) {
    for (auto* floats : {&weights, &ipr}) std::ranges::fill(*floats, static_cast<float>(value));
    for (auto* doubles : {&loss, &accuracy}) std::ranges::fill(*doubles, value);
  }
};

}  // namespace sluice::figure::testing
