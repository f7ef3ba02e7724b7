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
DeepGated<Real>::DeepGated(const DeepOptions& options, std::int64_t inputs, std::int64_t outputs)
    : options_(options), gate_(options.gate()) {
  if (options.circular() && outputs != 1)
    throw InputError(
        fmt::format("network.layers = \"circular\": expected one output, the task has {}", outputs));
  if (options.circular() && options.kernel > inputs)
    throw InputError(
        fmt::format("network.kernel = {}: expected at most the {} inputs", options.kernel, inputs));
  widths_ = options.hidden(inputs);
  widths_.insert(widths_.begin(), inputs);
  widths_.push_back(outputs);

  if (options.function_gates()) {
    GivenGates::Kept function = GivenGates::find(options.gate_source);
    if (!function)
      throw InputError(spec::lack_of_function("network.gate_source", options.gate_source, "gates are made"));
    const std::int64_t units = std::accumulate(widths_.begin() + 1, widths_.end() - 1, std::int64_t{0});
    function_.emplace(units, inputs, std::move(function));
  }

  const auto add = [](std::size_t& count, std::int64_t rows, std::int64_t columns) {
    const MatrixPlace place{count, rows, columns};
    count += place.size();
    return place;
  };
  const bool circular = options.circular();
  for (const bool gating : {false, true}) {
    if (gating && !options.gated_by_network()) continue;
    const std::int64_t last = gating ? depth() - 1 : depth();
    for (std::int64_t l = 1; l <= last; ++l) {
      const bool averages = circular && l == depth();
      (gating ? gate_matrices_ : matrices_).push_back(add(matrix_count_, width(l), width(l - 1)));
      (gating ? gate_weights_ : weights_)
          .push_back(add(parameter_count_, circular ? 1 : width(l),
                         averages   ? 0
                         : circular ? options.kernel
                                    : width(l - 1)));
    }
  }
}

template <class Real>
std::span<const Real> DeepGated<Real>::matrices(std::span<const Real> parameters,
                                                std::vector<Real>& storage) const {
  if (!options_.circular()) return parameters;
  storage.assign(matrix_count_, Real{0});
  const std::int64_t n = inputs();
  const auto circulant = [&](const MatrixPlace& kernel, const MatrixPlace& place) {
    const auto theta = kernel.of(parameters);
    const auto out = place.of(std::span(storage));
    for (std::int64_t i = 0; i < n; ++i) {
      for (std::int64_t j = 0; j < kernel.columns; ++j)
        out[static_cast<std::size_t>(i * n + (i + j) % n)] = theta[static_cast<std::size_t>(j)];
    }
  };
  for (std::int64_t l = 1; l < depth(); ++l) {
    circulant(weights(l), matrix(l));
    if (options_.gated_by_network()) circulant(gate_weights(l), gate_matrix(l));
  }
  std::ranges::fill(matrix(depth()).of(std::span(storage)), Real{1} / static_cast<Real>(n));
  return storage;
}

template <class Real>
void DeepGated<Real>::fold(std::span<const Real> matrix_gradient, std::int64_t stride,
                           std::span<Real> kernel_gradient) const {
  const std::int64_t n = inputs();
  for (std::size_t j = 0; j < kernel_gradient.size(); ++j) {
    Real sum = 0;
    for (std::int64_t i = 0; i < n; ++i)
      sum += matrix_gradient[static_cast<std::size_t>(i * stride + (i + static_cast<std::int64_t>(j)) % n)];
    kernel_gradient[j] = sum;
  }
}

