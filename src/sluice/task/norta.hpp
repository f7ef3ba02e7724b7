/// task.kind = "norta": a Gaussian copula with chosen marginals, so that only the law of one site changes.
///   X_i = F⁻¹(Φ(Z_i)),   Z ~ N(0, S(ξ)),   F symmetric with variance 1                              ledger: A.1
///   Cov X_ij = E[x(Z_i) x(Z_j)],  x = F⁻¹∘Φ, an odd function of r_ij alone
///
///   marginal      F                                            Cov X_ij              excess kurtosis
///   "normal"      normal                                       r                     0
///   "uniform"     on ±√3                                       (6/π) arcsin(r/2)     −6/5
///   "laplace"     density e^(−√2|x|)/√2                        quadrature            3
///   "sign"        ±1                                           (2/π) arcsin r        −2                 ledger: B.4
///   "algebraic"   quantile (2p−1)/(1−|2p−1|^k)^(1/k), over     quadrature            k B(5/k,1−4/k)/B(3/k,1−2/k)² − 3
///                 √(B(3/k,1−2/k)/k)
/// The algebraic law of order k has tails P(|X|>x) ~ x^(−k): the variance exists for k > 2 (orders below 2.1 are refused),
/// the kurtosis for k > 4 (infinite below). It falls from infinity through zero, near k = 5.9, to −6/5 as k grows:
/// excess kurtosis can be dialled through zero.
#pragma once

#include <span>
#include <string>

#include "sluice/task/ring_task.hpp"

namespace sluice::task {

/// One of the marginals above as the function x(z) = F⁻¹(Φ(z)).
class Marginal {
 public:
  /// `order` is k of the algebraic law; the others ignore it.
  Marginal(const std::string& name, double order);

  double operator()(double z) const;
  /// values ← x(values), within 1e-6 of x: from a table where x is slow.
  void apply(std::span<float> values) const;
  double excess_kurtosis() const;

  /// E[x(Z_1) x(Z_2)] at correlation r: closed where there is a closed form.
  double covariance(double r) const;
  bool has_closed_covariance() const;
  /// x as recipes have it; none of those that need a table.
  std::optional<Recipe> recipe() const;
  /// The same for any marginal, by quadrature to 1e-9. In polar coordinates Z_1 = ρ sin u, Z_2 = ρ sin(u−φ), r = cos φ,
  /// what is not smooth in x(z) at z = 0 lies on the rays u = 0, φ, π, between which tanh–sinh converges fast.
  double covariance_by_quadrature(double r) const;

 private:
  enum class Law { normal, uniform, laplace, sign, algebraic };
  Law law_;
  double order_;
  double deviation_;  // of the algebraic law before it is standardised
  std::vector<std::array<float, 4>>
      cubics_;  // x on intervals of z ≥ 0, by powers of the position in the interval
};

struct NortaOptions final : RingOptions {
  std::string marginal = "uniform";
  double order = 6.0;

  void describe(spec::Keys& keys) override;
  std::unique_ptr<Task> make() const override;
};

class Norta final : public RingTask {
 public:
  explicit Norta(const NortaOptions& options);

  Moments moments(int which_class) const override;
  void sample(const math::Address& first, int which_class, const math::Lanes& x,
              const math::Lanes& scratch) const override;
  std::optional<Recipe> recipe(int which_class) const override;
  bool has_recipe() const override { return marginal_.recipe().has_value(); }

 private:
  NortaOptions options_;
  Marginal marginal_;
};

}  // namespace sluice::task
