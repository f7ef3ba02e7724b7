#include "sluice/kernel/bundles.hpp"

#include <cmath>
#include <stdexcept>

#include "sluice/kernel/gate_gradients.hpp"

namespace sluice::kernel {

Bundles::Bundles(const Passage<double>& passage)
    : passage_(passage),
      layers_(static_cast<std::size_t>(passage.network().depth()) - 1),
      sites_(static_cast<std::size_t>(passage.network().inputs())),
      kernel_(static_cast<std::size_t>(passage.network().layer(1).columns())),
      readout_(passage.network().options().convolutional()) {
  const net::DeepGated<double>& network = passage.network();
  const net::DeepOptions& options = network.options();
  bool keeps_sites = options.circular() || (readout_ && options.padding == "circular" && options.averages() &&
                                            options.widths.empty() && options.pools.empty());
  for (std::int64_t l = 1; keeps_sites && l < network.depth(); ++l)
    keeps_sites = network.layer(l).to() == network.input() && network.input().channels == 1;
  if (!keeps_sites) throw std::invalid_argument("bundles are those of circular layers of one channel");
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
    site = moved(site, offset(bundle, l));
  }
  constexpr auto kBlock = static_cast<std::size_t>(Passage<double>::kBlock);
  const net::Trace<double>& trace = passage_.blocks()[sample / kBlock];
  return product * trace.layers[0].z[site * static_cast<std::size_t>(trace.stride) + sample % kBlock];
}

/// The site that a window at `site` sees with a tap.
std::size_t Bundles::moved(std::size_t site, std::size_t tap) const {
  const net::DeepGated<double>& network = passage_.network();
  if (!readout_) return (site + tap) % sites_;
  const auto columns = static_cast<std::size_t>(network.input().columns);
  const auto rows = static_cast<std::size_t>(network.input().rows);
  const file::Shape shape =
      network.shape(1);  // [1, kernel rows, kernel columns, 1], windows centred as net::Window has them
  const auto high = static_cast<std::size_t>(shape[1]), wide = static_cast<std::size_t>(shape[2]);
  const std::size_t y = (site / columns + tap / wide + rows - (high - 1) / 2) % rows;
  const std::size_t x = (site % columns + tap % wide + columns - (wide - 1) / 2) % columns;
  return y * columns + x;
}

double Bundles::sum(std::size_t sample, std::size_t bundle) const {
  double sum = 0;
  for (std::size_t site = 0; site < sites_; ++site) sum += feature(sample, bundle, site);
  return sum;
}

double Bundles::strength(std::size_t bundle, std::span<const double> parameters) const {
  double product = readout_ ? passage_.network().weights(passage_.network().depth()).of(parameters)[0] : 1;
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
  const auto weights = static_cast<double>(layers_ + (readout_ ? 1 : 0));
  return std::pow(sigma, 2 * weights) * total / static_cast<double>(sites_ * sites_);
}

}  // namespace sluice::kernel
