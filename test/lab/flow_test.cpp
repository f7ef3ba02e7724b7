// dynamics.kind = "flow", flow probes and predictions: what lab/ makes of the flow room.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "sluice/file/atomic_file.hpp"
#include "sluice/file/errors.hpp"
#include "sluice/file/npz.hpp"
#include "sluice/lab/predict.hpp"
#include "sluice/lab/run.hpp"
#include "test/support/temp_folder.hpp"

namespace sluice::lab {
namespace {

using test::TempFolder;

Outcome run_into(const std::filesystem::path& out, const std::string& name,
                 std::vector<std::string> assignments, RunOptions options = {}) {
  Experiment experiment = load({.name_or_file = name, .assignments = std::move(assignments)});
  options.out = out;
  return run(std::move(experiment), "test", options);
}

std::vector<double> flow_distance(const std::filesystem::path& out) {
  return file::find(file::read_npz(out / "record.npz"), "flow_distance")->as<double>();
}

std::vector<float> weights_of(const std::filesystem::path& out) {
  return file::find(file::read_npz(out / "record.npz"), "weights")->as<float>();
}

// Issue: batch 10,000, one unit and twelve, Gaussian data: within 3 % along the whole trajectory.
TEST(PublishedFlow, TrainingFollowsTheGaussianFlow) {
  const TempFolder folder;
  for (const std::string name : {"flow-one-unit", "flow-network"}) {
    run_into(folder / name, name, {"dynamics.steps=3000"});
    const std::vector<double> distance = flow_distance(folder / name);
    EXPECT_EQ(distance.front(), 0) << name;
    EXPECT_LT(*std::max_element(distance.begin(), distance.end()), 0.03) << name;
    EXPECT_GT(distance.back(), 1e-5) << name
                                     << ": training is noisy; equal weights would mean nothing was compared";
  }
}

// The distance is noise of the batches: ten times larger batches, √10 times smaller distance.
TEST(PublishedFlow, DistanceFallsWithTheRootOfTheBatch) {
  const TempFolder folder;
  const auto mean_square = [&](const std::string& batch) {
    double sum = 0;
    for (int seed = 1; seed <= 8; ++seed) {
      const auto out = folder / (batch + "-" + std::to_string(seed));
      run_into(out, "flow-one-unit",
               {"dynamics.steps=1000", "probe.every=1000", "dynamics.batch=" + batch,
                "seed=" + std::to_string(seed)});
      sum += std::pow(flow_distance(out).back(), 2) / 8;
    }
    return sum;
  };
  // Each mean square is a sum over some 40 modes and 8 seeds, dominated by a few: at least 16 degrees of freedom each, so the
  // ratio of two has a relative spread below √(2·2/16) = 0.5; four times that in logarithms is a factor e².
  const double ratio = mean_square("100") / mean_square("1000");
  EXPECT_GT(ratio, 10 / std::exp(2.0));
  EXPECT_LT(ratio, 10 * std::exp(2.0));
}

// One unit on nlgp data: the sampled flow and large batches agree within 5 %.
TEST(PublishedFlow, TrainingFollowsTheSampledFlow) {
  const TempFolder folder;
  run_into(folder / "r", "flow-nlgp", {"dynamics.batch=20000", "dynamics.steps=2000"});
  const std::vector<double> distance = flow_distance(folder / "r");
  EXPECT_LT(*std::max_element(distance.begin(), distance.end()), 0.05);
}

// The mode flow (elliptical data, one unit) and the site flow by the named operator are one flow.
TEST(Flow, ModesAndSitesAgree) {
  const TempFolder folder;
  const std::vector<std::string> common{"dynamics.kind=flow", "dynamics.steps=2000",
                                        "dynamics.tolerance=1e-9"};
  auto named = common;
  named.emplace_back("dynamics.operator=elliptical");
  run_into(folder / "modes", "student-t-control", common);
  run_into(folder / "sites", "student-t-control", named);
  const std::vector<float> modes = weights_of(folder / "modes");
  const std::vector<float> sites = weights_of(folder / "sites");
  ASSERT_EQ(modes.size(), sites.size());
  for (std::size_t i = 0; i < modes.size(); ++i) EXPECT_NEAR(modes[i], sites[i], 2e-6) << i;
}

TEST(Flow, ResumesToTheSameBytesOnAnyThreads) {
  const std::vector<std::vector<std::string>> specs{
      {"dynamics.steps=600", "probe.every=60"},  // modes
      {"dynamics.steps=600", "probe.every=60", "network.hidden=3"},
      {"dynamics.steps=300", "probe.every=60", "task.kind=nlgp", "network.hidden=2", "dynamics.samples=1024"},
  };
  for (std::vector<std::string> spec : specs) {
    const TempFolder folder;
    spec.insert(spec.end(), {"dynamics.kind=flow", "dynamics.rate=0.05", "probe.samples=200"});
    run_into(folder / "whole", "gaussian-control", spec);
    RunOptions options{.existing = record::Existing::resume, .threads = 2};
    int left = 3;
    options.stop_requested = [&left] { return left-- == 0; };
    EXPECT_EQ(run_into(folder / "r", "gaussian-control", spec, options).ending, Ending::interrupted);
    options.stop_requested = [] { return false; };
    run_into(folder / "r", "gaussian-control", spec, options);
    EXPECT_EQ(file::read_text(folder / "r/record.npz"), file::read_text(folder / "whole/record.npz"));
  }
}

TEST(Flow, ProbesResumeToTheSameBytes) {
  const TempFolder folder;
  const std::vector<std::string> spec{"dynamics.steps=300", "probe.every=50", "dynamics.batch=100"};
  run_into(folder / "whole", "flow-one-unit", spec);
  RunOptions options{.existing = record::Existing::resume};
  int left = 170;
  options.stop_requested = [&left] { return left-- == 0; };
  EXPECT_EQ(run_into(folder / "r", "flow-one-unit", spec, options).ending, Ending::interrupted);
  options.stop_requested = [] { return false; };
  run_into(folder / "r", "flow-one-unit", spec, options);
  EXPECT_EQ(file::read_text(folder / "r/record.npz"), file::read_text(folder / "whole/record.npz"));
}

TEST(Flow, EndsWhenItIsAtRest) {
  const TempFolder folder;
  const Outcome outcome = run_into(folder / "r", "gaussian-control",
                                   {"dynamics.kind=flow", "network.hidden=1", "dynamics.rate=10",
                                    "dynamics.steps=1000000", "probe.every=1000", "dynamics.steady=1e-6"});
  EXPECT_EQ(outcome.ending, Ending::finished);
  EXPECT_LT(outcome.steps(), 1'000'000);
  // K: the flat mode, norm 0.2825083973.
  const std::vector<float> all = weights_of(folder / "r");
  double norm = 0;
  for (auto w = all.end() - 40; w != all.end(); ++w) norm += static_cast<double>(*w) * *w;
  EXPECT_NEAR(std::sqrt(norm), 0.2825083973, 1e-4);
}

std::string refusal(const std::vector<std::string>& assignments) {
  const TempFolder folder;
  try {
    run_into(folder / "r", "localization", assignments);
  } catch (const InputError& error) {
    EXPECT_FALSE(std::filesystem::exists(folder / "r")) << "nothing may be written";
    return error.what();
  }
  return "nothing";
}

TEST(Flow, SaysWhatItCannotDo) {
  const std::string flow = "dynamics.kind=flow";
  EXPECT_NE(refusal({flow, "network.bias=learned"}).find("network.bias = \"none\""), std::string::npos);
  EXPECT_NE(refusal({flow, "network.activation=tanh"}).find("\"relu\" or \"erf\""), std::string::npos);
  EXPECT_NE(refusal({flow, "network.activation=erf"}).find("Gaussian data"), std::string::npos);
  EXPECT_NE(refusal({flow, "task.balance=0.3"}).find("task.balance = 0.5"), std::string::npos);
  EXPECT_NE(refusal({flow, "dynamics.operator=ising"}).find("dynamics.operator = \"ising\""),
            std::string::npos);
  EXPECT_NE(refusal({"network.readout=learned", "probe.watch=[\"flow_distance\"]"}).find("network.readout"),
            std::string::npos);
}

// N0.c19: on seeds that nothing was tuned on, the flow finds the peak and the baselines do not.
TEST(PublishedPrediction, TheFlowBeatsBothBaselines) {
  math::Workers workers(2);
  Fields flow;
  Fields gaussian;
  Fields initial;
  Fields trained;
  for (int seed = 2001; seed < 2007; ++seed) {
    const lab::Setup setup(load({.name_or_file = "single-unit",
                                 .assignments = {"dynamics.steps=3000"},
                                 .seed = std::to_string(seed)}));
    flow.append(predicted_fields(setup, "auto", "auto", workers));
    gaussian.append(predicted_fields(setup, "gaussian", "gaussian", workers));
    initial.append(initial_fields(setup));
    trained.append(trained_fields(setup, workers));
  }
  EXPECT_GE(score(flow, trained).peaks, 5.0 / 6);
  EXPECT_LT(score(gaussian, trained).peaks, score(flow, trained).peaks);
  EXPECT_LT(score(initial, trained).peaks, score(flow, trained).peaks);
  EXPECT_NEAR(score(flow, trained).localized, 1.0, 1e-12);
}

TEST(Score, IsPerfectForTheSameFieldsAndKnowsShifts) {
  const Fields fields{3, 4, {1, 0, 0, 0, 0, 2, 0, 0, 1, 1, 1, 2}};
  const Score same = score(fields, fields);
  EXPECT_EQ(same.distance, 0);
  EXPECT_DOUBLE_EQ(same.correlation, 1);
  EXPECT_DOUBLE_EQ(same.peaks, 1);
  EXPECT_DOUBLE_EQ(same.localized, 1);
  // Two units by two sites: opposite on a ring of four.
  const Fields shifted{3, 4, {0, 0, 1, 0, 0, 0, 0, 2, 1, 1, 1, 2}};
  EXPECT_NEAR(score(shifted, fields).peaks, 1.0 / 3, 1e-12);
  EXPECT_EQ(score(shifted, fields).correlation, 0);
}

}  // namespace
}  // namespace sluice::lab
