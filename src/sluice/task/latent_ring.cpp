#include "sluice/task/latent_ring.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sluice/math/ring.hpp"
#include "sluice/math/stopping.hpp"

namespace sluice::task {
namespace {

/// u ⊗ v, row by row.
std::vector<double> outer(const std::vector<double>& u, const std::vector<double>& v) {
  std::vector<double> product;
  product.reserve(u.size() * v.size());
  for (const double a : u) {
    for (const double b : v) product.push_back(a * b);
  }
  return product;
}

}  // namespace

LatentRing::LatentRing(std::int64_t n, double xi, std::int64_t dim)
    : n_(n),
      dim_(dim),
      waves_(std::make_shared<math::RealFourier>(n)),
      ones_(dim == 2 ? static_cast<std::size_t>(n) : 0, 1.0F) {
  const std::vector<double> kernel = math::ring_kernel(n, xi);
  const math::Correlation axis = math::project_to_correlation(kernel);
  correlation_ = dim == 1 ? axis.row : outer(axis.row, axis.row);
  set_eigenvalues(dim == 1 ? axis.eigenvalues : outer(axis.eigenvalues, axis.eigenvalues));
  if (axis.most_negative == 0) return;
  double largest_change = axis.largest_change;
  if (dim == 2) {
    const std::vector<double> wanted = outer(kernel, kernel);
    for (std::size_t d = 0; d < wanted.size(); ++d) {
      largest_change = std::max(largest_change, std::abs(correlation_[d] - wanted[d]));
    }
  }
  remark_ = fmt::format(
      "xi = {} on {} sites is not a covariance (most negative eigenvalue {:.2g}): projected{}, which changes "
      "the correlation by at most {:.2g}",
      xi, n, axis.most_negative, dim == 2 ? " along each axis" : "", largest_change);
}

void LatentRing::set_eigenvalues(std::span<const double> eigenvalues) {
  factors_.clear();
  factors_.reserve(eigenvalues.size());
  for (std::int64_t first = 0; first < (dim_ == 1 ? 1 : n_); ++first) {
    const std::int64_t row = dim_ == 1 ? 0 : waves_->frequency(first) * n_;
    const double norm = dim_ == 1 ? 1 : waves_->norm(first);
    for (std::int64_t second = 0; second < n_; ++second) {
      // Below zero by rounding only.
      const double lambda =
          std::max(0.0, eigenvalues[static_cast<std::size_t>(row + waves_->frequency(second))]);
      factors_.push_back(static_cast<float>(std::sqrt(lambda) / (norm * waves_->norm(second))));
    }
  }
}

LatentRing LatentRing::mapped(double (*f)(double r, double parameter), double parameter) const {
  LatentRing result = *this;
  for (double& r : result.correlation_) r = f(r, parameter);
  result.set_eigenvalues(dim_ == 1 ? math::circulant_eigenvalues(result.correlation_)
                                   : math::torus_eigenvalues(result.correlation_, n_));
  return result;
}

void LatentRing::sample(const math::Address& first, const math::Lanes& z, const math::Lanes& scratch) const {
  // Rings that leave the cache are drawn a vector of samples at a time.
  constexpr std::int64_t kSitesInCache = 2048;
  const std::int64_t together = z.sites <= kSitesInCache ? z.stride : math::kWidestVector;
  for (std::int64_t r = 0; r < z.stride; r += together) {
    math::stop_if_asked();  // of a million sites these few take a second
    math::Address here = first;
    here.row += static_cast<std::uint32_t>(r);
    const math::Lanes epsilon{scratch.data, scratch.sites, together, together};
    math::fill_normals(here, epsilon);
    math::stop_if_asked();
    correlate(epsilon, {z.data + r, z.sites, together, z.stride});
  }
}

std::vector<float> LatentRing::mix() const {
  const auto sites = static_cast<std::int64_t>(factors_.size());
  math::LanesBuffer<float> units(sites, sites), columns(sites, sites);
  const math::Lanes unit = units.lanes(sites), column = columns.lanes(sites);
  for (std::int64_t i = 0; i < sites; ++i) unit.at(i, i) = 1;
  correlate(unit, column);
  std::vector<float> rows;
  rows.reserve(static_cast<std::size_t>(sites * sites));
  for (std::int64_t i = 0; i < sites; ++i)
    rows.insert(rows.end(), &column.at(i, 0), &column.at(i, 0) + sites);
  return rows;
}

void LatentRing::correlate(const math::Lanes& epsilon, const math::Lanes& z) const {
  const std::span<const float> factors(factors_);
  const auto n = static_cast<std::size_t>(n_);
  const std::int64_t lanes = math::whole_vectors(epsilon.samples);
  for (std::size_t line = 0; line * n < factors.size(); ++line) {  // the last axis, one line after the other
    const auto first = static_cast<std::int64_t>(line * n);
    waves_->synthesize({epsilon.data + first * epsilon.stride, epsilon.stride},
                       {z.data + first * z.stride, z.stride}, factors.subspan(line * n, n), lanes);
  }
  if (dim_ == 1) return;
  for (std::int64_t site = 0; site < n_; ++site) {  // the first axis
    const math::RealFourier::Line line{z.data + site * z.stride, n_ * z.stride};
    waves_->synthesize(line, line, ones_, lanes);
  }
}

}  // namespace sluice::task
