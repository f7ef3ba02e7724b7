#include "sluice/net/deep_network.hpp"

#include <algorithm>

#include "sluice/math/assert.hpp"
#include "sluice/math/kernels.hpp"
#include "sluice/net/deep_init.hpp"

namespace sluice::net {
namespace {

/// Forward and backward through a trace of one block.
class DeepBlockPass final : public Pass {
 public:
  DeepBlockPass(const DeepGated<float>& layers, std::int64_t samples, std::uint64_t seed)
      : layers_(layers), seed_(seed), trace_(layers.make_trace(samples)) {}

  void use(std::span<const float> parameters) override {
    SLUICE_ASSERT(parameters.size() == layers_.parameter_count());
    matrices_ = layers_.matrices(parameters, matrix_storage_);
  }

  void forward(const math::Lanes& x, std::int64_t first_row, const math::Lanes& outputs) override {
    SLUICE_ASSERT(x.sites == layers_.inputs() && x.samples <= trace_.stride);
    SLUICE_ASSERT(outputs.sites == layers_.outputs() && outputs.samples == x.samples);
    trace_.samples = x.samples;
    const math::Lanes in = trace_.input();
    for (std::int64_t i = 0; i < x.sites; ++i) std::copy_n(&x.at(i, 0), x.samples, &in.at(i, 0));
    layers_.set_gates(seed_, first_row, trace_);
    layers_.forward(matrices_, trace_);
    const math::Aligned<float>& out = trace_.layers.back().q;
    for (std::int64_t c = 0; c < outputs.sites; ++c)
      std::copy_n(out.data() + c * trace_.stride, x.samples, &outputs.at(c, 0));
  }

  void backward(const math::Lanes&, const math::Lanes& slopes, std::span<float> gradient) override {
    SLUICE_ASSERT(slopes.sites == layers_.outputs() && slopes.samples == trace_.samples);
    SLUICE_ASSERT(gradient.size() >= layers_.parameter_count());
    math::Aligned<float>& delta = trace_.layers.back().delta;
    std::ranges::fill(delta, 0.0F);  // lanes without a sample add nothing
    for (std::int64_t c = 0; c < slopes.sites; ++c)
      std::copy_n(&slopes.at(c, 0), trace_.samples, delta.data() + c * trace_.stride);
    layers_.backward(matrices_, trace_);
    const DeepOptions& options = layers_.options();
    for (std::int64_t l = 1; l <= layers_.depth(); ++l) {
      LayerTrace<float>& here = trace_.layers[static_cast<std::size_t>(l)];
      LayerTrace<float>& below = trace_.layers[static_cast<std::size_t>(l - 1)];
      if (options.own_gates()) {  // a unit that gates itself learns by both ways at once
        for (std::size_t i = 0; i < here.eta.size(); ++i) here.delta[i] += here.eta[i];
      }
      if (options.trains_weights()) add(layers_.weights(l), l, here.delta, below.z, gradient);
      if (options.gated_by_network() && options.trains_gates() && l < layers_.depth())
        add(layers_.gate_weights(l), l, here.eta, l == 1 ? below.z : below.gate_z, gradient);
    }
  }

 private:
  /// gradient += slopes z', rows of the layer; folded where it is a circulant.
  void add(const MatrixPlace& place, std::int64_t layer, const math::Aligned<float>& slopes,
           math::Aligned<float>& z, std::span<float> gradient) {
    if (place.size() == 0) return;
    const std::int64_t units = layers_.width(layer);
    const std::int64_t inputs = layers_.width(layer - 1);
    const std::int64_t row = math::whole_vectors(inputs);
    turned_.resize(static_cast<std::size_t>(trace_.samples * row));
    products_.resize(static_cast<std::size_t>(units * row));
    math::transpose(math::Lanes{z.data(), inputs, trace_.samples, trace_.stride}, turned_.data(), row);
    math::multiply(math::Product<float>{.m = units,
                                        .n = row,
                                        .k = trace_.samples,
                                        .a = slopes.data(),
                                        .a_stride = trace_.stride,
                                        .b = turned_.data(),
                                        .b_stride = row,
                                        .c = products_.data(),
                                        .c_stride = row,
                                        .add = false});
    const auto out = place.of(gradient);
    if (layers_.options().circular()) {
      folded_.resize(out.size());
      layers_.fold(products_, row, folded_);
      std::ranges::transform(out, folded_, out.begin(), std::plus{});
      return;
    }
    for (std::int64_t i = 0; i < units; ++i) {
      const auto to = out.subspan(static_cast<std::size_t>(i * inputs), static_cast<std::size_t>(inputs));
      std::transform(to.begin(), to.end(), products_.begin() + i * row, to.begin(), std::plus{});
    }
  }

