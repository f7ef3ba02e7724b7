#include "sluice/flow/sectors.hpp"

#include <algorithm>
#include <cmath>

#include "sluice/math/symmetric.hpp"

namespace sluice::flow {
namespace {

/// Site i goes to shift ± i, w changes its sign or not, and two units change places or not.
struct Move {
  std::size_t ring;
  std::size_t shift;
  bool reflected;
  double sign;
  bool exchanged;

  std::size_t of(std::size_t i) const {
    const std::size_t site = i % ring, unit = i / ring;
    return (exchanged ? 1 - unit : unit) * ring + (reflected ? shift + ring - site : shift + site) % ring;
  }
};

bool leaves(std::span<const double> field, const Move& move, double allowed) {
  for (std::size_t i = 0; i < field.size(); ++i) {
    if (std::abs(move.sign * field[move.of(i)] - field[i]) > allowed) return false;
  }
  return true;
}

std::vector<Move> moves_of(std::size_t ring, std::size_t units) {
  std::vector<Move> moves;
  for (std::size_t shift = 0; shift < ring; ++shift)
    for (const bool reflected : {false, true})
      for (const double sign : {1.0, -1.0})
        for (std::size_t exchanged = 0; exchanged < units; ++exchanged)
          moves.push_back({ring, shift, reflected, sign, exchanged == 1});
  return moves;
}

}  // namespace

Sectors Sectors::none(std::size_t size) {
  Sectors sectors{.size = size, .inside = std::vector<double>(size * size, 0.0), .outside = {}};
  for (std::size_t i = 0; i < size; ++i) sectors.inside[i * size + i] = 1;
  return sectors;
}

Sectors isotropy(std::span<const double> field, std::size_t units, double tolerance) {
  const std::size_t n = field.size();
  double largest = 0;
  for (const double w : field) largest = std::max(largest, std::abs(w));
  std::vector<double> projection(n * n, 0.0);  // the average of the moves in Γ
  double moves = 0;
  for (const Move& move : moves_of(n / units, units)) {
    if (!leaves(field, move, tolerance * largest)) continue;
    ++moves;
    for (std::size_t i = 0; i < n; ++i) projection[i * n + move.of(i)] += move.sign;
  }
  for (double& p : projection) p /= moves;
  const math::SymmetricEigen eigen =
      math::symmetric_eigen(std::move(projection), static_cast<std::int64_t>(n));
  Sectors sectors{.size = n, .inside = {}, .outside = {}, .units = units};
  for (std::size_t k = 0; k < n; ++k) {  // its eigenvalues are 0 and 1
    std::vector<double>& sector = eigen.values[k] > 0.5 ? sectors.inside : sectors.outside;
    const double* row = eigen.vectors.data() + k * n;
    sector.insert(sector.end(), row, row + n);
  }
  return sectors;
}

std::vector<double> mirrored_part(std::span<const double> field, std::int64_t twice_axis, double sign,
                                  std::size_t units) {
  const std::size_t ring = field.size() / units;
  const auto n = static_cast<std::int64_t>(ring);
  std::vector<double> part(field.begin(), field.end());
  for (std::size_t i = 0; i < field.size(); ++i) {
    const std::int64_t mirrored = ((twice_axis - static_cast<std::int64_t>(i % ring)) % n + n) % n;
    part[i] += sign * field[i / ring * ring + static_cast<std::size_t>(mirrored)];
    part[i] /= 2;
  }
  return part;
}

std::vector<double> exchanged_part(std::span<const double> fields, double sign) {
  const std::size_t ring = fields.size() / 2;
  std::vector<double> part(fields.begin(), fields.end());
  for (std::size_t i = 0; i < fields.size(); ++i) {
    part[i] += sign * fields[(i + ring) % fields.size()];
    part[i] /= 2;
  }
  return part;
}

}  // namespace sluice::flow
