#include "sluice/net/deep_gated.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "sluice/file/errors.hpp"
#include "sluice/math/kernels.hpp"
#include "sluice/math/random.hpp"

namespace sluice::net {

template <class Real>
DeepGated<Real>::DeepGated(const DeepOptions& options, const Volume& input, std::int64_t outputs)
    : options_(options),
      gate_(options.gate()),
      input_(options.convolutional() ? input : Volume{.columns = input.size()}) {
  if (options.circular()) {
    if (outputs != 1)
      throw InputError(
          fmt::format("network.layers = \"circular\": expected one output, the task has {}", outputs));
    if (options.kernel > inputs())
      throw InputError(
          fmt::format("network.kernel = {}: expected at most the {} inputs", options.kernel, inputs()));
    Window ring = Window::of(input_, 1, options.kernel, 1, "circular");
    ring.left = 0;  // a site sees itself and what follows
    for (std::int64_t l = 1; l < options.depth; ++l) layers_.push_back(convolution<Real>(input_, 1, ring));
    pools_.resize(layers_.size());
    layers_.push_back(average_layer<Real>(input_, 0));
    pools_.emplace_back();
  } else {
    if (options.convolutional()) add_convolutions();
    for (const std::int64_t units : options.hidden()) add_dense(units);
    add_dense(outputs);
  }

  if (options.function_gates()) {
    GivenGates::Kept function = GivenGates::find(options.gate_source);
    if (!function)
      throw InputError(spec::lack_of_function("network.gate_source", options.gate_source, "gates are made"));
    std::int64_t units = 0;
    for (std::int64_t l = 1; l < depth(); ++l) units += width(l);
    function_.emplace(units, inputs(), std::move(function));
  }

  for (const bool gating : {false, true}) {
    if (gating && !options.gated_by_network()) continue;
    for (std::int64_t l = 1; l <= (gating ? depth() - 1 : depth()); ++l) {
      const MatrixPlace place{parameter_count_, layer(l).rows(), layer(l).columns()};
      (gating ? gate_weights_ : weights_).push_back(place);
      (gating ? gate_turned_ : turned_).push_back(turned_count_);
      parameter_count_ += place.size();
      turned_count_ += layer(l).turned_size();
    }
  }
}

template <class Real>
Volume DeepGated<Real>::seen() const {
  if (layers_.empty()) return input_;
  return pools_.back() ? pools_.back()->to() : layers_.back()->to();
}

template <class Real>
void DeepGated<Real>::add_dense(std::int64_t units) {
  layers_.push_back(dense_layer<Real>(seen(), units));
  pools_.emplace_back();
}

template <class Real>
void DeepGated<Real>::add_convolutions() {
  for (std::size_t i = 0; i < options_.channels.size(); ++i) {
    const Volume from = seen();
    const std::int64_t stride = options_.strides.empty() ? 1 : options_.strides[i];
    const std::int64_t rows = from.rows == 1 ? 1 : options_.kernel;
    layers_.push_back(convolution<Real>(from, options_.channels[i],
                                        Window::of(from, rows, options_.kernel, stride, options_.padding)));
    pools_.emplace_back();
    const Volume& to = layers_.back()->to();
    const bool last = i + 1 == options_.channels.size();
    const std::int64_t side = options_.pools.empty() ? 1 : options_.pools[i];
    if (side > to.columns || (to.rows > 1 && side > to.rows))
      throw InputError(
          fmt::format("network.pools: expected at most the {} × {} pixels of convolution {}, found {}",
                      to.rows, to.columns, i + 1, side));
    if (last && options_.averages()) {
      pools_.back() = average_layer<Real>(to, 0);
    } else if (side > 1) {
      pools_.back() = average_layer<Real>(to, side);
    }
  }
}

template <class Real>
bool DeepGated<Real>::shares_weights() const {
  return std::ranges::any_of(layers_, [](const LayerPointer& layer) { return layer->shared(); });
}

template <class Real>
file::Shape DeepGated<Real>::shape(std::int64_t l) const {
  return options_.circular() ? file::Shape{layer(l).rows(), layer(l).columns()} : layer(l).shape();
}

template <class Real>
std::vector<std::string_view> DeepGated<Real>::axes(std::int64_t l) const {
  return options_.circular() ? std::vector<std::string_view>{"channel", "tap"} : layer(l).axes();
}

template <class Real>
Prepared<Real> DeepGated<Real>::prepare(std::span<const Real> parameters, std::vector<Real>& storage) const {
  storage.resize(turned_count_);
  for (std::int64_t l = 1; turned_count_ > 0 && l <= depth(); ++l) {
    const auto at = static_cast<std::size_t>(l - 1);
    layer(l).turn(parameters.data() + weights(l).offset, storage.data() + turned_[at]);
    if (options_.gated_by_network() && l < depth())
      layer(l).turn(parameters.data() + gate_weights(l).offset, storage.data() + gate_turned_[at]);
  }
  return {parameters, storage};
}

template <class Real>
Trace<Real> DeepGated<Real>::make_trace(std::int64_t samples, bool parted) const {
  Trace<Real> trace;
  trace.samples = samples;
  trace.stride = math::whole_vectors(samples);
  trace.inputs = inputs();
  trace.layers.resize(layers_.size() + 1);
  const auto room = [&](std::int64_t units) { return static_cast<std::size_t>(units * trace.stride); };
  const bool adapts = adapts_gates() && (parted || !sums_ways());
  std::int64_t widest = 0;
  std::int64_t pooled = 0;
  for (std::int64_t l = 0; l <= depth(); ++l) {
    LayerTrace<Real>& layer = trace.layers[static_cast<std::size_t>(l)];
    const bool hidden = l > 0 && l < depth();
    const std::size_t size = room(width(l));
    const bool pools = hidden && pool(l) != nullptr;
    const std::size_t seen = pools ? room(pool(l)->units()) : size;
    if (pools) pooled = std::max(pooled, width(l));
    if (l > 0) widest = std::max(widest, width(l));
    if (l < depth()) layer.z.resize(seen);
    if (l > 0) layer.q.resize(size);
    if (l > 0) layer.delta.resize(size);
    if (hidden) layer.gate.assign(size, Real{1});
    if (hidden && options_.gated_by_network()) layer.gate_q.resize(size);
    if (hidden && options_.gated_by_network()) layer.gate_z.resize(seen);
    if (hidden && adapts_gates()) layer.slope.resize(size);
    if (hidden && adapts) layer.eta.resize(size);
  }
  trace.back.resize(room(widest));
  if (adapts) trace.gate_back.resize(room(widest));
  trace.pooling.resize(room(pooled));
  return trace;
}

template <class Real>
void DeepGated<Real>::set_gates(std::uint64_t seed, std::int64_t first_row, Trace<Real>& trace) const {
  if (options_.random_gates()) draw_gates(seed, first_row, trace);
  if (function_) ask_for_gates(trace);
}

template <class Real>
void DeepGated<Real>::ask_for_gates(Trace<Real>& trace) const {
  math::LanesBuffer<float> x(inputs(), trace.samples);
  const math::Lanes in = x.lanes(trace.samples);
  const math::LanesOf<Real> from = trace.input();
  for (std::int64_t i = 0; i < in.sites; ++i)
    for (std::int64_t r = 0; r < in.samples; ++r) in.at(i, r) = static_cast<float>(from.at(place_of(i), r));
  math::Aligned<float> open(static_cast<std::size_t>(function_->units() * in.stride));
  function_->look({}, in, open.data());
  const float* row = open.data();
  for (std::int64_t l = 1; l < depth(); ++l) {
    Real* gate = trace.layers[static_cast<std::size_t>(l)].gate.data();
    for (std::int64_t k = 0; k < width(l); ++k, row += in.stride)
      std::copy_n(row, in.samples, gate + layer(l).to().place_of(k) * trace.stride);
  }
}

template <class Real>
void DeepGated<Real>::draw_gates(std::uint64_t seed, std::int64_t first_row, Trace<Real>& trace) const {
  for (std::int64_t l = 1; l < depth(); ++l) {
    math::LanesBuffer<float> uniforms(width(l), trace.stride);  // also of lanes without a sample
    math::fill_uniforms({.seed = seed,
                         .purpose = math::Purpose::random_gates,
                         .step = static_cast<std::uint64_t>(l),
                         .row = static_cast<std::uint32_t>(first_row)},
                        uniforms.lanes(trace.stride));
    const auto from = uniforms.lanes(trace.stride).all();
    std::transform(from.begin(), from.end(), trace.layers[static_cast<std::size_t>(l)].gate.begin(),
                   [mu = options_.mu](float u) { return static_cast<double>(u) <= mu ? Real{1} : Real{0}; });
  }
}

/// z = q∘G, or its average over windows.
template <class Real>
void DeepGated<Real>::gated(std::int64_t l, const math::Aligned<Real>& q, const math::Aligned<Real>& gate,
                            Trace<Real>& trace, math::Aligned<Real>& z) const {
  const Layer<Real>* averages = pool(l);
  math::Aligned<Real>& out = averages == nullptr ? z : trace.pooling;
  for (std::size_t i = 0; i < q.size(); ++i) out[i] = q[i] * gate[i];
  if (averages != nullptr) averages->forward(nullptr, out.data(), trace.stride, z.data());
}

/// back = Pool' Θ_(l+1)' slopes, of the units of layer l.
template <class Real>
void DeepGated<Real>::pull_back(std::int64_t l, bool gating, const Prepared<Real>& prepared,
                                const math::Aligned<Real>& slopes, Trace<Real>& trace,
                                math::Aligned<Real>& back) const {
  const auto at = static_cast<std::size_t>(l);
  const Layer<Real>* averages = pool(l);
  math::Aligned<Real>& out = averages == nullptr ? back : trace.pooling;
  layer(l + 1).backward(prepared.parameters.data() + (gating ? gate_weights_ : weights_)[at].offset,
                        prepared.turned.data() + (gating ? gate_turned_ : turned_)[at], slopes.data(),
                        trace.stride, out.data());
  if (averages != nullptr) averages->backward(nullptr, nullptr, out.data(), trace.stride, back.data());
}

template <class Real>
void DeepGated<Real>::forward(const Prepared<Real>& prepared, Trace<Real>& trace) const {
  for (std::int64_t l = 1; l <= depth(); ++l) {
    const LayerTrace<Real>& before = trace.layers[static_cast<std::size_t>(l - 1)];
    LayerTrace<Real>& here = trace.layers[static_cast<std::size_t>(l)];
    layer(l).forward(prepared.parameters.data() + weights(l).offset, before.z.data(), trace.stride,
                     here.q.data());
    if (l == depth()) return;
    const auto open = [&](const math::Aligned<Real>& q) {
      gate_.open(std::span<const Real>(q), std::span<Real>(here.gate), std::span<Real>(here.slope));
    };
    if (options_.own_gates()) open(here.q);
    if (options_.gated_by_network()) {
      layer(l).forward(prepared.parameters.data() + gate_weights(l).offset,
                       (l == 1 ? before.z : before.gate_z).data(), trace.stride, here.gate_q.data());
      open(here.gate_q);
      gated(l, here.gate_q, here.gate, trace, here.gate_z);
    }
    gated(l, here.q, here.gate, trace, here.z);
  }
}

template <class Real>
void DeepGated<Real>::backward(const Prepared<Real>& prepared, Trace<Real>& trace) const {
  for (std::int64_t l = depth() - 1; l >= 1; --l) {
    const LayerTrace<Real>& above = trace.layers[static_cast<std::size_t>(l + 1)];
    LayerTrace<Real>& here = trace.layers[static_cast<std::size_t>(l)];
    pull_back(l, false, prepared, above.delta, trace, trace.back);
    for (std::size_t i = 0; i < here.q.size(); ++i) here.delta[i] = here.gate[i] * trace.back[i];
    if (!adapts_gates()) continue;

    const bool top = l == depth() - 1;
    if (!top) pull_back(l, !options_.own_gates(), prepared, above.eta, trace, trace.gate_back);
    const math::Aligned<Real>& gate_q = options_.own_gates() ? here.q : here.gate_q;
    for (std::size_t i = 0; i < here.q.size(); ++i) {
      const Real slope = here.slope[i];
      const Real through = top ? Real{0} : (here.gate[i] + gate_q[i] * slope) * trace.gate_back[i];
      here.eta[i] = slope * here.q[i] * trace.back[i] + through;
    }
  }
}

template <class Real>
void DeepGated<Real>::backward_at_once(const Prepared<Real>& prepared, Trace<Real>& trace) const {
  if (!sums_ways()) return backward(prepared, trace);
  for (std::int64_t l = depth() - 1; l >= 1; --l) {
    const LayerTrace<Real>& above = trace.layers[static_cast<std::size_t>(l + 1)];
    LayerTrace<Real>& here = trace.layers[static_cast<std::size_t>(l)];
    pull_back(l, false, prepared, above.delta, trace, trace.back);
    for (std::size_t i = 0; i < here.q.size(); ++i)
      here.delta[i] = (here.gate[i] + here.q[i] * here.slope[i]) * trace.back[i];
  }
}

template class DeepGated<float>;
template class DeepGated<double>;

}  // namespace sluice::net
