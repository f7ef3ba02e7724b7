// Gated linear units: what training does on average is what the solution says.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "sluice/file/errors.hpp"
#include "sluice/file/npz.hpp"
#include "sluice/lab/run.hpp"
#include "sluice/lab/simulation.hpp"
#include "sluice/math/statistics.hpp"
#include "sluice/theory/bump_gates.hpp"
#include "test/support/temp_folder.hpp"

namespace sluice::lab {
namespace {

struct Combination {
  const char* name;
  const char* task;
  const char* network;
  double rate;
};

std::string spec_of(const Combination& c, const std::string& dynamics, int seed, int steps = 120) {
  return fmt::format(
      "seed = {}\n[task]\n{}\n[network]\nkind = \"gated-linear\"\n{}\n[dynamics]\n{}\nrate = {}\nbatch = "
      "100\nsteps = {}\n"
      "[probe]\nevery = 30\nsamples = 1000\nwatch = [\"loss\", \"weights\"]\n",
      seed, c.task, c.network, dynamics, c.rate, steps);
}

std::vector<float> weights_of(const Combination& c, const std::string& dynamics, int seed) {
  const record::Recording run = simulate(parse_spec(spec_of(c, dynamics, seed), "test"), "test", 2);
  return file::find(run.arrays, "weights")->as<float>();
}

class ExactAgainstSgd : public testing::TestWithParam<Combination> {};

/// 32 seeds: along the way that the solution goes from the start, and along four random directions, the mean is off by at most 4
/// standard errors at every probe time. `pace = "steps"`, because sgd takes steps: a factor 2 in K, a missing 1/K or a wrong moment is
/// off by tens of them.
TEST_P(ExactAgainstSgd, TheMeanOverSeedsIsTheSolution) {
  constexpr int kSeeds = 32;
  const Combination& c = GetParam();
  const std::vector<float> exact = weights_of(c, "kind = \"exact\"\npace = \"steps\"\nsamples = 1000000", 1);
  constexpr std::size_t kTimes = 5;
  const std::size_t size = exact.size() / kTimes;
  std::vector<std::vector<float>> runs;
  for (int seed = 1; seed <= kSeeds; ++seed) runs.push_back(weights_of(c, "kind = \"sgd\"", 100 + seed));
  std::mt19937 engine(1);
  std::normal_distribution<double> normal;
  for (std::size_t t = 1; t < kTimes; ++t) {
    for (int direction = 0; direction < 5; ++direction) {
      std::vector<double> along(size);
      for (std::size_t i = 0; i < size; ++i)
        along[i] = direction == 0 ? static_cast<double>(exact[t * size + i]) - exact[i] : normal(engine);
      std::vector<double> seen;
      for (const std::vector<float>& run : runs) {
        double sum = 0;
        for (std::size_t i = 0; i < size; ++i)
          sum += along[i] * (static_cast<double>(run[t * size + i]) - exact[t * size + i]);
        seen.push_back(sum);
      }
      double mean = 0, square = 0;
      for (const double value : seen) mean += value / kSeeds;
      for (const double value : seen) square += (value - mean) * (value - mean);
      const double error = std::sqrt(square / (kSeeds - 1) / kSeeds);
      ASSERT_GT(error, 0);
      EXPECT_LE(std::abs(mean), 4 * error) << c.name << ", time " << t << ", direction " << direction << ": "
                                           << mean / error << " standard errors";
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    GatesAndTasks, ExactAgainstSgd,
    testing::Values(
        Combination{"NoteThree", "kind = \"nlgp\"\nn = 40\ngain = 3.0\nxi = [2.0, 1.0]",
                    "hidden = 2\ngate = {law = \"bump\", at = 20, pairs = true}", 1.0},
        Combination{"BumpsOnSigns", "kind = \"nlgp\"\nn = 12\ngain = inf\nxi = [2.0, 1.0]",
                    "hidden = 12\ngate = {law = \"bump\"}", 4.0},
        Combination{"HatsOnGaussian", "kind = \"gaussian\"\nn = 20\nxi = [2.0, 1.0]",
                    "hidden = 5\ngate = {law = \"hat\"}", 2.0},
        Combination{
            "WavesAndALinearPathway", "kind = \"gaussian\"\nn = 16\nxi = [3.0, 1.0]",
            "hidden = 6\ngate = {law = \"fourier\", frequency = 1, linear = 2}\ninit = {law = \"basis\"}",
            2.0},
        Combination{"GaborsOnStudentT", "kind = \"student-t\"\nn = 16\nxi = [2.0, 1.0]\nnu = 9.0",
                    "hidden = 4\ngate = {law = \"gabor\"}", 1.0},
        Combination{"Pulses", "kind = \"pulse\"\nn = 20", "hidden = 4\ngate = {law = \"hat\"}", 1.0},
        Combination{"RepeatedHatsOnNlgp", "kind = \"nlgp\"\nn = 12\ngain = 2.0\nxi = [2.0, 1.0]",
                    "hidden = 6\ngate = {law = \"hat\", width = 1.0, repeat = 2}", 2.0},
        Combination{"CoinsAndALinearPathway", "kind = \"nlgp\"\nn = 12\ngain = 2.0\nxi = [2.0, 1.0]",
                    "hidden = 4\ngate = {law = \"coin\", linear = 1}\ninit = {law = \"bump\"}", 2.0},
        Combination{"AThousandWeights", "kind = \"gaussian\"\nn = 40\nxi = [2.0, 1.0]",
                    "hidden = 25\ngate = {law = \"hat\"}", 10.0}),
    [](const auto& tested) { return std::string(tested.param.name); });

/// Momentum takes another way there, at 1/(1 − momentum) times the pace, and its mean, too, is linear in the weights: the end is the
/// solution's. Rmsprop and adam divide by what the batch says of its own size, and so keep a bias; it is small where the rate is.
TEST(Exact, IsWhereOtherOptimizersComeTo) {
  const auto end_of = [](const std::string& dynamics, double rate, int seed) {
    const Combination c{"", "kind = \"nlgp\"\nn = 8\ngain = 2.0\nxi = [2.0, 1.0]",
                        "hidden = 4\ngate = {law = \"bump\"}", rate};
    const record::Recording run = simulate(parse_spec(spec_of(c, dynamics, seed, 2400), "test"), "test", 2);
    const auto& weights = file::find(run.arrays, "weights")->as<float>();
    return std::vector<double>(weights.end() - 32, weights.end());
  };
  const std::vector<double> exact = end_of("kind = \"exact\"", 20, 1);
  constexpr int kSeeds = 16;
  const auto off = [&](const std::string& dynamics, double rate) {
    std::vector<double> along;  // the solution's own direction
    for (int seed = 1; seed <= kSeeds; ++seed) {
      const std::vector<double> end = end_of(dynamics, rate, seed);
      double product = 0, square = 0;
      for (std::size_t i = 0; i < end.size(); ++i) {
        product += (end[i] - exact[i]) * exact[i];
        square += exact[i] * exact[i];
      }
      along.push_back(product / square);
    }
    return math::Statistics(along);
  };
  const std::pair<const char*, double> optimizers[] = {
      {"kind = \"momentum\"\nmomentum = 0.9", 0.3}, {"kind = \"rmsprop\"", 0.01}, {"kind = \"adam\"", 0.01}};
  for (const auto& [dynamics, rate] : optimizers) {
    const math::Statistics ends = off(dynamics, rate);
    EXPECT_LE(std::abs(ends.mean()), 4 * ends.error()) << dynamics << ": " << ends.mean();
    EXPECT_LE(ends.deviation(), 0.05) << dynamics;  // 4 standard errors of 16 seeds: 5 % would be seen
  }
}

const Combination kPair{"", "kind = \"nlgp\"\nn = 40\ngain = 3.0\nxi = [2.0, 1.0]",
                        "hidden = 2\ngate = {law = \"bump\", at = 20, pairs = true}", 1.0};

/// N3.c3: ŵ(∞) = 4 f̂/(λ0+λ1), W_2 = −W_1; by its circulant path.
TEST(Exact, OfThePairOfNoteThreeIsOppositeAndLocalized) {
  const record::Recording run =
      simulate(parse_spec(spec_of(kPair, "kind = \"exact\"", 1, 300'000), "test"), "test", 2);
  const auto& weights = file::find(run.arrays, "weights")->as<float>();
  const auto last = std::span(weights).last(80);
  const theory::Vector single =
      theory::bump_solution(40, 2, 1, 3).weights;  // F.3: half as long, around site 0
  for (std::size_t i = 0; i < 40; ++i) {
    EXPECT_NEAR(last[i], 2 * single[(i + 20) % 40], 1e-5);
    EXPECT_NEAR(last[40 + i], -2 * single[(i + 20) % 40], 1e-5);
  }
  EXPECT_EQ(file::find(run.arrays, "gates")->shape, (file::Shape{2, 40}));
}

TEST(Exact, IsResumedToTheSameBytes) {
  const test::TempFolder folder;
  const auto experiment = [] { return parse_spec(spec_of(kPair, "kind = \"exact\"", 1, 300), "test"); };
  RunOptions options;
  options.out = folder / "whole";
  const Outcome whole = run(experiment(), "x", options);
  options.out = folder / "halves";
  int looks = 0;
  options.stop_requested = [&] { return ++looks > 5; };
  EXPECT_EQ(run(experiment(), "x", options).ending, Ending::interrupted);
  options.stop_requested = [] { return false; };
  options.existing = record::Existing::resume;
  const Outcome resumed = run(experiment(), "x", options);
  EXPECT_EQ(file::find(whole.recording.arrays, "weights")->as<float>(),
            file::find(resumed.recording.arrays, "weights")->as<float>());
}

TEST(Exact, IsHeldAgainstTrainingWhereTheFlowIsWatched) {
  const auto distance = [](const char* batch) {
    Combination slow = kPair;
    slow.rate = 0.1;  // at 1 the step size would be seen beside the noise
    std::string text = spec_of(slow, "kind = \"sgd\"", 1);
    text.replace(text.find("\"weights\"]"), 10, "\"weights\", \"flow_distance\"]");
    text.replace(text.find("batch = 100"), 11, batch);
    const record::Recording run = simulate(parse_spec(text, "test"), "test", 2);
    return file::find(run.arrays, "flow_distance")->as<double>().back();
  };
  // Noise falls with the root of the batch: ten times, within a third of it (two draws of about 80 numbers each).
  const double ratio = distance("batch = 100") / distance("batch = 10000");
  EXPECT_GT(ratio, 6.7);
  EXPECT_LT(ratio, 13.3);
}

TEST(Exact, SaysWhatItDoesNotSolve) {
  const auto refused = [](const std::string& text) {
    try {
      const lab::Setup setup(parse_spec(text, "test"));
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  EXPECT_EQ(refused("[task]\nkind = \"gaussian\"\nxi = [2.0, 1.0]\n[network]\nkind = "
                    "\"two-layer\"\n[dynamics]\nkind = \"exact\"\n"),
            "dynamics.kind = \"exact\": expected network.kind = \"gated-linear\"");
  Combination large = kPair;
  large.network = "hidden = 200\ngate = {law = \"random\"}";
  EXPECT_NE(refused(spec_of(large, "kind = \"exact\"", 1)).find("network.hidden = 200"), std::string::npos);
  Combination closed = kPair;
  closed.network = "hidden = 2\ngate = {law = \"random\"}";
  EXPECT_EQ(refused(spec_of(closed, "kind = \"exact\"\nmoments = \"closed\"", 1)),
            "dynamics.moments = \"closed\": expected Gaussian or elliptical data, or nlgp with gates of one "
            "or two sites");
}

}  // namespace
}  // namespace sluice::lab
