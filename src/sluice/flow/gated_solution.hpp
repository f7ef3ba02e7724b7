/// The learning of gated linear units, solved: linear in the weights, so one eigendecomposition gives every time.
///   τ dw/dt = (1/K)(b − (1/K) A w)                                                 ledger: F.1, N0.41, N0.44, N0.50, N3.4
///   A = P Λ Pᵀ, u = Pᵀw, c = Pᵀb
///   u(t) = e^(−λt/(K²τ)) (u(0) − Kc/λ) + Kc/λ;  λ = 0: u stays (c = 0 there)  ledger: F.2, N0.47, N0.48, N0.49, N0.51
///   L(t) = L_∞ + ½ Σ_i (λ_i u_i/K − c_i)²/λ_i,   L_∞ = ½E Y² − ½ Σ_i c_i²/λ_i                 ledger: F.2, N0.55, N0.c14, N0.c16
/// In steps of sgd with rate η the mean weights follow the same with (1 − ηλ/K²)^step in place of e^(−λt/K²), t = η·step, τ = 1.
///
/// Units whose gates are never open together do not meet: A falls into blocks, solved one by one (N0.50, N3.c1). Where all blocks of
/// A among some units are symmetric and circulant, the waves of the ring diagonalise them and n problems of so many units are
/// left (N3.c3); else dsyevd.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sluice/flow/gate_moments.hpp"
#include "sluice/math/fourier_basis.hpp"

namespace sluice::flow {

/// How time passes: continuously, or in steps of sgd.
enum class Pace { flow, steps };

class GatedSolution {
 public:
  /// Modes below this share of the largest eigenvalue, times the size, are null: they do not move.
  static constexpr double kNull = 1e-13;

  /// `start` [K n]; `side`, `dimensions` are those of the task.
  GatedSolution(const GateMoments& moments, std::span<const double> start, std::int64_t side,
                std::int64_t dimensions);

  /// w at these steps of sgd with this rate (t = rate × step), [T, K n].
  std::vector<double> weights(std::span<const std::int64_t> steps, double rate, Pace pace) const;
  /// L at those.
  std::vector<double> losses(std::span<const std::int64_t> steps, double rate, Pace pace) const;
  /// w(∞) = K A⁺ b, where nothing moves on null modes.
  std::vector<double> limit() const;
  double limiting_loss() const;
  double initial_loss() const;

  /// One mode of A: its eigenvalue, what it can explain of the labels (c²/λ is twice the loss it removes) and where it starts.
  struct Mode {
    double lambda;
    double c;
    double start;
  };
  /// All K n of them, by decreasing eigenvalue.
  std::vector<Mode> modes() const;

  /// Dense problems that were solved, and the size of the largest.
  std::int64_t problems() const { return static_cast<std::int64_t>(problems_.size()); }
  std::int64_t largest_problem() const;

 private:
  /// Coordinates that meet only each other: u_i = ⟨p_i, w⟩ over the coordinates `at` of w, or of its waves.
  struct Problem {
    std::vector<std::size_t> at;
    std::vector<double> values, vectors;  // ascending; row i is p_i
    std::vector<double> c, start;
  };
  /// Units in the basis of waves.
  struct Group {
    std::vector<std::int64_t> units;
    bool waves;
    std::size_t first, last;  // its problems
  };

  double factor(double lambda, std::int64_t step, double rate, Pace pace) const;
  double rest(const Problem& problem, std::size_t i) const;
  bool is_null(double lambda) const { return lambda <= null_; }
  void add_problem(std::span<const double> b, std::span<const double> start, std::vector<std::size_t> at,
                   std::vector<double> matrix);
  void to_sites(std::span<double> weights) const;

  std::int64_t units_, inputs_;
  double label_square_;
  double null_ = 0;
  math::FourierBasis basis_;
  std::vector<Problem> problems_;
  std::vector<Group> groups_;
};

}  // namespace sluice::flow
