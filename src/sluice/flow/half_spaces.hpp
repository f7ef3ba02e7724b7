/// Moments of one class behind half-space gates, in closed form.
///   first(v)      E[1(⟨v,X⟩ ≥ 0) X]
///   second(u, v)  E[1(⟨u,X⟩ ≥ 0) 1(⟨v,X⟩ ≥ 0) X Xᵀ]
///
/// Every even law without ties:  second(v, v) = ½C,  second(v, −v) = 0. Two different gates:
///   elliptical   as Gaussian data of the same covariance Σ, because gates ignore the radius:            ledger: F.5
///                [¼ + arcsin γ/(2π)]Σ + (Σuvᵀ Σ + Σvuᵀ Σ)/√(ρ_uu ρ_vv) /(2π√(1−γ²)) − γ(Σuuᵀ Σ/ρ_uu + Σvvᵀ Σ/ρ_vv)/(2π√(1−γ²))
///   nlgp         gates that see one site, or e_i ± e_j: signs of Gaussians U, V, so with U, V, Z_k, Z_l      ledger: F.4
///                ¼(C_kl + d² M4(R)/Z_g),  R the correlations with those of Z times √q (two of them: q)
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "sluice/flow/covariance.hpp"
#include "sluice/task/registry.hpp"

namespace sluice::flow {

class HalfSpaces {
 public:
  virtual ~HalfSpaces() = default;

  virtual std::int64_t inputs() const = 0;
  /// Is there a closed form for this gate, v ≠ 0?
  virtual bool covers(std::span<const double> v) const = 0;
  virtual void first(std::span<const double> v, std::span<double> out) const = 0;
  /// [n, n]; u and v not parallel.
  virtual void second(std::span<const double> u, std::span<const double> v, std::span<double> out) const = 0;
  /// One-dimensional integrals that a call of second() costs; 0: none.
  virtual double integrals() const { return 0; }
};

/// Of a task; null where there is none. Class 0 is that of the first ξ.
std::unique_ptr<HalfSpaces> closed_half_spaces(const task::Section& section, const task::Task& task,
                                               int which_class);

}  // namespace sluice::flow
