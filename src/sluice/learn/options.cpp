#include "sluice/learn/options.hpp"

#include <array>

namespace sluice::learn {
namespace {

constexpr std::array<spec::Choice, 1> kKinds{
    {{"sgd", "stochastic gradient descent, fresh samples every step"}}};

}  // namespace

void SgdOptions::describe(spec::Keys& keys) {
  keys.required_choice("kind", kind, kKinds, "what moves the weights");
  keys.number("rate", rate, spec::positive(), "multiplies the gradient of ½(ŷ-y)²; no hidden factor of K");
  keys.integer("batch", batch, spec::even_integers(2, 100'000'000), "samples per step, half from each class");
  keys.integer("steps", steps, spec::integers(0, 1'000'000'000'000), "training steps");
}

}  // namespace sluice::learn
