/// The Gaussian behind the ring tasks: Z ~ N(0, S(ξ)), S_ij = exp(−d(i,j)²/ξ²).                    ledger: A.1, N0.c4
///
/// With dim = 2 the sites are those of a torus, site (i₁,i₂) at n·i₁ + i₂, and S(ξ) ⊗ S(ξ) is the covariance:
/// exp(−(d₁² + d₂²)/ξ²).
///
/// Sampled in the basis of real waves, in which every such covariance is diagonal:
///   Z = W Λ^(1/2) ε,   W orthogonal, W ε a Fourier sum along every axis: O(log n) per site, any n
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sluice/math/circulant.hpp"
#include "sluice/math/fourier.hpp"
#include "sluice/math/random.hpp"

namespace sluice::task {

class LatentRing {
 public:
  LatentRing(std::int64_t n, double xi, std::int64_t dim = 1);

  /// Correlation of the first site with every site, after projection where the kernel was not positive semi-definite
  /// (on a torus: each axis is projected).
  const std::vector<double>& correlation() const { return correlation_; }

  /// Z from fresh normals. `scratch` is overwritten.
  void sample(const math::Address& first, const math::Lanes& z, const math::Lanes& scratch) const;

  /// Z from given normals ε, one per site: the second half of sample(). `epsilon` may be overwritten.
  void correlate(const math::Lanes& epsilon, const math::Lanes& z) const;

  /// C of Z = C ε, [sites, sites] row by row: what correlate() does to the unit vectors.
  std::vector<float> mix() const;

  /// The Gaussian whose correlation is f(r). f must have f(1) = 1 and a power series without negative
  /// coefficients: then f(r) is positive semi-definite where r is (Schur), and no second projection is needed.
  LatentRing mapped(double (*f)(double r, double parameter), double parameter) const;

  /// "" when the kernel was valid, else one line that says by how much it was changed.
  std::string remark() const { return remark_; }

 private:
  /// √λ over the norms of the waves, for every mode.
  void set_eigenvalues(std::span<const double> eigenvalues);

  std::int64_t n_;
  std::int64_t dim_;
  std::vector<double> correlation_;
  std::string remark_;
  std::shared_ptr<const math::RealFourier> waves_;  // one axis; the same for every ξ
  std::vector<float> factors_;                      // of every mode, in the order of waves_ along each axis
  std::vector<float> ones_;  // for the second axis, whose norms are in factors_ already
};

}  // namespace sluice::task
