#include "sluice/task/elliptical.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "sluice/math/kernels.hpp"

namespace sluice::task {
namespace {

/// Excess kurtosis 3 E V² − 3.
double student_t_kurtosis(double nu) {
  return nu > 4 ? 6 / (nu - 4) : std::numeric_limits<double>::infinity();
}

/// √V of every sample. Absent samples get 1, so that their lanes stay finite.
template <class SquareRadius>
void draw_radii(const math::Address& first, const math::Lanes& epsilon, float* radii,
                const SquareRadius& square_radius) {
  for (std::int64_t r = 0; r < epsilon.stride; ++r) {
    radii[r] = 1;
    if (r >= epsilon.samples) continue;
    math::RowNumbers numbers(first, static_cast<std::uint32_t>(r));
    radii[r] = static_cast<float>(std::sqrt(square_radius(numbers)));
  }
}

struct Law {
  spec::Choice choice;
  Recipe::Radius radius;
  double (*square_radius)(math::RowNumbers& numbers, double spread);
  double (*second_moment)(double spread);  // E V²
};
constexpr std::array kLaws{
    Law{{"lognormal", "V = exp(σG − σ²/2), G normal, σ = spread"},
        Recipe::Radius::lognormal,
        [](math::RowNumbers& numbers, double sigma) {
          return std::exp(sigma * numbers.normal() - sigma * sigma / 2);
        },
        [](double sigma) { return std::exp(sigma * sigma); }},
    Law{{"exponential", "V ~ Exp(1): multivariate Laplace"},
        Recipe::Radius::exponential,
        [](math::RowNumbers& numbers, double) { return -std::log(numbers.uniform()); },
        [](double) { return 2.0; }},
    Law{{"two-point", "V = 1 ± spread, each with probability ½"},
        Recipe::Radius::two_point,
        [](math::RowNumbers& numbers, double spread) {
          return numbers.uniform() < 0.5 ? 1 - spread : 1 + spread;
        },
        [](double spread) { return 1 + spread * spread; }},
};
constexpr auto kLawNames = spec::choices_of(kLaws);

const Law& law_of(const std::string& name) {
  for (const Law& law : kLaws) {
    if (law.choice.name == name) return law;
  }
  throw std::logic_error("radial law that is not in the table: " + name);
}

}  // namespace

Elliptical::Elliptical(const RingOptions& options, double excess_kurtosis, const Radius& radius)
    : RingTask(options), excess_kurtosis_(excess_kurtosis), radius_(radius) {}

std::optional<Recipe> Elliptical::recipe(int which_class) const {
  return Recipe{.mix = latent(which_class).mix(), .radius = radius_.law, .spread = radius_.spread};
}

Moments Elliptical::moments(int which_class) const {
  return {.covariance = latent(which_class).correlation(), .excess_kurtosis = excess_kurtosis_};
}

void Elliptical::sample(const math::Address& first, int which_class, const math::Lanes& x,
                        const math::Lanes& scratch) const {
  // √V R ε = R √V ε, and x is free until ε is correlated: its first site holds the radii.
  math::fill_normals(first, scratch);
  radii(first, scratch, x.data);
  math::scale_rows(scratch.data, x.sites, std::span<const float>(x.data, static_cast<std::size_t>(x.stride)));
  latent(which_class).correlate(scratch, x);
}

void StudentTOptions::describe(spec::Keys& keys) {
  RingOptions::describe(keys);
  const spec::Range range{
      .low = 2, .high = 1e6, .open_low = true, .expected = "a number above 2, at most 1e6"};
  keys.number("nu", nu, range, "degrees of freedom ν; the kurtosis exists above 4");
}

std::unique_ptr<Task> StudentTOptions::make() const { return std::make_unique<StudentT>(*this); }

StudentT::StudentT(const StudentTOptions& options)
    : Elliptical(options, student_t_kurtosis(options.nu), {Recipe::Radius::student_t, options.nu}),
      nu_(options.nu) {}

void StudentT::radii(const math::Address& first, const math::Lanes& epsilon, float* radii) const {
  draw_radii(first, epsilon, radii,
             [this](math::RowNumbers& numbers) { return (nu_ - 2) / (2 * numbers.gamma(nu_ / 2)); });
}

std::unique_ptr<Task> ShellOptions::make() const { return std::make_unique<Shell>(*this); }

Shell::Shell(const ShellOptions& options)
    : Elliptical(options, -6 / (static_cast<double>(options.sites()) + 2), {Recipe::Radius::shell}) {}

void Shell::radii(const math::Address&, const math::Lanes& epsilon, float* square) const {
  std::fill_n(square, epsilon.stride, 0.0F);
  for (std::int64_t i = 0; i < epsilon.sites; ++i) {
    const float* site = epsilon.data + i * epsilon.stride;
    for (std::int64_t r = 0; r < epsilon.stride; ++r) square[r] += site[r] * site[r];
  }
  const auto n = static_cast<float>(epsilon.sites);
  for (std::int64_t r = 0; r < epsilon.stride; ++r) square[r] = std::sqrt(n / square[r]);
}

void ScaleMixtureOptions::describe(spec::Keys& keys) {
  RingOptions::describe(keys);
  keys.choice("law", law, kLawNames, "law of V in X = √V Z, E V = 1");
  if (law == "exponential") return;  // has no parameter
  const spec::Range range{.low = 0, .high = 3, .open_low = true, .expected = "a positive number up to 3"};
  keys.number("spread", spread, range, "σ of the lognormal V; s of the two points V = 1 ± s");
  keys.require(law != "two-point" || spread <= 1, "spread", "at most 1 when law = \"two-point\"");
}

std::unique_ptr<Task> ScaleMixtureOptions::make() const { return std::make_unique<ScaleMixture>(*this); }

ScaleMixture::ScaleMixture(const ScaleMixtureOptions& options)
    : Elliptical(options, 3 * law_of(options.law).second_moment(options.spread) - 3,
                 {law_of(options.law).radius, options.spread}),
      square_radius_(law_of(options.law).square_radius),
      spread_(options.spread) {}

void ScaleMixture::radii(const math::Address& first, const math::Lanes& epsilon, float* radii) const {
  draw_radii(first, epsilon, radii,
             [this](math::RowNumbers& numbers) { return square_radius_(numbers, spread_); });
}

}  // namespace sluice::task
