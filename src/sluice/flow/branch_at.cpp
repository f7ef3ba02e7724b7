#include "sluice/flow/branch_at.hpp"

#include <cmath>

namespace sluice::flow {

std::optional<FixedPoint> branch_at(const Family& family, const Branch& branch, double coordinate,
                                    const ContinuationOptions& options) {
  std::optional<std::vector<double>> near;
  std::int64_t growing = 0;
  for (std::size_t p = 1; p < branch.points.size(); ++p) {
    const FixedPoint &a = branch.points[p - 1], &b = branch.points[p];
    if ((a.coordinate - coordinate) * (b.coordinate - coordinate) > 0 || a.coordinate == b.coordinate)
      continue;
    if (near && a.growing(options.still) >= growing) continue;
    growing = a.growing(options.still);
    const double share = (coordinate - a.coordinate) / (b.coordinate - a.coordinate);
    near = a.field;
    for (std::size_t i = 0; i < near->size(); ++i) (*near)[i] += share * (b.field[i] - a.field[i]);
  }
  return near ? Continuation(family, branch.sectors, options).settle(*near, coordinate) : std::nullopt;
}

std::optional<double> loss_gap(const Family& family, const Branch& first, const Branch& second,
                               double coordinate, const ContinuationOptions& options) {
  const auto stable = [&](const Branch& branch) {
    std::optional<FixedPoint> point = branch_at(family, branch, coordinate, options);
    return point && point->growing(options.still) == 0 ? point : std::nullopt;
  };
  const std::optional<FixedPoint> a = stable(first);
  const std::optional<FixedPoint> b = a ? stable(second) : std::nullopt;
  return a && b ? std::optional(a->loss - b->loss) : std::nullopt;
}

std::optional<std::pair<double, double>> exchange_bracket(const Family& family, const Branch& first,
                                                          const Branch& second,
                                                          const ContinuationOptions& options) {
  constexpr double kOne = 1e-9;
  double before = 0, where = 0;
  for (const FixedPoint& point : first.points) {
    if (point.growing(options.still) > 0) continue;
    const std::optional<double> gap = loss_gap(family, first, second, point.coordinate, options);
    if (!gap || std::abs(*gap) < kOne) continue;
    if (before * *gap < 0) return std::pair{where, point.coordinate};
    before = *gap;
    where = point.coordinate;
  }
  return std::nullopt;
}

std::optional<double> exchange(const Family& family, const Branch& first, const Branch& second,
                               std::pair<double, double> bracket, const ContinuationOptions& options) {
  constexpr int kMost = 40;
  constexpr double kNear = 1e-7;
  auto [left, right] = bracket;
  std::optional<double> at_left = loss_gap(family, first, second, left, options);
  std::optional<double> at_right = loss_gap(family, first, second, right, options);
  for (int k = 0; k < kMost && at_left && at_right; ++k) {
    if (std::abs(right - left) < kNear || *at_right == *at_left) return right;
    const double next = left - *at_left * (right - left) / (*at_right - *at_left);
    left = std::exchange(right, next);
    at_left = std::exchange(at_right, loss_gap(family, first, second, next, options));
  }
  return std::nullopt;
}

}  // namespace sluice::flow
