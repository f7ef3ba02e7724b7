/// How a measurement is held against the forms that predict it.
///
/// Sampling: component c may be off by z standard errors, z the two-sided normal quantile at 10⁻⁵/m for m components
/// (Bonferroni). A printed form counts as refuted when it is off by ten standard errors more than that somewhere. A check
/// that could not tell a 20 % error (of the largest component) from none has no power and fails.
/// Without sampling: the tolerance is given, with its reason, by the check.
/// Resolution: a form that is (1 + ε) times too large is caught with probability 0.99 where ε|stated| is z + 2.33 standard errors, or
/// for certain where it is two tolerances.
#pragma once

#include <span>
#include <string>

#include "sluice/theory/claim.hpp"

namespace sluice::theory {

/// The allowance in standard errors for the worst of m components.
double allowed_deviations(std::size_t m);

/// The stated form agrees with the samples.
Finding sampled(const Means& measured, const Vector& stated);
/// … and the printed one does not.
Finding sampled(const Means& measured, const Vector& stated, const Vector& printed);
/// A statistic, or a form, followed by its length along the stated form: the one number that an overall factor shows in best, and
/// therefore the finest resolution.
Statistic with_length(Statistic statistic, const Vector& stated);
Vector with_length(const Vector& stated);
/// A printed form, followed by what it would have along the stated one.
Vector with_length(const Vector& printed, const Vector& stated);
/// Every component is zero: a difference of terms, of which one is the scale of an error.
Finding sampled_zero(const Means& measured, const Vector& scale);

/// Numbers that agree within an absolute tolerance; `how` says what they were computed by.
Finding computed(const Vector& measured, const Vector& stated, double tolerance, const std::string& how);
/// … while the printed ones are off by more than a thousand tolerances somewhere.
Finding computed(const Vector& measured, const Vector& stated, const Vector& printed, double tolerance,
                 const std::string& how);
/// Every component is zero: a difference of terms of this size.
Finding computed_zero(const Vector& measured, double scale, double tolerance, const std::string& how);

/// Several values of one number, one per seed or unit: their mean and its standard error.
struct Observation {
  double mean = 0;
  double standard_error = 0;

  explicit Observation(std::span<const double> values);
  Observation(double value, double error) : mean(value), standard_error(error) {}
  /// By three standard errors; an effect that a claim is about is many more away from its bound.
  bool above(double bound) const { return mean - 3 * standard_error > bound; }
  bool below(double bound) const { return mean + 3 * standard_error < bound; }
};
/// Of independent ones.
Observation operator-(const Observation& a, const Observation& b);
/// A claim without a formula: an effect with its standard error, and whether it is as large, or as small, as the claim says.
Finding observed(const Observation& effect, bool as_claimed, const std::string& how);

/// Two statements of one claim: both must pass; what is shown is the first that fails, else the first.
Finding both(const Finding& first, const Finding& second);
/// The same statements, form by form, measured in another way: both must pass, and the finer one says how small an error is caught. What
/// is shown is the first that fails, else the first.
Finding twice(const Finding& first, const Finding& second);
/// A condition beside the numbers.
Finding provided(bool holds, const std::string& condition, Finding finding);

/// Whether every stated form, (1 + error) times as large, would fail in one of its measurements.
bool would_catch(const Finding& finding, double error);

}  // namespace sluice::theory
