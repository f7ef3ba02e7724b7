#include "sluice/task/options.hpp"

namespace sluice::task {

void SiteOptions::describe_sites(spec::Keys& keys) {
  keys.integer("n", n, spec::integers(2, 4096), "sites on the ring");
  const spec::Range ring{
      .low = 1, .high = 1, .expected = "1: only tasks made of a latent Gaussian have a torus"};
  keys.integer("dim", dim, ring, "1: this kind lives on a ring");
}

void SiteOptions::describe_labels(spec::Keys& keys) {
  keys.pair("labels", labels, spec::any_number(), "labels of the two classes, first class first");
  keys.require(labels[0] != labels[1], "labels", "two different numbers");
}

void RingOptions::describe(spec::Keys& keys) {
  keys.integer("n", n, spec::integers(2, kMostSites), "sites on the ring; along each axis when dim = 2");
  keys.integer("dim", dim, spec::integers(1, 2), "1: a ring of n sites, 2: a torus of n × n sites");
  keys.require(dim == 1 || n * n <= kMostSites, "n", "at most 1024 when dim = 2");
  keys.pair("xi", xi, spec::positive(),
            "correlation lengths of the two classes, covariance exp(-d²/ξ²), d² = d₁² + d₂² on a torus");
  describe_labels(keys);
}

}  // namespace sluice::task
