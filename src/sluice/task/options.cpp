#include "sluice/task/options.hpp"

#include <cmath>

namespace sluice::task {

void SiteOptions::describe_sites(spec::Keys& keys) {
  keys.integer("n", n, spec::integers(2, 4096), "sites on the ring");
  const spec::Range ring{
      .low = 1, .high = 1, .expected = "1: only tasks made of a latent Gaussian have a torus"};
  keys.integer("dim", dim, ring, "1: this kind lives on a ring");
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
  keys.integer("n", n, spec::integers(2, kMostSites), "sites on the ring; along each axis when dim = 2");
  keys.integer("dim", dim, spec::integers(1, 2), "1: a ring of n sites, 2: a torus of n × n sites");
  keys.require(dim == 1 || n * n <= kMostSites, "n", "at most 1024 when dim = 2");
  keys.pair("xi", xi, spec::positive(),
            "correlation lengths of the two classes, covariance exp(-d²/ξ²), d² = d₁² + d₂² on a torus");
  describe_classes(keys);
}

}  // namespace sluice::task
