/// Moments of a task's samples with standard errors, to be held against the closed forms.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "sluice/task/task.hpp"
#include "test/support/close.hpp"
#include "test/support/estimate.hpp"
#include "test/support/normals.hpp"

namespace sluice::test {

/// Whether the eighth moment exists, without which four standard errors of the kurtosis mean nothing.
enum class Kurtosis { has_a_standard_error, has_no_standard_error };

/// Draws `samples` of one class and checks mean, every covariance on the ring and the excess kurtosis within
/// four standard errors. One number per sample enters each estimate (the mean over sites), so errors are
/// honest although sites are correlated. Everything is about the stated mean. `side`: the sites are those of a torus of
/// side × side sites; 0: of a ring.
inline void expect_stated_moments(const task::Task& task, int which_class, std::int64_t samples,
                                  std::uint64_t seed,
                                  Kurtosis kurtosis_of_samples = Kurtosis::has_a_standard_error,
                                  std::size_t side = 0) {
  const auto n = static_cast<std::size_t>(task.inputs());
  const auto moved = [&](std::size_t i, std::size_t d) {
    if (side == 0) return (i + d) % n;
    return (i / side + d / side) % side * side + (i + d % side) % side;
  };
  const task::Moments exact = task.moments(which_class);
  Estimate mean;
  std::vector<Estimate> covariance(side == 0 ? n / 2 + 1 : n);
  std::vector<double> x(n);
  std::vector<double> second_of_sample;
  std::vector<double> fourth_of_sample;
  constexpr std::int64_t kBlock = 1000;
  for (std::int64_t first = 0; first < samples; first += kBlock) {
    const std::vector<float> rows =
        sample_rows(task, {.seed = seed, .row = static_cast<std::uint32_t>(first)}, which_class, kBlock);
    for (std::size_t row = 0; row < kBlock; ++row) {
      for (std::size_t i = 0; i < n; ++i) x[i] = static_cast<double>(rows[row * n + i]) - exact.mean;
      double sum = 0;
      double fourth = 0;
      for (std::size_t i = 0; i < n; ++i) {
        const double square = x[i] * x[i];
        sum += x[i];
        fourth += square * square;
      }
      mean.add(sum / static_cast<double>(n));
      for (std::size_t d = 0; d < covariance.size(); ++d) {
        double product = 0;
        for (std::size_t i = 0; i < n; ++i) product += x[i] * x[moved(i, d)];
        covariance[d].add(product / static_cast<double>(n));
        if (d == 0) second_of_sample.push_back(product / static_cast<double>(n));
      }
      fourth_of_sample.push_back(fourth / static_cast<double>(n));
    }
  }
  // Where the closed form has no variance (X = ±1), what remains is the rounding of float data.
  const double rounding = 1e-6;
  EXPECT_TRUE(close(mean.mean(), 0, {0, 4 * mean.standard_error() + rounding, "four standard errors"}));
  for (std::size_t d = 0; d < covariance.size(); ++d) {
    const Tolerance allowed{0, 4 * covariance[d].standard_error() + rounding, "four standard errors"};
    EXPECT_TRUE(close(covariance[d].mean(), exact.covariance[d], allowed)) << "distance " << d;
  }
  if (kurtosis_of_samples == Kurtosis::has_no_standard_error || !std::isfinite(exact.excess_kurtosis)) return;
  // Delta method for M4/M2²: each sample's influence is (m4 − M4)/M2² − 2 M4 (m2 − M2)/M2³.
  const double m2 = covariance[0].mean();
  Estimate fourth;
  for (const double m4 : fourth_of_sample) fourth.add(m4);
  Estimate influence;
  for (std::size_t s = 0; s < fourth_of_sample.size(); ++s) {
    influence.add(fourth_of_sample[s] / (m2 * m2) - 2 * fourth.mean() * second_of_sample[s] / (m2 * m2 * m2));
  }
  const double kurtosis = fourth.mean() / (m2 * m2) - 3;
  EXPECT_TRUE(close(kurtosis, exact.excess_kurtosis,
                    {0, 4 * influence.standard_error() + rounding, "four standard errors"}));
}

}  // namespace sluice::test
