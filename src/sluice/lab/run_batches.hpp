/// Which samples a run sees: those it trains on and those it is measured on.
#pragma once

#include <cstdint>
#include <memory>

#include "sluice/learn/batches.hpp"
#include "sluice/task/task.hpp"

namespace sluice::lab {

/// Fresh samples, or a finite set in epochs. Throws InputError when the batch does not fit the task.
std::unique_ptr<learn::Batches> training_batches(const task::Task& task, std::int64_t rows,
                                                 std::uint64_t seed);

/// What loss and accuracy are measured on.
std::unique_ptr<learn::Batches> evaluation_set(const task::Task& task, std::int64_t rows, std::uint64_t seed);

/// Where training is confined to a finite set: all of it, for train_loss; null elsewhere.
std::unique_ptr<learn::Batches> whole_training_set(const task::Task& task);

}  // namespace sluice::lab
