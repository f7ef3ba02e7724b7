#include "sluice/task/options.hpp"

namespace sluice::task {

void RingOptions::describe(spec::Keys& keys) {
  // The samplers multiply by a dense n × n root: 4096 sites are 64 MiB.
  keys.integer("n", n, spec::integers(2, 4096), "sites on the ring");
  keys.pair("xi", xi, spec::positive(), "correlation lengths of the two classes, covariance exp(-d²/ξ²)");
  keys.pair("labels", labels, spec::any_number(), "labels of the two classes, in the order of xi");
  keys.require(labels[0] != labels[1], "labels", "two different numbers");
}

}  // namespace sluice::task
