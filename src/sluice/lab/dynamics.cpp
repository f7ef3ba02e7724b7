#include "sluice/lab/dynamics.hpp"

#include <array>
#include <vector>

#include "sluice/learn/loss.hpp"

namespace sluice::lab {
namespace {

/// P/ρ_max(K_0), P the size of the training set: full-batch descent on the half-squared loss is then e ← (I − rate·K/ρ_max)e, the step
/// size of document 004's experiments 1 and 2.
constexpr std::array<spec::Choice, 3> kRateUnits{{
    {"one", "the number itself"},
    {"depth", "1/d, for deep networks"},
    {"kernel", "P/ρ_max of the tangent kernel at the start, for deep networks on P points"},
}};

}  // namespace

spec::Choices dynamics_kinds() {
  static const std::vector<spec::Choice> all = [] {
    const spec::Choices optimizers = learn::optimizer_choices();
    std::vector<spec::Choice> choices(optimizers.begin(), optimizers.end());
    choices.push_back({"flow", "gradient flow in expectation, t = rate × step"});
    choices.push_back({"exact", "the same of gated linear units, solved: any time at once"});
    return choices;
  }();
  return all;
}

double usual_rate(std::string_view kind, std::int64_t units) {
  constexpr double kScaled = 0.01;  // a step of adam and rmsprop, whatever the gradient
  constexpr double kOfUnit = 0.05;  // rate/K of `localization`
  if (kind == "adam" || kind == "rmsprop") return kScaled;
  const double rate = kOfUnit * static_cast<double>(units);
  return kind == "momentum" ? rate / 10 : rate;  // which goes 1/(1 − 0.9) times as far
}

void DynamicsOptions::describe(spec::Keys& keys, std::int64_t units) {
  keys.required_choice("kind", kind, dynamics_kinds(), "what moves the weights");
  if (optimizer.rate == 0) optimizer.rate = usual_rate(kind, units);
  describe_precision(keys);
  keys.require(!fast() || !is_flow(), "precision", "\"strict\": a flow sees no samples");
  if (!is_flow()) {
    describe_optimizer(keys);
    keys.choice("rate_unit", rate_unit, kRateUnits, "what rate is measured in");
    return;
  }
  keys.choice("loss", loss, learn::loss_choices(), "what is minimised");
  keys.require(kind == "flow" || loss == "half-squared", "loss", "\"half-squared\" for a solution");
  describe_batch(keys, "samples per step of the sgd it is held against; a flow has none");
  keys.number("rate", optimizer.rate, spec::positive(), "time per step: t = rate × step of sgd");
  keys.integer("steps", steps, spec::integers(0, 1'000'000'000'000), "the flow ends at t = rate × steps");
  flow.exact = kind == "exact";
  flow.exact ? flow.describe_exact(keys) : flow.describe(keys);
}

}  // namespace sluice::lab
