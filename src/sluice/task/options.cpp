#include "sluice/task/options.hpp"

namespace sluice::task {

void SiteOptions::describe_sites(spec::Keys& keys) {
  // The Gaussian samplers multiply by a dense n × n root: 4096 sites are 64 MiB.
  keys.integer("n", n, spec::integers(2, 4096), "sites on the ring");
}

void SiteOptions::describe_labels(spec::Keys& keys) {
  keys.pair("labels", labels, spec::any_number(), "labels of the two classes, first class first");
  keys.require(labels[0] != labels[1], "labels", "two different numbers");
}

void RingOptions::describe(spec::Keys& keys) {
  describe_sites(keys);
  keys.pair("xi", xi, spec::positive(), "correlation lengths of the two classes, covariance exp(-d²/ξ²)");
  describe_labels(keys);
}

}  // namespace sluice::task
