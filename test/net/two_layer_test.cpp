#include "sluice/net/two_layer.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <tuple>
#include <vector>

#include "sluice/learn/loss.hpp"
#include "sluice/net/init.hpp"
#include "test/support/close.hpp"
#include "test/support/normals.hpp"

namespace sluice::net {
namespace {

constexpr std::int64_t kUnits = 5;
constexpr std::int64_t kInputs = 7;
constexpr std::size_t kSamples = 11;

std::vector<double> random_numbers(std::size_t count, std::uint64_t seed) {
  const std::vector<float> z = test::normal_rows({.seed = seed}, static_cast<std::int64_t>(count), 1);
  return {z.begin(), z.end()};
}

/// A batch of samples in lanes, with poison where no sample stands.
struct Batch {
  math::LanesBuffer<double> buffer{kInputs, kSamples};
  math::LanesOf<double> x = buffer.lanes(kSamples);
  std::vector<double> y;

  explicit Batch(std::uint64_t seed) : y(random_numbers(kSamples, 200 + seed)) {
    const std::vector<double> values = random_numbers(kSamples * kInputs, 100 + seed);
    std::fill(x.all().begin(), x.all().end(), 1e30);
    for (std::int64_t i = 0; i < kInputs; ++i) {
      for (std::int64_t r = 0; r < x.samples; ++r)
        x.at(i, r) = values[static_cast<std::size_t>(r * kInputs + i)];
    }
  }
};

/// Mean loss of a batch, and its gradient (laid out like the parameters) when asked for.
double loss_of(const learn::Loss& kind, const TwoLayer<double>& network, std::span<const double> parameters,
               const Batch& batch, std::vector<double>* gradient = nullptr) {
  auto scratch = network.make_scratch(kSamples);
  std::vector<double> output(kSamples, std::numeric_limits<double>::quiet_NaN());
  network.forward(parameters, batch.x, output, scratch);
  double loss = 0;
  std::vector<double> slope(kSamples);
  for (std::size_t s = 0; s < kSamples; ++s) {
    loss += kind.value(output[s], batch.y[s]) / kSamples;
    slope[s] = kind.slope(output[s], batch.y[s]) / kSamples;
  }
  if (gradient != nullptr) {
    std::vector<double> rows(network.gradient_size(), 0.0);
    network.backward(batch.x, slope, rows, scratch);
    gradient->assign(network.parameter_count(), 0.0);
    const auto net = network.view(std::span(*gradient));
    for (std::size_t k = 0; k < kUnits; ++k) {
      const double* row = rows.data() + k * static_cast<std::size_t>(network.gradient_stride());
      std::copy(row, row + kInputs, net.weights.begin() + static_cast<std::ptrdiff_t>(k * kInputs));
      if (network.learns_bias()) net.bias[k] = row[kInputs];
    }
  }
  return loss;
}

using Case = std::tuple<std::string, spec::WordOrNumber, std::string>;
class Gradient : public testing::TestWithParam<Case> {};

TEST_P(Gradient, MatchesCentralDifferences) {
  const auto& [activation, bias, loss_name] = GetParam();
  const learn::Loss& kind = learn::loss(loss_name);
  TwoLayerOptions options;
  options.hidden = kUnits;
  options.activation = activation;
  options.bias = bias;
  const TwoLayer<double> network(options, kInputs);

  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    std::vector<double> parameters = random_numbers(network.parameter_count(), seed);
    if (!options.learns_bias()) {
      std::fill(parameters.begin() + kUnits * kInputs, parameters.end(), options.initial_bias());
    }
    const Batch batch(seed);
    std::vector<double> gradient;
    loss_of(kind, network, parameters, batch, &gradient);

    double largest = 0;
    for (const double g : gradient) largest = std::max(largest, std::abs(g));
    ASSERT_GT(largest, 1e-3) << "nothing to compare";
    const std::size_t free = options.learns_bias() ? parameters.size() : kUnits * kInputs;
    constexpr double kStep = 1e-5;  // ε^(1/3): truncation and rounding both near 1e-10
    for (std::size_t p = 0; p < free; ++p) {
      std::vector<double> up = parameters;
      std::vector<double> down = parameters;
      up[p] += kStep;
      down[p] -= kStep;
      const double difference =
          (loss_of(kind, network, up, batch) - loss_of(kind, network, down, batch)) / (2 * kStep);
      EXPECT_TRUE(test::close(gradient[p], difference, {1e-6, 1e-6 * largest, "1e-6 relative"}))
          << p << " seed " << seed;
    }
    for (std::size_t p = free; p < parameters.size(); ++p)
      EXPECT_EQ(gradient[p], 0) << "a fixed bias does not move";
  }
}

INSTANTIATE_TEST_SUITE_P(
    ActivationsBiasesAndLosses, Gradient,
    testing::Combine(testing::Values("relu", "erf", "sigmoid", "tanh", "linear", "soft-relu"),
                     testing::Values(spec::WordOrNumber("none"), spec::WordOrNumber("learned"),
                                     spec::WordOrNumber(-0.7)),
                     testing::Values("half-squared", "l1", "cross-entropy")));

/// σ(h) and σ'(h) of one unit at given pre-activations, through the block interface.
template <class Real>
std::pair<Real, Real> unit_at(std::string_view name, Real h, Real bias = 0) {
  std::vector<Real> lanes(math::kWidestVector, h);
  std::vector<Real> sum(math::kWidestVector, Real{NAN});
  apply_of<Real>(activation(name))({lanes.data(), &bias, 1, math::kWidestVector, sum.data(), Real{3}});
  for (std::size_t i = 1; i < lanes.size(); ++i) {
    EXPECT_EQ(lanes[i], lanes[0]);
    EXPECT_EQ(sum[i], sum[0]);
  }
  return {sum[0], lanes[0]};
}

TEST(Activations, AreWhatTheirFormulasSay) {
  ASSERT_EQ(activations().size(), 6U) << "a new activation needs a line below";
  for (double h = -4; h <= 4; h += 0.37) {
    EXPECT_EQ(unit_at("relu", h), (std::pair{h >= 0 ? h : 0.0, h >= 0 ? 1.0 : 0.0}));
    EXPECT_NEAR(unit_at("erf", h).first, std::erf(h / std::sqrt(2.0)), 1e-14);
    EXPECT_NEAR(unit_at("erf", h).second, std::sqrt(2 / M_PI) * std::exp(-h * h / 2), 1e-14);
    const double logistic = 1 / (1 + std::exp(-h));
    EXPECT_NEAR(unit_at("sigmoid", h).first, logistic, 1e-14);
    EXPECT_NEAR(unit_at("sigmoid", h).second, logistic * (1 - logistic), 1e-14);
    EXPECT_NEAR(unit_at("tanh", h).first, std::tanh(h), 1e-14);
    EXPECT_NEAR(unit_at("tanh", h).second, 1 / std::pow(std::cosh(h), 2), 1e-14);
    EXPECT_EQ(unit_at("linear", h), (std::pair{h, 1.0}));
    const double gate = 1 / (1 + std::exp(-3 * h));  // unit_at sets β = 3
    EXPECT_NEAR(unit_at("soft-relu", h).first, h * gate, 1e-14);
    EXPECT_NEAR(unit_at("soft-relu", h).second, gate + 3 * h * gate * (1 - gate), 1e-14);
  }
}

TEST(Activations, FloatAgreesWithDoubleAndSurvivesExtremes) {
  for (const Activation& entry : activations()) {
    for (const double h : {-1e4, -80.0, -9.0, -3.2, -1e-6, 0.0, 1e-6, 0.4, 5.0, 80.0, 1e4}) {
      const auto [value, slope] = unit_at<float>(entry.choice.name, static_cast<float>(h));
      const auto [value64, slope64] = unit_at<double>(entry.choice.name, static_cast<float>(h));
      EXPECT_TRUE(test::close(value, value64, {1e-6, 1e-6, "float"})) << entry.choice.name << " " << h;
      EXPECT_TRUE(test::close(slope, slope64, {1e-6, 1e-6, "float"})) << entry.choice.name << " " << h;
    }
  }
}

TEST(Activations, SumOverUnitsAndTakeTheirBias) {
  for (const Activation& entry : activations()) {
    std::vector<float> h(3 * math::kWidestVector, 0.3F);
    const std::vector<float> bias{-1.0F, 0.0F, 0.5F};
    std::vector<float> sum(math::kWidestVector, NAN);
    entry.apply({h.data(), bias.data(), 3, math::kWidestVector, sum.data(), 3.0F});
    double expected = 0;
    for (const float b : bias) expected += unit_at<double>(entry.choice.name, 0.3F, b).first;
    EXPECT_NEAR(sum[5], expected, 1e-6) << entry.choice.name;
  }
}

TEST(Init, HasTheStatedSpread) {
  TwoLayerOptions options;
  options.hidden = 200;
  const auto sd_of = [&] {
    const std::vector<float> parameters = initial_parameters(options, 100, 3);
    double second = 0;
    for (std::size_t i = 0; i < 20'000; ++i) second += static_cast<double>(parameters[i]) * parameters[i];
    return std::sqrt(second / 20'000);
  };
  const double relative_error = 1 / std::sqrt(2.0 * 20'000);  // of a standard deviation from 20,000 normals
  options.init.scale = 1.5;
  EXPECT_TRUE(
      test::close(sd_of(), 1.5 * std::sqrt(2.0 / 300), {4 * relative_error, 0, "four standard errors"}));
  options.init = {.law = "normal", .std = 0.3};
  EXPECT_TRUE(test::close(sd_of(), 0.3, {4 * relative_error, 0, "four standard errors"}));
}

TEST(Init, TruncatedNormalsAreCutAndKeepTheirSpread) {
  TwoLayerOptions options;
  options.hidden = 200;
  options.init.truncated = true;
  const std::vector<float> parameters = initial_parameters(options, 100, 3);
  const double sd = std::sqrt(2.0 / 300);
  double second = 0;
  double largest = 0;
  for (std::size_t i = 0; i < 20'000; ++i) {
    second += static_cast<double>(parameters[i]) * parameters[i] / 20'000;
    largest = std::max(largest, static_cast<double>(std::abs(parameters[i])));
  }
  EXPECT_LE(largest, 2 * sd / 0.8796256 * (1 + 1e-6));
  EXPECT_GT(largest, 1.99 * sd / 0.8796256) << "20,000 numbers reach the edge";
  // var z² = E z⁴ − 1 = 2.37 − 1 for the cut and rescaled normal (field's initial IPR 2.37/n)
  EXPECT_TRUE(test::close(second, sd * sd, {4 * std::sqrt(1.37 / 20'000), 0, "four standard errors"}));
}

TEST(Init, ShapesHaveTheirCentreLengthAndForm) {
  TwoLayerOptions options;
  options.hidden = 5;
  for (const char* law : {"basis", "bump", "gabor"}) {
    options.init = {.law = law, .norm = 0.7, .width = 1.5, .frequency = 5};
    const std::vector<float> w = initial_parameters(options, 20, 1);
    for (std::size_t k = 0; k < 5; ++k) {
      const std::size_t centre = 4 * k;
      double length = 0;
      for (std::size_t i = 0; i < 20; ++i) length += static_cast<double>(w[k * 20 + i]) * w[k * 20 + i];
      EXPECT_NEAR(std::sqrt(length), 0.7, 1e-6) << law;
      const auto at = [&](std::size_t d) { return w[k * 20 + (centre + d) % 20] / w[k * 20 + centre]; };
      const double envelope = std::string(law) == "basis" ? 0 : std::exp(-4 / (2 * 1.5 * 1.5));
      const double carrier = std::string(law) == "gabor" ? std::cos(2 * M_PI * 5 * 2 / 20) : 1;
      EXPECT_NEAR(at(2), envelope * carrier, 1e-6) << law;
      EXPECT_NEAR(at(18), at(2), 1e-6) << "symmetric around its centre";
    }
  }
}

TEST(Init, FixedBiasStandsBehindTheWeights) {
  TwoLayerOptions options;
  options.hidden = 3;
  options.bias = -2.5;
  const std::vector<float> parameters = initial_parameters(options, 4, 1);
  ASSERT_EQ(parameters.size(), 15U);
  for (std::size_t k = 12; k < 15; ++k) EXPECT_EQ(parameters[k], -2.5F);
}

}  // namespace
}  // namespace sluice::net
