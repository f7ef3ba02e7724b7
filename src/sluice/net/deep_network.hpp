/// network.kind = "deep-gated" as a family of networks: the parts layer1 … layerd, [units, inputs of the layer], and gate1 … of a
/// gating network; kernels [1, ŵ] where layers are circular, [channels, rows, columns, channels before] of convolutions. The mathematics is that of
/// deep_gated.hpp.
#pragma once

#include "sluice/net/deep_gated.hpp"
#include "sluice/net/registry.hpp"

namespace sluice::net {

class DeepNetwork final : public Network {
 public:
  /// Throws InputError when the options do not fit the inputs and outputs.
  DeepNetwork(const DeepOptions& options, const Volume& input, std::int64_t outputs);
  DeepNetwork(const DeepOptions& options, std::int64_t inputs, std::int64_t outputs)
      : DeepNetwork(options, Volume{.columns = inputs}, outputs) {}

  const DeepGated<float>& layers() const { return layers_; }

  std::vector<float> start(std::uint64_t seed) const override;
  std::unique_ptr<Pass> pass(std::int64_t samples, std::uint64_t seed) const override;
  std::vector<Stretch> trained() const override;
  /// Units of the first layer. Of a convolution a unit stands for its channel: its kernel in the middle of the image, of circular layers at the ring's
  /// first sites.
  std::int64_t units() const override;
  std::span<const float> fields(std::span<const float> parameters,
                                std::vector<float>& storage) const override;
  std::optional<Patch> patch() const override;
  std::string_view belongs_to_samples() const override {
    return layers_.options().random_gates() ? "network.gates = \"random\"" : "";
  }

 private:
  /// Of layers that are not dense.
  Patch kernel_place() const;

  DeepGated<float> layers_;
};

struct DeepFamily final : Options {
  DeepOptions layers;

  void describe(spec::Keys& keys) override { layers.describe(keys); }
  void resolve(const std::filesystem::path& folder) override;
  std::unique_ptr<Network> make(const Ends& ends) const override;
  KeptStart kept_start() const override;
  void start_from_kept(const std::string& file) override;
  std::vector<std::string> usual_probes() const override { return {}; }
  bool has_kernels() const override { return true; }
};

}  // namespace sluice::net
