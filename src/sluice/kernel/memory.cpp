#include "sluice/kernel/memory.hpp"

#include <algorithm>

#include "sluice/kernel/tangent.hpp"

namespace sluice::kernel {
namespace {

/// Of blocks of samples, padded to whole vectors.
double lanes_of(std::int64_t samples) {
  constexpr std::int64_t kBlock = Passage<float>::kBlock;
  const std::int64_t rest = samples % kBlock;
  return static_cast<double>(samples - rest + math::whole_vectors(rest));
}

/// What net::DeepGated::make_trace() holds for every lane.
double numbers_of_lane(const net::DeepGated<float>& network) {
  const bool adapts = network.adapts_gates(), gating = network.options().gated_by_network();
  std::int64_t numbers = network.inputs(), widest = 0, pooled = 0;
  for (std::int64_t l = 1; l <= network.depth(); ++l) {
    const std::int64_t units = network.width(l);
    widest = std::max(widest, units);
    numbers += 2 * units;  // q, D
    if (l == network.depth()) break;
    const bool pools = network.pool(l) != nullptr;
    const std::int64_t seen = pools ? network.pool(l)->units() : units;
    if (pools) pooled = std::max(pooled, units);
    numbers += units + seen;              // G, z
    if (gating) numbers += units + seen;  // q^g, z^g
    if (adapts) numbers += 2 * units;     // G', η
  }
  return static_cast<double>(numbers + (adapts ? 2 : 1) * widest + pooled);
}

double product(std::int64_t a, std::int64_t b) { return static_cast<double>(a) * static_cast<double>(b); }

}  // namespace

double passage_bytes(const net::DeepGated<float>& network, std::int64_t samples, std::size_t real) {
  return lanes_of(samples) * numbers_of_lane(network) * static_cast<double>(real);
}

double tangent_bytes(const net::DeepGated<float>& network, std::int64_t samples, std::size_t real) {
  double gradients = 0;
  for (std::int64_t l = 1; l <= network.depth(); ++l) {
    const net::Layer<float>& layer = network.layer(l);
    if (!layer.shared()) continue;
    const int ways = network.adapts_gates() && l < network.depth() ? 2 : 1;  // by the weights, by the gates
    gradients = std::max(gradients, ways * product(layer.rows(), layer.columns()));
  }
  return lanes_of(samples) * gradients * static_cast<double>(real) + paths_bytes(samples, real);
}

double paths_bytes(std::int64_t samples, std::size_t real) {
  return 2 * product(samples, samples) * static_cast<double>(real);
}

double sensitivity_bytes(const net::DeepGated<float>& network) {
  if (!network.adapts_gates()) return 0;
  double most = 0;
  for (std::int64_t l = 1; l < network.depth(); ++l) {
    const std::int64_t units = network.width(l);
    double held = 0, working = 0;
    for (std::int64_t k = 1; k <= l; ++k) {
      const net::Layer<float>& layer = network.layer(k);
      const double jacobian = product(units, network.width(k));
      held += jacobian;
      working = std::max(working, layer.shared() ? jacobian + product(units, layer.inputs()) +
                                                       product(units, layer.rows() * layer.columns())
                                                 : jacobian);
    }
    most = std::max(most, held + working);
  }
  return most * sizeof(float);
}

}  // namespace sluice::kernel
