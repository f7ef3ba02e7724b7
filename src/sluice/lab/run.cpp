#include "sluice/lab/run.hpp"

#include <utility>

#include "sluice/lab/session.hpp"

namespace sluice::lab {

Outcome run(Experiment experiment, const std::string& name, const RunOptions& options) {
  return Session(std::move(experiment), name, options).run();
}

}  // namespace sluice::lab
