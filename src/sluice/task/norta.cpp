#include "sluice/task/norta.hpp"

#include <algorithm>
#include <boost/math/quadrature/tanh_sinh.hpp>
#include <boost/math/special_functions/beta.hpp>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>

#include "sluice/math/kernels.hpp"
#include "sluice/math/orthant.hpp"

namespace sluice::task {
namespace {

constexpr double kPi = std::numbers::pi;

// In the order of Marginal::Law.
constexpr std::array<spec::Choice, 5> kMarginals{{
    {"normal", "X = Z"},
    {"uniform", "uniform on ±√3"},
    {"laplace", "density e^(−√2|x|)/√2"},
    {"sign", "±1"},
    {"algebraic", "quantile (2p−1)/(1−|2p−1|^k)^(1/k), standardised; k = order"},
}};

/// log P(|Z| > z) for z ≥ 0, also where the probability itself underflows.
double log_tail(double z) {
  const double y = z / std::numbers::sqrt2;
  if (y < 0.5) return std::log1p(-std::erf(y));
  if (y < 25) return std::log(std::erfc(y));
  const double s = 1 / (2 * y * y);
  return -y * y - std::log(y * std::sqrt(kPi)) + std::log1p(-s + 3 * s * s);
}

/// e^(−damping)·v/(1−v^k)^(1/k) at v = P(|Z| ≤ z), z ≥ 0: in the tails of orders near 2 the quotient alone is more than a double.
double algebraic_quantile(double z, double k, double damping = 0) {
  const double v = std::erf(z / std::numbers::sqrt2);
  if (v < 0.5) return v * std::exp(-std::log1p(-std::pow(v, k)) / k - damping);
  const double log_e = log_tail(z);
  const double e = std::exp(log_e);
  // 1 − v^k with v = 1 − e; it is k e to double precision long before e underflows
  const double log_rest = e > 1e-20 ? std::log(-std::expm1(k * std::log1p(-e))) : std::log(k) + log_e;
  return v * std::exp(-log_rest / k - damping);
}

/// E|X|^m of the algebraic law before it is standardised, m < k: ∫_0^1 v^m (1−v^k)^(−m/k) dv.
double algebraic_moment(double m, double k) { return boost::math::beta((m + 1) / k, 1 - m / k) / k; }

// 1024 cubics up to 8 standard deviations: 16 KiB, and far below float rounding (each within h⁴|x⁗|/2000 of x).
constexpr std::int64_t kCubics = 1024;
constexpr float kPerUnit = 128;

/// Marginal::covariance for many correlations: interpolated in φ = arccos|r| between 16 Chebyshev points on each of the
/// intervals π/2·[2^(−p−1), 2^−p], which are computed when they are first met. What is not smooth lies at φ = 0, one
/// length away from each interval, so the error falls as 5.8^−16: that of the quadrature (1e-9) remains.
class CovarianceTable {
 public:
  explicit CovarianceTable(const Marginal& marginal) : marginal_(marginal) {}

  double operator()(double r) {
    const double phi = std::acos(std::min(std::abs(r), 1.0));
    const double octave = -std::log2(phi / (kPi / 2));
    if (!(octave < kOctaves)) return marginal_.covariance(r);
    const auto p = static_cast<std::size_t>(std::max(octave, 0.0));
    const double middle = 1.5 * kPi / 2 * std::exp2(-static_cast<double>(p) - 1);
    std::vector<double>& values = values_[p];
    if (values.empty()) {
      for (const double point : points()) {
        values.push_back(marginal_.covariance(std::cos(middle * (1 + point / 3))));
      }
    }
    // Barycentric interpolation, with the weights of these points.
    const double at = (phi / middle - 1) * 3;
    double sum = 0;
    double weights = 0;
    for (std::size_t i = 0; i < kPoints; ++i) {
      const double apart = at - points()[i];
      if (apart == 0) return std::copysign(values[i], r);
      const double weight = (i % 2 == 0 ? 1 : -1) * std::sqrt(1 - points()[i] * points()[i]) / apart;
      sum += weight * values[i];
      weights += weight;
    }
    return std::copysign(sum / weights, r);
  }

 private:
  static constexpr std::size_t kPoints = 16;
  static constexpr double kOctaves = 24;

