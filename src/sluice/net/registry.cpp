#include "sluice/net/registry.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "sluice/net/deep_network.hpp"
#include "sluice/net/gated_linear.hpp"
#include "sluice/net/two_layer_network.hpp"

namespace sluice::net {
namespace {

template <class Family>
std::unique_ptr<Options> fresh() {
  return std::make_unique<Family>();
}

struct Kind {
  spec::Choice choice;
  std::unique_ptr<Options> (*fresh)();
};
constexpr std::array kTable{
    Kind{{"two-layer", "ŷ = Σ_k a_k σ(⟨w_k,x⟩ + b_k) + c"}, fresh<TwoLayerFamily>},
    Kind{{"deep-gated",
          "d layers without biases, units are gate × pre-activation: ReLU, GaLU, their soft forms, DLN, FRG"},
         fresh<DeepFamily>},
    Kind{{"gated-linear", "ŷ = (1/K) Σ_k g_k(x) ⟨w_k,x⟩ with fixed gates g_k"}, fresh<GatedLinearFamily>},
};
constexpr auto kKinds = spec::choices_of(kTable);

std::unique_ptr<Options> options_of(const std::string& kind) {
  for (const Kind& entry : kTable) {
    if (entry.choice.name == kind) return entry.fresh();
  }
  throw std::logic_error("network kind without options: " + kind);
}

}  // namespace

spec::Choices kinds() { return kKinds; }

bool KeptStart::holds(const Part& part) const {
  return std::ranges::any_of(parts, [&](std::string_view name) { return part.name.starts_with(name); });
}

Section::Section() : Section(std::string(kKinds[0].name)) {}
Section::Section(const std::string& kind) : kind_(kind), options_(options_of(kind)) {}

void Section::describe(spec::Keys& keys) {
  const std::string before = kind_;
  keys.required_choice("kind", kind_, kKinds, "what is trained");
  if (kind_ != before) options_ = options_of(kind_);
  options_->describe(keys);
}

}  // namespace sluice::net
