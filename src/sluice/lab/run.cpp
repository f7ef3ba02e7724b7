#include "sluice/lab/run.hpp"

#include <utility>

#include "sluice/lab/session.hpp"

namespace sluice::lab {

Outcome run(Experiment experiment, const std::string& name, const RunOptions& options) {
  const math::Stoppable stoppable(options.abandon_requested);
  Session session(std::move(experiment), name, options);
  options.begins();
  return session.run();
}

}  // namespace sluice::lab
