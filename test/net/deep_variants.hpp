/// The networks of document 004 at a size for finite differences.
#pragma once

#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "sluice/net/deep_options.hpp"

namespace sluice::test {

struct DeepVariant {
  std::string name;
  net::DeepOptions options;
};

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

/// Dense, then each again with circular layers.
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
