/// task.kind = "nlgp": the nonlinear Gaussian process, from Gaussian (gain → 0) to the hypercube (gain = inf).
///   X = erf(g Z)/√Z_g,   Z ~ N(0, S(ξ)),   gain = inf: X = sgn Z  ledger: B.1, B.2, B.3, B.4, B.5, B.6, N0.61, N1.7
///   q       = 2g²/(1+2g²)
///   Z_g     = E erf(gZ)² = (2/π) arcsin q
///   Cov X   = arcsin(q r_ij)/arcsin(q)                                                                ledger: B.2
///   E X⁴    = M4(all correlations q)/Z_g²                                                             ledger: B.6
/// normalize = "none" leaves out the division by √Z_g: covariance times Z_g, same kurtosis. `scale` then multiplies X,
/// because published runs differ in exactly this factor.
#pragma once

#include <string>

#include "sluice/task/ring_task.hpp"

namespace sluice::task {

struct NlgpOptions final : RingOptions {
  double gain = 3.0;
  std::string normalize = "unit";
  double scale = 1.0;

  void describe(spec::Keys& keys) override;
  std::unique_ptr<Task> make() const override;
};

/// The gains we take. Outside of them the two limits are exact to float rounding: kind = "gaussian" or gain = inf.
spec::Range nlgp_gains();
/// q = 2g²/(1+2g²), 1 at g = inf.                                                                       ledger: B.1
double nlgp_q(double gain);
/// Z_g = (2/π) arcsin q, the variance of erf(gZ).                                                       ledger: B.1
double nlgp_variance(double gain);
/// Correlation of X_i and X_j when Z_i and Z_j have correlation r: arcsin(q r)/arcsin(q).                ledger: B.2
double nlgp_correlation(double r, double gain);
/// Excess kurtosis of X_i, between 0 (Gaussian) and −2 (hypercube).                                     ledger: B.6
double nlgp_excess_kurtosis(double gain);

class Nlgp final : public RingTask {
 public:
  explicit Nlgp(const NlgpOptions& options);

  Moments moments(int which_class) const override;
  void sample(const math::Address& first, int which_class, const math::Lanes& x,
              const math::Lanes& scratch) const override;
  std::optional<Recipe> recipe(int which_class) const override;
  bool has_recipe() const override { return true; }

 private:
  NlgpOptions options_;
  double variance_;  // of X: scale² when normalized, scale² Z_g otherwise
  float factor_;     // X = factor · erf(g Z)
};

}  // namespace sluice::task
