#include "sluice/net/two_layer.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <tuple>
#include <vector>

#include "sluice/learn/loss.hpp"
#include "sluice/net/formula_unit.hpp"
#include "sluice/net/init.hpp"
#include "sluice/net/two_layer_network.hpp"
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
    if (network.learns_readout()) {
      const double* readout = rows.data() + network.unit_gradient_size();
      std::copy(readout, readout + kUnits, net.readout.begin());
      net.offset[0] = readout[kUnits];
    }
    const double* pathway = rows.data() + network.pathway_gradient_place();
    std::copy(pathway, pathway + net.pathway.size(), net.pathway.begin());
  }
  return loss;
}

/// How large the numbers inside one evaluation of the loss are, from the definition of the network.
struct Sizes {
  double nearest_kink = std::numeric_limits<double>::infinity();  ///< smallest |h| and |ŷ−y|
  double absolute = 0;  ///< mean over samples of L + |dL/dŷ|·(|y| + |c| + Σ|a|(1 + |b| + Σ|w||x|))
};

Sizes sizes_of(const learn::Loss& kind, const TwoLayer<double>& network, std::span<const double> parameters,
               const Batch& batch) {
  const auto net = network.view(parameters);
  auto scratch = network.make_scratch(kSamples);
  std::vector<double> output(kSamples);
  network.forward(parameters, batch.x, output, scratch);
  Sizes sizes;
  for (std::size_t s = 0; s < kSamples; ++s) {
    double summed = std::abs(batch.y[s]) + (net.offset.empty() ? 0.0 : std::abs(net.offset[0]));
    for (std::size_t k = 0; k < kUnits; ++k) {
      double h = net.bias[k];
      double size = 1 + std::abs(h);
      for (std::size_t i = 0; i < kInputs; ++i) {
        const double term = net.weights[k * kInputs + i] *
                            batch.x.at(static_cast<std::int64_t>(i), static_cast<std::int64_t>(s));
        h += term;
        size += std::abs(term);
      }
      sizes.nearest_kink = std::min(sizes.nearest_kink, std::abs(h));
      summed += size * (net.readout.empty() ? 1.0 / kUnits : std::abs(net.readout[k]));
    }
    const double slope = std::abs(kind.slope(output[s], batch.y[s]));
    sizes.nearest_kink = std::min(sizes.nearest_kink, std::abs(output[s] - batch.y[s]));
    sizes.absolute += (kind.value(output[s], batch.y[s]) + slope * summed) / kSamples;
  }
  return sizes;
}

using Case = std::tuple<std::string, std::string, spec::WordOrNumber, std::string>;
class Gradient : public testing::TestWithParam<Case> {};

