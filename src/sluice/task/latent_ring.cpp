#include "sluice/task/latent_ring.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sluice/math/kernels.hpp"
#include "sluice/math/ring.hpp"

namespace sluice::task {

LatentRing::LatentRing(std::int64_t n, double xi)
    : n_(n),
      xi_(xi),
      correlation_(math::project_to_correlation(math::ring_kernel(n, xi))),
      root_(math::circulant_root(correlation_.eigenvalues)) {}

LatentRing LatentRing::mapped(double (*f)(double r, double parameter), double parameter) const {
  LatentRing result = *this;
  for (double& r : result.correlation_.row) r = f(r, parameter);
  result.correlation_.eigenvalues = math::circulant_eigenvalues(result.correlation_.row);
  for (double& lambda : result.correlation_.eigenvalues) lambda = std::max(lambda, 0.0);  // rounding only
  result.root_ = math::circulant_root(result.correlation_.eigenvalues);
  return result;
}

void LatentRing::sample(const math::Address& first, const math::Lanes& z, const math::Lanes& scratch) const {
  math::fill_normals(first, scratch);
  math::multiply(math::Product<float>{.m = n_,
                                      .n = z.stride,
                                      .k = n_,
                                      .a = root_.data(),
                                      .a_stride = n_,
                                      .b = scratch.data,
                                      .b_stride = scratch.stride,
                                      .c = z.data,
                                      .c_stride = z.stride,
                                      .add = false});
}

std::string LatentRing::remark() const {
  if (correlation_.most_negative == 0) return {};
  return fmt::format(
      "xi = {} on {} sites is not a covariance (most negative eigenvalue {:.2g}): projected, which changes "
      "the "
      "correlation by at most {:.2g}",
      xi_, n_, correlation_.most_negative, correlation_.largest_change);
}

}  // namespace sluice::task
