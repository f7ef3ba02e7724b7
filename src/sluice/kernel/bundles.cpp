#include "sluice/kernel/bundles.hpp"

#include <cmath>
#include <stdexcept>

#include "sluice/kernel/gate_gradients.hpp"

namespace sluice::kernel {

Bundles::Bundles(const Passage<double>& passage)
    : passage_(passage),
      layers_(static_cast<std::size_t>(passage.network().depth()) - 1),
      sites_(static_cast<std::size_t>(passage.network().inputs())),
      kernel_(static_cast<std::size_t>(passage.network().options().kernel)) {
  if (!passage.network().options().circular())
    throw std::invalid_argument("bundles are those of circular layers");
  for (std::size_t l = 0; l < layers_; ++l) {
    count_ *= kernel_;
    if (paths() > kMostPaths) throw std::invalid_argument("too many paths to write them all down");
  }
}

std::size_t Bundles::offset(std::size_t bundle, std::size_t layer) const {
  for (std::size_t l = 1; l < layer; ++l) bundle /= kernel_;
  return bundle % kernel_;
}

double Bundles::feature(std::size_t sample, std::size_t bundle, std::size_t site) const {
  double product = 1;
  for (std::size_t l = layers_; l >= 1; --l) {
    product *= gate_of(passage_, sample, l, site);
    site = (site + offset(bundle, l)) % sites_;
  }
  constexpr auto kBlock = static_cast<std::size_t>(Passage<double>::kBlock);
  const net::Trace<double>& trace = passage_.blocks()[sample / kBlock];
  return product * trace.layers[0].z[site * static_cast<std::size_t>(trace.stride) + sample % kBlock];
}

double Bundles::sum(std::size_t sample, std::size_t bundle) const {
  double sum = 0;
  for (std::size_t site = 0; site < sites_; ++site) sum += feature(sample, bundle, site);
  return sum;
}

double Bundles::strength(std::size_t bundle, std::span<const double> parameters) const {
  double product = 1;
  for (std::size_t l = 1; l <= layers_; ++l) {
    product *= passage_.network().weights(static_cast<std::int64_t>(l)).of(parameters)[offset(bundle, l)];
  }
  return product;
}

double Bundles::output(std::size_t sample, std::span<const double> parameters) const {
  double total = 0;
  for (std::size_t b = 0; b < size(); ++b) total += sum(sample, b) * strength(b, parameters);
  return total / static_cast<double>(sites_);
}

double Bundles::correlation(std::size_t s, std::size_t t, double sigma) const {
  double total = 0;
  for (std::size_t b = 0; b < size(); ++b) total += sum(s, b) * sum(t, b);
  return std::pow(sigma, 2 * static_cast<double>(layers_)) * total / static_cast<double>(sites_ * sites_);
}

}  // namespace sluice::kernel
