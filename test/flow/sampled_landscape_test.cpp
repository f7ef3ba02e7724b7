// Expected losses of any two-layer network, as averages over kept samples.
#include "sluice/flow/sampled_landscape.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numeric>

#include "sluice/flow/erf_landscape.hpp"
#include "sluice/flow/relu_landscape.hpp"
#include "sluice/net/two_layer_network.hpp"
#include "sluice/task/gaussian.hpp"
#include "sluice/task/nlgp.hpp"
#include "sluice/task/pulse.hpp"
#include "sluice/task/teacher.hpp"
#include "test/flow/landscapes.hpp"
#include "test/support/close.hpp"

namespace sluice::flow {
namespace {

using test::random_field;

constexpr std::int64_t kSites = 9;

task::NlgpOptions nlgp() {
  task::NlgpOptions options;
  options.n = kSites;
  options.xi = {1.4, 0.8};
  return options;
}

task::GaussianOptions gaussian() {
  task::GaussianOptions options;
  options.n = kSites;
  options.xi = {1.4, 0.8};
  return options;
}

net::TwoLayerOptions units(std::int64_t count, const std::string& activation, const std::string& bias) {
  net::TwoLayerOptions options;
  options.hidden = count;
  options.activation = activation;
  options.bias = bias;
  return options;
}

learn::OutputLoss loss_of(const std::string& name, const task::Task& task) {
  return {learn::loss(name), 1, task.midpoint()};
}

std::vector<double> slope(const Landscape& landscape, std::span<const double> at) {
  std::vector<double> out(landscape.size(), NAN);
  landscape.downhill(at, out);
  return out;
}

/// Numbers of the size of a trained network's that floats hold exactly, steps of central differences included.
std::vector<double> float_field(std::size_t count, unsigned seed) {
  std::vector<double> values = random_field(count, seed, 0.5);
  for (double& value : values) value = std::round(value * 4096) / 4096;
  return values;
}

/// Central differences of a float network over a step of 2⁻⁸: rounding of outputs gives 1e-7 · 2⁸ ≈ 3e-5, the step itself
/// 2⁻¹⁶ L'''/6 ≈ 1e-5. A kink within the step (its gate, or the sign of an L1 error) moves one sample's share of the slope: of 4800 samples
/// some h · 4800 = 20 have one on either side, which nearly cancel: √40 · |x|/4800 ≈ 2e-3.
void expect_slope(const Landscape& landscape, std::vector<double> at, const std::vector<bool>& moves,
                  bool kinks) {
  constexpr double kStep = 1.0 / 256;
  const std::vector<double> downhill = slope(landscape, at);
  const test::Tolerance allowed = kinks ? test::absolute(2e-3, "kinks within the step")
                                        : test::absolute(6e-5, "rounding of floats, and the step");
  ASSERT_GT(test::norm(downhill), 50 * allowed.abs) << "a flat place: this test could not fail";
  for (std::size_t i = 0; i < at.size(); ++i) {
    const double here = at[i];
    at[i] = here + kStep;
    const double up = landscape.loss(at);
    at[i] = here - kStep;
    const double down = landscape.loss(at);
    at[i] = here;
    if (!moves[i]) {
      EXPECT_EQ(downhill[i], 0) << i << ": what is not trained stays";
      continue;
    }
    EXPECT_TRUE(test::close(downhill[i], -(up - down) / (2 * kStep), allowed)) << i;
  }
}

TEST(SampledLandscape, DownhillIsMinusTheGradientOfItsLoss) {
  struct Case {
    std::string activation, bias, readout, loss;
    double pathway, balance;
  };
  math::Workers workers(2);
  for (const Case& c : {Case{"sigmoid", "learned", "mean", "half-squared", 0, 0.5},
                        Case{"erf", "learned", "learned", "cross-entropy", 0, 0.5},
                        Case{"tanh", "none", "mean", "half-squared", 0.5, 0.3},
                        Case{"soft-relu", "none", "learned", "half-squared", 0.7, 0.5},
                        Case{"linear", "learned", "mean", "cross-entropy", 0, 0.8},
                        Case{"relu", "learned", "learned", "half-squared", 0, 0.5},
                        Case{"sigmoid", "learned", "learned", "l1", 0.5, 0.5}}) {
    SCOPED_TRACE(c.activation + ", bias " + c.bias + ", readout " + c.readout + ", " + c.loss);
    task::NlgpOptions options = nlgp();
    options.classes.balance = c.balance;
    const task::Nlgp task(options);
    net::TwoLayerOptions layers = units(3, c.activation, c.bias);
    layers.readout = c.readout;
    layers.pathway = c.pathway;
    layers.beta = 2;
    const net::TwoLayerNetwork network(layers, kSites);
    const SampledLandscape landscape(network, loss_of(c.loss, task),
                                     KeptSamples(task, {.samples = 480, .seed = 3}, workers), workers);
    std::vector<bool> moves(network.parameter_count(), true);
    if (c.bias == "none") std::fill_n(moves.begin() + 3 * kSites, 3, false);
    expect_slope(landscape, float_field(network.parameter_count(), 5), moves,
                 c.activation == "relu" || c.loss == "l1");
  }
}

/// Mean and standard error, component by component, over sets of samples.
struct Spread {
  std::vector<double> mean, error;
  double variance = 0;  ///< of one set, all components together
};
Spread over_sets(int sets, const std::function<std::vector<double>(std::uint64_t seed)>& measure) {
  Spread spread;
  std::vector<double> square;
  for (int s = 1; s <= sets; ++s) {
    const std::vector<double> values = measure(static_cast<std::uint64_t>(s));
    spread.mean.resize(values.size());
    square.resize(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
      spread.mean[i] += values[i] / sets;
      square[i] += values[i] * values[i] / sets;
    }
  }
  for (std::size_t i = 0; i < square.size(); ++i) {
    const double variance = (square[i] - spread.mean[i] * spread.mean[i]) * sets / (sets - 1);
    spread.error.push_back(std::sqrt(variance / sets));
    spread.variance += variance;
  }
  return spread;
}

/// Slope and loss of the sampled landscape against a closed one, at the same parameters (which may have more that rest).
void expect_closed(const task::Task& task, const net::TwoLayerNetwork& network, const Landscape& closed) {
  math::Workers workers(2);
  std::vector<double> at = random_field(network.parameter_count(), 21, 0.5);
  std::fill(at.begin() + static_cast<std::ptrdiff_t>(closed.size()), at.end(), 0.0);
  const auto measure = [&](bool reduced) {
    return over_sets(96, [&, reduced](std::uint64_t seed) {
      const SampledLandscape landscape(network, loss_of("half-squared", task),
                                       KeptSamples(task,
                                                   {.samples = reduced ? 1536 : 15360,
                                                    .seed = seed,
                                                    .use_signs = reduced,
                                                    .most_shifts = reduced ? KeptOptions{}.most_shifts : 1,
                                                    .use_weights = reduced},
                                                   workers),
                                       workers);
      std::vector<double> values = slope(landscape, at);
      values.resize(closed.size());
      values.push_back(landscape.loss(at));
      return values;
    });
  };
  const Spread spread = measure(true);
  std::vector<double> expected = slope(closed, std::span(at).first(closed.size()));
  expected.push_back(closed.loss(std::span(at).first(closed.size())));
  for (std::size_t i = 0; i < expected.size(); ++i)
    EXPECT_TRUE(test::close(spread.mean[i], expected[i], test::sampling(spread.error[i]))) << i;
  // Of as many rows: less noise, by more than the 20 % that 96 sets leave open (√(4/95)).
  EXPECT_LT(spread.variance, 0.8 * measure(false).variance);
}

TEST(SampledLandscape, IsTheClosedOneOfReluUnitsOnGaussianData) {
  const task::Gaussian task(gaussian());
  const GaussianPopulation first(Covariance::circulant(task.moments(0).covariance));
  const GaussianPopulation second(Covariance::circulant(task.moments(1).covariance));
  expect_closed(task, net::TwoLayerNetwork(units(3, "relu", "none"), kSites),
                ReluLandscape(3, {&first, &second}, task.classes().labels));
}

TEST(SampledLandscape, IsTheClosedOneOfErfUnitsWithBiasesOnGaussianData) {
  const task::Gaussian task(gaussian());
  expect_closed(
      task, net::TwoLayerNetwork(units(3, "erf", "learned"), kSites),
      ErfLandscape(3, {task.moments(0).covariance, task.moments(1).covariance}, task.classes().labels));
}

TEST(SampledLandscape, DoesNotDependOnThreads) {
  const task::Nlgp task(nlgp());
  const net::TwoLayerNetwork network(units(5, "sigmoid", "learned"), kSites);
  const std::vector<double> at = random_field(network.parameter_count(), 2, 0.4);
  const auto measure = [&](int threads) {
    math::Workers workers(threads);
    const SampledLandscape landscape(network, loss_of("half-squared", task),
                                     KeptSamples(task, {.samples = 2000, .seed = 7}, workers), workers);
    std::vector<double> values = slope(landscape, at);
    values.push_back(landscape.loss(at));
    return values;
  };
  const std::vector<double> alone = measure(1);
  EXPECT_EQ(measure(2), alone);
  EXPECT_EQ(measure(5), alone);
}

/// All samples as they come, with their weights.
struct Everything {
  std::vector<double> x, y, weight;  // [rows, n], [rows], [rows]
};
Everything everything(const KeptSamples& kept) {
  Everything all;
  const learn::BlockPlan plan(kept.rows(), kept.rows_of_first_class());
  math::LanesBuffer<float> buffer(kept.inputs(), learn::BlockPlan::kBlockRows);
  const auto drawer = kept.drawer();
  for (const learn::Block& block : plan.blocks) {
    const math::Lanes x = buffer.lanes(block.rows);
    std::vector<float> labels(static_cast<std::size_t>(block.rows));
    drawer->draw(0, block, x, labels);
    for (std::int64_t r = 0; r < block.rows; ++r)
      for (std::int64_t i = 0; i < kept.inputs(); ++i) all.x.push_back(x.at(i, r));
    all.y.insert(all.y.end(), labels.begin(), labels.end());
    const auto weights = kept.weights(block.first_row, block.rows);
    all.weight.insert(all.weight.end(), weights.begin(), weights.end());
  }
  return all;
}

TEST(KeptSamples, HaveTheMomentsOfTheirLaw) {
  math::Workers workers(2);
  task::NlgpOptions options = nlgp();
  options.classes = {.labels = {2, -1}, .balance = 0.3};
  const task::Nlgp task(options);
  const Everything all = everything(KeptSamples(task, {.samples = 4000, .seed = 1}, workers));
  std::array<double, 2> share{};
  std::array<std::array<double, kSites>, 2> mean{}, covariance{};
  constexpr auto n = static_cast<std::size_t>(kSites);
  for (std::size_t m = 0; m < all.y.size(); ++m) {
    const std::size_t c = all.y[m] == 2 ? 0 : 1;
    share.at(c) += all.weight[m];
    for (std::size_t i = 0; i < n; ++i) {
      mean.at(c).at(i) += all.weight[m] * all.x[m * n + i];
      for (std::size_t d = 0; d < n; ++d)
        covariance.at(c).at(d) += all.weight[m] * all.x[m * n + i] * all.x[m * n + (i + d) % n] / kSites;
    }
  }
  EXPECT_NEAR(share[0], 0.3, 1e-12);
  EXPECT_NEAR(share[1], 0.7, 1e-12);
  for (const std::size_t c : {0U, 1U}) {
    for (std::size_t d = 0; d < n; ++d) {
      EXPECT_NEAR(mean.at(c).at(d), 0, 1e-12) << "a draw and its negative";
      EXPECT_NEAR(covariance.at(c).at(d) / share.at(c), task.moments(static_cast<int>(c)).covariance[d], 1e-6)
          << "the weights' doing; floats";
    }
  }
}

TEST(KeptSamples, AskATeacherAboutNegativesAndShifts) {
  math::Workers workers(1);
  task::TeacherOptions options;
  options.network = units(2, "relu", "none");
  const auto task = options.make();
  const KeptSamples kept(*task, {.samples = 96, .seed = 4}, workers);
  ASSERT_LT(kept.draws(), kept.rows());
  const Everything all = everything(kept);
  const auto labeler = task->labeler();
  for (std::int64_t first = 0; first < kept.rows(); first += 96) {
    math::LanesBuffer<float> buffer(task->inputs(), 1);
    const math::Lanes x = buffer.lanes(1);
    for (std::int64_t i = 0; i < task->inputs(); ++i)
      x.at(i, 0) = static_cast<float>(all.x[static_cast<std::size_t>(first * task->inputs() + i)]);
    float label = 0;
    labeler->label({}, 0, x, {&label, 1});
    EXPECT_EQ(label, all.y[static_cast<std::size_t>(first)]) << first;
  }
}

TEST(KeptSamples, AreAllPointsOfAFiniteLaw) {
  task::Section section("pulse");
  const auto task = section.make();
  const auto law = finite_law(section, *task);
  ASSERT_TRUE(law);
  const Everything all = everything(KeptSamples(*law, task->inputs()));
  EXPECT_EQ(all.y, law->label);
  EXPECT_EQ(all.weight, law->weight);
  EXPECT_EQ(all.x, std::vector<double>(law->x.begin(), law->x.end()));
}

}  // namespace
}  // namespace sluice::flow
