/// Where samples come from: two classes of inputs on n sites, each with a label.
///
/// Class 0 is the first ξ (coupling, width) of the spec (the notes' class 1, label 1 by default), class 1 the second. Both are equally
/// likely. Every class is stationary on the ring: mean and variance are those of every site. Mean zero and X ~ −X unless
/// the task's header says otherwise.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "sluice/math/lanes.hpp"
#include "sluice/math/random.hpp"

namespace sluice::task {

/// Exact moments of one class.
struct Moments {
  /// [d]: mean over sites of Cov(X_i, X_{i+d}); where Cov X is circulant, its first row. On a torus the covariance of
  /// the first site with every site: [n·d₁ + d₂], n² numbers.
  std::vector<double> covariance;
  double excess_kurtosis = 0;  ///< E(X_i − m)⁴/(Var X_i)² − 3; infinite where the fourth moment is
  double mean = 0;             ///< m = E X_i
};

class Task {
 public:
  virtual ~Task() = default;

  virtual std::int64_t inputs() const = 0;
  /// 1: a ring of inputs() sites; 2: a torus of √inputs() × √inputs().
  virtual std::int64_t dimensions() const { return 1; }
  virtual std::array<double, 2> labels() const = 0;
  virtual Moments moments(int which_class) const = 0;

  /// Whether every class has X ~ −X, and whether its law (not only its moments) is the same after a shift along the ring:
  /// what expectations may be averaged over.
  virtual bool even() const { return true; }
  virtual bool stationary() const { return true; }

  /// Fills the block with independent samples of one class; sample r is a function of the address {first.seed,
  /// first.purpose, first.step, first.row + r} and the class alone. `scratch` has the size of the block.
  virtual void sample(const math::Address& first, int which_class, const math::Lanes& x,
                      const math::Lanes& scratch) const = 0;

  /// What a user should be told about this task, one line each (a projected covariance, for instance).
  virtual std::vector<std::string> remarks() const { return {}; }
};

}  // namespace sluice::task
