/// The networks of document 004 at a size for finite differences.
#pragma once

#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "sluice/net/deep_options.hpp"
#include "sluice/net/volume.hpp"

namespace sluice::test {

struct DeepVariant {
  std::string name;
  net::DeepOptions options;
  net::Volume input{.columns = 3};

  std::int64_t inputs() const { return input.size(); }
};

/// A seed of random_numbers() for whose weights none of the networks below is dead.
inline constexpr unsigned kLively = 8;

inline constexpr double kHardGates = std::numeric_limits<double>::infinity();

inline net::DeepOptions deep_options(std::string gates, double beta, double epsilon,
                                     std::string train = "weights") {
  net::DeepOptions options;
  options.widths = {4, 3, 5};
  options.gates = std::move(gates);
  options.beta = beta;
  options.epsilon = epsilon;
  options.train = std::move(train);
  options.init.law = "normal";
  return options;
}

/// Gates that are formulas of q.
inline net::DeepOptions typed_options(std::string gates, std::string formula, std::string train = "weights") {
  net::DeepOptions options = deep_options(std::move(gates), kHardGates, 0, std::move(train));
  options.gate_shape = std::move(formula);
  return options;
}

/// Convolutions of every padding, with strides, averages and dense layers behind them.
inline std::vector<DeepVariant> convolutional_forms(const DeepVariant& dense) {
  const auto form = [&](const char* name, net::Volume input, std::vector<std::int64_t> channels,
                        std::int64_t kernel, const char* padding) {
    DeepVariant variant{dense.name + name, dense.options, input};
    variant.options.layers = "convolutional";
    variant.options.channels = std::move(channels);
    variant.options.kernel = kernel;
    variant.options.padding = padding;
    variant.options.widths = {};
    return variant;
  };
  DeepVariant zero = form("ZeroPadded", {2, 3, 4}, {3, 2}, 3, "zero");
  zero.options.widths = {3};
  DeepVariant torus = form("OnTorus", {1, 4, 4}, {2, 2}, 2, "circular");
  torus.options.strides = {2, 1};
  torus.options.ending = "average";
  DeepVariant within = form("Within", {2, 7, 6}, {2, 2}, 2, "none");
  within.options.strides = {1, 2};
  within.options.pools = {2, 1};
  DeepVariant even = form("EvenStride", {1, 5, 6}, {2, 1}, 2, "zero");
  even.options.strides = {2, 1};
  even.options.pools = {1, 2};
  DeepVariant ring = form("OnRing", {1, 1, 6}, {2, 1}, 3, "circular");
  return {zero, torus, within, even, ring};
}

/// Dense, then each again with circular layers and with convolutions.
inline std::vector<DeepVariant> deep_variants() {
  std::vector<DeepVariant> all{{"DeepLinear", deep_options("open", kHardGates, 0)},
                               {"FixedRandom", deep_options("random", kHardGates, 0)},
                               {"Relu", deep_options("own", kHardGates, 0)},
                               {"Galu", deep_options("network", kHardGates, 0)},
                               {"SoftRelu", deep_options("own", 4, 0.1)},
                               {"SoftGalu", deep_options("network", 4, 0.1, "both")},
                               {"GatesOnly", deep_options("network", 2, 0, "gates")},
                               {"TypedOwn", typed_options("own", "Phi(2*q)")},
                               {"TypedBump", typed_options("network", "exp(-q^2)", "both")},
                               {"TypedStep", typed_options("network", "q > 0.3")}};
  for (std::size_t i = 0, count = all.size(); i < count; ++i) {
    DeepVariant circular = all[i];
    circular.name += "Circular";
    circular.options.layers = "circular";
    circular.options.depth = 4;
    circular.options.kernel = 2;
    all.push_back(circular);
    for (const DeepVariant& form : convolutional_forms(all[i])) all.push_back(form);
  }
  return all;
}

inline std::vector<double> random_numbers(std::size_t size, unsigned seed) {
  std::mt19937 engine(seed);
  std::normal_distribution<double> normal;
  std::vector<double> values(size);
  for (double& value : values) value = normal(engine);
  return values;
}

}  // namespace sluice::test
