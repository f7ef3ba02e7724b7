// What every family of networks promises: parts that fill the parameters, and passes with the gradient of their outputs.
#include "sluice/net/network.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "sluice/net/deep_network.hpp"
#include "sluice/net/gated_linear.hpp"
#include "sluice/net/two_layer_network.hpp"
#include "test/net/deep_variants.hpp"
#include "test/support/gradient.hpp"

namespace sluice::net {
namespace {

void expect_parts_fill_the_parameters(const Network& network) {
  std::size_t at = 0;
  for (const Part& part : network.parts()) {
    EXPECT_EQ(part.offset, at) << part.name;
    EXPECT_EQ(part.axes.size(), part.shape.size()) << part.name;
    at += part.size();
  }
  EXPECT_EQ(at, network.parameter_count());
  EXPECT_EQ(network.start(3).size(), at);
  for (const Stretch& stretch : network.trained()) {
    EXPECT_LE(stretch.parameter + stretch.count, at);
    EXPECT_LE(stretch.gradient + stretch.count, network.gradient_size());
  }
  std::vector<float> storage;
  const std::vector<float> start = network.start(3);
  EXPECT_EQ(network.fields(start, storage).size(),
            static_cast<std::size_t>(network.units() * network.inputs()));
}

TEST(Networks, OfTwoLayersKeepTheirPromises) {
  for (const char* activation : {"erf", "sigmoid", "tanh", "linear"}) {
    for (const char* readout : {"mean", "learned"}) {
      for (const char* bias : {"none", "learned"}) {
        TwoLayerOptions options;
        options.hidden = 5;
        options.activation = activation;
        options.readout = readout;
        options.bias = bias;
        const TwoLayerNetwork network(options, 7);
        expect_parts_fill_the_parameters(network);
        test::expect_gradient(network, 11);
      }
    }
  }
}

/// Outputs are linear in the weights: differences have no kinks to cross.
TEST(Networks, OfGatedLinearUnitsKeepTheirPromises) {
  for (const char* law : {"bump", "hat", "gabor", "fourier", "random", "always", "coin"}) {
    GatedLinearFamily family;
    family.hidden = 6;
    family.gate.law = law;
    family.gate.linear = 2;
    family.init = {.law = "normal"};
    for (const char* shape : {"half-space", "Phi(2*q)"}) {
      family.gate.shape = shape;
      const auto network = family.make({.inputs = 11});
      expect_parts_fill_the_parameters(*network);
      test::expect_gradient(*network, 13);
    }
  }
}

/// Hard gates have kinks that differences of 1e-2 cross; they are tested by learn/deep_trainer_test.cpp with smaller ones, in double.
TEST(Networks, OfManyLayersKeepTheirPromises) {
  int soft = 0;
  for (const test::DeepVariant& variant : test::deep_variants()) {
    for (const std::int64_t outputs : {1, 3}) {
      if (outputs > 1 && variant.options.circular()) continue;
      const DeepNetwork network(variant.options, variant.input, outputs);
      expect_parts_fill_the_parameters(network);
      if (!network.layers().adapts_gates() && !variant.options.open() && !variant.options.random_gates())
        continue;
      test::expect_gradient(network, 9, 12);
      ++soft;
    }
  }
  EXPECT_GE(soft, 10);
}

TEST(KeptStart, IsWhatCameFromFiles) {
  TwoLayerFamily two_layer;
  EXPECT_TRUE(two_layer.kept_start().file.empty());
  two_layer.layers.init = {.law = "file", .path = "/somewhere/w.npy", .index = 3};
  EXPECT_EQ(two_layer.kept_start().file, "init.npy");
  two_layer.start_from_kept(two_layer.kept_start().file);
  EXPECT_EQ(two_layer.layers.init.path, "init.npy");
  EXPECT_EQ(two_layer.layers.init.index, -1) << "the copy holds one entry";

  two_layer.layers.init = {.law = "file", .path = "/somewhere/run", .others = "fresh"};
  EXPECT_EQ(two_layer.kept_start().file, "init.npy") << "nothing but weights is learned";
  two_layer.layers.bias = "learned";
  two_layer.layers.readout = "learned";
  two_layer.layers.pathway = 1;
  const TwoLayerNetwork learns(two_layer.layers, 3);
  const KeptStart all = two_layer.kept_start();
  EXPECT_EQ(all.file, "init.npz");
  EXPECT_TRUE(std::ranges::all_of(learns.parts(), [&](const Part& part) { return all.holds(part); }));
  two_layer.start_from_kept(two_layer.kept_start().file);
  EXPECT_EQ(two_layer.layers.init.array, "weights");
  EXPECT_EQ(two_layer.layers.init.others, "required") << "the copy holds every part";

  DeepFamily deep;
  deep.layers.gates = "network";
  deep.layers.gate_init = {"file", "/somewhere"};
  const DeepNetwork network(deep.layers, 3, 1);
  const KeptStart kept = deep.kept_start();
  EXPECT_EQ(std::ranges::count_if(network.parts(), [&](const Part& part) { return kept.holds(part); }),
            network.layers().depth() - 1);
  EXPECT_TRUE(kept.holds(*network.find_part("gate1")));
  EXPECT_FALSE(kept.holds(*network.find_part("layer1")));
}

}  // namespace
}  // namespace sluice::net