  const DeepGated<float>& layers_;
  std::uint64_t seed_;
  Trace<float> trace_;
  std::vector<float> matrix_storage_;
  std::span<const float> matrices_;
  math::Aligned<float> turned_, products_;
  std::vector<float> folded_;
};

void resolve_path(std::string& path, const std::filesystem::path& folder) {
  if (!path.empty()) path = (folder / path).string();
}

}  // namespace

DeepNetwork::DeepNetwork(const DeepOptions& options, std::int64_t inputs, std::int64_t outputs)
    : Network(inputs, outputs), layers_(options, inputs, outputs) {
  const std::vector<std::string_view> axes = options.circular()
                                                 ? std::vector<std::string_view>{"channel", "tap"}
                                                 : std::vector<std::string_view>{"unit", "input"};
  for (std::int64_t l = 1; l <= layers_.depth(); ++l) {
    const MatrixPlace& place = layers_.weights(l);
    if (place.size() > 0) add_part(layer_name(l), axes, {place.rows, place.columns});
  }
  for (std::int64_t l = 1; options.gated_by_network() && l < layers_.depth(); ++l)
    add_part(gate_layer_name(l), axes, {layers_.gate_weights(l).rows, layers_.gate_weights(l).columns});
  SLUICE_ASSERT(parameter_count() == layers_.parameter_count());
}

std::vector<float> DeepNetwork::start(std::uint64_t seed) const { return initial_parameters(layers_, seed); }

std::unique_ptr<Pass> DeepNetwork::pass(std::int64_t samples, std::uint64_t seed) const {
  return std::make_unique<DeepBlockPass>(layers_, samples, seed);
}

/// What stays frozen has no stretch.
std::vector<Stretch> DeepNetwork::trained() const {
  std::vector<Stretch> stretches;
  for (const Part& part : parts()) {
    const bool gating = part.name.starts_with("gate");
    if (gating ? layers_.options().trains_gates() : layers_.options().trains_weights())
      stretches.push_back({part.offset, part.offset, part.size()});
  }
  return stretches;
}

std::int64_t DeepNetwork::units() const { return layers_.options().circular() ? 1 : layers_.width(1); }

std::span<const float> DeepNetwork::fields(std::span<const float> parameters,
                                           std::vector<float>& storage) const {
  const auto first = layers_.weights(1).of(parameters);
  if (!layers_.options().circular()) return first;
  storage.assign(static_cast<std::size_t>(inputs()), 0.0F);
  std::ranges::copy(first, storage.begin());
  return storage;
}

void DeepFamily::resolve(const std::filesystem::path& folder) {
  resolve_path(layers.init.path, folder);
  resolve_path(layers.gate_init.path, folder);
}

std::unique_ptr<Network> DeepFamily::make(const Ends& ends) const {
  return std::make_unique<DeepNetwork>(layers, ends.inputs, ends.outputs);
}

KeptStart DeepFamily::kept_start() const {
  KeptStart kept;
  if (layers.init.law == "file") kept.parts.emplace_back("layer");
  if (layers.gated_by_network() && layers.gate_init.law == "file") kept.parts.emplace_back("gate");
  if (!kept.parts.empty()) kept.file = "init.npz";
  return kept;
}

void DeepFamily::start_from_kept(const std::string& file) {
  if (layers.init.law == "file") layers.init.path = file;
  if (layers.gated_by_network() && layers.gate_init.law == "file") layers.gate_init.path = file;
}

}  // namespace sluice::net