// Central differences D(δ). Their truncation error is δ²/6 times a third derivative, and D(2δ) − D(δ) is three times that,
// so this difference, which knows nothing of the gradient under test, bounds it. Rounding: one evaluation has at most
// n + K + samples additions and a few more operations, each off by ε relative to Sizes::absolute (no activation is steeper
// than 1.1), and is divided by δ. ReLU and l1 have kinks: a batch counts only when every |h| and |ŷ−y| is above 1e-3, more
// than 2δ times any derivative of h or ŷ (|x|, |σ| and |a| are below 6, products of two below 36).
TEST_P(Gradient, MatchesCentralDifferences) {
  const auto& [activation, readout, bias, loss_name] = GetParam();
  const learn::Loss& kind = learn::loss(loss_name);
  TwoLayerOptions options;
  options.hidden = kUnits;
  options.activation = activation;
  options.readout = readout;
  options.bias = bias;
  const TwoLayer<double> network(options, kInputs);
  const std::size_t first_bias = kUnits * kInputs;
  const std::size_t behind_bias = first_bias + kUnits;
  ASSERT_EQ(network.parameter_count(), behind_bias + (readout == "learned" ? kUnits + 1 : 0));

  constexpr int kBatches = 5;
  int compared = 0;
  for (std::uint64_t seed = 1; compared < kBatches; ++seed) {
    ASSERT_LE(seed, 2 * kBatches) << "kinks should be rare";
    std::vector<double> parameters = random_numbers(network.parameter_count(), seed);
    const auto biases = network.view(std::span(parameters)).bias;
    if (!options.learns_bias()) std::fill(biases.begin(), biases.end(), options.initial_bias(0));
    const Batch batch(seed);
    const Sizes sizes = sizes_of(kind, network, parameters, batch);
    if (sizes.nearest_kink < 1e-3) continue;
    ++compared;
    std::vector<double> gradient;
    loss_of(kind, network, parameters, batch, &gradient);

    constexpr double kStep = 6e-6;  // ε^(1/3): truncation and rounding are of one size
    constexpr double kRoundings = kInputs + kUnits + kSamples + 10;
    const double rounding = kRoundings * std::numeric_limits<double>::epsilon() * sizes.absolute / kStep;
    double largest = 0;
    for (const double g : gradient) largest = std::max(largest, std::abs(g));
    ASSERT_GT(largest, 1e4 * rounding) << "nothing to compare";
    for (std::size_t p = 0; p < parameters.size(); ++p) {
      if (!options.learns_bias() && p >= first_bias && p < behind_bias) {
        EXPECT_EQ(gradient[p], 0) << "a fixed bias does not move";
        continue;
      }
      const auto difference = [&](double step) {
        std::vector<double> up = parameters;
        std::vector<double> down = parameters;
        up[p] += step;
        down[p] -= step;
        return (loss_of(kind, network, up, batch) - loss_of(kind, network, down, batch)) / (up[p] - down[p]);
      };
      const double close_by = difference(kStep);
      const double truncation = std::abs(difference(2 * kStep) - close_by);
      EXPECT_TRUE(test::close(gradient[p], close_by,
                              test::absolute(truncation + rounding, "truncation and rounding")))
          << p << " seed " << seed;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    ActivationsReadoutsBiasesAndLosses, Gradient,
    testing::Combine(testing::Values("relu", "erf", "sigmoid", "tanh", "linear", "soft-relu",
                                     "sin(h)*exp(-h^2/8)", "(h + tanh(h))/2"),
                     testing::Values("mean", "learned"),
                     testing::Values(spec::WordOrNumber("none"), spec::WordOrNumber("learned"),
                                     spec::WordOrNumber(-0.7)),
                     testing::Values("half-squared", "l1", "cross-entropy")));

/// ŷ with a pathway is ŷ without it plus s⟨v,x⟩, and all gradients are differences of the loss.
TEST(Pathway, IsALinearUnitBesideTheOthers) {
  for (const char* readout : {"mean", "learned"}) {
    TwoLayerOptions options;
    options.hidden = kUnits;
    options.activation = "erf";
    options.readout = readout;
    options.bias = "learned";
    const TwoLayer<double> without(options, kInputs);
    options.pathway = 0.4;
    const TwoLayer<double> network(options, kInputs);
    ASSERT_EQ(network.parameter_count(), without.parameter_count() + kInputs);
    const std::vector<double> parameters = random_numbers(network.parameter_count(), 3);
    const Batch batch(3);
    std::vector<double> plain(kSamples), output(kSamples);
    auto scratch = without.make_scratch(kSamples);
    without.forward(std::span(parameters).first(without.parameter_count()), batch.x, plain, scratch);
    auto wider = network.make_scratch(kSamples);
    network.forward(parameters, batch.x, output, wider);
    const auto v = network.view(std::span(parameters)).pathway;
    for (std::size_t s = 0; s < kSamples; ++s) {
      for (std::size_t i = 0; i < kInputs; ++i)
        plain[s] += 0.4 * v[i] * batch.x.at(static_cast<std::int64_t>(i), static_cast<std::int64_t>(s));
      EXPECT_NEAR(output[s], plain[s], 1e-13);
    }
    const learn::Loss& kind = learn::loss("half-squared");
    std::vector<double> gradient;
    loss_of(kind, network, parameters, batch, &gradient);
    for (std::size_t p = 0; p < parameters.size(); ++p) {
      std::vector<double> up = parameters, down = parameters;
      up[p] += 1e-5;
      down[p] -= 1e-5;
      const double slope = (loss_of(kind, network, up, batch) - loss_of(kind, network, down, batch)) / 2e-5;
      EXPECT_NEAR(gradient[p], slope, 1e-8)
          << p;  // third derivatives of order 10 times 1e-10/6, rounding 1e-10
    }
  }
}

/// Trained through the family: v is a part of its own, starts at 0, and moves.
TEST(Pathway, IsAPartThatIsTrained) {
  TwoLayerOptions options;
  options.hidden = kUnits;
  options.pathway = 1;
  const TwoLayerNetwork network(options, kInputs);
  const Part* pathway = network.find_part("pathway");
  ASSERT_NE(pathway, nullptr);
  const std::vector<float> start = network.start(1);
  ASSERT_EQ(start.size(), network.parameter_count());
  for (const float v : pathway->of(std::span(start))) EXPECT_EQ(v, 0);
  const Stretch last = network.trained().back();
  EXPECT_EQ(last.parameter, pathway->offset);
  EXPECT_EQ(last.count, static_cast<std::size_t>(kInputs));
  EXPECT_LE(last.gradient + last.count, network.gradient_size());
}

/// A shaped start with noise is the shape plus what a normal start of that deviation and seed would be.
TEST(InitialWeights, TakeNoise) {
  InitOptions bump{.law = "bump"}, noisy = bump;
  noisy.noise = 0.05;
  const std::vector<float> shape = initial_weights(bump, kUnits, kInputs, 9),
                           both = initial_weights(noisy, kUnits, kInputs, 9),
                           noise = initial_weights({.law = "normal", .std = 0.05}, kUnits, kInputs, 9);
  for (std::size_t i = 0; i < shape.size(); ++i) EXPECT_FLOAT_EQ(both[i], shape[i] + noise[i]);
}

TEST(Readout, StartsAtTheMeanNetwork) {
  TwoLayerOptions options;
  options.hidden = kUnits;
  options.bias = 0.3;
  const std::vector<float> mean_start = initial_parameters(options, kInputs, 4);
  const TwoLayer<double> mean(options, kInputs);
  options.readout = "learned";
  const std::vector<float> start = initial_parameters(options, kInputs, 4);
  const TwoLayer<double> learned(options, kInputs);
  ASSERT_EQ(mean_start.size(), 40U);
  ASSERT_EQ(start.size(), 46U);
  EXPECT_TRUE(std::equal(mean_start.begin(), mean_start.end(), start.begin())) << "weights and biases";
  for (std::size_t k = 0; k < kUnits; ++k) EXPECT_EQ(start[40 + k], 0.2F);
  EXPECT_EQ(start[45], 0);

  const Batch batch(1);
  std::vector<double> expected(kSamples);
  std::vector<double> output(kSamples);
  auto scratch = mean.make_scratch(kSamples);
  mean.forward(std::vector<double>(mean_start.begin(), mean_start.end()), batch.x, expected, scratch);
  auto weighted = learned.make_scratch(kSamples);
  learned.forward(std::vector<double>(start.begin(), start.end()), batch.x, output, weighted);
  for (std::size_t s = 0; s < kSamples; ++s)
    EXPECT_TRUE(test::close(output[s], expected[s], test::relative(6e-8, "1/K rounded to float")));
}

/// σ(h) and σ'(h) of one unit at given pre-activations, through the block interface.
template <class Real>
std::pair<Real, Real> unit_at(std::string_view name, Real h, Real bias = 0) {
  std::vector<Real> lanes(math::kWidestVector, h);
  std::vector<Real> sum(math::kWidestVector, Real{NAN});
  activation_function<Real>(std::string(name))(
      {lanes.data(), &bias, 1, math::kWidestVector, sum.data(), Real{3}});
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

/// Units that are typed are the units of the table, in both precisions: values and slopes.
TEST(Activations, FormulasAreTheUnitsTheySay) {
  const std::vector<std::pair<const char*, const char*>> same{
      {"erf", "erf(h/sqrt(2))"}, {"sigmoid", "1/(1 + exp(-h))"}, {"tanh", "tanh(h)"},
      {"linear", "h"},           {"relu", "h*(h > 0)"},          {"soft-relu", "h/(1 + exp(-3*h))"}};
  for (const auto& [name, formula] : same) {
    for (double h = -4.05; h <= 4; h += 0.37) {  // not at 0, where a formula's gate is half open
      const auto [value, slope] = unit_at(name, h);
      const auto [typed, typed_slope] = unit_at(formula, h);
      EXPECT_NEAR(typed, value, 1e-14) << formula << " at " << h;
      EXPECT_NEAR(typed_slope, slope, 1e-14) << formula << " at " << h;
      const auto [value32, slope32] = unit_at(formula, static_cast<float>(h));
      EXPECT_NEAR(value32, value, 2e-6) << formula << " at " << h;
      EXPECT_NEAR(slope32, slope, 2e-6) << formula << " at " << h;
    }
  }
}

TEST(Activations, FormulasThatAreNoUnitsAreRefused) {
  EXPECT_EQ(complaint_about_unit("h*erf(h)"), "");
  EXPECT_NE(complaint_about_unit("h*erg(h)").find("column 3: no function 'erg'"), std::string::npos);
  EXPECT_NE(complaint_about_unit("h*(").find("column"), std::string::npos);
  EXPECT_EQ(complaint_about_unit("1 + pi"), "it does not depend on h");
  EXPECT_NE(complaint_about_unit("w*h").find("no symbol 'w'"), std::string::npos);
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

TEST(Activations, WeighTheirUnitsByAReadout) {
  for (const Activation& entry : activations()) {
    constexpr std::size_t kLanes = math::kWidestVector;
    std::vector<float> h(3 * kLanes, 0.3F);
    const std::vector<float> bias{-1.0F, 0.0F, 0.5F};
    const std::vector<float> readout{2.0F, -0.7F, 0.25F};
    std::vector<float> sum(kLanes, NAN);
    std::vector<float> value(3 * kLanes, NAN);
    entry.apply(
        {h.data(), bias.data(), 3, math::kWidestVector, sum.data(), 3.0F, readout.data(), value.data()});
    double expected = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      const auto [unit, slope] = unit_at<double>(entry.choice.name, 0.3F, bias[k]);
      expected += readout[k] * unit;
      EXPECT_NEAR(value[k * kLanes + 5], unit, 1e-6) << entry.choice.name;
      EXPECT_NEAR(h[k * kLanes + 5], readout[k] * slope, 2e-6) << entry.choice.name;
    }
    EXPECT_NEAR(sum[5], expected, 3e-6) << entry.choice.name;
  }
}

TEST(Init, ReadoutHasTheStatedSpreadAndItsOwnNumbers) {
  TwoLayerOptions options;
  options.hidden = 20'000;
  options.readout = "learned";
  options.init = {.law = "normal", .std = 0.3};
  options.readout_init = {.law = "normal", .std = 0.3};
  const std::vector<float> parameters = initial_parameters(options, 2, 3);
  const TwoLayer<float> network(options, 2);
  const auto net = network.view(std::span(parameters));
  double second = 0;
  double product = 0;
  for (std::size_t k = 0; k < 20'000; ++k) {
    second += static_cast<double>(net.readout[k]) * net.readout[k] / 20'000;
    product += static_cast<double>(net.readout[k]) * net.weights[2 * k] / (0.3 * 0.3 * 20'000);
  }
  const double relative_error = 1 / std::sqrt(2.0 * 20'000);  // of a standard deviation from 20,000 normals
  EXPECT_TRUE(test::close(std::sqrt(second), 0.3, {4 * relative_error, 0, "four standard errors"}));
  EXPECT_TRUE(test::close(product, 0, test::sampling(1 / std::sqrt(20'000.0)))) << "not the weights' numbers";
  EXPECT_EQ(net.offset[0], 0);
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

TEST(TwoLayer, BiasesStartWhereTheSpecSays) {
  TwoLayerOptions options;
  options.hidden = 8;
  options.bias = "learned";
  options.bias_init = {.law = "split", .size = 2, .share = 0.25};
  const TwoLayerNetwork network(options, 5);
  const std::vector<float> start = network.start(1);
  const auto biases = network.layers().view(std::span(start)).bias;
  EXPECT_EQ(std::vector<float>(biases.begin(), biases.end()), (std::vector<float>{-2, -2, 2, 2, 2, 2, 2, 2}));
  options.bias = "none";  // the law is for those that are trained
  const std::vector<float> none = TwoLayerNetwork(options, 5).start(1);
  EXPECT_EQ(network.layers().view(std::span(none)).bias[0], 0);
}

}  // namespace
}  // namespace sluice::net
