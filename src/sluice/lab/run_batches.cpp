#include "sluice/lab/run_batches.hpp"

#include <fmt/format.h>

#include <cmath>
#include <string>

#include "sluice/file/errors.hpp"
#include "sluice/learn/options.hpp"

namespace sluice::lab {
namespace {

/// A batch or evaluation set of fresh samples must hold a whole number of each class, so that the share of a class is the
/// one the spec states.
void require_whole_classes(const task::Task& task, std::int64_t rows, const std::string& key) {
  const double balance = task.classes().balance;
  const double first = balance * static_cast<double>(rows);
  if (std::abs(first - std::round(first)) < 1e-6 && std::round(first) >= 1 &&
      std::round(first) <= static_cast<double>(rows - 1)) {
    return;
  }
  throw InputError(
      balance == 0.5
          ? fmt::format("{} = {}: expected an even number, half of it from each class", key, rows)
          : fmt::format(
                "{} = {}: expected a number of samples that task.balance = {} divides into whole classes",
                key, rows, balance));
}

}  // namespace

std::unique_ptr<learn::Batches> training_batches(const task::Task& task, std::int64_t rows,
                                                 std::uint64_t seed) {
  if (const task::FiniteSet* set = task.training_set()) {
    if (rows > set->size()) {
      throw InputError(
          fmt::format("dynamics.batch = {}: expected at most the {} samples of the dataset, or \"full\"",
                      rows, set->size()));
    }
    return std::make_unique<learn::EpochBatches>(*set, seed, rows == learn::kFullBatch ? set->size() : rows);
  }
  if (rows == learn::kFullBatch) {
    throw InputError("dynamics.batch = \"full\": expected a number of samples, or task.kind = \"dataset\"");
  }
  require_whole_classes(task, rows, "dynamics.batch");
  return std::make_unique<learn::FreshBatches>(task, seed, math::Purpose::training, rows);
}

std::unique_ptr<learn::Batches> evaluation_set(const task::Task& task, std::int64_t rows,
                                               std::uint64_t seed) {
  if (const task::FiniteSet* set = task.test_set()) {
    return std::make_unique<learn::EpochBatches>(*set, seed, set->size());
  }
  require_whole_classes(task, rows, "probe.samples");
  return std::make_unique<learn::FreshBatches>(task, seed, math::Purpose::evaluation, rows);
}

std::unique_ptr<learn::Batches> whole_training_set(const task::Task& task) {
  const task::FiniteSet* set = task.training_set();
  return set == nullptr ? nullptr : std::make_unique<learn::EpochBatches>(*set, 0, set->size());
}

}  // namespace sluice::lab