template <class Real>
Trace<Real> DeepGated<Real>::make_trace(std::int64_t samples) const {
  Trace<Real> trace;
  trace.samples = samples;
  trace.stride = math::whole_vectors(samples);
  trace.inputs = inputs();
  trace.layers.resize(widths_.size());
  const auto room = [&](std::int64_t units) { return static_cast<std::size_t>(units * trace.stride); };
  for (std::int64_t l = 0; l <= depth(); ++l) {
    LayerTrace<Real>& layer = trace.layers[static_cast<std::size_t>(l)];
    const bool hidden = l > 0 && l < depth();
    const std::size_t size = room(width(l));
    if (l < depth()) layer.z.resize(size);
    if (l > 0) layer.q.resize(size);
    if (l > 0) layer.delta.resize(size);
    if (hidden) layer.gate.assign(size, Real{1});
    if (hidden && options_.gated_by_network()) layer.gate_q.resize(size);
    if (hidden && options_.gated_by_network()) layer.gate_z.resize(size);
    if (hidden && adapts_gates()) layer.slope.resize(size);
    if (hidden && adapts_gates()) layer.eta.resize(size);
  }
  const std::size_t widest = room(*std::max_element(widths_.begin() + 1, widths_.end()));
  trace.back.resize(widest);
  if (adapts_gates()) trace.gate_back.resize(widest);
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
    for (std::int64_t r = 0; r < in.samples; ++r) in.at(i, r) = static_cast<float>(from.at(i, r));
  math::Aligned<float> open(static_cast<std::size_t>(function_->units() * in.stride));
  function_->look({}, in, open.data());
  const float* row = open.data();
  for (std::int64_t l = 1; l < depth(); ++l) {
    Real* gate = trace.layers[static_cast<std::size_t>(l)].gate.data();
    for (std::int64_t k = 0; k < width(l); ++k, row += in.stride)
      std::copy_n(row, in.samples, gate + k * trace.stride);
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

template <class Real>
void DeepGated<Real>::product(const MatrixPlace& place, std::span<const Real> matrices,
                              const math::Aligned<Real>& from, math::Aligned<Real>& to,
                              std::int64_t stride) const {
  math::multiply(math::Product<Real>{.m = place.rows,
                                     .n = stride,
                                     .k = place.columns,
                                     .a = matrices.data() + place.offset,
                                     .a_stride = place.columns,
                                     .b = from.data(),
                                     .b_stride = stride,
                                     .c = to.data(),
                                     .c_stride = stride,
                                     .add = false});
}

template <class Real>
void DeepGated<Real>::transposed_product(const MatrixPlace& place, std::span<const Real> matrices,
                                         const math::Aligned<Real>& from, math::Aligned<Real>& to,
                                         std::int64_t stride) const {
  math::multiply(math::Product<Real>{.m = place.columns,
                                     .n = stride,
                                     .k = place.rows,
                                     .a = matrices.data() + place.offset,
                                     .a_stride = 1,
                                     .b = from.data(),
                                     .b_stride = stride,
                                     .c = to.data(),
                                     .c_stride = stride,
                                     .add = false,
                                     .a_step = place.columns});
}

template <class Real>
void DeepGated<Real>::forward(std::span<const Real> matrices, Trace<Real>& trace) const {
  for (std::int64_t l = 1; l <= depth(); ++l) {
    const LayerTrace<Real>& before = trace.layers[static_cast<std::size_t>(l - 1)];
    LayerTrace<Real>& here = trace.layers[static_cast<std::size_t>(l)];
    product(matrix(l), matrices, before.z, here.q, trace.stride);
    if (l == depth()) return;
    const auto open = [&](const math::Aligned<Real>& q) {
      gate_.open(std::span<const Real>(q), std::span<Real>(here.gate), std::span<Real>(here.slope));
    };
    if (options_.own_gates()) open(here.q);
    if (options_.gated_by_network()) {
      product(gate_matrix(l), matrices, l == 1 ? before.z : before.gate_z, here.gate_q, trace.stride);
      open(here.gate_q);
      for (std::size_t i = 0; i < here.q.size(); ++i) here.gate_z[i] = here.gate_q[i] * here.gate[i];
    }
    for (std::size_t i = 0; i < here.q.size(); ++i) here.z[i] = here.q[i] * here.gate[i];
  }
}

template <class Real>
void DeepGated<Real>::backward(std::span<const Real> matrices, Trace<Real>& trace) const {
  for (std::int64_t l = depth() - 1; l >= 1; --l) {
    const LayerTrace<Real>& above = trace.layers[static_cast<std::size_t>(l + 1)];
    LayerTrace<Real>& here = trace.layers[static_cast<std::size_t>(l)];
    transposed_product(matrix(l + 1), matrices, above.delta, trace.back, trace.stride);
    for (std::size_t i = 0; i < here.q.size(); ++i) here.delta[i] = here.gate[i] * trace.back[i];
    if (!adapts_gates()) continue;

    const bool top = l == depth() - 1;
    if (!top) {
      transposed_product(options_.own_gates() ? matrix(l + 1) : gate_matrix(l + 1), matrices, above.eta,
                         trace.gate_back, trace.stride);
    }
    const math::Aligned<Real>& gate_q = options_.own_gates() ? here.q : here.gate_q;
    for (std::size_t i = 0; i < here.q.size(); ++i) {
      const Real slope = here.slope[i];
      const Real through = top ? Real{0} : (here.gate[i] + gate_q[i] * slope) * trace.gate_back[i];
      here.eta[i] = slope * here.q[i] * trace.back[i] + through;
    }
  }
}

template class DeepGated<float>;
template class DeepGated<double>;

}  // namespace sluice::net
