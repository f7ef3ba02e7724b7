#include "sluice/net/deep_gated.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "sluice/file/errors.hpp"
#include "sluice/net/deep_init.hpp"
#include "test/net/deep_variants.hpp"
#include "test/net/plain_network.hpp"

namespace sluice::net {
namespace {

constexpr std::int64_t kInputs = 3;
constexpr std::int64_t kSamples = 5;

class DeepGatedVariants : public testing::TestWithParam<test::DeepVariant> {
 protected:
  std::int64_t outputs() const { return GetParam().options.circular() ? 1 : 2; }
  std::int64_t inputs() const { return GetParam().inputs(); }
  DeepGated<double> network_{GetParam().options, GetParam().input, outputs()};
  std::vector<double> parameters_ = test::random_numbers(network_.parameter_count(), test::kLively);
  std::vector<double> x_ = test::random_numbers(static_cast<std::size_t>(inputs() * kSamples), 2);
  std::vector<double> slopes_ = test::random_numbers(static_cast<std::size_t>(outputs() * kSamples), 3);

  Trace<double> forward(const std::vector<double>& parameters, bool parted = true) const {
    Trace<double> trace = network_.make_trace(kSamples, parted);
    for (std::int64_t s = 0; s < kSamples; ++s) {
      for (std::int64_t i = 0; i < inputs(); ++i)
        trace.input().at(network_.place_of(i), s) = x_[static_cast<std::size_t>(s * inputs() + i)];
    }
    network_.set_gates(7, 0, trace);
    std::vector<double> storage;
    network_.forward(network_.prepare(parameters, storage), trace);
    return trace;
  }
  void set_slopes(Trace<double>& trace) const {
    for (std::int64_t o = 0; o < outputs(); ++o) {
      for (std::int64_t s = 0; s < kSamples; ++s)
        trace.layers.back().delta[static_cast<std::size_t>(o * trace.stride + s)] =
            slopes_[static_cast<std::size_t>(o * kSamples + s)];
    }
  }
  /// A loss that is linear in the outputs.
  double loss(const std::vector<double>& parameters) const {
    const Trace<double> trace = forward(parameters);
    double sum = 0;
    for (std::int64_t o = 0; o < outputs(); ++o) {
      for (std::int64_t s = 0; s < kSamples; ++s)
        sum += slopes_[static_cast<std::size_t>(o * kSamples + s)] *
               trace.layers.back().q[static_cast<std::size_t>(o * trace.stride + s)];
    }
    return sum;
  }
  /// ∂ loss/∂θ as layers sum it, of all parameters that have one.
  std::vector<double> gradient() const {
    Trace<double> trace = forward(parameters_);
    set_slopes(trace);
    std::vector<double> storage;
    network_.backward(network_.prepare(parameters_, storage), trace);
    const DeepOptions& options = GetParam().options;
    std::vector<double> gradient(parameters_.size());
    const auto put = [&](const MatrixPlace& place, std::int64_t l, const math::Aligned<double>& slopes,
                         const math::Aligned<double>& z) {
      const Layer<double>& layer = network_.layer(l);
      math::Aligned<double> rows(layer.rows_size(kSamples));
      layer.as_rows(z.data(), kSamples, trace.stride, rows.data());
      for (const GradientTile& tile : layer.tiles()) {
        math::Aligned<double> sums(tile.size());
        layer.gradient(tile, slopes.data(), rows.data(), kSamples, trace.stride, sums.data(), false);
        for (std::int64_t row = tile.first_row; row < tile.last_row; ++row) {
          for (std::int64_t p = 0; p < tile.pieces; ++p)
            std::copy_n(
                sums.data() + tile.at(row, p), tile.piece,
                gradient.data() + place.offset + row * place.columns + tile.first_column + p * tile.piece);
        }
      }
    };
    for (std::int64_t l = 1; l <= network_.depth(); ++l) {
      const LayerTrace<double>& in = trace.layers[static_cast<std::size_t>(l - 1)];
      const LayerTrace<double>& here = trace.layers[static_cast<std::size_t>(l)];
      math::Aligned<double> delta = here.delta;
      for (std::size_t i = 0; options.own_gates() && i < here.eta.size(); ++i) delta[i] += here.eta[i];
      put(network_.weights(l), l, delta, in.z);
      if (options.gated_by_network() && network_.adapts_gates() && l < network_.depth())
        put(network_.gate_weights(l), l, here.eta, l == 1 ? in.z : in.gate_z);
    }
    return gradient;
  }
};

TEST_P(DeepGatedVariants, GradientsOfAllParametersMatchFiniteDifferences) {
  const std::vector<double> gradient = this->gradient();
  constexpr double kStep = 1e-5;
  for (std::size_t p = 0; p < parameters_.size(); ++p) {
    std::vector<double> moved = parameters_;
    moved[p] += kStep;
    const double above = loss(moved);
    moved[p] -= 2 * kStep;
    const double numeric = (above - loss(moved)) / (2 * kStep);
    EXPECT_NEAR(gradient[p], numeric, 1e-7 * (1 + std::abs(numeric))) << "parameter " << p;
  }
}

/// One way back gives training the sum of the two that kernels tell apart.
TEST_P(DeepGatedVariants, GoBackAtOnceToTheSumOfBothWays) {
  Trace<double> apart = forward(parameters_), at_once = forward(parameters_, false);
  set_slopes(apart);
  set_slopes(at_once);
  std::vector<double> storage;
  const Prepared<double> prepared = network_.prepare(parameters_, storage);
  network_.backward(prepared, apart);
  network_.backward_at_once(prepared, at_once);
  const bool sums = GetParam().options.own_gates() && network_.adapts_gates();
  double adapted = 0;
  for (std::size_t l = 1; l < apart.layers.size(); ++l) {
    const LayerTrace<double>& two = apart.layers[l];
    const LayerTrace<double>& one = at_once.layers[l];
    for (std::size_t i = 0; i < two.delta.size(); ++i) {
      const double eta = sums && !two.eta.empty() ? two.eta[i] : 0;
      adapted += std::abs(eta);
      EXPECT_NEAR(one.delta[i], two.delta[i] + eta, 1e-13 * (1 + std::abs(two.delta[i]) + std::abs(eta)));
    }
    EXPECT_EQ(one.eta, sums ? math::Aligned<double>{} : two.eta);
  }
  EXPECT_EQ(adapted > 0, sums) << "nothing to sum: this test cannot fail";
}

/// Outputs and derivatives of a network written down unit by unit, with dual numbers.
TEST_P(DeepGatedVariants, AreWhatTheirDefinitionSays) {
  const test::PlainNetwork plain(GetParam().options, GetParam().input, outputs());
  const Trace<double> trace = forward(parameters_);
  const std::vector<double> gradient = this->gradient();
  double largest = 0;
  for (std::size_t p = 0; p < parameters_.size(); ++p) {
    double slope = 0;
    for (std::int64_t s = 0; s < kSamples; ++s) {
      const auto drawn = [&](std::size_t l, std::size_t unit) {
        const Volume& at = network_.layer(static_cast<std::int64_t>(l)).to();
        return trace.layers[l]
            .gate[static_cast<std::size_t>(at.place_of(static_cast<std::int64_t>(unit)) * trace.stride + s)];
      };
      const std::span<const double> x(x_.data() + s * inputs(), static_cast<std::size_t>(inputs()));
      const std::vector<test::Dual> y = plain.outputs(parameters_, x, p, drawn);
      for (std::int64_t o = 0; o < outputs(); ++o) {
        const auto at = static_cast<std::size_t>(o);
        EXPECT_NEAR(trace.layers.back().q[static_cast<std::size_t>(o * trace.stride + s)], y[at].v,
                    1e-12 * (1 + std::abs(y[at].v)));
        slope += slopes_[static_cast<std::size_t>(o * kSamples + s)] * y[at].d;
      }
    }
    largest = std::max(largest, std::abs(slope));
    EXPECT_NEAR(gradient[p], slope, 1e-11 * (1 + std::abs(slope))) << "parameter " << p;
  }
  EXPECT_GT(largest, 1e-3) << "a dead network: this test cannot fail";
}

TEST_P(DeepGatedVariants, FloatAgreesWithDouble) {
  const DeepGated<float> network(GetParam().options, GetParam().input, outputs());
  const std::vector<float> parameters(parameters_.begin(), parameters_.end());
  Trace<float> trace = network.make_trace(kSamples);
  for (std::int64_t s = 0; s < kSamples; ++s) {
    for (std::int64_t i = 0; i < inputs(); ++i)
      trace.input().at(network.place_of(i), s) =
          static_cast<float>(x_[static_cast<std::size_t>(s * inputs() + i)]);
  }
  network.set_gates(7, 0, trace);
  std::vector<float> storage;
  network.forward(network.prepare(parameters, storage), trace);
  const Trace<double> exact = forward(parameters_);
  for (std::int64_t s = 0; s < kSamples; ++s) {
    const double expected = exact.layers.back().q[static_cast<std::size_t>(s)];
    EXPECT_NEAR(trace.layers.back().q[static_cast<std::size_t>(s)], expected,
                2e-5 * (1 + std::abs(expected)));
  }
}

INSTANTIATE_TEST_SUITE_P(All, DeepGatedVariants, testing::ValuesIn(test::deep_variants()),
                         [](const auto& instance) { return instance.param.name; });

TEST(DeepGated, SharpSoftGatesAreHardOnes) {
  const std::vector<double> q{-2, -0.5, 0.25, 3};
  for (const double h : q) EXPECT_NEAR((Gate{.beta = 1e3, .epsilon = 0}.value(h)), Gate{}.value(h), 1e-12);
}

/// A formula that spells out the logistic gate is that gate: value, slope and half.
TEST(DeepGated, TypedGatesAreWhatTheySpell) {
  const std::vector<double> q = test::random_numbers(64, 5);
  const GateFunction logistic(Gate{.beta = 4, .epsilon = 0.1});
  const GateFunction typed("1.1/(1 + exp(-4*q))");
  std::vector<double> values(64), slopes(64), typed_values(64), typed_slopes(64);
  logistic.open<double>(q, values, slopes);
  typed.open<double>(q, typed_values, typed_slopes);
  for (std::size_t i = 0; i < q.size(); ++i) {
    EXPECT_NEAR(values[i], typed_values[i], 1e-14);
    EXPECT_NEAR(slopes[i], typed_slopes[i], 1e-14);
  }
  EXPECT_DOUBLE_EQ(logistic.half(), 0.55);
  EXPECT_DOUBLE_EQ(typed.half(), 0.5);
}

TEST(DeepGated, GatesLearnOnlyThroughASlope) {
  EXPECT_TRUE(GateFunction("Phi(q)").soft());
  for (const char* steps : {"q > 0.5", "1 - 2*(q > 1)*(q < 2)", "step(q - 1)/3"})
    EXPECT_FALSE(GateFunction(steps).soft()) << steps;
}

TEST(DeepGated, InitialWeightsHaveTheStatedLaw) {
  DeepOptions options;
  options.depth = 4;
  options.width = 200;
  const DeepGated<float> network(options, 50, 1);
  const std::vector<float> start = initial_parameters(network, 3);
  const float sigma = std::sqrt(2.0F / 200);
  double sum = 0;
  for (const float w : start) {
    EXPECT_FLOAT_EQ(std::abs(w), sigma);
    sum += w;
  }
  const auto count = static_cast<double>(start.size());
  EXPECT_LT(std::abs(sum), 4 * sigma * std::sqrt(count));
}

TEST(DeepGated, EqualGatesStartAsTheWeights) {
  DeepOptions options = test::deep_options("network", test::kHardGates, 0);
  options.gate_init.law = "equal";
  const DeepGated<float> network(options, kInputs, 1);
  const std::vector<float> start = initial_parameters(network, 3);
  for (std::int64_t l = 1; l < network.depth(); ++l) {
    const auto weights = network.weights(l).of(std::span(start));
    const auto gates = network.gate_weights(l).of(std::span(start));
    EXPECT_TRUE(std::equal(weights.begin(), weights.end(), gates.begin(), gates.end()));
  }
}

TEST(DeepGated, RefusesWhatDoesNotFit) {
  DeepOptions options = test::deep_options("own", test::kHardGates, 0);
  options.layers = "circular";
  options.kernel = 4;
  EXPECT_THROW(DeepGated<float>(options, 3, 1), InputError);
  options.kernel = 2;
  EXPECT_THROW(DeepGated<float>(options, 3, 2), InputError);
}

}  // namespace
}  // namespace sluice::net
