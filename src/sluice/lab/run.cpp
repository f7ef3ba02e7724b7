#include "sluice/lab/run.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "sluice/lab/session.hpp"

namespace sluice::lab {

bool Outcome::is_out_of_reach() const {
  const std::optional<double> loss = summary().find("loss");
  return ending == Ending::diverged && !recording.norms.empty() && loss && std::isfinite(*loss) &&
         std::ranges::all_of(recording.norms, [](const auto& part) { return std::isfinite(part.second); });
}

Outcome run(Experiment experiment, const std::string& name, const RunOptions& options) {
  const math::Stoppable stoppable(options.abandon_requested);
  Session session(std::move(experiment), name, options);
  options.begins();
  return session.run();
}

}  // namespace sluice::lab
