/// The Gaussian vector behind the ring tasks: Z ~ N(0, S(ξ)), S_ij = exp(−d(i,j)²/ξ²).           ledger: A.1, N0.c4
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sluice/math/circulant.hpp"
#include "sluice/math/random.hpp"

namespace sluice::task {

class LatentRing {
 public:
  LatentRing(std::int64_t n, double xi);

  /// Correlation r_d at ring distance d, after projection where the kernel was not positive semi-definite.
  const math::Correlation& correlation() const { return correlation_; }

  /// Z = R ε with ε standard normal and R the symmetric root of S. `scratch` receives ε.
  void sample(const math::Address& first, const math::Lanes& z, const math::Lanes& scratch) const;

  /// The Gaussian whose correlation is f(r_d). f must have f(1) = 1 and a power series without negative
  /// coefficients: then f(r) is positive semi-definite where r is (Schur), and no second projection is needed.
  LatentRing mapped(double (*f)(double r, double parameter), double parameter) const;

  /// "" when the kernel was valid, else one line that says by how much it was changed.
  std::string remark() const;

 private:
  std::int64_t n_;
  double xi_;
  math::Correlation correlation_;
  std::vector<float> root_;
};

}  // namespace sluice::task
