#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "sluice/file/atomic_file.hpp"
#include "sluice/file/errors.hpp"
#include "sluice/file/npz.hpp"
#include "sluice/lab/kernel_matrix.hpp"
#include "sluice/lab/run.hpp"
#include "sluice/lab/run_figures.hpp"
#include "sluice/lab/sweep.hpp"
#include "test/figure/svg_reader.hpp"
#include "test/support/temp_folder.hpp"

namespace sluice::lab {
namespace {

using test::TempFolder;

/// A soft GaLU network on thirty points, small enough for a test and with everything that can be watched.
Source small(std::vector<std::string> more = {}) {
  std::vector<std::string> assignments{"task.samples=30", "network.depth=3", "network.width=8",
                                       "dynamics.steps=40", "probe.every=7"};
  assignments.insert(assignments.end(), more.begin(), more.end());
  return {.name_or_file = "depth-galu", .assignments = std::move(assignments)};
}
const std::vector<std::string> kSoft{
    "network.beta=4",
    "network.train=both",
    "dynamics.kind=adam",
    "dynamics.rate=0.01",
    "dynamics.rate_unit=one",
    "dynamics.batch=8",
    "probe.watch=[\"nu_tangent\",\"nu_gates\",\"nu_gates_raw\",\"nu_paths\",\"tangent_trace\",\"tangent_"
    "spectrum\","
    "\"active_gates\",\"sensitive_gates\",\"changed_gates\",\"gate_overlap\",\"weight_norms\"]"};

Outcome run_into(const std::filesystem::path& out, const Source& source, RunOptions options = {}) {
  Experiment experiment = load(source);
  options.out = out;
  return run(std::move(experiment), "test", options);
}

std::string record_of(const std::filesystem::path& out) { return file::read_text(out / "record.npz"); }

TEST(DeepRun, WritesTheFolderAndItsLayers) {
  const TempFolder folder;
  EXPECT_EQ(run_into(folder / "r", small(kSoft)).ending, Ending::finished);
  const file::NamedArrays record = file::read_npz(folder / "r/record.npz");
  for (const char* name :
       {"step", "loss", "accuracy", "train_loss", "train_accuracy", "error", "nu_tangent", "nu_gates",
        "nu_gates_raw", "nu_paths", "tangent_trace", "active_gates", "active_paths", "sensitive_gates",
        "sensitive_paths", "changed_gates", "gate_overlap"}) {
    ASSERT_NE(file::find(record, name), nullptr) << name;
    EXPECT_EQ(file::find(record, name)->shape, file::Shape{7}) << name;
  }
  EXPECT_EQ(file::find(record, "tangent_spectrum")->shape, (file::Shape{7, 30}));
  EXPECT_EQ(file::find(record, "weight_norms")->shape, (file::Shape{7, 3}));
  EXPECT_EQ(file::find(record, "layer1")->shape, (file::Shape{8, 2}));
  EXPECT_EQ(file::find(record, "layer3")->shape, (file::Shape{1, 8}));
  EXPECT_EQ(file::find(record, "gate2")->shape, (file::Shape{8, 8}));
  EXPECT_EQ(file::find(record, "gate3"), nullptr);
  EXPECT_EQ(file::find(record, "changed_gates")->as<double>().front(), 0);
  EXPECT_GT(std::filesystem::file_size(folder / "r/figures/alignment.svg"), 0U);
}

TEST(DeepRun, InterruptedAnywhereItResumesToTheSameBytesOnAnyNumberOfThreads) {
  const TempFolder folder;
  const Source source = small(kSoft);
  run_into(folder / "whole", source);
  for (const int stop_at : {1, 10, 30}) {
    const auto out = folder / fmt::format("stopped{}", stop_at);
    int asked = 0;
    RunOptions options{.threads = 2, .stop_requested = [&] { return ++asked > stop_at; }};
    ASSERT_EQ(run_into(out, source, options).ending, Ending::interrupted);
    ASSERT_EQ(run_into(out, source, {.existing = record::Existing::resume, .threads = 3}).ending,
              Ending::finished);
    EXPECT_EQ(record_of(out), record_of(folder / "whole")) << stop_at;
  }
  EXPECT_EQ(run_into(folder / "whole", source, {.existing = record::Existing::resume}).ending,
            Ending::already_finished);
}

TEST(DeepRun, FrozenNetworksStayAsTheyWere) {
  const TempFolder folder;
  run_into(folder / "start", small({"dynamics.steps=0"}));
  run_into(folder / "galu", small());
  run_into(folder / "gates", small({"network.beta=4", "network.train=gates"}));
  const auto layer = [&](const char* run, const char* name) {
    return file::find(file::read_npz(folder / run / "record.npz"), name)->as<float>();
  };
  EXPECT_EQ(layer("galu", "gate1"), layer("start", "gate1"));
  EXPECT_NE(layer("galu", "layer1"), layer("start", "layer1"));
  EXPECT_EQ(layer("gates", "layer1"), layer("start", "layer1"));
  EXPECT_NE(layer("gates", "gate1"), layer("start", "gate1"));
}

/// Experiment 5: gates learned by a ReLU network, weights of their own; the run folder reproduces itself without the other.
TEST(DeepRun, StartsFromTheGatesOfAnotherRunAndKeepsThem) {
  const TempFolder folder;
  run_into(folder / "relu", small({"network.gates=own"}));
  const auto with_gates =
      small({fmt::format("network.gate_init={{law=\"file\",path=\"{}\"}}", (folder / "relu").string())});
  run_into(folder / "r", with_gates);
  const auto array = [&](const std::filesystem::path& file, const char* name) {
    return file::find(file::read_npz(file), name)->as<float>();
  };
  EXPECT_EQ(array(folder / "r/record.npz", "gate1"), array(folder / "relu/record.npz", "layer1"));
  std::filesystem::remove_all(folder / "relu");
  run_into(folder / "again", {.name_or_file = (folder / "r/spec.toml").string(), .assignments = {}});
  EXPECT_EQ(record_of(folder / "again"), record_of(folder / "r"));
}

/// Weights are a function of the seed: gates of a run with the same one were learned from the weights that this network starts with.
TEST(DeepRun, SaysWhenWeightsAndLearnedGatesShareASeed) {
  const TempFolder folder;
  run_into(folder / "relu", small({"network.gates=own"}));
  const auto remarks_of = [&](const std::string& path, const std::string& seed) {
    std::vector<std::string> remarks;
    RunOptions options{.existing = record::Existing::overwrite};
    options.remark = [&](const std::string& remark) { remarks.push_back(remark); };
    const Outcome outcome =
        run_into(folder / "r",
                 small({fmt::format("network.gate_init={{law=\"file\",path=\"{}\"}}", path), "seed=" + seed,
                        "dynamics.steps=1000"}),  // fewer teach it nothing, which would be told, too
                 options);
    EXPECT_TRUE(outcome.recording.summary.find("accuracy_start").has_value());
    return remarks;
  };
  for (const auto& path : {folder / "relu", folder / "relu/record.npz"}) {
    const std::vector<std::string> remarks = remarks_of(path.string(), "1");
    ASSERT_EQ(remarks.size(), 1U);
    EXPECT_NE(remarks[0].find("has the seed 1 of this run"), std::string::npos) << remarks[0];
    EXPECT_NE(file::read_text(folder / "r/log.txt").find(remarks[0]), std::string::npos);
    EXPECT_TRUE(remarks_of(path.string(), "2").empty());
  }
  // Its own copy of the gates says nothing about where they came from.
  std::vector<std::string> again;
  RunOptions options;
  options.remark = [&](const std::string& remark) { again.push_back(remark); };
  run_into(folder / "again", {.name_or_file = (folder / "r/spec.toml").string(), .assignments = {}}, options);
  EXPECT_TRUE(again.empty());
  EXPECT_FALSE(run_into(folder / "plain", small()).recording.summary.find("accuracy_start").has_value());
}

TEST(DeepRun, WeightsFromAnotherShapeAreRefused) {
  const TempFolder folder;
  run_into(folder / "wide", small({"network.gates=own", "network.width=9"}));
  EXPECT_THROW(run_into(folder / "r", small({fmt::format("network.gate_init={{law=\"file\",path=\"{}\"}}",
                                                         (folder / "wide").string())})),
               InputError);
  EXPECT_FALSE(std::filesystem::exists(folder / "r"));
}

/// ‖e_t‖ of the first step of descent in kernel units: e_1 = (I − rate·K/ρ_max)e_0 to first order in the rate.    ledger: I.9
TEST(DeepRun, RatesInUnitsOfTheKernelStepByTheKernel) {
  const TempFolder folder;
  const auto error_after = [&](const char* rate) {
    const auto out = folder / rate;
    run_into(out, small({"dynamics.steps=1", fmt::format("dynamics.rate={}", rate)}));
    return file::find(file::read_npz(out / "record.npz"), "error")->as<double>().back();
  };
  const double slope = (1 - error_after("1e-3")) / 1e-3;
  EXPECT_NEAR((1 - error_after("2e-3")) / 2e-3, slope, 2e-2 * slope);
  EXPECT_GT(slope, 0);
  EXPECT_LE(slope, 1.0 + 1e-3) << "no direction shrinks faster than the top eigenvector";
}

TEST(DeepRun, SweepsAverageOverSeeds) {
  const TempFolder folder;
  const SweepOutcome outcome =
      sweep(small(), {parse_axis("network.depth=2,3"), parse_axis("seed=1,2")}, {.out = folder / "s"}, {});
  EXPECT_TRUE(outcome.complete);
  EXPECT_EQ(outcome.table.rows.size(), 4U);
  const std::string page = file::read_text(folder / "s/report.html");
  EXPECT_NE(page.find("depth = 2"), std::string::npos);
  EXPECT_NE(page.find("(2)"), std::string::npos) << "two seeds under one heading";
  EXPECT_GT(std::filesystem::file_size(folder / "s/figures/tangent_spectrum.svg"), 0U);
  EXPECT_EQ(render(draw_figure({folder / "s"}, "error"), figure::Format::svg),
            file::read_text(folder / "s/figures/error.svg"))
      << "as the sweep drew it";
}

TEST(DeepRun, CurvesOfSeveralFoldersStandBesideEachOther) {
  const TempFolder folder;
  sweep(small(), {parse_axis("seed=1,2")}, {.out = folder / "galu"}, {});
  run_into(folder / "relu", small({"network.gates=own"}));
  const Sources both{folder / "galu", folder / "relu"};
  const std::vector<std::string> names = figures_of(both);
  EXPECT_NE(std::ranges::find(names, "learning"), names.end());
  EXPECT_EQ(std::ranges::find(names, "weight_norms"), names.end()) << "nobody watched them";
  const figure::Figure error = draw_figure(both, "error");
  EXPECT_TRUE(figure::testing::says(error, "galu", {.size_pt = 6.5}));
  EXPECT_TRUE(figure::testing::says(error, "relu", {.size_pt = 6.5}));
  EXPECT_THROW(draw_figure(both, "unit_map"), InputError);
  EXPECT_THROW(draw_figure(both, "weight_norms"), InputError);
}

TEST(KernelMatrix, IsTheSameOnAnyNumberOfThreadsAndChecksItsTask) {
  const KernelMatrix one = kernel_matrix(load(small()), {.kind = "tangent", .samples = 20, .threads = 1});
  EXPECT_EQ(one.matrix.n, 20);
  EXPECT_EQ(one.matrix.values,
            kernel_matrix(load(small()), {.kind = "tangent", .samples = 20, .threads = 3}).matrix.values);
  const auto strength = kernel_matrix(load(small()), {.kind = "strength", .samples = 20}).matrix.values;
  EXPECT_EQ(one.matrix.values, strength) << "hard gates have no gradient of their own";
  EXPECT_THROW(kernel_matrix(load({.name_or_file = "localization"}), {}), InputError);
}

}  // namespace
}  // namespace sluice::lab
