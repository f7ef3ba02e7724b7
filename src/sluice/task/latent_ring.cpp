#include "sluice/task/latent_ring.hpp"

#include <fmt/format.h>

#include <Eigen/Core>

#include "sluice/math/ring.hpp"

namespace sluice::task {

LatentRing::LatentRing(std::int64_t n, double xi)
    : n_(n),
      xi_(xi),
      correlation_(math::project_to_correlation(math::ring_kernel(n, xi))),
      root_(math::circulant_root(correlation_.eigenvalues)) {}

void LatentRing::sample(const math::Address& first, std::span<float> rows, std::span<float> scratch) const {
  math::fill_normals(first, n_, scratch);
  // Samples are the columns of column-major matrices: column c is row c of the span.
  const auto count = static_cast<Eigen::Index>(rows.size()) / n_;
  const Eigen::Map<const Eigen::MatrixXf> root(root_.data(), n_, n_);
  const Eigen::Map<const Eigen::MatrixXf> normals(scratch.data(), n_, count);
  Eigen::Map<Eigen::MatrixXf>(rows.data(), n_, count).noalias() = root * normals;
}

std::string LatentRing::remark() const {
  if (correlation_.most_negative == 0) return {};
  return fmt::format(
      "xi = {} on {} sites is not a covariance (most negative eigenvalue {:.2g}): projected, which changes "
      "the "
      "correlation by at most {:.2g}",
      xi_, n_, correlation_.most_negative, correlation_.largest_change);
}

std::vector<std::string> latent_remarks(std::span<const LatentRing> classes) {
  std::vector<std::string> remarks;
  for (const LatentRing& latent : classes) {
    if (std::string remark = latent.remark(); !remark.empty()) remarks.push_back(std::move(remark));
  }
  return remarks;
}

}  // namespace sluice::task
