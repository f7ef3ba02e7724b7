#include "sluice/net/section.hpp"

#include <array>

namespace sluice::net {
namespace {

constexpr std::array<spec::Choice, 2> kKinds{
    {{"two-layer", "ŷ = Σ_k a_k σ(⟨w_k,x⟩ + b_k) + c"},
     {"deep-gated",
      "d layers without biases, units are gate × pre-activation: ReLU, GaLU, their soft forms, DLN, FRG"}}};

}  // namespace

spec::Choices kinds() { return kKinds; }

void Section::describe(spec::Keys& keys) {
  keys.required_choice("kind", kind, kKinds, "what is trained");
  if (is_deep()) {
    deep.describe(keys);
  } else {
    two_layer.describe_layers(keys);
  }
}

}  // namespace sluice::net
