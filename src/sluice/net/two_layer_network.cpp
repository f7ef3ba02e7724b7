#include "sluice/net/two_layer_network.hpp"

#include <fmt/format.h>

#include "sluice/file/errors.hpp"
#include "sluice/math/assert.hpp"
#include "sluice/net/init.hpp"

namespace sluice::net {
namespace {

class TwoLayerPass final : public Pass {
 public:
  TwoLayerPass(const TwoLayer<float>& layers, std::int64_t samples)
      : layers_(layers), scratch_(layers.make_scratch(samples)) {}

  void use(std::span<const float> parameters) override {
    SLUICE_ASSERT(parameters.size() == layers_.parameter_count());
    parameters_ = parameters;
  }
  void forward(const math::Lanes& x, std::int64_t, const math::Lanes& outputs) override {
    SLUICE_ASSERT(outputs.sites == 1 && outputs.samples == x.samples);
    layers_.forward(parameters_, x, {outputs.data, static_cast<std::size_t>(x.samples)}, scratch_);
  }
  void backward(const math::Lanes& x, const math::Lanes& slopes, std::span<float> gradient) override {
    SLUICE_ASSERT(slopes.sites == 1 && slopes.samples == x.samples);
    layers_.backward(x, {slopes.data, static_cast<std::size_t>(x.samples)}, gradient, scratch_);
  }

 private:
  const TwoLayer<float>& layers_;
  std::span<const float> parameters_;
  TwoLayer<float>::Scratch scratch_;
};

}  // namespace

TwoLayerNetwork::TwoLayerNetwork(const TwoLayerOptions& options, std::int64_t inputs)
    : Network(inputs, 1), options_(options), layers_(options, inputs) {
  add_part("weights", {"unit", "site"}, {options.hidden, inputs});
  add_part("bias", {"unit"}, {options.hidden});
  if (options.learns_readout()) {
    add_part("readout", {"unit"}, {options.hidden});
    add_part("offset", {}, {});
  }
  if (layers_.has_pathway()) add_part("pathway", {"site"}, {inputs});
}

std::vector<float> TwoLayerNetwork::start(std::uint64_t seed) const {
  return initial_parameters(options_, inputs(), seed);
}

std::unique_ptr<Pass> TwoLayerNetwork::pass(std::int64_t samples, std::uint64_t) const {
  return std::make_unique<TwoLayerPass>(layers_, samples);
}

/// A row of weights and its bias for every unit, then what a learned readout has.
std::vector<Stretch> TwoLayerNetwork::trained() const {
  const auto units = static_cast<std::size_t>(layers_.units());
  const auto sites = static_cast<std::size_t>(inputs());
  const auto row = static_cast<std::size_t>(layers_.gradient_stride());
  std::vector<Stretch> stretches;
  for (std::size_t k = 0; k < units; ++k) {
    stretches.push_back({k * row, k * sites, sites});
    if (layers_.learns_bias()) stretches.push_back({k * row + sites, units * sites + k, 1});
  }
  if (layers_.learns_readout())
    stretches.push_back({layers_.unit_gradient_size(), units * (sites + 1), units + 1});
  if (layers_.has_pathway())
    stretches.push_back({layers_.pathway_gradient_place(), parameter_count() - sites, sites});
  return stretches;
}

void TwoLayerFamily::resolve(const std::filesystem::path& folder) {
  if (!layers.init.path.empty()) layers.init.path = (folder / layers.init.path).string();
}

std::unique_ptr<Network> TwoLayerFamily::make(const Ends& ends) const {
  const std::string& law = layers.init.law;
  if (ends.dimensions != 1 && (law == "bump" || law == "gabor"))
    throw InputError(
        fmt::format("network.init.law = \"{}\": expected task.dim = 1, its fields lie on a ring", law));
  if (ends.outputs != 1)
    throw InputError(
        fmt::format("network.kind = \"two-layer\": expected \"deep-gated\" for the {} classes of the task",
                    ends.outputs));
  return std::make_unique<TwoLayerNetwork>(layers, ends.inputs);
}

KeptStart TwoLayerFamily::kept_start() const {
  if (layers.init.law != "file") return {};
  if (layers.learns_others() && layers.init.from_many())
    return {.file = "init.npz", .parts = {"weights", "bias", "readout", "offset", "pathway"}};
  return {.file = "init.npy", .parts = {"weights"}};
}

void TwoLayerFamily::start_from_kept(const std::string& file) {
  if (layers.init.law != "file") return;
  layers.init = {.law = "file", .path = file};
  if (layers.init.from_many()) layers.init.array = "weights";
}

std::vector<std::string> TwoLayerFamily::remarks() const {
  if (layers.init.law != "file" || layers.init.from_many() || !layers.learns_others()) return {};
  return {fmt::format("network.init.path: {} holds weights alone; what else is learned starts fresh",
                      layers.init.path)};
}

}  // namespace sluice::net
