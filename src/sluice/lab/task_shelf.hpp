/// Finite sets that are in memory already: the points of a sweep that differ in other sections share one task, and what a device keeps of it.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "sluice/lab/experiment.hpp"
#include "sluice/task/task.hpp"

namespace sluice::lab {

/// Any thread may ask. A set is there as long as somebody has it, the last one that was asked for as long as the shelf.
class TaskShelf {
 public:
  /// The task of the experiment; one that never runs out of samples is made anew, and nobody waits for it. Throws as task::Section::make() does.
  std::shared_ptr<const task::Task> get(const Experiment& experiment);

 private:
  std::mutex mutex_;
  std::map<std::string, std::weak_ptr<const task::Task>> made_;  // by what the section says
  std::shared_ptr<const task::Task> last_;
};

}  // namespace sluice::lab
