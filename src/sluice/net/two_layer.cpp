#include "sluice/net/two_layer.hpp"

#include <Eigen/Core>

namespace sluice::net {
namespace {

// A row-major [rows, m] block is a column-major m × rows matrix: samples and receptive fields are columns
// below.
template <class Real>
using Columns = Eigen::Map<Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic>>;
template <class Real>
using ConstColumns = Eigen::Map<const Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic>>;
template <class Real>
using Vector = Eigen::Map<Eigen::Matrix<Real, Eigen::Dynamic, 1>>;
template <class Real>
using ConstVector = Eigen::Map<const Eigen::Matrix<Real, Eigen::Dynamic, 1>>;

}  // namespace

template <class Real>
TwoLayer<Real>::TwoLayer(const TwoLayerOptions& options, std::int64_t inputs)
    : units_(options.hidden),
      inputs_(inputs),
      learns_bias_(options.learns_bias()),
      activate_(apply_of<Real>(activation(options.activation))) {}

template <class Real>
typename TwoLayer<Real>::Scratch TwoLayer<Real>::make_scratch(std::int64_t rows) const {
  const auto size = static_cast<std::size_t>(rows * units_);
  return {std::vector<Real>(size), std::vector<Real>(size)};
}

template <class Real>
void TwoLayer<Real>::forward(std::span<const Real> parameters, std::span<const Real> x,
                             std::span<Real> output, Scratch& scratch) const {
  const auto rows = static_cast<Eigen::Index>(output.size());
  const auto size = static_cast<std::size_t>(rows * units_);
  const auto net = view(parameters);
  const ConstColumns<Real> fields(net.weights.data(), inputs_, units_);
  const ConstVector<Real> bias(net.bias.data(), units_);
  const ConstColumns<Real> samples(x.data(), inputs_, rows);
  Columns<Real> hidden(scratch.hidden.data(), units_, rows);
  hidden.noalias() = fields.transpose() * samples;
  hidden.colwise() += bias;
  activate_(std::span(scratch.hidden).first(size), std::span(scratch.slope).first(size));
  Vector<Real>(output.data(), rows) = hidden.colwise().mean();
}

template <class Real>
void TwoLayer<Real>::backward(std::span<const Real> x, std::span<const Real> output_gradient,
                              std::span<Real> gradient, Scratch& scratch) const {
  const auto rows = static_cast<Eigen::Index>(output_gradient.size());
  const auto net = view(gradient);
  const ConstColumns<Real> samples(x.data(), inputs_, rows);
  Columns<Real> share(scratch.slope.data(), units_, rows);  // σ'(h)·(dL/dŷ)/K
  const Real per_unit = Real{1} / static_cast<Real>(units_);
  for (Eigen::Index row = 0; row < rows; ++row) {
    share.col(row) *= output_gradient[static_cast<std::size_t>(row)] * per_unit;
  }
  Columns<Real>(net.weights.data(), inputs_, units_).noalias() += samples * share.transpose();
  if (learns_bias_) Vector<Real>(net.bias.data(), units_) += share.rowwise().sum();
}

template class TwoLayer<float>;
template class TwoLayer<double>;

}  // namespace sluice::net
