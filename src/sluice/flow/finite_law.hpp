/// Tasks on finitely many points: pulse and block, and the samples of a dataset.
#pragma once

#include <optional>
#include <vector>

#include "sluice/task/registry.hpp"
#include "sluice/task/task.hpp"

namespace sluice::flow {

/// Points with the weights and labels they have; the weights sum to 1.
struct FiniteLaw {
  std::vector<float> x;  ///< [P, n]
  std::vector<double> weight, label;
};

/// Nothing where the task never runs out of points, or has more than two classes.
std::optional<FiniteLaw> finite_law(const task::Section& section, const task::Task& task);

}  // namespace sluice::flow
