/// The elliptical laws: X = √V Z with Z ~ N(0, S(ξ)) and one random factor per sample, E V = 1, so that Cov X = S(ξ).
///   "student-t"      V = (ν−2)/χ²_ν            excess kurtosis 6/(ν−4) for ν > 4, infinite for 2 < ν ≤ 4
///   "shell"          V = n/|ε|², Z = R ε        (n sites, n² on a torus)
///                                               X = √n R u, u uniform on the unit sphere: the Mahalanobis radius
///                                               √(XᵀS⁻¹X) is √n for every sample; E X_i⁴ = n²|R_i|⁴ E u₁⁴ = 3n/(n+2)
///                                               because |R_i|² = S_ii = 1, so excess kurtosis −6/(n+2)
///   "scale-mixture"  V independent of Z         excess kurtosis 3 E V² − 3
///      law "lognormal"    V = exp(σG − σ²/2)    E V² = exp(σ²)
///      law "exponential"  V ~ Exp(1)            E V² = 2 (X is the symmetric multivariate Laplace law)
///      law "two-point"    V = 1 ± s, each ½     E V² = 1 + s²
/// For all of them f(w) = c Σw/√(wᵀΣw): no elliptical law localizes.                                ledger: N1.E, C.4
#pragma once

#include <string>

#include "sluice/task/ring_task.hpp"

namespace sluice::task {

/// What the three have in common. A law says how it turns ε and the sample's own numbers into √V.
class Elliptical : public RingTask {
 public:
  Moments moments(int which_class) const final;
  void sample(const math::Address& first, int which_class, const math::Lanes& x,
              const math::Lanes& scratch) const final;
  std::optional<Recipe> recipe(int which_class) const final;
  bool has_recipe() const final { return true; }

 protected:
  /// How others draw √V: its name in recipes, and what it needs.
  struct Radius {
    Recipe::Radius law;
    double spread = 0;
  };
  Elliptical(const RingOptions& options, double excess_kurtosis, const Radius& radius);

 private:
  /// √V of every lane, given its ε: epsilon.stride numbers.
  virtual void radii(const math::Address& first, const math::Lanes& epsilon, float* radii) const = 0;

  double excess_kurtosis_;
  Radius radius_;
};

struct StudentTOptions final : RingOptions {
  double nu = 5.0;

  void describe(spec::Keys& keys) override;
  std::unique_ptr<Task> make() const override;
};

class StudentT final : public Elliptical {
 public:
  explicit StudentT(const StudentTOptions& options);

 private:
  void radii(const math::Address& first, const math::Lanes& epsilon, float* radii) const override;
  double nu_;
};

struct ShellOptions final : RingOptions {
  std::unique_ptr<Task> make() const override;
};

class Shell final : public Elliptical {
 public:
  explicit Shell(const ShellOptions& options);

 private:
  void radii(const math::Address& first, const math::Lanes& epsilon, float* radii) const override;
};

struct ScaleMixtureOptions final : RingOptions {
  std::string law = "lognormal";
  double spread = 0.8;  ///< σ of the lognormal, s of the two points

  void describe(spec::Keys& keys) override;
  std::unique_ptr<Task> make() const override;
};

class ScaleMixture final : public Elliptical {
 public:
  explicit ScaleMixture(const ScaleMixtureOptions& options);

 private:
  void radii(const math::Address& first, const math::Lanes& epsilon, float* radii) const override;
  double (*square_radius_)(math::RowNumbers& numbers, double spread);
  double spread_;
};

}  // namespace sluice::task
