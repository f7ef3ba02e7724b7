/// The few numbers a run comes down to.
#pragma once

#include <cstdint>

#include "sluice/file/array.hpp"
#include "sluice/task/task.hpp"

namespace sluice::lab {

struct Summary {
  std::int64_t steps = 0;
  double excess_kurtosis = 0;           ///< of the data, exact: the mean over the two classes
  double excess_kurtosis_measured = 0;  ///< of the evaluation set, the same mean
  double ipr_start = 0;                 ///< median over units at the first probe time
  double ipr_end = 0;                   ///< median over units at the last probe time
  double localized = 0;                 ///< share of units with IPR ≥ 8/n at the end
  double loss = 0;
  double accuracy = 0;
};

/// From the arrays of a record (step, weights, loss, accuracy).
Summary summarize(const file::NamedArrays& record, const task::Task& task, double measured_kurtosis);

}  // namespace sluice::lab
