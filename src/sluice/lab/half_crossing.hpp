/// Where a share passes one half along an axis: between two neighbouring values x₁, x₂ with mean shares p₁ < ½ < p₂ (or the other way round)
///   x = x₁ + t (x₂ − x₁),   t = (½ − p₁)/(p₂ − p₁),   error = |x₂ − x₁| √((1−t)² s₁² + t² s₂²)/|p₂ − p₁|,
/// s the standard errors of the means over runs, x a logarithm where the axis is one. What lies between the two values is not known better
/// than that the share goes from the one to the other: they are told, too.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sluice/lab/run_points.hpp"

namespace sluice::lab {

struct ShareAt {
  double x = 0;
  double share = 0;
  double error = 0;  ///< of the mean; not a number where there is one run
  double another =
      0;  ///< a number that goes along x, as the kurtosis of data does along their gain; not a number where there is none
};

struct HalfCrossing {
  double x = 0, error = 0;
  double another = 0, another_error = 0;
  double from = 0, to = 0;  ///< the two values
};

/// Means of a share over the runs at every finite value of x, by rising x, and of another number of theirs.
std::vector<ShareAt> shares_along(const std::vector<const RunPoint*>& runs, const std::string& x,
                                  const std::string& share, const std::string& another);

/// None where the share does not pass one half, or more than once. `shares` by rising x.
std::optional<HalfCrossing> half_crossing(std::span<const ShareAt> shares, bool logarithmic);

}  // namespace sluice::lab
