/// network.kind = "two-layer" as a family of networks: the parts weights [K, n], bias [K], readout [K], offset [] where the
/// readout is learned, pathway [n] where there is one. The mathematics is that of two_layer.hpp.
#pragma once

#include "sluice/net/registry.hpp"
#include "sluice/net/two_layer.hpp"

namespace sluice::net {

class TwoLayerNetwork final : public Network {
 public:
  TwoLayerNetwork(const TwoLayerOptions& options, std::int64_t inputs);

  const TwoLayerOptions& options() const { return options_; }
  const TwoLayer<float>& layers() const { return layers_; }

  std::vector<float> start(std::uint64_t seed) const override;
  std::unique_ptr<Pass> pass(std::int64_t samples, std::uint64_t seed) const override;
  std::size_t gradient_size() const override { return layers_.gradient_size(); }
  std::vector<Stretch> trained() const override;
  std::int64_t units() const override { return layers_.units(); }
  std::span<const float> fields(std::span<const float> parameters, std::vector<float>&) const override {
    return layers_.view(parameters).weights;
  }

 private:
  TwoLayerOptions options_;
  TwoLayer<float> layers_;
};

struct TwoLayerFamily final : Options {
  TwoLayerOptions layers;

  void describe(spec::Keys& keys) override { layers.describe_layers(keys); }
  void resolve(const std::filesystem::path& folder) override;
  std::unique_ptr<Network> make(const Ends& ends) const override;
  KeptStart kept_start() const override;
  void start_from_kept(const std::string& file) override;
  std::vector<std::string> remarks() const override;
  std::int64_t units_sharing_output() const override { return layers.learns_readout() ? 1 : layers.hidden; }
  std::vector<std::string> usual_probes() const override {
    return {"loss", "accuracy", "weights", "bias", "ipr"};
  }
};

}  // namespace sluice::net
