#include "sluice/lab/task_shelf.hpp"

#include <fmt/format.h>

#include <algorithm>

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
  const auto is_kind = [&](const spec::Choice& endless) { return endless.name == experiment.task.kind(); };
  if (std::ranges::any_of(task::endless_kinds(), is_kind)) return experiment.task.make();
  const std::string said = said_of_task(experiment);
  const std::lock_guard guard(mutex_);  // while one reads a set, those who want it wait for it
  if (std::shared_ptr<const task::Task> made = made_[said].lock()) return made;
  std::shared_ptr<const task::Task> made = experiment.task.make();
  made_[said] = made;
  last_ = made;
  return made;
}

}  // namespace sluice::lab
