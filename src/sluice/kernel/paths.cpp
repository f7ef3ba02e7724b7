#include "sluice/kernel/paths.hpp"

#include <numeric>
#include <stdexcept>

namespace sluice::kernel {

Paths::Paths(const Passage<double>& passage, std::span<const double> parameters)
    : passage_(passage), depth_(static_cast<std::size_t>(passage.network().depth())) {
  const net::DeepGated<double>& network = passage.network();
  if (!network.options().dense() || network.outputs() != 1)
    throw std::invalid_argument("paths are those of a dense network with one output");
  std::size_t count = 1;
  for (std::size_t l = 0; l < depth_; ++l) {
    count *= static_cast<std::size_t>(network.width(static_cast<std::int64_t>(l)));
    if (count > kMost) throw std::invalid_argument("too many paths to write them all down");
  }
  for (std::size_t path = 0; path < count; ++path) {
    std::size_t rest = path;
    for (std::size_t l = 0; l < depth_; ++l) {
      const auto units = static_cast<std::size_t>(network.width(static_cast<std::int64_t>(l)));
      units_.push_back(rest % units);
      rest /= units;
    }
    double strength = 1;
    for (std::size_t l = 1; l <= depth_; ++l) {
      const net::MatrixPlace& place = network.weights(static_cast<std::int64_t>(l));
      const std::size_t row = l == depth_ ? 0 : unit(path, l);
      weights_.push_back(
          place.of(parameters)[row * static_cast<std::size_t>(place.columns) + unit(path, l - 1)]);
      strength *= weights_.back();
    }
    strengths_.push_back(strength);
  }
}

double Paths::input(std::size_t sample, std::size_t i) const {
  constexpr auto kBlock = static_cast<std::size_t>(Passage<double>::kBlock);
  const net::Trace<double>& trace = passage_.blocks()[sample / kBlock];
  return trace.layers[0].z[i * static_cast<std::size_t>(trace.stride) + sample % kBlock];
}

double Paths::activity(std::size_t sample, std::size_t path) const {
  double product = 1;
  for (std::size_t l = 1; l < depth_; ++l) product *= gate_of(passage_, sample, l, unit(path, l));
  return product;
}

double Paths::feature(std::size_t sample, std::size_t path) const {
  return input(sample, unit(path, 0)) * activity(sample, path);
}

double Paths::output(std::size_t sample) const {
  double sum = 0;
  for (std::size_t p = 0; p < size(); ++p) sum += feature(sample, p) * strength(p);
  return sum;
}

double Paths::gram(std::size_t s, std::size_t t) const {
  double sum = 0;
  for (std::size_t p = 0; p < size(); ++p) sum += feature(s, p) * feature(t, p);
  return sum;
}

double Paths::sensitivity(std::size_t p, std::size_t q) const {
  double sum = 0;
  for (std::size_t l = 1; l <= depth_; ++l) {
    const bool shared = unit(p, l - 1) == unit(q, l - 1) && (l == depth_ || unit(p, l) == unit(q, l));
    if (!shared) continue;
    double others = 1;
    for (std::size_t k = 1; k <= depth_; ++k) others *= k == l ? 1 : weight(p, k) * weight(q, k);
    sum += others;
  }
  return sum;
}

double Paths::kappa(std::size_t s, std::size_t t, std::size_t i, std::size_t j) const {
  double sum = 0;
  for (std::size_t p = 0; p < size(); ++p) {
    if (unit(p, 0) != i) continue;
    for (std::size_t q = 0; q < size(); ++q) {
      if (unit(q, 0) == j) sum += activity(s, p) * activity(t, q) * sensitivity(p, q);
    }
  }
  return sum;
}

double Paths::tangent(std::size_t s, std::size_t t) const {
  const auto inputs = static_cast<std::size_t>(passage_.network().inputs());
  double sum = 0;
  for (std::size_t i = 0; i < inputs; ++i) {
    for (std::size_t j = 0; j < inputs; ++j) sum += input(s, i) * input(t, j) * kappa(s, t, i, j);
  }
  return sum;
}

double Paths::printed_tangent(std::size_t s, std::size_t t) const {
  const auto inputs = static_cast<std::size_t>(passage_.network().inputs());
  double sum = 0;
  for (std::size_t i = 0; i < inputs; ++i) sum += input(s, i) * input(t, i) * kappa(s, t, i, i);
  return sum;
}

std::vector<double> Paths::activity_gradient(const GateGradients& gradients, std::size_t sample,
                                             std::size_t path) const {
  std::vector<double> slope(gradients.weights());
  for (std::size_t l = 1; l < depth_; ++l) {
    double others = 1;
    for (std::size_t k = 1; k < depth_; ++k)
      others *= k == l ? 1 : gate_of(passage_, sample, k, unit(path, k));
    const std::span<const double> gate = gradients.of(sample, l, unit(path, l));
    for (std::size_t m = 0; m < slope.size(); ++m) slope[m] += others * gate[m];
  }
  return slope;
}

double Paths::adaptation(const GateGradients& gradients, std::size_t s, std::size_t t) const {
  double sum = 0;
  for (std::size_t p = 0; p < size(); ++p) {
    if (unit(p, 0) != 0) continue;
    const std::vector<double> first = activity_gradient(gradients, s, p);
    const std::vector<double> second = activity_gradient(gradients, t, p);
    sum += std::inner_product(first.begin(), first.end(), second.begin(), 0.0);
  }
  return sum;
}

}  // namespace sluice::kernel
