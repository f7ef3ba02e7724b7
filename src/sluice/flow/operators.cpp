#include "sluice/flow/operators.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <optional>
#include <vector>

#include "sluice/file/errors.hpp"
#include "sluice/flow/bumps.hpp"
#include "sluice/flow/class_covariance.hpp"
#include "sluice/flow/conditioned.hpp"
#include "sluice/flow/elliptical.hpp"
#include "sluice/flow/exact.hpp"
#include "sluice/flow/gaussian.hpp"
#include "sluice/flow/ising.hpp"
#include "sluice/flow/mean_field.hpp"
#include "sluice/flow/sampled.hpp"
#include "sluice/math/circulant.hpp"
#include "sluice/math/ring.hpp"
#include "sluice/spec/suggest.hpp"
#include "sluice/task/dataset.hpp"
#include "sluice/task/ising.hpp"
#include "sluice/task/nlgp.hpp"
#include "sluice/task/norta.hpp"
#include "sluice/task/pulse.hpp"

namespace sluice::flow {
namespace {

using Made = std::unique_ptr<Response>;

/// One class of a task.
struct Class {
  const task::Options& options;
  int which;

  template <class Options>
  const Options* as() const {
    return dynamic_cast<const Options*>(&options);
  }
  std::size_t index() const { return static_cast<std::size_t>(which); }
  Covariance covariance() const { return class_covariance(*options.make(), which); }
};

Made gaussian(const Class& of) { return std::make_unique<GaussianResponse>(of.covariance()); }

Made elliptical(const Class& of) {
  const std::optional<double> c = elliptical_constant(of.options);
  return c ? std::make_unique<EllipticalResponse>(of.covariance(), *c) : nullptr;
}

/// Operators that know the latent Gaussian of nlgp: its correlation, the gain, the deviation of X.
template <class Latent>
Made of_latent(const Class& of) {
  const auto* nlgp = of.as<task::NlgpOptions>();
  if (nlgp == nullptr || nlgp->dim != 1) return nullptr;
  const double deviation =
      nlgp->scale * (nlgp->normalize == "unit" ? 1.0 : std::sqrt(task::nlgp_variance(nlgp->gain)));
  return std::make_unique<Latent>(
      math::project_to_correlation(math::ring_kernel(nlgp->n, nlgp->xi[of.index()])).row, nlgp->gain,
      deviation);
}

/// The samples of one class, each as likely as the others.
task::FiniteSupport empirical_law(const task::FiniteSet& set, int which_class) {
  task::FiniteSupport law{.inputs = set.inputs, .points = {}, .weights = {}};
  for (std::int64_t row = 0; row < set.size(); ++row) {
    if (set.which_class[static_cast<std::size_t>(row)] != which_class) continue;
    const auto begin = set.x.begin() + row * set.inputs;
    law.points.insert(law.points.end(), begin, begin + set.inputs);
    law.weights.push_back(1);
  }
  for (double& weight : law.weights) weight /= static_cast<double>(law.weights.size());
  return law;
}

Made exact(const Class& of) {
  const auto sums = [&](const auto& options) {
    return std::make_unique<ExactResponse>(task::Pulse(options).support(of.which));
  };
  if (const auto* pulse = of.as<task::PulseOptions>()) return sums(*pulse);
  if (const auto* block = of.as<task::BlockOptions>()) return sums(*block);
  if (of.as<task::DatasetOptions>() != nullptr)
    return std::make_unique<ExactResponse>(empirical_law(*of.options.make()->training_set(), of.which));
  return nullptr;
}

Made ising(const Class& of) {
  const auto* spins = of.as<task::IsingOptions>();
  if (spins == nullptr) return nullptr;
  if (spins->n > IsingResponse::kMostSites) {
    throw InputError(fmt::format("task.n = {}: the exact response of ising: expected at most {} sites",
                                 spins->n, IsingResponse::kMostSites));
  }
  return std::make_unique<IsingResponse>(spins->n, spins->coupling[of.index()]);
}

Made mean_field(const Class& of) {
  const auto with = [&](Amplifier amplifier) {
    return std::make_unique<MeanFieldResponse>(of.covariance(), std::move(amplifier));
  };
  if (const auto* nlgp = of.as<task::NlgpOptions>()) return with(nlgp_amplifier(nlgp->gain));
  if (const auto* norta = of.as<task::NortaOptions>())
    return with(norta_amplifier(norta->marginal, norta->order));
  return nullptr;
}

/// A sampled response with what it needs to live.
class OwnSampled final : public Response, public PairResponse {
 public:
  explicit OwnSampled(const Class& of)
      : task_(of.options.make()),
        workers_(math::hardware_threads()),
        response_(*task_, of.which, {.samples = std::int64_t{1} << 16}, workers_) {}

  std::int64_t inputs() const override { return response_.inputs(); }
  void single(std::span<const double> w, std::span<double> f) const override { response_.single(w, f); }
  void pair(std::span<const double> w, std::span<const double> v, std::span<double> p) const override {
    response_.pair(w, v, p);
  }

 private:
  std::unique_ptr<task::Task> task_;
  math::Workers workers_;
  SampledResponse response_;
};

Made sampled(const Class& of) { return std::make_unique<OwnSampled>(of); }

struct Operator {
  spec::Choice choice;
  Made (*make)(const Class&);  ///< null where it does not fit the task
  bool exact;                  ///< wherever it fits, but for gaussian, which fits every task
};

constexpr std::array<Operator, 8> kOperators{{
    {{"gaussian", "as if X were Gaussian with its covariance; exact for gaussian and gaussian-clone"},
     gaussian,
     false},
    {{"elliptical", "exact for student-t, shell, scale-mixture and Gaussian data"}, elliptical, true},
    {{"bumps", "exact for nlgp where the gate sees few sites: e_i, e_i ± e_j, and up to four for sign data"},
     of_latent<BumpResponse>,
     true},
    {{"exact", "exact for pulse, block and the samples of a dataset"}, exact, true},
    {{"ising", "exact for ising up to 40 sites"}, ising, true},
    {{"conditioned",
      "approximate, for nlgp: 1 % to 3 % off at ξ = 2, 8 % for a bump at ξ = 1, 16 % for wavelets on signs"},
     of_latent<ConditionedResponse>,
     false},
    {{"mean-field", "approximate, for nlgp and norta: 0.4 % to 35 % off"}, mean_field, false},
    {{"sampled", "averages over a fixed set of samples, for every task"}, sampled, false},
}};
constexpr auto kChoices = spec::choices_of(kOperators);

Made exact_operator(const Class& of) {
  for (const Operator& each : kOperators) {
    if (!each.exact) continue;
    if (Made made = each.make(of)) return made;
  }
  return nullptr;
}

}  // namespace

spec::Choices operator_choices() { return kChoices; }

std::unique_ptr<Response> make_operator(const std::string& name, const task::Section& task, int which_class) {
  const Class of{task.options(), which_class};
  if (name.empty()) {
    if (Made made = exact_operator(of)) return made;
    throw InputError(fmt::format(
        "task.kind = {}: no exact response is known; choose the operator sampled, mean-field or gaussian",
        task.kind()));
  }
  std::vector<std::string> names;
  for (const Operator& each : kOperators) {
    names.emplace_back(each.choice.name);
    if (each.choice.name != name) continue;
    if (Made made = each.make(of)) return made;
    throw InputError(fmt::format("operator {}: {}; the task is {}", name, each.choice.meaning, task.kind()));
  }
  throw InputError(fmt::format("operator {}: unknown{}", name, spec::hint(name, names)));
}

}  // namespace sluice::flow
