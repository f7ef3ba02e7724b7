#include "sluice/flow/sectors.hpp"

#include <algorithm>
#include <cmath>

#include "sluice/math/symmetric.hpp"

namespace sluice::flow {
namespace {

/// Site i goes to shift ± i, and w changes its sign or not.
struct Move {
  std::size_t shift;
  bool reflected;
  double sign;

  std::size_t of(std::size_t i, std::size_t n) const { return (reflected ? shift + n - i : shift + i) % n; }
};

bool leaves(std::span<const double> field, const Move& move, double allowed) {
  for (std::size_t i = 0; i < field.size(); ++i) {
    if (std::abs(move.sign * field[move.of(i, field.size())] - field[i]) > allowed) return false;
  }
  return true;
}

}  // namespace

Sectors Sectors::none(std::size_t size) {
  Sectors sectors{.size = size, .inside = std::vector<double>(size * size, 0.0), .outside = {}};
  for (std::size_t i = 0; i < size; ++i) sectors.inside[i * size + i] = 1;
  return sectors;
}

Sectors isotropy(std::span<const double> field, double tolerance) {
  const std::size_t n = field.size();
  double largest = 0;
  for (const double w : field) largest = std::max(largest, std::abs(w));
  std::vector<double> projection(n * n, 0.0);  // the average of the moves in Γ
  double moves = 0;
  for (std::size_t shift = 0; shift < n; ++shift) {
    for (const bool reflected : {false, true}) {
      for (const double sign : {1.0, -1.0}) {
        const Move move{shift, reflected, sign};
        if (!leaves(field, move, tolerance * largest)) continue;
        ++moves;
        for (std::size_t i = 0; i < n; ++i) projection[i * n + move.of(i, n)] += sign;
      }
    }
  }
  for (double& p : projection) p /= moves;
  const math::SymmetricEigen eigen =
      math::symmetric_eigen(std::move(projection), static_cast<std::int64_t>(n));
  Sectors sectors{.size = n, .inside = {}, .outside = {}};
  for (std::size_t k = 0; k < n; ++k) {  // its eigenvalues are 0 and 1
    std::vector<double>& sector = eigen.values[k] > 0.5 ? sectors.inside : sectors.outside;
    const double* row = eigen.vectors.data() + k * n;
    sector.insert(sector.end(), row, row + n);
  }
  return sectors;
}

std::vector<double> mirrored_part(std::span<const double> field, std::int64_t twice_axis, double sign) {
  const auto n = static_cast<std::int64_t>(field.size());
  std::vector<double> part(field.begin(), field.end());
  for (std::int64_t i = 0; i < n; ++i) {
    const std::int64_t mirrored = ((twice_axis - i) % n + n) % n;
    part[static_cast<std::size_t>(i)] += sign * field[static_cast<std::size_t>(mirrored)];
    part[static_cast<std::size_t>(i)] /= 2;
  }
  return part;
}

}  // namespace sluice::flow
