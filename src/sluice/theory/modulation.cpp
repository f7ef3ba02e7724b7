#include "sluice/theory/modulation.hpp"

#include "sluice/flow/modulation.hpp"
#include "sluice/math/workers.hpp"
#include "sluice/theory/critical_gain.hpp"

namespace sluice::theory {

std::vector<ModulationOnset> modulation_onsets(task::NlgpOptions task, std::uint64_t seed) {
  math::Workers workers(math::hardware_threads());
  const double second = task.xi[1];
  std::vector<ModulationOnset> onsets;
  for (const double ratio : {1.25, 1.5, 2.0, 2.5, 3.0, 4.0}) {
    task.xi[0] = ratio * second;
    const CriticalGain critical = flat_loses_stability(task, seed, workers);
    onsets.push_back({ratio, flow::modulation_gain(task), critical.gain, critical.error});
  }
  return onsets;
}

}  // namespace sluice::theory
