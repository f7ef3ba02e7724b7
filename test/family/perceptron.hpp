/// network.kind = "perceptron", the worked example of CONTRIBUTING: one linear unit with a bias,
///   ŷ(x) = ⟨w, x⟩ + b,   ∂L/∂w = Σ_samples (dL/dŷ) x,   ∂L/∂b = Σ_samples dL/dŷ.
#pragma once

#include "sluice/net/registry.hpp"

namespace sluice::net {

class Perceptron final : public Network {
 public:
  Perceptron(double std, std::int64_t inputs);

  std::vector<float> start(std::uint64_t seed) const override;
  std::unique_ptr<Pass> pass(std::int64_t samples, std::uint64_t seed) const override;
  std::int64_t units() const override { return 1; }
  std::span<const float> fields(std::span<const float> parameters, std::vector<float>&) const override {
    return find_part("weights")->of(parameters);
  }

 private:
  double std_;
};

struct PerceptronFamily final : Options {
  double std = 0.1;

  void describe(spec::Keys& keys) override;
  std::unique_ptr<Network> make(const Ends& ends) const override;
};

}  // namespace sluice::net
