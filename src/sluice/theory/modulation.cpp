#include "sluice/theory/modulation.hpp"

#include <limits>
#include <optional>

#include "sluice/flow/flat_field.hpp"
#include "sluice/flow/modulation.hpp"
#include "sluice/math/statistics.hpp"

namespace sluice::theory {

std::vector<ModulationOnset> modulation_onsets(const task::NlgpOptions& task, std::uint64_t seed) {
  constexpr std::int64_t kSets = 8, kDraws = 1 << 14;
  math::Workers workers(math::hardware_threads());
  std::vector<ModulationOnset> onsets;
  for (const double ratio : {1.25, 1.5, 2.0, 2.5, 3.0, 4.0}) {
    flow::UnitSpec spec{task};
    spec.task.xi[0] = ratio * task.xi[1];
    ModulationOnset onset{ratio, flow::modulation_gain(spec.task), std::numeric_limits<double>::quiet_NaN(),
                          0};
    std::vector<double> gains;
    for (std::int64_t set = 0; set < kSets; ++set) {
      const std::optional<double> gain =
          flow::flat_onset(spec, flow::unit_parameter("gain"), onset.leading, 1,
                           {.draws = kDraws, .seed = seed, .set = set}, workers);
      if (gain) gains.push_back(*gain);
    }
    if (gains.size() == kSets) {
      const math::Statistics over(gains);
      onset.gain = over.mean();
      onset.error = over.error();
    }
    onsets.push_back(onset);
  }
  return onsets;
}

}  // namespace sluice::theory
