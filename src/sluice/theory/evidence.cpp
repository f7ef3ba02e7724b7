#include "sluice/theory/evidence.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <limits>
#include <utility>

#include "sluice/math/statistics.hpp"

namespace sluice::theory {
namespace {

constexpr double kFalseAlarm = 1e-5;  // of one claim, on one seed
constexpr double kRefuted = 10;       // standard errors beyond the allowance
constexpr double kPower = 0.2;        // of the largest component
constexpr double kCaught = 2.326;     // standard errors: the normal quantile of 0.99
constexpr double kRounding = 1e-6;    // of float data, for statistics without variance
constexpr double kExact = 1e-14;      // no relative error below it is told from rounding

/// Where `deviation` is largest; what is not a number is larger than all numbers, and never allowed.
std::size_t worst_of(const Vector& deviation) {
  std::size_t worst = 0;
  for (std::size_t c = 0; c < deviation.size(); ++c) {
    if (std::isnan(deviation[c])) return c;
    if (deviation[c] > deviation[worst]) worst = c;
  }
  return worst;
}

}  // namespace

double allowed_deviations(std::size_t m) {
  const boost::math::normal normal;
  return boost::math::quantile(boost::math::complement(normal, kFalseAlarm / 2 / static_cast<double>(m)));
}

namespace {

/// How far a component may be off.
Vector allowance(const Comparison& compared) {
  return allowed_deviations(compared.stated.size()) * compared.measured.standard_error + compared.tolerance;
}

bool agrees(const Comparison& compared, const Vector& form) {
  const Vector allowed = allowance(compared);
  for (std::size_t c = 0; c < form.size(); ++c) {
    if (!(std::abs(compared.measured.mean[c] - form[c]) <= allowed[c]))
      return false;  // also what is no number
  }
  return true;
}

/// The component that sees an error of the form best decides.
double resolution(const Comparison& compared) {
  const double z = allowed_deviations(compared.stated.size());
  double best = std::numeric_limits<double>::infinity();
  for (std::size_t c = 0; c < compared.scale.size(); ++c) {
    const double seen = (z + kCaught) * compared.measured.standard_error[c] + 2 * compared.tolerance;
    if (compared.scale[c] != 0) best = std::min(best, seen / std::abs(compared.scale[c]));
  }
  return std::max(best, kExact);
}
std::optional<double> resolution(const std::vector<Compared>& forms) {
  std::optional<double> coarsest;
  for (const Compared& form : forms) {
    double finest = std::numeric_limits<double>::infinity();
    for (const Comparison& compared : form) finest = std::min(finest, resolution(compared));
    coarsest = std::max(coarsest.value_or(0), finest);
  }
  if (coarsest && std::isinf(*coarsest)) return std::nullopt;  // nothing for an error to be relative to
  return coarsest;
}

/// In units of the allowance; exact agreement needs none.
Vector deviations(const Comparison& compared) {
  const Vector allowed = allowance(compared);
  Vector off = std::abs(Vector(compared.measured.mean - compared.stated));
  for (std::size_t c = 0; c < off.size(); ++c) off[c] = off[c] == 0 ? 0 : off[c] / allowed[c];
  return off;
}

Finding at_component(const Comparison& compared, std::size_t c, bool passed, const std::string& how) {
  Finding finding{.notes = {},
                  .stated = compared.stated[c],
                  .measured = compared.measured.mean[c],
                  .standard_error = compared.measured.standard_error[c],
                  .allowed = allowance(compared)[c],
                  .resolution = {},
                  .passed = passed,
                  .evidence = how,
                  .forms = {{compared}}};
  finding.resolution = resolution(finding.forms);
  return finding;
}

Comparison of_samples(const Means& measured, const Vector& stated, const Vector& scale) {
  return {measured, stated, scale, kRounding * std::abs(scale).max()};
}
std::string sampling(std::size_t m) { return m == 1 ? "sampling" : fmt::format("sampling, worst of {}", m); }

Comparison of_numbers(const Vector& measured, const Vector& stated, const Vector& scale, double tolerance) {
  return {{measured, Vector(measured.size())}, stated, scale, tolerance};
}

}  // namespace

Finding sampled(const Means& measured, const Vector& stated) {
  const Comparison compared = of_samples(measured, stated, stated);
  const std::size_t worst = worst_of(deviations(compared));
  Finding finding = at_component(compared, worst, agrees(compared, stated), sampling(stated.size()));
  const double noise = allowed_deviations(stated.size()) * measured.standard_error.max();
  return provided(noise <= kPower * std::abs(stated).max(), "no power: more samples are needed",
                  std::move(finding));
}

Finding sampled(const Means& measured, const Vector& stated, const Vector& printed) {
  Finding agreement = sampled(measured, stated);
  if (!agreement.passed) return agreement;
  const double z = allowed_deviations(stated.size());
  Vector off(stated.size());  // of the printed form, in units of what would refute it
  for (std::size_t c = 0; c < off.size(); ++c) {
    off[c] = std::abs(measured.mean[c] - printed[c]) /
             ((z + kRefuted) * measured.standard_error[c] + kRounding * std::abs(stated).max());
  }
  const std::size_t clearest = worst_of(off);
  Finding finding =
      at_component(of_samples(measured, stated, stated), clearest, off[clearest] > 1, agreement.evidence);
  finding.notes = printed[clearest];
  if (!finding.passed) finding.evidence += "; the printed form is not refuted";
  return finding;
}

Statistic with_length(Statistic statistic, const Vector& stated) {
  return [statistic = std::move(statistic), direction = Vector(stated / norm(stated))](
             std::span<const double> x, std::span<double> out) {
    const std::span<double> parts = out.first(out.size() - 1);
    statistic(x, parts);
    out.back() = dot(view(direction), parts);
  };
}
Vector with_length(const Vector& stated) { return with_length(stated, stated); }
Vector with_length(const Vector& printed, const Vector& stated) {
  Vector longer(printed.size() + 1);
  longer[std::slice(0, printed.size(), 1)] = printed;
  longer[printed.size()] = dot(printed, Vector(stated / norm(stated)));
  return longer;
}

Finding sampled_zero(const Means& measured, const Vector& scale) {
  const Comparison compared = of_samples(measured, Vector(measured.mean.size()), scale);
  return at_component(compared, worst_of(deviations(compared)), agrees(compared, compared.stated),
                      sampling(scale.size()));
}

namespace {

/// Agreement is all alike: the component shown is the largest; where there is none, the worst.
Finding of_computation(const Comparison& compared, const std::string& how) {
  const bool passed = agrees(compared, compared.stated);
  return at_component(compared, worst_of(passed ? std::abs(compared.stated) : deviations(compared)), passed,
                      how);
}

}  // namespace

Finding computed(const Vector& measured, const Vector& stated, double tolerance, const std::string& how) {
  return of_computation(of_numbers(measured, stated, stated, tolerance), how);
}

Finding computed(const Vector& measured, const Vector& stated, const Vector& printed, double tolerance,
                 const std::string& how) {
  Finding finding = computed(measured, stated, tolerance, how);
  if (!finding.passed) return finding;
  constexpr double kRefutedTolerances = 1000;
  const Vector off = std::abs(Vector(measured - printed));
  const std::size_t clearest = worst_of(off);
  finding.notes = printed[clearest];
  finding.stated = stated[clearest];
  finding.measured = measured[clearest];
  finding.passed = off[clearest] > kRefutedTolerances * tolerance;
  if (!finding.passed) finding.evidence += "; the printed form is not refuted";
  return finding;
}

Finding computed_zero(const Vector& measured, double scale, double tolerance, const std::string& how) {
  return of_computation(
      of_numbers(measured, Vector(measured.size()), Vector(scale, measured.size()), tolerance), how);
}

Observation::Observation(std::span<const double> values) {
  const math::Statistics statistics(values);
  mean = statistics.mean();
  standard_error = statistics.error();
}

Observation operator-(const Observation& a, const Observation& b) {
  return {a.mean - b.mean, std::hypot(a.standard_error, b.standard_error)};
}

Finding observed(const Observation& effect, bool as_claimed, const std::string& how) {
  return {.stated = {},
          .measured = effect.mean,
          .standard_error = effect.standard_error,
          .passed = as_claimed,
          .evidence = how};
}

namespace {

Finding first_that_fails(const Finding& first, const Finding& second) {
  return !first.passed || second.passed ? first : second;
}

}  // namespace

Finding both(const Finding& first, const Finding& second) {
  Finding finding = first_that_fails(first, second);
  finding.forms = first.forms;
  finding.forms.insert(finding.forms.end(), second.forms.begin(), second.forms.end());
  finding.resolution = resolution(finding.forms);
  return finding;
}

Finding twice(const Finding& first, const Finding& second) {
  Finding finding = first_that_fails(first, second);
  if (first.passed && second.passed) finding.evidence += "; " + second.evidence;
  finding.forms = first.forms;
  for (std::size_t i = 0; i < finding.forms.size(); ++i) {
    const Compared& again = second.forms.at(i);
    finding.forms[i].insert(finding.forms[i].end(), again.begin(), again.end());
  }
  finding.resolution = resolution(finding.forms);
  return finding;
}

bool would_catch(const Finding& finding, double error) {
  return std::ranges::all_of(finding.forms, [error](const Compared& form) {
    return std::ranges::any_of(form, [error](const Comparison& compared) {
      return !agrees(compared, compared.stated + error * compared.scale);
    });
  });
}

Finding provided(bool holds, const std::string& condition, Finding finding) {
  if (holds) return finding;
  finding.passed = false;
  finding.evidence += "; " + condition;
  return finding;
}

}  // namespace sluice::theory
