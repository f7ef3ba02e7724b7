#include "sluice/lab/task_shelf.hpp"

#include <fmt/format.h>

namespace sluice::lab {
namespace {

std::string said_of_task(const Experiment& experiment) {
  std::string said;
  for (const spec::KeyInfo& key : keys_of(experiment))
    if (key.path.starts_with("task.")) said += fmt::format("{} = {}\n", key.path, key.value);
  return said;
}

}  // namespace

std::shared_ptr<const task::Task> TaskShelf::get(const Experiment& experiment) {
  const std::string said = said_of_task(experiment);
  const std::lock_guard guard(mutex_);  // while one reads a set, those who want it wait for it
  if (std::shared_ptr<const task::Task> made = made_[said].lock()) return made;
  std::shared_ptr<const task::Task> made = experiment.task.make();
  if (made->training_set() == nullptr) return made;
  made_[said] = made;
  last_ = made;
  return made;
}

}  // namespace sluice::lab
