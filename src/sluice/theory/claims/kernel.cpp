/// Covariances on the ring and the basis that makes them diagonal.
#include <complex>
#include <numbers>

#include "sluice/theory/claims/tables.hpp"
#include "sluice/theory/evidence.hpp"
#include "sluice/theory/fourier.hpp"

namespace sluice::theory::claims {
namespace of_kernel {
namespace {

constexpr double kRounding = 1e-13;  // of sums over 40 sites of numbers of order 1

/// λ_k ≈ √π ξ Σ_m exp(−(ξπ(k/n+m))²): the kernel's sum over the ring against Poisson's formula.
Finding poisson_eigenvalues(const Sampler& /*sampler*/) {
  constexpr std::int64_t n = 40;
  Finding worst;
  for (const double xi : {1.0, 2.0, 4.0}) {
    const Vector lambda = eigenvalues(latent_covariance(n, xi));
    Vector poisson(lambda.size());
    for (std::size_t k = 0; k < lambda.size(); ++k) {
      for (int m = -3; m <= 3; ++m) {
        const double x = xi * std::numbers::pi * (static_cast<double>(k) / n + m);
        poisson[k] += std::sqrt(std::numbers::pi) * xi * std::exp(-x * x);
      }
    }
    const Finding finding = computed(lambda, poisson, 1e-9, "exact sums, ξ = 1, 2, 4");
    worst = xi == 1.0 ? finding : both(worst, finding);
  }
  return worst;
}

/// The basis is orthonormal, and every mode is an eigenvector.
Finding orthonormal_eigenbasis() {
  const std::vector<Mode> modes = real_modes(40);
  const Ring s = latent_covariance(40, 2);
  const Vector lambda = mode_eigenvalues(modes, s);
  Vector products(modes.size() * modes.size());
  Vector identity(products.size());
  Vector images(products.size());
  Vector scaled(products.size());
  for (std::size_t a = 0; a < modes.size(); ++a) {
    const Vector image = s * modes[a].shape;
    for (std::size_t b = 0; b < modes.size(); ++b) {
      products[a * modes.size() + b] = dot(modes[a].shape, modes[b].shape);
      identity[a * modes.size() + b] = a == b ? 1 : 0;
      images[a * modes.size() + b] = image[b];
      scaled[a * modes.size() + b] = lambda[a] * modes[a].shape[b];
    }
  }
  return both(computed(products, identity, kRounding, "exact, all pairs of modes"),
              computed(images, scaled, kRounding, "exact, all modes"));
}

Finding basis_diagonalizes(const Sampler& /*sampler*/) { return orthonormal_eigenbasis(); }

/// Column j of the notes' matrix F.                                                                   ledger: N0.33
std::valarray<std::complex<double>> fourier_column(std::size_t n, std::size_t j) {
  std::valarray<std::complex<double>> v(n);
  for (std::size_t x = 0; x < n; ++x) {
    const double angle = -2 * std::numbers::pi * static_cast<double>(j * x) / static_cast<double>(n);
    v[x] = std::polar(1 / std::sqrt(static_cast<double>(n)), angle);
  }
  return v;
}
Vector real_part(const std::valarray<std::complex<double>>& v) {
  Vector real(v.size());
  for (std::size_t i = 0; i < v.size(); ++i) real[i] = v[i].real();
  return real;
}
Vector imaginary_part(const std::valarray<std::complex<double>>& v) {
  Vector imaginary(v.size());
  for (std::size_t i = 0; i < v.size(); ++i) imaginary[i] = v[i].imag();
  return imaginary;
}

Finding real_part_is_eigenvector(const Sampler& /*sampler*/) {
  const Ring s = latent_covariance(40, 2);
  const Vector lambda = eigenvalues(s);
  Vector image(1600);
  Vector scaled(1600);
  for (std::size_t j = 0; j < 40; ++j) {
    const Vector v = real_part(fourier_column(40, j));
    image[std::slice(40 * j, 40, 1)] = s * v;
    scaled[std::slice(40 * j, 40, 1)] = lambda[j] * v;
  }
  return computed(image, scaled, kRounding, "exact, all columns");
}

/// Re v_j = Re v_(n−j), and Im v_j = −Im v_(n−j).
Finding columns_come_in_pairs(const Sampler& /*sampler*/) {
  Vector left(std::size_t{80} * 39);
  Vector right(std::size_t{80} * 39);
  for (std::size_t j = 1; j < 40; ++j) {
    const auto v = fourier_column(40, j);
    const auto mirror = fourier_column(40, 40 - j);
    left[std::slice(80 * (j - 1), 40, 1)] = real_part(v);
    right[std::slice(80 * (j - 1), 40, 1)] = real_part(mirror);
    left[std::slice(80 * (j - 1) + 40, 40, 1)] = imaginary_part(v);
    right[std::slice(80 * (j - 1) + 40, 40, 1)] = -imaginary_part(mirror);
  }
  return computed(left, right, kRounding, "exact, all columns");
}

/// The norms of Re v_j, Im v_j are 1/√2 for 0 < j < n/2, not 1.
Finding norm_of_real_part(const Sampler& /*sampler*/) {
  Vector norms(38);
  for (std::size_t j = 1; j < 20; ++j) {
    const auto v = fourier_column(40, j);
    norms[2 * (j - 1)] = norm(real_part(v));
    norms[2 * (j - 1) + 1] = norm(imaginary_part(v));
  }
  const Vector stated(std::numbers::sqrt2 / 2, norms.size());
  const Vector printed(1.0, norms.size());
  return both(computed(norms, stated, printed, kRounding, "exact, all columns"), orthonormal_eigenbasis());
}

/// exp(−d²/ξ²) commutes with the shift when d is the ring distance; with d = |i − j| it is Toeplitz, not circulant. On a
/// small ring it is no covariance.
Finding circulant_by_ring_distance(const Sampler& /*sampler*/) {
  constexpr std::size_t n = 40;
  const Ring s = latent_covariance(n, 2);
  Vector moved(n * n);
  Vector stayed(n * n);
  Vector plain(n * n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      const double apart = static_cast<double>(math::ring_distance(
          static_cast<std::int64_t>(i), static_cast<std::int64_t>(j), static_cast<std::int64_t>(n)));
      stayed[i * n + j] = std::exp(-apart * apart / 4);
      moved[i * n + j] = s((i + 1) % n, (j + 1) % n);
      const double straight = static_cast<double>(i) - static_cast<double>(j);
      plain[i * n + j] = std::exp(-straight * straight / 4);
    }
  }
  const auto least = [](double xi) { return eigenvalues(latent_covariance(40, xi)).min(); };
  return provided(
      least(4) > -1e-10 && std::abs(least(8) + 2.2e-3) < 1e-4 && std::abs(least(16) + 0.57) < 0.01,
      "least eigenvalues at ξ = 4, 8, 16 are not 0, −0.0022, −0.57",
      computed(moved, stayed, plain, 1e-15, "exact, all entries"));
}

constexpr Claim kClaims[] = {
    {"N0.32", "a circulant matrix is its first column, shifted", "000, eq. (32)", Verdict::definition,
     nullptr},
    {"N0.33", "DFT columns v_j = (ω^(jx))/√n, ω = e^(−2πi/n)", "000, eq. (33)", Verdict::definition, nullptr},
    {"N0.34", "Σ Re v_j = λ_j Re v_j for symmetric circulant Σ", "000, eq. (34)", Verdict::holds,
     real_part_is_eigenvector},
    {"N0.35", "Re v_j = Re v_(n−j), Im v_j = −Im v_(n−j)", "000, eq. (35)", Verdict::holds,
     columns_come_in_pairs},
    {"N0.c4", "Σ₀, Σ₁ are circulant: with the ring distance, not with |i−j|; positive only for n/ξ ≳ 10",
     "000, before eq. (21)", Verdict::holds, circulant_by_ring_distance},
    {"N0.c9", "Re and Im parts of the DFT columns give an orthogonal matrix: after multiplication by √2",
     "000, after eq. (34)", Verdict::holds_up_to_a_constant, norm_of_real_part},
    {"N1.1", "X₁ ~ p(ξ₁), X₀ ~ p(ξ₀)", "001, eq. (1)", Verdict::definition, nullptr},
    {"N1.2", "Cov X = Σ(ξ): of Gaussian data; in general see B.2", "001, eq. (2)", Verdict::definition,
     nullptr},
    {"A.1", "S_ij = e^(−d²/ξ²), λ_k ≈ √π ξ Σ_m exp(−(ξπ(k/n+m))²)", "sheet A", Verdict::holds,
     poisson_eigenvalues},
    {"A.2", "1/√n, √(2/n) cos, √(2/n) sin, (−1)^x/√n are an orthonormal eigenbasis", "sheet A",
     Verdict::holds, basis_diagonalizes},
};

}  // namespace
}  // namespace of_kernel

std::span<const Claim> kernel() { return of_kernel::kClaims; }

}  // namespace sluice::theory::claims
