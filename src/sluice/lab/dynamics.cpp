#include "sluice/lab/dynamics.hpp"

#include <array>
#include <vector>

#include "sluice/learn/loss.hpp"
#include "sluice/theory/operators.hpp"

namespace sluice::lab {
namespace {

constexpr std::array<spec::Choice, 3> kPairs{{
    {"auto", "gaussian where that is exact, else sampled"},
    {"gaussian", "as if X were Gaussian with its covariance"},
    {"sampled", "averages over a fixed set of samples"},
}};

constexpr std::array<spec::Choice, 3> kRateUnits{{
    {"one", "the number itself"},
    {"depth", "1/d, for deep networks"},
    {"kernel", "P/ρ_max of the tangent kernel at the start, for deep networks on P points"},
}};

}  // namespace

spec::Choices rate_units() { return kRateUnits; }

spec::Choices flow_operators() {
  static const std::vector<spec::Choice> all = [] {
    std::vector<spec::Choice> choices{{"auto", "the task's exact one where it is cheap, else sampled"}};
    const spec::Choices named = theory::operator_choices();
    choices.insert(choices.end(), named.begin(), named.end());
    return choices;
  }();
  return all;
}

spec::Choices flow_pairs() { return kPairs; }

spec::Choices dynamics_kinds() {
  static const std::vector<spec::Choice> all = [] {
    const spec::Choices optimizers = learn::optimizer_choices();
    std::vector<spec::Choice> choices(optimizers.begin(), optimizers.end());
    choices.push_back({"flow", "gradient flow in expectation, t = rate × step"});
    return choices;
  }();
  return all;
}

void DynamicsOptions::describe(spec::Keys& keys) {
  keys.required_choice("kind", kind, dynamics_kinds(), "what moves the weights");
  if (!is_flow()) {
    describe_optimizer(keys);
    keys.choice("rate_unit", rate_unit, kRateUnits, "what rate is measured in");
    return;
  }
  keys.choice("loss", loss, learn::loss_choices(), "what is minimised");
  keys.require(loss == "half-squared", "loss", "\"half-squared\" for a flow");
  describe_batch(keys, "samples per step of the sgd it is held against; a flow has none");
  keys.number("rate", optimizer.rate, spec::positive(), "time per step: t = rate × step of sgd");
  keys.integer("steps", steps, spec::integers(0, 1'000'000'000'000), "the flow ends at t = rate × steps");
  keys.choice("operator", response, flow_operators(), "how f(w) = E[1(⟨w,X⟩ ≥ 0) X] is computed");
  keys.choice("pairs", pairs, kPairs, "how several units answer together");
  keys.integer("samples", samples, spec::integers(1024, 100'000'000),
               "samples of the sampled operators; of a network at least 16 for every weight");
  keys.number("tolerance", tolerance, spec::positive(),
              "error per step, relative to the weights' root mean square");
  keys.number("steady", steady, spec::at_least(0), "the flow ends when max |dw/dt| falls below; 0: never");
}

}  // namespace sluice::lab
