#include "sluice/net/deep_network.hpp"

#include <algorithm>
#include <functional>

#include "sluice/file/errors.hpp"
#include "sluice/math/assert.hpp"
#include "sluice/net/deep_init.hpp"

namespace sluice::net {
namespace {

/// Forward and backward through a trace of one block.
class DeepBlockPass final : public Pass {
 public:
  DeepBlockPass(const DeepGated<float>& layers, std::int64_t samples, std::uint64_t seed)
      : layers_(layers), seed_(seed), trace_(layers.make_trace(samples, false)) {}

  void use(std::span<const float> parameters) override {
    SLUICE_ASSERT(parameters.size() == layers_.parameter_count());
    prepared_ = layers_.prepare(parameters, turned_weights_);
  }

  void forward(const math::Lanes& x, std::int64_t first_row, const math::Lanes& outputs) override {
    SLUICE_ASSERT(x.sites == layers_.inputs() && x.samples <= trace_.stride);
    SLUICE_ASSERT(outputs.sites == layers_.outputs() && outputs.samples == x.samples);
    trace_.samples = x.samples;
    const math::Lanes in = trace_.input();
    for (std::int64_t i = 0; i < x.sites; ++i)
      std::copy_n(&x.at(i, 0), x.samples, &in.at(layers_.place_of(i), 0));
    layers_.set_gates(seed_, first_row, trace_);
    layers_.forward(prepared_, trace_);
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
    layers_.backward_at_once(prepared_, trace_);
    const DeepOptions& options = layers_.options();
    for (std::int64_t l = 1; l <= layers_.depth(); ++l) {
      LayerTrace<float>& here = trace_.layers[static_cast<std::size_t>(l)];
      LayerTrace<float>& below = trace_.layers[static_cast<std::size_t>(l - 1)];
      if (options.trains_weights()) add(layers_.weights(l), l, here.delta, below.z, gradient);
      if (options.gated_by_network() && options.trains_gates() && l < layers_.depth())
        add(layers_.gate_weights(l), l, here.eta, l == 1 ? below.z : below.gate_z, gradient);
    }
  }

 private:
  /// gradient += ∂/∂θ ⟨slopes, L(θ) z⟩, tile by tile.
  void add(const MatrixPlace& place, std::int64_t l, const math::Aligned<float>& slopes,
           const math::Aligned<float>& z, std::span<float> gradient) {
    const Layer<float>& layer = layers_.layer(l);
    z_rows_.resize(std::max(z_rows_.size(), layer.rows_size(trace_.samples)));
    layer.as_rows(z.data(), trace_.samples, trace_.stride, z_rows_.data());
    for (const GradientTile& tile : layer.tiles()) {
      sums_.resize(std::max(sums_.size(), tile.size()));
      layer.gradient(tile, slopes.data(), z_rows_.data(), trace_.samples, trace_.stride, sums_.data(), false);
      for (std::int64_t row = tile.first_row; row < tile.last_row; ++row) {
        for (std::int64_t p = 0; p < tile.pieces; ++p) {
          float* to =
              gradient.data() + place.offset + row * place.columns + tile.first_column + p * tile.piece;
          const float* from = sums_.data() + tile.at(row, p);
          std::transform(to, to + tile.piece, from, to, std::plus{});
        }
      }
    }
  }

  const DeepGated<float>& layers_;
  std::uint64_t seed_;
  Trace<float> trace_;
  std::vector<float> turned_weights_;
  Prepared<float> prepared_;
  math::Aligned<float> z_rows_, sums_;
};

void resolve_path(std::string& path, const std::filesystem::path& folder) {
  if (!path.empty()) path = (folder / path).string();
}

}  // namespace

DeepNetwork::DeepNetwork(const DeepOptions& options, const Volume& input, std::int64_t outputs)
    : Network(input.size(), outputs), layers_(options, input, outputs) {
  for (std::int64_t l = 1; l <= layers_.depth(); ++l) {
    if (layers_.weights(l).size() > 0) add_part(layer_name(l), layers_.axes(l), layers_.shape(l));
  }
  for (std::int64_t l = 1; options.gated_by_network() && l < layers_.depth(); ++l)
    add_part(gate_layer_name(l), layers_.axes(l), layers_.shape(l));
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

std::int64_t DeepNetwork::units() const { return layers_.layer(1).rows(); }

std::span<const float> DeepNetwork::fields(std::span<const float> parameters,
                                           std::vector<float>& storage) const {
  const auto first = layers_.weights(1).of(parameters);
  if (layers_.options().dense()) return first;
  storage.assign(static_cast<std::size_t>(units() * inputs()), 0.0F);
  if (layers_.options().circular()) {
    std::ranges::copy(first, storage.begin());
    return storage;
  }
  const Volume& in = layers_.input();
  const Patch place = kernel_place();
  const float* weight = first.data();
  for (std::int64_t o = 0; o < units(); ++o) {
    for (std::int64_t a = 0; a < place.rows; ++a) {
      for (std::int64_t b = 0; b < place.columns; ++b) {
        for (std::int64_t c = 0; c < in.channels; ++c)
          storage[static_cast<std::size_t>(((o * in.channels + c) * in.rows + place.top + a) * in.columns +
                                           place.left + b)] = *weight++;
      }
    }
  }
  return storage;
}

Patch DeepNetwork::kernel_place() const {
  const file::Shape shape = layers_.shape(1);
  if (layers_.options().circular()) return {.columns = shape[1]};
  const Volume& in = layers_.input();
  return {(in.rows - shape[1]) / 2, (in.columns - shape[2]) / 2, shape[1], shape[2]};
}

std::optional<Patch> DeepNetwork::patch() const {
  if (layers_.options().dense()) return std::nullopt;
  const Patch place = kernel_place();
  const bool all = place.rows * place.columns == layers_.input().pixels();  // a dense layer in other words
  return all ? std::nullopt : std::optional(place);
}

void DeepFamily::resolve(const std::filesystem::path& folder) {
  resolve_path(layers.init.path, folder);
  resolve_path(layers.gate_init.path, folder);
}

std::unique_ptr<Network> DeepFamily::make(const Ends& ends) const {
  if (!layers.convolutional()) return std::make_unique<DeepNetwork>(layers, ends.inputs, ends.outputs);
  if (ends.volume.channels == 0)
    throw InputError(
        "network.layers = \"convolutional\": expected a task whose inputs lie on a ring, a torus or an "
        "image");
  return std::make_unique<DeepNetwork>(layers, ends.volume, ends.outputs);
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
