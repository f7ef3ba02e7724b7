/// network.kind = "gated-linear": linear units behind fixed gates, a gated deep linear network of one layer (GDLN),
///   ŷ(x) = (1/K) Σ_k g_k(x) ⟨w_k, x⟩                                                                   ledger: N0.39, N3.1
///   ∂L/∂w_k = (1/K) Σ_samples (dL/dŷ) g_k(x) x                                                         ledger: N0.41
/// Gates are half-spaces, formulas of ⟨v_k, x⟩ or functions of x that somebody gives (net/gates.hpp).
/// Parts: weights [K, n], which are trained, and gates [K, n], the v_k of net/gates.hpp, which are not.
#pragma once

#include "sluice/net/gates.hpp"
#include "sluice/net/options.hpp"
#include "sluice/net/registry.hpp"

namespace sluice::net {

struct GatedLinearFamily final : Options {
  std::int64_t hidden = 2;
  GateOptions gate;
  InitOptions init{.law = "zero"};

  void describe(spec::Keys& keys) override;
  void resolve(const std::filesystem::path& folder) override;
  std::unique_ptr<Network> make(const Ends& ends) const override;
  KeptStart kept_start() const override;
  void start_from_kept(const std::string& file) override;
  std::int64_t units_sharing_output() const override { return hidden; }
};

class GatedLinearNetwork final : public Network {
 public:
  GatedLinearNetwork(const GatedLinearFamily& family, const Ends& ends);

  const Gates& gates() const { return gates_; }
  /// v_1 … v_K, [K, n], of a start or of a state.
  std::span<const float> gate_vectors(std::span<const float> parameters) const;

  std::vector<float> start(std::uint64_t seed) const override;
  std::unique_ptr<Pass> pass(std::int64_t samples, std::uint64_t seed) const override;
  /// Rows of weights, each padded for vector code.
  std::size_t gradient_size() const override;
  std::vector<Stretch> trained() const override;
  std::int64_t units() const override { return gates_.units(); }
  std::span<const float> fields(std::span<const float> parameters, std::vector<float>&) const override {
    return parameters.first(static_cast<std::size_t>(units() * inputs()));
  }

 private:
  GateOptions gate_;
  InitOptions init_;
  Ends ends_;
  Gates gates_;
};

}  // namespace sluice::net
