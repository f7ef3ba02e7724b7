/// Paths of circular convolutions of one channel with global average pooling, in bundles, on a ring or a torus.          ledger: P.a16, I.10
/// A path begins at a site and turns by an offset of the kernel in every layer: at site i of layer d−1 it ends, and
///   p(l−1) = p(l) + j_l mod n,   strength θ_1(j_1) … θ_(d−1)(j_(d−1))/n.
/// Paths with the same offsets have the same strength: ŵ^(d−1) bundles b of n paths each. On a torus offsets have two components, ŵ is the number of
/// taps of a kernel, n that of pixels; the dense readout of one weight behind the average is a factor of every strength.
///   S_s(b) = Σ_(p∈b) x_s(p(0)) A_s(p),   ŷ_s = Σ_b S_s(b) θ_1(j_1) … θ_(d−1)(j_(d−1))/n
///   E[ŷ_s ŷ_t] = (σ^(2(d−1))/n²) Σ_b S_s(b) S_t(b)      kernels independent, mean 0, variance σ²   ledger: P.L4.1, P.L8.2
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sluice/kernel/tangent.hpp"

namespace sluice::kernel {

class Bundles {
 public:
  static constexpr std::size_t kMostPaths = 100'000;

  /// The passage must outlive the bundles. Throws std::invalid_argument for layers that are not circular, have several channels or do not keep the sites, and for more than
  /// kMostPaths.
  explicit Bundles(const Passage<double>& passage);

  std::size_t size() const { return count_; }
  /// ŵ^(d−1)·n.
  std::size_t paths() const { return count_ * sites_; }
  /// j_layer of a bundle, layer ∈ [1, d−1].
  std::size_t offset(std::size_t bundle, std::size_t layer) const;
  /// x_s(p(0)) A_s(p) of the path that ends at `site`.
  double feature(std::size_t sample, std::size_t bundle, std::size_t site) const;
  /// S_s(b).
  double sum(std::size_t sample, std::size_t bundle) const;
  /// Strength times n.
  double strength(std::size_t bundle, std::span<const double> parameters) const;
  /// ŷ_s.
  double output(std::size_t sample, std::span<const double> parameters) const;
  /// E[ŷ_s ŷ_t] over kernels, and a readout, of variance sigma² at these gates.
  double correlation(std::size_t s, std::size_t t, double sigma) const;

 private:
  std::size_t moved(std::size_t site, std::size_t tap) const;

  const Passage<double>& passage_;
  std::size_t layers_;  // d − 1
  std::size_t sites_;
  std::size_t kernel_;  // taps
  bool readout_;        // a dense one of one weight
  std::size_t count_ = 1;
};

}  // namespace sluice::kernel
