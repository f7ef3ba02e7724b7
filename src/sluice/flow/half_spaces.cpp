#include "sluice/flow/half_spaces.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <utility>
#include <vector>

#include "sluice/flow/bumps.hpp"
#include "sluice/flow/class_covariance.hpp"
#include "sluice/flow/elliptical.hpp"
#include "sluice/math/circulant.hpp"
#include "sluice/math/orthant.hpp"
#include "sluice/math/ring.hpp"
#include "sluice/task/nlgp.hpp"

namespace sluice::flow {
namespace {

using std::numbers::pi;

double inner(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

class EllipticalHalfSpaces final : public HalfSpaces {
 public:
  EllipticalHalfSpaces(Covariance covariance, double c) : covariance_(std::move(covariance)), c_(c) {}

  std::int64_t inputs() const override { return covariance_.inputs(); }
  bool covers(std::span<const double>) const override { return true; }
  void first(std::span<const double> v, std::span<double> out) const override {
    elliptical_single(covariance_, c_, v, out);
  }

  void second(std::span<const double> u, std::span<const double> v, std::span<double> out) const override {
    const std::size_t n = u.size();
    std::vector<double> su(n), sv(n);
    covariance_.times(u, su);
    covariance_.times(v, sv);
    const double uu = inner(u, su), vv = inner(v, sv);
    const double gamma = std::clamp(inner(u, sv) / std::sqrt(uu * vv), -1.0, 1.0);
    for (double& value : su) value /= std::sqrt(uu);
    for (double& value : sv) value /= std::sqrt(vv);
    const double both = 0.25 + std::asin(gamma) / (2 * pi);
    const double edge = 1 / (2 * pi * std::sqrt((1 - gamma) * (1 + gamma)));
    for (std::size_t k = 0; k < n; ++k) {
      for (std::size_t l = 0; l < n; ++l) {
        out[k * n + l] = both * covariance_(k, l) +
                         edge * (su[k] * sv[l] + sv[k] * su[l] - gamma * (su[k] * su[l] + sv[k] * sv[l]));
      }
    }
  }

 private:
  Covariance covariance_;
  double c_;
};

/// Gates of one or two sites on nlgp data: signs of linear forms of the latent Gaussian.
class NlgpHalfSpaces final : public HalfSpaces {
 public:
  NlgpHalfSpaces(Covariance covariance, std::vector<double> latent, double gain, double deviation)
      : covariance_(std::move(covariance)),
        r_(std::move(latent)),
        gain_(gain),
        square_(deviation * deviation),
        response_(r_, gain, deviation) {}

  std::int64_t inputs() const override { return covariance_.inputs(); }
  /// Sign data tie in two sites: the latent form has the sign that their sum has not.
  bool covers(std::span<const double> v) const override {
    const auto form = form_of(v);
    return form && (std::isfinite(gain_) || form->second == form->first);
  }
  void first(std::span<const double> v, std::span<double> out) const override { response_.single(v, out); }
  double integrals() const override {
    return 6 * static_cast<double>(inputs()) * static_cast<double>(inputs()) / 2;
  }

  void second(std::span<const double> u, std::span<const double> v, std::span<double> out) const override {
    const std::size_t n = u.size();
    const std::vector<double> ru = with_sites(*form_of(u)), rv = with_sites(*form_of(v));
    const double uv = between(*form_of(u), *form_of(v));
    for (std::size_t k = 0; k < n; ++k) {
      for (std::size_t l = k; l < n; ++l) {
        const double value =
            (covariance_(k, l) + square_ * signs(uv, ru[k], ru[l], rv[k], rv[l], r(k, l))) / 4;
        out[k * n + l] = out[l * n + k] = value;
      }
    }
  }

 private:
  /// (Z_first + sign Z_second)/norm, or sign Z_first alone where second = first.
  struct Form {
    std::size_t first, second;
    double first_sign, second_sign;
  };

  std::optional<Form> form_of(std::span<const double> v) const {
    std::vector<std::size_t> sites;
    double largest = 0;
    for (const double value : v) largest = std::max(largest, std::abs(value));
    for (std::size_t i = 0; i < v.size(); ++i)
      if (std::abs(v[i]) > 1e-12 * largest) sites.push_back(i);
    if (sites.empty() || sites.size() > 2) return std::nullopt;
    const double a = v[sites.front()], b = v[sites.back()];
    if (std::abs(std::abs(a) - std::abs(b)) > 1e-12 * largest) return std::nullopt;
    return Form{sites.front(), sites.back(), a > 0 ? 1.0 : -1.0, b > 0 ? 1.0 : -1.0};
  }

  double r(std::size_t i, std::size_t j) const { return r_[i > j ? i - j : j - i]; }
  double norm(const Form& form) const {
    return form.first == form.second
               ? 1.0
               : std::sqrt(2 * (1 + form.first_sign * form.second_sign * r(form.first, form.second)));
  }
  double with(const Form& form, std::size_t site) const {
    const double one = form.first_sign * r(form.first, site);
    return (form.first == form.second ? one : one + form.second_sign * r(form.second, site)) / norm(form);
  }
  std::vector<double> with_sites(const Form& form) const {
    std::vector<double> all(r_.size());
    for (std::size_t site = 0; site < all.size(); ++site) all[site] = with(form, site);
    return all;
  }
  double between(const Form& a, const Form& b) const {
    const double one = a.first_sign * with(b, a.first);
    return (a.first == a.second ? one : one + a.second_sign * with(b, a.second)) / norm(a);
  }

  /// E[sgn U sgn V x_k x_l] for x = erf(gZ)/√Z_g.
  double signs(double uv, double uk, double ul, double vk, double vl, double kl) const {
    if (std::isfinite(gain_)) {
      const double q = task::nlgp_q(gain_), root = std::sqrt(q);
      return math::sign_quadruple_moment({uv, root * uk, root * ul, root * vk, root * vl, q * kl}) /
             task::nlgp_variance(gain_);
    }
    // Signs: what is equal up to its sign cancels, two by two.
    const auto same = [](double rho) { return std::abs(rho) > 1 - 1e-12; };
    const auto pair = [](double rho) { return math::sign_pair_moment(std::clamp(rho, -1.0, 1.0)); };
    const auto sign = [](double rho) { return rho > 0 ? 1.0 : -1.0; };
    if (same(kl)) return sign(kl) * pair(uv);
    if (same(uk)) return sign(uk) * pair(vl);
    if (same(ul)) return sign(ul) * pair(vk);
    if (same(vk)) return sign(vk) * pair(ul);
    if (same(vl)) return sign(vl) * pair(uk);
    return math::sign_quadruple_moment({uv, uk, ul, vk, vl, kl});
  }

  Covariance covariance_;
  std::vector<double> r_;
  double gain_;
  double square_;  // variance of X
  BumpResponse response_;
};

}  // namespace

std::unique_ptr<HalfSpaces> closed_half_spaces(const task::Section& section, const task::Task& task,
                                               int which_class) {
  if (const auto c = elliptical_constant(section.options()))
    return std::make_unique<EllipticalHalfSpaces>(class_covariance(task, which_class), *c);
  const auto* nlgp = dynamic_cast<const task::NlgpOptions*>(&section.options());
  if (nlgp == nullptr || nlgp->dim != 1) return nullptr;
  const double deviation =
      nlgp->scale * (nlgp->normalize == "unit" ? 1.0 : std::sqrt(task::nlgp_variance(nlgp->gain)));
  const double xi = nlgp->xi[static_cast<std::size_t>(which_class)];
  return std::make_unique<NlgpHalfSpaces>(class_covariance(task, which_class),
                                          math::project_to_correlation(math::ring_kernel(nlgp->n, xi)).row,
                                          nlgp->gain, deviation);
}

}  // namespace sluice::flow
