#include "sluice/theory/own_claim.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <new>
#include <utility>

#include "sluice/file/errors.hpp"
#include "sluice/math/finite.hpp"
#include "sluice/math/memory.hpp"
#include "sluice/theory/own_claim_scope.hpp"

namespace sluice::theory {
namespace {

constexpr std::size_t kMostComponents = 10'000;

bool all_zero(const Vector& v) { return std::abs(v).max() == 0; }

/// What a claim says that a mean is: of its shape, but for 0, which is of every shape.
Vector form_of(const spec::Value& value, const math::Program& mean, const math::Scope& scope,
               const std::filesystem::path& folder) {
  const math::Symbol form = known_value(value, scope, folder);
  if (!math::all_finite(form.value))
    throw InputError(value.place + ": expected finite numbers; something in it is infinite or not a number");
  if (form.shape == mean.shape()) return vector_of(form.value);
  if (form.shape.is_number() && form.value[0] == 0) return Vector(mean.shape().size());
  throw InputError(fmt::format("{}: a {}, but the mean is a {}", value.place, math::to_string(form.shape),
                               math::to_string(mean.shape())));
}

std::string text_of(const spec::Value& value) {
  if (const auto* text = std::get_if<std::string>(&value.content)) return *text;
  if (const auto* number = std::get_if<double>(&value.content)) return fmt::format("{}", *number);
  return "[…]";
}

Outcome outcome_of(const Finding& finding, bool with_printed) {
  if (finding.passed) return with_printed ? Outcome::printed_refuted : Outcome::holds;
  if (!(std::abs(finding.measured - *finding.stated) <= finding.allowed)) return Outcome::fails;
  return finding.notes ? Outcome::printed_stands : Outcome::no_power;
}

/// The component that a finding is about, by its numbers.
std::string component_of(const Finding& finding, const Measured& measured) {
  const std::size_t count = measured.shape.size();
  if (count == 1) return "";
  for (std::size_t c = 0; c < count; ++c) {
    if (measured.means.mean[c] != finding.measured || (*measured.stated)[c] != *finding.stated) continue;
    return component_name(measured.shape, c);
  }
  return "length";
}

}  // namespace

std::string_view to_string(Outcome outcome) {
  constexpr std::array<std::string_view, 6> kNames{
      "holds", "printed form refuted", "printed form stands", "no power", "fails", "measured"};
  return kNames.at(static_cast<std::size_t>(outcome));
}

std::string component_name(const math::Shape& shape, std::size_t c) {
  return shape.is_vector() ? fmt::format("[{}]", c)
                           : fmt::format("[{}, {}]", c / shape.columns, c % shape.columns);
}

bool is_good(Outcome outcome) {
  return outcome == Outcome::holds || outcome == Outcome::printed_refuted || outcome == Outcome::measured;
}

OwnClaim::OwnClaim(ClaimFile file) : file_(std::move(file)) {
  try {
    read_forms();
  } catch (const std::bad_alloc&) {  // reckoned, but others may have taken what was there
    throw InputError(
        fmt::format("{}: its arrays have no room beside all else in {:.3g} GiB of memory; fewer sites or "
                    "symbols need less",
                    file_.path, math::memory_bytes() / math::kGibibyte));
  }
}

void OwnClaim::read_forms() {
  data_ = data_of(file_.task.make());
  math::Scope scope = scope_of(file_, *data_.task);
  const std::filesystem::path folder = std::filesystem::path(file_.path).parent_path();
  for (const Expectation& expectation : file_.expectations) {
    Forms& forms = forms_.emplace_back(Forms{compiled(expectation.mean, scope), {}, {}});
    scope.held += forms.mean.held();
    const std::size_t components = forms.mean.shape().size();
    if (components > kMostComponents)
      throw InputError(fmt::format("{}: {} components: expected at most {}", expectation.mean.place,
                                   components, kMostComponents));
    if (expectation.equals.is_there()) forms.stated = form_of(expectation.equals, forms.mean, scope, folder);
    if (expectation.printed.is_there())
      forms.printed = form_of(expectation.printed, forms.mean, scope, folder);
    if (forms.printed && all_zero(*forms.stated))
      throw InputError(fmt::format("{}: expected none beside equals = 0; claim it as equals and see",
                                   expectation.printed.place));
  }
}

Means OwnClaim::sampled_means(const Expectation& expectation, const Forms& forms,
                              const Sampler& sampler) const {
  const std::size_t count = forms.mean.shape().size();
  const bool lengthens = forms.stated && count > 1 && !all_zero(*forms.stated);
  const auto of_class = [&](Label label) {
    const double y = task().classes().labels[label == Label::one ? 0 : 1];
    Statistic statistic = [&forms, y](std::span<const double> x, std::span<double> out) {
      thread_local std::vector<double> scratch;
      scratch.resize(forms.mean.scratch_size());
      forms.mean.evaluate(std::array<std::span<const double>, 2>{x, std::span(&y, 1)}, scratch, out);
    };
    if (expectation.symmetries) statistic = over_symmetries(std::move(statistic));
    if (lengthens) statistic = with_length(std::move(statistic), *forms.stated);
    return sampler.mean(data_, label, count + (lengthens ? 1 : 0), statistic);
  };
  if (!expectation.of_both()) return of_class(expectation.of_first() ? Label::one : Label::zero);
  const double share = task().classes().balance;
  return share * of_class(Label::one) + (1 - share) * of_class(Label::zero);
}

Measured OwnClaim::measure(std::size_t i, const Sampler& sampler) const {
  const Expectation& expectation = file_.expectations[i];
  const Forms& forms = forms_[i];
  Measured made{.mean = text_of(expectation.mean),
                .of = expectation.of_both()    ? "both classes"
                      : expectation.of_first() ? "class 1"
                                               : "class 0",
                .shape = forms.mean.shape(),
                .means = sampled_means(expectation, forms, sampler),
                .stated = forms.stated};
  if (!math::all_finite(view(made.means.mean)))
    throw InputError(fmt::format("{}: is not a finite number on some samples (log, sqrt or a quotient?)",
                                 expectation.mean.place));
  if (!forms.stated) return made;
  made.equals = text_of(expectation.equals);
  if (forms.printed) made.printed = text_of(expectation.printed);
  const bool zero = all_zero(*forms.stated);
  const bool lengthened = made.means.mean.size() > made.shape.size();
  const Vector stated = lengthened ? with_length(*forms.stated) : *forms.stated;
  if (!forms.printed) {
    made.finding = zero ? sampled_zero(made.means, stated) : sampled(made.means, stated);
  } else {
    made.finding =
        sampled(made.means, stated, lengthened ? with_length(*forms.printed, *forms.stated) : *forms.printed);
  }
  if (!zero) {
    const std::size_t last = made.means.mean.size() - 1;  // the length along the formula, or the only number
    const double unit = lengthened ? norm(*forms.stated) : (*forms.stated)[0];
    made.factor =
        Measured::Factor{made.means.mean[last] / unit, made.means.standard_error[last] / std::abs(unit)};
  }
  made.outcome = outcome_of(*made.finding, forms.printed.has_value());
  made.component = component_of(*made.finding, made);
  return made;
}

}  // namespace sluice::theory
