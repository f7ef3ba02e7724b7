#include "sluice/net/two_layer.hpp"

#include <algorithm>
#include <numeric>

#include "sluice/math/assert.hpp"
#include "sluice/math/kernels.hpp"

namespace sluice::net {

template <class Real>
TwoLayer<Real>::TwoLayer(const TwoLayerOptions& options, std::int64_t inputs)
    : units_(options.hidden),
      inputs_(inputs),
      learns_bias_(options.learns_bias()),
      learns_readout_(options.learns_readout()),
      share_(learns_readout_ ? Real{1} : Real{1} / static_cast<Real>(options.hidden)),
      beta_(static_cast<Real>(options.beta)),
      pathway_(static_cast<Real>(options.pathway)),
      activate_(activation_function<Real>(options.activation)) {}

template <class Real>
typename TwoLayer<Real>::Scratch TwoLayer<Real>::make_scratch(std::int64_t samples) const {
  return make_stack(1, samples);
}

template <class Real>
typename TwoLayer<Real>::Scratch TwoLayer<Real>::make_stack(std::int64_t members,
                                                            std::int64_t samples) const {
  const std::int64_t lanes = math::whole_vectors(samples);
  Scratch scratch{math::Aligned<Real>(static_cast<std::size_t>(members * units_ * lanes)),
                  math::Aligned<Real>(static_cast<std::size_t>(learns_readout_ ? units_ * lanes : 0)),
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
void TwoLayer<Real>::project(const Real* weights, std::int64_t rows, const math::LanesOf<Real>& x,
                             Real* h) const {
  math::multiply(math::Product<Real>{.m = rows,
                                     .n = x.stride,
                                     .k = inputs_,
                                     .a = weights,
                                     .a_stride = inputs_,
                                     .b = x.data,
                                     .b_stride = x.stride,
                                     .c = h,
                                     .c_stride = x.stride,
                                     .add = false});
}

template <class Real>
void TwoLayer<Real>::add_products(const math::LanesOf<Real>& x, std::int64_t rows, Real* gradient,
                                  Scratch& scratch) const {
  math::transpose(x, scratch.inputs.data(), gradient_stride());
  math::multiply(math::Product<Real>{.m = rows,
                                     .n = gradient_stride(),
                                     .k = x.samples,
                                     .a = scratch.hidden.data(),
                                     .a_stride = x.stride,
                                     .b = scratch.inputs.data(),
                                     .b_stride = gradient_stride(),
                                     .c = gradient,
                                     .c_stride = gradient_stride(),
                                     .add = true});
}

template <class Real>
void TwoLayer<Real>::scale_by(const Real* output_gradient, const math::LanesOf<Real>& x, Real* hidden,
                              Scratch& scratch) const {
  const auto factors = std::span(scratch.sums).first(static_cast<std::size_t>(x.stride));
  std::fill(factors.begin(), factors.end(), Real{0});
  for (std::size_t r = 0; r < static_cast<std::size_t>(x.samples); ++r)
    factors[r] = share_ * output_gradient[r];
  math::scale_rows(hidden, units_, std::span<const Real>(factors));
}

template <class Real>
void TwoLayer<Real>::forward_stack(std::span<const Real> weights, std::span<const Real> bias,
                                   const math::LanesOf<Real>& x, const math::LanesOf<Real>& outputs,
                                   Scratch& scratch) const {
  SLUICE_ASSERT(stacks() &&
                scratch.hidden.size() >= static_cast<std::size_t>(outputs.sites * units_ * x.stride));
  project(weights.data(), outputs.sites * units_, x, scratch.hidden.data());
  for (std::int64_t e = 0; e < outputs.sites; ++e) {
    activate_({.h = scratch.hidden.data() + e * units_ * x.stride,
               .bias = bias.data() + e * units_,
               .units = units_,
               .lanes = x.stride,
               .sum = scratch.sums.data(),
               .beta = beta_});
    for (std::int64_t r = 0; r < x.samples; ++r)
      outputs.at(e, r) = share_ * scratch.sums[static_cast<std::size_t>(r)];
  }
}

template <class Real>
void TwoLayer<Real>::backward_stack(const math::LanesOf<Real>& x, const math::LanesOf<Real>& slopes,
                                    std::span<Real> gradient, Scratch& scratch) const {
  SLUICE_ASSERT(gradient.size() >= static_cast<std::size_t>(slopes.sites) * gradient_size());
  for (std::int64_t e = 0; e < slopes.sites; ++e)
    scale_by(&slopes.at(e, 0), x, scratch.hidden.data() + e * units_ * x.stride, scratch);
  add_products(x, slopes.sites * units_, gradient.data(), scratch);
}

template <class Real>
void TwoLayer<Real>::forward(std::span<const Real> parameters, const math::LanesOf<Real>& x,
                             std::span<Real> output, Scratch& scratch) const {
  SLUICE_ASSERT(parameters.size() == parameter_count());
  SLUICE_ASSERT(x.sites == inputs_ && output.size() == static_cast<std::size_t>(x.samples));
  SLUICE_ASSERT(scratch.hidden.size() >= static_cast<std::size_t>(units_ * x.stride));
  const auto net = view(parameters);
  project(net.weights.data(), units_, x, scratch.hidden.data());
  activate_({.h = scratch.hidden.data(),
             .bias = net.bias.data(),
             .units = units_,
             .lanes = x.stride,
             .sum = scratch.sums.data(),
             .beta = beta_,
             .readout = learns_readout_ ? net.readout.data() : nullptr,
             .value = scratch.values.data()});
  if (learns_readout_) {
    for (std::size_t r = 0; r < output.size(); ++r) output[r] = scratch.sums[r] + net.offset[0];
  } else {
    for (std::size_t r = 0; r < output.size(); ++r) output[r] = share_ * scratch.sums[r];
  }
  for (std::size_t i = 0; i < net.pathway.size(); ++i) {
    const Real* site = x.data + static_cast<std::int64_t>(i) * x.stride;
    for (std::size_t r = 0; r < output.size(); ++r) output[r] += pathway_ * net.pathway[i] * site[r];
  }
}

template <class Real>
void TwoLayer<Real>::backward(const math::LanesOf<Real>& x, std::span<const Real> output_gradient,
                              std::span<Real> gradient, Scratch& scratch) const {
  SLUICE_ASSERT(x.sites == inputs_ && output_gradient.size() == static_cast<std::size_t>(x.samples));
  SLUICE_ASSERT(gradient.size() >= gradient_size());
  scale_by(output_gradient.data(), x, scratch.hidden.data(), scratch);
  add_products(x, units_, gradient.data(), scratch);
  Real* pathway = gradient.data() + pathway_gradient_place();
  for (std::int64_t i = 0; i < pathway_count(); ++i) {
    Real sum = 0;
    for (std::size_t r = 0; r < output_gradient.size(); ++r)
      sum += output_gradient[r] * x.data[i * x.stride + static_cast<std::int64_t>(r)];
    pathway[i] += pathway_ * sum;
  }
  if (!learns_readout_) return;
  Real* readout = gradient.data() + unit_gradient_size();
  math::dot_rows(scratch.values.data(), units_, x.stride, output_gradient, readout);
  readout[units_] += std::accumulate(output_gradient.begin(), output_gradient.end(), Real{0});
}

template class TwoLayer<float>;
template class TwoLayer<double>;

}  // namespace sluice::net
