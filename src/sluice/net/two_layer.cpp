#include "sluice/net/two_layer.hpp"

#include <algorithm>

#include "sluice/math/kernels.hpp"

namespace sluice::net {

template <class Real>
TwoLayer<Real>::TwoLayer(const TwoLayerOptions& options, std::int64_t inputs)
    : units_(options.hidden),
      inputs_(inputs),
      learns_bias_(options.learns_bias()),
      beta_(static_cast<Real>(options.beta)),
      activate_(apply_of<Real>(activation(options.activation))) {}

template <class Real>
typename TwoLayer<Real>::Scratch TwoLayer<Real>::make_scratch(std::int64_t samples) const {
  const std::int64_t lanes = math::whole_vectors(samples);
  Scratch scratch{math::Aligned<Real>(static_cast<std::size_t>(units_ * lanes)),
                  math::Aligned<Real>(static_cast<std::size_t>(lanes)),
                  math::Aligned<Real>(static_cast<std::size_t>(samples * gradient_stride()))};
  if (learns_bias_) {
    for (std::int64_t r = 0; r < samples; ++r) {
      scratch.inputs[static_cast<std::size_t>(r * gradient_stride() + inputs_)] = Real{1};
    }
  }
  return scratch;
}

template <class Real>
void TwoLayer<Real>::forward(std::span<const Real> parameters, const math::LanesOf<Real>& x,
                             std::span<Real> output, Scratch& scratch) const {
  const auto net = view(parameters);
  math::multiply(math::Product<Real>{.m = units_,
                                     .n = x.stride,
                                     .k = inputs_,
                                     .a = net.weights.data(),
                                     .a_stride = inputs_,
                                     .b = x.data,
                                     .b_stride = x.stride,
                                     .c = scratch.hidden.data(),
                                     .c_stride = x.stride,
                                     .add = false});
  activate_({scratch.hidden.data(), net.bias.data(), units_, x.stride, scratch.sums.data(), beta_});
  const Real per_unit = Real{1} / static_cast<Real>(units_);
  for (std::size_t r = 0; r < output.size(); ++r) output[r] = per_unit * scratch.sums[r];
}

template <class Real>
void TwoLayer<Real>::backward(const math::LanesOf<Real>& x, std::span<const Real> output_gradient,
                              std::span<Real> gradient, Scratch& scratch) const {
  // σ'(h)·(dL/dŷ)/K; lanes without a sample get 0.
  const auto factors = std::span(scratch.sums).first(static_cast<std::size_t>(x.stride));
  std::fill(factors.begin(), factors.end(), Real{0});
  const Real per_unit = Real{1} / static_cast<Real>(units_);
  for (std::size_t r = 0; r < output_gradient.size(); ++r) factors[r] = per_unit * output_gradient[r];
  math::scale_rows(scratch.hidden.data(), units_, std::span<const Real>(factors));

  math::transpose(x, scratch.inputs.data(), gradient_stride());
  math::multiply(math::Product<Real>{.m = units_,
                                     .n = gradient_stride(),
                                     .k = x.samples,
                                     .a = scratch.hidden.data(),
                                     .a_stride = x.stride,
                                     .b = scratch.inputs.data(),
                                     .b_stride = gradient_stride(),
                                     .c = gradient.data(),
                                     .c_stride = gradient_stride(),
                                     .add = true});
}

template class TwoLayer<float>;
template class TwoLayer<double>;

}  // namespace sluice::net
