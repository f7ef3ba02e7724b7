/// Vectors of the theory: plain arithmetic on doubles, so that a claim reads like its equation.
#pragma once

#include <cmath>
#include <cstddef>
#include <span>
#include <valarray>

#include "sluice/math/ring.hpp"

namespace sluice::theory {

using Vector = std::valarray<double>;

inline std::span<const double> view(const Vector& v) { return {std::begin(v), v.size()}; }
inline std::span<double> view(Vector& v) { return {std::begin(v), v.size()}; }
inline Vector vector_of(std::span<const double> values) { return {values.data(), values.size()}; }

inline double dot(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}
inline double dot(const Vector& a, const Vector& b) { return dot(view(a), view(b)); }
/// Also where squares overflow or vanish.
inline double norm(const Vector& v) {
  const double square = dot(v, v);
  if (square > 1e-280 && square < 1e300) return std::sqrt(square);
  double length = 0;
  for (const double each : v) length = std::hypot(length, each);
  return length;
}

/// Σw⁴/(Σw²)², as probe/ipr.hpp has it of float fields.
inline double participation(const Vector& w) {
  const Vector square = w * w;
  return Vector(square * square).sum() / (square.sum() * square.sum());
}

/// e_i of n sites.
inline Vector unit(std::size_t n, std::size_t i) {
  Vector e(n);
  e[i] = 1;
  return e;
}

/// The shift by one site: (𝒞w)_(i+1) = w_i.
inline Vector shifted(const Vector& w) { return w.cshift(-1); }

/// A symmetric circulant matrix by its first row (A.1), and its product with a vector.
struct Ring {
  Vector row;

  std::size_t size() const { return row.size(); }
  double operator()(std::size_t i, std::size_t j) const { return row[i > j ? i - j : j - i]; }
  Vector operator*(const Vector& w) const {
    Vector out(w.size());
    for (std::size_t i = 0; i < w.size(); ++i) {
      for (std::size_t j = 0; j < w.size(); ++j) out[i] += (*this)(i, j) * w[j];
    }
    return out;
  }
  Ring operator+(const Ring& other) const { return {row + other.row}; }
};

/// v'Mw
inline double form(const Vector& v, const Ring& m, const Vector& w) { return dot(v, Vector(m * w)); }

/// S(ξ), the latent covariance.                                                             ledger: A.1
inline Ring latent_covariance(std::int64_t n, double xi) { return {vector_of(math::ring_kernel(n, xi))}; }

}  // namespace sluice::theory
