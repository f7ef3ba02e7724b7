/// Checks that hold for every landscape, and fields to try them on.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "sluice/flow/landscape.hpp"
#include "sluice/math/ring.hpp"
#include "test/support/close.hpp"

namespace sluice::test {

/// Roughly normal numbers of a given size; the same for every library.
inline std::vector<double> random_field(std::size_t count, unsigned seed, double size = 1) {
  std::mt19937 engine(seed);
  std::vector<double> values(count);
  for (double& value : values) {
    double sum = -6;
    for (int i = 0; i < 12; ++i) sum += static_cast<double>(engine()) / 4294967296.0;
    value = size * sum;
  }
  return values;
}

/// exp(−d²/2s²) around site 0.
inline std::vector<double> bump(std::int64_t n, double s) {
  std::vector<double> w;
  for (std::int64_t i = 0; i < n; ++i) {
    const auto d = static_cast<double>(math::ring_distance(0, i, n));
    w.push_back(std::exp(-d * d / (2 * s * s)));
  }
  return w;
}

/// cos(k d) under a Gaussian envelope.
inline std::vector<double> gabor(std::int64_t n, double s, double k) {
  std::vector<double> w = bump(n, s);
  for (std::int64_t i = 0; i < n; ++i) {
    w[static_cast<std::size_t>(i)] *= std::cos(k * static_cast<double>(math::ring_distance(0, i, n)));
  }
  return w;
}

inline double dot(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}
inline double norm(std::span<const double> a) { return std::sqrt(dot(a, a)); }

/// downhill() is minus the gradient of loss(), by central differences in every parameter.
inline void expect_gradient(const flow::Landscape& landscape, std::vector<double> at) {
  std::vector<double> downhill(landscape.size(), NAN);
  landscape.downhill(at, downhill);
  ASSERT_GT(norm(downhill), 1e-4) << "a flat place: this test could not fail";
  constexpr double kStep = 1e-5;  // error h²L'''/6 ≈ 1e-10, rounding 1e-16/h ≈ 1e-11
  for (std::size_t i = 0; i < at.size(); ++i) {
    const double here = at[i];
    at[i] = here + kStep;
    const double up = landscape.loss(at);
    at[i] = here - kStep;
    const double down = landscape.loss(at);
    at[i] = here;
    EXPECT_TRUE(close(downhill[i], -(up - down) / (2 * kStep), {1e-7, 1e-9, "central difference"})) << i;
  }
}

}  // namespace sluice::test
