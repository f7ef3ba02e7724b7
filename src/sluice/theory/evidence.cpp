#include "sluice/theory/evidence.hpp"

#include <fmt/format.h>

#include <boost/math/distributions/normal.hpp>
#include <limits>
#include <utility>

namespace sluice::theory {
namespace {

constexpr double kFalseAlarm = 1e-5;  // of one claim, on one seed
constexpr double kRefuted = 10;       // standard errors beyond the allowance
constexpr double kPower = 0.2;        // of the largest component
constexpr double kCaught = 2.326;     // standard errors: the normal quantile of 0.99
constexpr double kRounding = 1e-6;    // of float data, for statistics without variance

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

/// A form (1 + ε) times too large is off by ε|stated| everywhere; the component that sees it best decides.
std::optional<double> resolution(const Means& measured, const Vector& stated) {
  const double scale = std::abs(stated).max();
  if (scale == 0) return std::nullopt;
  const double z = allowed_deviations(stated.size());
  double best = std::numeric_limits<double>::infinity();
  for (std::size_t c = 0; c < stated.size(); ++c)
    best = std::min(best,
                    ((z + kCaught) * measured.standard_error[c] + kRounding * scale) / std::abs(stated[c]));
  return best;
}

Finding at_component(const Means& measured, const Vector& stated, std::size_t c, bool passed) {
  const std::size_t m = stated.size();
  return {.notes = {},
          .stated = stated[c],
          .measured = measured.mean[c],
          .standard_error = measured.standard_error[c],
          .allowed = allowed_deviations(m) * measured.standard_error[c],
          .resolution = resolution(measured, stated),
          .passed = passed,
          .evidence = m == 1 ? "sampling" : fmt::format("sampling, worst of {}", m)};
}

/// In units of the allowance.
Vector deviations(const Means& measured, const Vector& predicted) {
  const double z = allowed_deviations(predicted.size());
  const double scale = std::abs(predicted).max();
  return std::abs(Vector(measured.mean - predicted)) /
         Vector(z * measured.standard_error + kRounding * std::max(scale, 1e-30));
}

}  // namespace

Finding sampled(const Means& measured, const Vector& stated) {
  const Vector deviation = deviations(measured, stated);
  const std::size_t worst = worst_of(deviation);
  Finding finding = at_component(measured, stated, worst, deviation[worst] <= 1);
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
  Finding finding = at_component(measured, stated, clearest, off[clearest] > 1);
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
  longer[printed.size()] = dot(printed, stated) / norm(stated);
  return longer;
}

Finding sampled_zero(const Means& measured) {
  const Vector zero(measured.mean.size());
  const double z = allowed_deviations(zero.size());
  constexpr double kFloor = 1e-7;
  const Vector deviation = std::abs(measured.mean) / Vector(z * measured.standard_error + kFloor);
  const std::size_t worst = worst_of(deviation);
  return at_component(measured, zero, worst, deviation[worst] <= 1);
}

Finding computed(const Vector& measured, const Vector& stated, double tolerance, const std::string& how) {
  const Vector off = std::abs(Vector(measured - stated));
  const std::size_t worst = worst_of(off);
  const bool passed = off[worst] <= tolerance;
  const std::size_t shown =
      passed ? worst_of(std::abs(stated)) : worst;  // agreement is all alike: show the largest
  const double scale = std::abs(stated).max();
  return {.notes = {},
          .stated = stated[shown],
          .measured = measured[shown],
          .standard_error = 0,
          .allowed = tolerance,
          .resolution = scale > 0 ? std::optional(tolerance / scale) : std::nullopt,
          .passed = passed,
          .evidence = how};
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

Finding both(const Finding& first, const Finding& second) {
  return first.passed ? (second.passed ? first : second) : first;
}

Finding provided(bool holds, const std::string& condition, Finding finding) {
  if (holds) return finding;
  finding.passed = false;
  finding.evidence += "; " + condition;
  return finding;
}

}  // namespace sluice::theory