  static const std::array<double, kPoints>& points() {
    static const std::array<double, kPoints> chebyshev = [] {
      std::array<double, kPoints> x{};
      for (std::size_t i = 0; i < kPoints; ++i)
        x[i] = std::cos(kPi * (static_cast<double>(i) + 0.5) / kPoints);
      return x;
    }();
    return chebyshev;
  }

  const Marginal& marginal_;
  std::array<std::vector<double>, static_cast<std::size_t>(kOctaves)> values_;
};

/// The cubic through f at 0, 1/3, 2/3, 1.
std::array<float, 4> cubic_through(const std::array<double, 4>& f) {
  return {static_cast<float>(f[0]), static_cast<float>((-11 * f[0] + 18 * f[1] - 9 * f[2] + 2 * f[3]) / 2),
          static_cast<float>((18 * f[0] - 45 * f[1] + 36 * f[2] - 9 * f[3]) / 2),
          static_cast<float>((-9 * f[0] + 27 * f[1] - 27 * f[2] + 9 * f[3]) / 2)};
}

}  // namespace

Marginal::Marginal(const std::string& name, double order)
    : law_(static_cast<Law>(std::find_if(kMarginals.begin(), kMarginals.end(),
                                         [&](const spec::Choice& choice) { return choice.name == name; }) -
                            kMarginals.begin())),
      order_(order),
      deviation_(law_ == Law::algebraic ? std::sqrt(algebraic_moment(2, order)) : 1) {
  if (law_ != Law::laplace && law_ != Law::algebraic) return;
  for (std::int64_t piece = 0; piece < kCubics; ++piece) {
    const auto at = [&](double part) {
      return (*this)((static_cast<double>(piece) + part) / static_cast<double>(kPerUnit));
    };
    cubics_.push_back(cubic_through({at(0), at(1.0 / 3), at(2.0 / 3), at(1)}));
  }
}

double Marginal::operator()(double z) const {
  switch (law_) {
    case Law::normal:
      return z;
    case Law::uniform:
      return std::sqrt(3.0) * std::erf(z / std::numbers::sqrt2);
    case Law::laplace:
      return std::copysign(-log_tail(std::abs(z)) / std::numbers::sqrt2, z);
    case Law::sign:
      return std::copysign(1.0, z);
    case Law::algebraic:
      break;
  }
  return std::copysign(algebraic_quantile(std::abs(z), order_) / deviation_, z);
}

void Marginal::apply(std::span<float> values) const {
  switch (law_) {
    case Law::normal:
      return;
    case Law::uniform:
      return math::erf(values, 1 / std::numbers::sqrt2_v<float>, std::sqrt(3.0F));
    case Law::sign:
      for (float& value : values) value = std::copysign(1.0F, value);
      return;
    case Law::laplace:
    case Law::algebraic:
      break;
  }
  for (float& value : values) {
    const float position = std::abs(value) * kPerUnit;
    if (position < static_cast<float>(kCubics)) {
      const auto piece = static_cast<std::int32_t>(position);
      const auto& [c0, c1, c2, c3] = cubics_[static_cast<std::size_t>(piece)];
      const float t = position - static_cast<float>(piece);
      value = std::copysign(c0 + t * (c1 + t * (c2 + t * c3)), value);
    } else {
      value = static_cast<float>((*this)(static_cast<double>(value)));
    }
  }
}

std::optional<Recipe> Marginal::recipe() const {
  switch (law_) {
    case Law::normal:
      return Recipe{};
    case Law::uniform:
      return Recipe{
          .map = Recipe::Map::erf, .gain = 1 / std::numbers::sqrt2_v<float>, .factor = std::sqrt(3.0F)};
    case Law::sign:
      return Recipe{.map = Recipe::Map::sign};
    case Law::laplace:
    case Law::algebraic:
      break;
  }
  return std::nullopt;
}

double Marginal::excess_kurtosis() const {
  switch (law_) {
    case Law::normal:
      return 0;
    case Law::uniform:
      return -1.2;
    case Law::laplace:
      return 3;
    case Law::sign:
      return -2;
    case Law::algebraic:
      break;
  }
  if (order_ <= 4) return std::numeric_limits<double>::infinity();
  return algebraic_moment(4, order_) / std::pow(deviation_, 4) - 3;
}

double Marginal::covariance(double r) const {
  if (r == 1) return 1;
  switch (law_) {
    case Law::normal:
      return r;
    case Law::uniform:
      return 6 / kPi * std::asin(r / 2);
    case Law::sign:
      return math::sign_pair_moment(r);
    case Law::laplace:
    case Law::algebraic:
      break;
  }
  return covariance_by_quadrature(r);
}

bool Marginal::has_closed_covariance() const { return law_ != Law::laplace && law_ != Law::algebraic; }

double Marginal::covariance_by_quadrature(double r) const {
  if (std::abs(r) < 1e-15) return 0;  // the covariance is odd in r, and below what the quadrature resolves
  const double phi = std::acos(std::min(std::abs(r), 1.0));
  // The integrand falls as e^(−ρ²/2), for the algebraic law as e^(−ρ²(1/2 − 1/k)); beyond this ρ it is below 1e-15.
  const double decay = law_ == Law::algebraic ? 0.5 - 1 / order_ : 0.5;
  const double farthest = std::sqrt(40 / decay);
  // Mapped to [−1, 1] by hand: Boost's own map asserts that no node rounds to an end, which some ends do not grant.
  constexpr double kTolerance = 1e-11;
  const auto over = [](auto& quadrature, double low, double high, const auto& integrand) {
    const double half = (high - low) / 2;
    const double middle = (high + low) / 2;
    return half * quadrature.integrate([&](double t) { return integrand(middle + half * t); }, kTolerance);
  };
  boost::math::quadrature::tanh_sinh<double> radial;
  boost::math::quadrature::tanh_sinh<double> angular;
  const auto at_angle = [&](double u) {
    const double first = std::sin(u);
    const double second = std::sin(u - phi);
    return over(radial, 0, farthest, [&](double rho) {
      const double root = std::exp(-rho * rho / 4);  // in halves: the product of two tails may overflow
      return ((*this)(rho * first) * root) * ((*this)(rho * second) * root) * rho;
    });
  };
  const double opposite = phi > 0 ? over(angular, 0, phi, at_angle) : 0;
  const double alike = over(angular, phi, kPi, at_angle);
  return std::copysign((opposite + alike) / kPi, r);
}

void NortaOptions::describe(spec::Keys& keys) {
  RingOptions::describe(keys);
  keys.choice("marginal", marginal, kMarginals, "law of one site, variance 1");
  // Nearer to 2 the tails that make the variance are beyond what the quadrature of covariances can sum.
  const spec::Range orders{
      .low = 2.1, .high = 1000, .expected = "a number from 2.1 (at 2 the variance no longer exists) to 1000"};
  keys.number("order", order, orders,
              "k of the algebraic marginal, unused by the others; kurtosis exists above 4");
}

std::unique_ptr<Task> NortaOptions::make() const { return std::make_unique<Norta>(*this); }

Norta::Norta(const NortaOptions& options)
    : RingTask(options), options_(options), marginal_(options.marginal, options.order) {}

Moments Norta::moments(int which_class) const {
  Moments moments{.covariance = latent(which_class).correlation(),
                  .excess_kurtosis = marginal_.excess_kurtosis()};
  std::vector<double>& row = moments.covariance;
  if (marginal_.has_closed_covariance()) {
    for (double& r : row) r = marginal_.covariance(r);
    return moments;
  }
  std::map<double, double> known;  // as many correlations as distances, fewer on a torus
  CovarianceTable table(marginal_);
  constexpr std::size_t kFew = 64;  // quadratures
  for (double& r : row) {
    const auto [found, is_new] = known.try_emplace(r);
    if (is_new) found->second = row.size() <= kFew ? marginal_.covariance(r) : table(r);
    r = found->second;
  }
  return moments;
}

std::optional<Recipe> Norta::recipe(int which_class) const {
  std::optional<Recipe> recipe = marginal_.recipe();
  if (recipe) recipe->mix = latent(which_class).mix();
  return recipe;
}

void Norta::sample(const math::Address& first, int which_class, const math::Lanes& x,
                   const math::Lanes& scratch) const {
  latent(which_class).sample(first, x, scratch);
  marginal_.apply(x.all());
}

}  // namespace sluice::task
