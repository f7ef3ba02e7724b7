/// What every response operator must satisfy, and the same responses measured on samples.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "sluice/flow/response.hpp"
#include "test/support/close.hpp"
#include "test/support/estimate.hpp"
#include "test/support/normals.hpp"

namespace sluice::test {

using Vector = std::vector<double>;

inline Vector single(const flow::Response& response, const Vector& w) {
  Vector f(w.size(), std::nan(""));  // must all be overwritten
  response.single(w, f);
  return f;
}

inline Vector pair(const flow::PairResponse& response, const Vector& w, const Vector& v) {
  Vector p(w.size(), std::nan(""));
  response.pair(w, v, p);
  return p;
}

inline Vector scaled(Vector w, double by) {
  for (double& value : w) value *= by;
  return w;
}

inline Vector shifted(const Vector& w, std::size_t by) {
  Vector moved(w.size());
  for (std::size_t i = 0; i < w.size(); ++i) moved[(i + by) % w.size()] = w[i];
  return moved;
}

inline Vector unit(std::size_t n, std::size_t i) {
  Vector w(n);
  w[i] = 1;
  return w;
}

inline double norm(const Vector& w) {
  double square = 0;
  for (const double value : w) square += value * value;
  return std::sqrt(square);
}

inline Vector random_field(std::size_t n, std::uint32_t seed) {
  const std::vector<float> row = normal_rows({.seed = seed}, static_cast<std::int64_t>(n), 1);
  return {row.begin(), row.end()};
}

inline testing::AssertionResult all_close(const Vector& got, const Vector& want, const Tolerance& t) {
  if (got.size() != want.size()) return testing::AssertionFailure() << "sizes differ";
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (auto result = close(got[i], want[i], t); !result) return result << ", site " << i;
  }
  return testing::AssertionSuccess();
}

/// N1.p1–p3: scale invariance, oddness, shift equivariance; `allowed` where a method is not exact about them.
inline void expect_symmetries(const flow::Response& response, const Vector& w, const Tolerance& allowed) {
  const Vector f = single(response, w);
  EXPECT_TRUE(all_close(single(response, scaled(w, 7.3e-3)), f, allowed)) << "scale";
  EXPECT_TRUE(all_close(single(response, scaled(w, -1)), scaled(f, -1), allowed)) << "oddness";
  for (const std::size_t by : {std::size_t{1}, w.size() / 2, w.size() - 1}) {
    EXPECT_TRUE(all_close(single(response, shifted(w, by)), shifted(f, by), allowed)) << "shift by " << by;
  }
}

/// N1.J: the Jacobian is symmetric and kills w, by central differences of step h relative to |w|.
inline void expect_gradient_field(const flow::Response& response, const Vector& w, double h, double allowed) {
  const std::size_t n = w.size();
  const double step = h * norm(w) / std::sqrt(static_cast<double>(n));
  std::vector<Vector> columns;
  double largest = 0;
  for (std::size_t j = 0; j < n; ++j) {
    Vector up = w;
    Vector down = w;
    up[j] += step;
    down[j] -= step;
    Vector column = single(response, up);
    const Vector other = single(response, down);
    for (std::size_t i = 0; i < n; ++i) {
      column[i] = (column[i] - other[i]) / (2 * step);
      largest = std::max(largest, std::abs(column[i]));
    }
    columns.push_back(column);
  }
  ASSERT_GT(largest, 1e-3 / norm(w)) << "f does not move: this test cannot fail";
  for (std::size_t i = 0; i < n; ++i) {
    double along = 0;
    for (std::size_t j = 0; j < n; ++j) {
      along += columns[j][i] * w[j];
      EXPECT_NEAR(columns[j][i], columns[i][j], allowed * largest) << i << ", " << j;
    }
    EXPECT_NEAR(along, 0, allowed * largest * norm(w)) << "row " << i;
  }
}

/// Every site within 4.5 standard errors of what `samples` draws of the task give (one-sided 3e-6 each, so that a hundred
/// sites stay below 1e-3 together). Ties count half.
template <class Value>
void expect_measured(const Vector& expected, const task::Task& task, int which_class, std::int64_t samples,
                     std::uint64_t seed, const Value& weight_of) {
  const auto n = static_cast<std::size_t>(task.inputs());
  std::vector<Estimate> measured(n);
  constexpr std::int64_t kBlock = 1000;
  for (std::int64_t first = 0; first < samples; first += kBlock) {
    const std::vector<float> rows =
        sample_rows(task, {.seed = seed, .row = static_cast<std::uint32_t>(first)}, which_class, kBlock);
    for (std::size_t row = 0; row < kBlock; ++row) {
      const float* x = rows.data() + row * n;
      const double weight = weight_of(x);
      for (std::size_t i = 0; i < n; ++i) measured[i].add(weight * static_cast<double>(x[i]));
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    EXPECT_TRUE(close(measured[i].mean(), expected[i],
                      {0, 4.5 * measured[i].standard_error() + 1e-7, "4.5 standard errors and float data"}))
        << "site " << i;
  }
}

inline double overlap(const Vector& w, const float* x) {
  double s = 0;
  for (std::size_t i = 0; i < w.size(); ++i) s += w[i] * static_cast<double>(x[i]);
  return s;
}
/// Ties within rounding of float data count half (J.2).
inline double gate(double s) { return s > 1e-6 ? 1.0 : s < -1e-6 ? 0.0 : 0.5; }

inline void expect_single_measured(const flow::Response& response, const Vector& w, const task::Task& task,
                                   int which_class, std::int64_t samples, std::uint64_t seed) {
  expect_measured(single(response, w), task, which_class, samples, seed,
                  [&](const float* x) { return gate(overlap(w, x)); });
}

inline void expect_pair_measured(const flow::PairResponse& response, const Vector& w, const Vector& v,
                                 const task::Task& task, int which_class, std::int64_t samples,
                                 std::uint64_t seed) {
  expect_measured(pair(response, w, v), task, which_class, samples, seed,
                  [&](const float* x) { return gate(overlap(w, x)) * std::max(overlap(v, x), 0.0); });
}

}  // namespace sluice::test
