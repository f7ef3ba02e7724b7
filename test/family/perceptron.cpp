#include "test/family/perceptron.hpp"

#include "sluice/file/errors.hpp"
#include "sluice/math/random.hpp"

namespace sluice::net {
namespace {

class PerceptronPass final : public Pass {
 public:
  explicit PerceptronPass(std::int64_t inputs) : inputs_(static_cast<std::size_t>(inputs)) {}

  void use(std::span<const float> parameters) override { parameters_ = parameters; }
  void forward(const math::Lanes& x, std::int64_t, const math::Lanes& outputs) override {
    for (std::int64_t r = 0; r < x.samples; ++r) {
      outputs.at(0, r) = parameters_[inputs_];
      for (std::int64_t i = 0; i < x.sites; ++i)
        outputs.at(0, r) += parameters_[static_cast<std::size_t>(i)] * x.at(i, r);
    }
  }
  void backward(const math::Lanes& x, const math::Lanes& slopes, std::span<float> gradient) override {
    for (std::int64_t r = 0; r < x.samples; ++r) {
      for (std::int64_t i = 0; i < x.sites; ++i)
        gradient[static_cast<std::size_t>(i)] += slopes.at(0, r) * x.at(i, r);
      gradient[inputs_] += slopes.at(0, r);
    }
  }

 private:
  std::size_t inputs_;
  std::span<const float> parameters_;
};

}  // namespace

Perceptron::Perceptron(double std, std::int64_t inputs) : Network(inputs, 1), std_(std) {
  add_part("weights", {"unit", "site"}, {1, inputs});
  add_part("bias", {"unit"}, {1});
}

std::vector<float> Perceptron::start(std::uint64_t seed) const {
  math::RowNumbers numbers({.seed = seed, .purpose = math::Purpose::initial_weights}, 0);
  std::vector<float> parameters(parameter_count());  // the bias stays at 0
  for (float& w : find_part("weights")->of(std::span(parameters)))
    w = static_cast<float>(std_ * numbers.normal());
  return parameters;
}

std::unique_ptr<Pass> Perceptron::pass(std::int64_t, std::uint64_t) const {
  return std::make_unique<PerceptronPass>(inputs());
}

void PerceptronFamily::describe(spec::Keys& keys) {
  keys.number("std", std, spec::positive(), "standard deviation of the initial weights");
}

std::unique_ptr<Network> PerceptronFamily::make(const Ends& ends) const {
  if (ends.outputs != 1) throw InputError("network.kind = \"perceptron\": expected a task with two classes");
  return std::make_unique<Perceptron>(std, ends.inputs);
}

}  // namespace sluice::net
