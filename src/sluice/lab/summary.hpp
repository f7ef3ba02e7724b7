/// The few numbers a run comes down to.
#pragma once

#include <cstdint>
#include <limits>

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
  // of a deep network, which has no receptive fields to measure; NaN where the run has none
  bool deep = false;
  double train_loss = std::numeric_limits<double>::quiet_NaN();
  double train_accuracy = std::numeric_limits<double>::quiet_NaN();
  double error = std::numeric_limits<double>::quiet_NaN();  ///< ‖e_t‖/‖e_0‖ on the training set
};

/// From the arrays of a record (step, weights, loss, accuracy).
Summary summarize(const file::NamedArrays& record, const task::Task& task, double measured_kurtosis);
/// From step, loss, accuracy, train_loss, train_accuracy, error.
Summary summarize_deep(const file::NamedArrays& record);

}  // namespace sluice::lab
