#include "sluice/flow/finite_law.hpp"

#include "sluice/task/pulse.hpp"

namespace sluice::flow {

std::optional<FiniteLaw> finite_law(const task::Section& section, const task::Task& task) {
  FiniteLaw law;
  if (const task::FiniteSet* set = task.training_set()) {
    if (set->classes > 2) return std::nullopt;
    law.x = set->x;
    law.label.assign(set->y.begin(), set->y.end());
    law.weight.assign(law.label.size(), 1.0 / static_cast<double>(law.label.size()));
    return law;
  }
  const auto of_pulse = [&](const auto& options) {
    const task::Pulse pulse(options);
    for (int c = 0; c < 2; ++c) {
      const task::FiniteSupport support = pulse.support(c);
      const double share = c == 0 ? task.classes().balance : 1 - task.classes().balance;
      law.x.insert(law.x.end(), support.points.begin(), support.points.end());
      for (const double weight : support.weights) {
        law.weight.push_back(share * weight);
        law.label.push_back(task.classes().labels.at(static_cast<std::size_t>(c)));
      }
    }
    return law;
  };
  if (const auto* pulse = dynamic_cast<const task::PulseOptions*>(&section.options()))
    return of_pulse(*pulse);
  if (const auto* block = dynamic_cast<const task::BlockOptions*>(&section.options()))
    return of_pulse(*block);
  return std::nullopt;
}

}  // namespace sluice::flow
