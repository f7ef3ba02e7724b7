#include "sluice/task/options.hpp"

#include <cmath>

namespace sluice::task {

void SiteOptions::describe_sites(spec::Keys& keys) {
  // The Gaussian samplers multiply by a dense n × n root: 4096 sites are 64 MiB.
  keys.integer("n", n, spec::integers(2, 4096), "sites on the ring");
}

void SiteOptions::describe_classes(spec::Keys& keys) {
  keys.pair("labels", classes.labels, spec::any_number(), "labels of the two classes, first class first");
  keys.require(classes.labels[0] != classes.labels[1], "labels", "two different numbers");
  keys.number("balance", classes.balance,
              {.low = 0,
               .high = std::nextafter(1.0, 0.0),
               .open_low = true,
               .expected = "a number between 0 and 1, both excluded"},
              "share of samples in the first class");
}

void RingOptions::describe(spec::Keys& keys) {
  describe_sites(keys);
  keys.pair("xi", xi, spec::positive(), "correlation lengths of the two classes, covariance exp(-d²/ξ²)");
  describe_classes(keys);
}

}  // namespace sluice::task
