#include "sluice/kernel/memory.hpp"

#include <gtest/gtest.h>

#include "sluice/kernel/tangent.hpp"
#include "test/net/deep_variants.hpp"

namespace sluice::kernel {
namespace {

template <class Real>
double bytes_of(const net::Trace<Real>& trace) {
  std::size_t numbers = trace.back.size() + trace.gate_back.size() + trace.pooling.size();
  for (const net::LayerTrace<Real>& layer : trace.layers) {
    for (const math::Aligned<Real>* array : {&layer.q, &layer.z, &layer.gate, &layer.delta, &layer.slope,
                                             &layer.gate_q, &layer.gate_z, &layer.eta})
      numbers += array->size();
  }
  return static_cast<double>(numbers * sizeof(Real));
}

class MemoryOf : public testing::TestWithParam<test::DeepVariant> {};

/// A whole block of samples and a rest of seven.
TEST_P(MemoryOf, APassageIsWhatItsTracesHold) {
  const net::DeepGated<float> network(GetParam().options, GetParam().input, 1);
  constexpr std::int64_t kBlock = Passage<float>::kBlock;
  const double held = bytes_of(network.make_trace(kBlock)) + bytes_of(network.make_trace(7));
  EXPECT_EQ(passage_bytes(network, kBlock + 7, sizeof(float)), held);
  EXPECT_EQ(passage_bytes(network, kBlock + 7, sizeof(double)), 2 * held);
}

INSTANTIATE_TEST_SUITE_P(Every, MemoryOf, testing::ValuesIn(test::deep_variants()),
                         [](const auto& variant) { return variant.param.name; });

/// Experiments 6 and 7 of document 004, with soft gates.
net::DeepGated<float> photograph_network() {
  net::DeepOptions options = test::deep_options("own", 4, 0.1);
  options.layers = "convolutional";
  options.channels = {64, 64, 128, 128};
  options.widths = {256, 256};
  return {options, {.channels = 3, .rows = 32, .columns = 32}, 1};
}

TEST(Memory, OfTheLargestNetworkOfDocument004) {
  const net::DeepGated<float> network = photograph_network();
  constexpr double kFirst = 64 * 1024, kLast = 128 * 1024;  // units of the convolutions, with all pixels
  // ∂q_4/∂q_k of all four convolutions, and what is worked on at once: one of them again, z and θ for every unit.
  const double jacobians = 4 * kLast * (2 * kFirst + 2 * kLast);
  EXPECT_GT(sensitivity_bytes(network), jacobians);
  EXPECT_LT(sensitivity_bytes(network), 3 * jacobians);
  EXPECT_EQ(sensitivity_bytes({test::deep_options("own", test::kHardGates, 0), 3, 1}), 0) << "no slopes";

  // 96 samples: gradients by 128 × 9 × 128 weights, with gates held fixed and by the gates; two matrices.
  EXPECT_EQ(tangent_bytes(network, 96, sizeof(double)), 8.0 * (96.0 * 2 * 128 * 9 * 128 + 2 * 96 * 96));
  EXPECT_GT(passage_bytes(network, 96, sizeof(double)), 8.0 * 96 * 6 * (2 * kFirst + 2 * kLast));
}

}  // namespace
}  // namespace sluice::kernel
