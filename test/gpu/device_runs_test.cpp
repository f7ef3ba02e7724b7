/// Runs, checkpoints and sweeps on a device, from a spec to a finished folder.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include "sluice/file/atomic_file.hpp"
#include "sluice/file/json.hpp"
#include "sluice/file/npz.hpp"
#include "sluice/gpu/deep_engine.hpp"
#include "sluice/lab/run.hpp"
#include "sluice/lab/sweep.hpp"
#include "test/gpu/on_device.hpp"
#include "test/support/temp_folder.hpp"

namespace sluice::gpu {
namespace {

namespace fs = std::filesystem;
using DeviceRuns = OnDevice;

/// A small soft-gated network with convolutions on a torus, trained for some steps: no gate flips on a rounding.
lab::Source on_torus(const std::string& task, const std::string& training) {
  return {.name_or_file = "spec", .assignments = {}, .text = task + R"(
[network]
kind = "deep-gated"
layers = "convolutional"
channels = [8, 9]
padding = "zero"
widths = [5]
beta = 4.0
init = { law = "he-normal" }
[dynamics]
kind = "adam"
rate = 1e-3
)" + training};
}
/// On a set of its own.
lab::Source spec() {
  return on_torus(R"(
[task]
kind = "dataset"
samples = 90
from = { kind = "nlgp", n = 6, dim = 2 })",
                  "batch = 20\nsteps = 60\n[probe]\nevery = 10\n");
}
/// On new samples at every step, of two classes that do not share them evenly.
lab::Source fresh_spec() {
  return on_torus(R"(
[task]
kind = "nlgp"
n = 6
dim = 2
balance = 0.3)",
                  "batch = 310\nsteps = 20\n[probe]\nevery = 10\nsamples = 1000\n");
}

/// One hidden layer, on a set whose epochs end within a batch, evaluated on it and on new samples.
lab::Source two_layer_spec() {
  return {.name_or_file = "spec", .assignments = {}, .text = R"(
[task]
kind = "dataset"
samples = 90
from = { kind = "nlgp", n = 12 }
[network]
kind = "two-layer"
hidden = 9
activation = "erf"
readout = "learned"
[dynamics]
kind = "momentum"
rate = 0.1
batch = 40
steps = 60
[probe]
every = 10
samples = 300
watch = ["loss", "accuracy", "train_loss", "weights"]
)"};
}

/// A run, or the rest of one; it is asked to stop when it has asked so often whether it should.
lab::Ending run_in(const fs::path& out, const std::string& place, int stop_after = 1'000'000,
                   const lab::Source& source = spec()) {
  lab::RunOptions options;
  options.out = out;
  options.existing = record::Existing::resume;
  options.place = Place::of(place);
  options.pages = false;
  options.stop_requested = [&stop_after] { return stop_after-- == 0; };
  return lab::run(lab::load(source), "run", options).ending;
}

std::string record_of(const fs::path& run) { return file::read_text(run / "record.npz"); }

/// The largest difference of what two runs kept of their weights, in units of the largest weight.
double apart(const fs::path& one, const fs::path& other) {
  double apart = 0, largest = 0;
  const file::NamedArrays here = file::read_npz(one / "record.npz"),
                          there = file::read_npz(other / "record.npz");
  for (const auto& [name, array] : here) {
    if (!name.starts_with("layer") && name != "weights") continue;
    const std::vector<float>&a = array.as<float>(), &b = file::find(there, name)->as<float>();
    for (std::size_t i = 0; i < a.size(); ++i) {
      apart = std::max(apart, std::abs(static_cast<double>(a[i]) - b[i]));
      largest = std::max(largest, std::abs(static_cast<double>(a[i])));
    }
  }
  return apart / largest;
}

TEST_F(DeviceRuns, AreTheCpusUpToRoundingAndSayWhereTheyWere) {
  const test::TempFolder folder;
  for (const char* place : {"cpu", "gpu", "gpu:tf32", "gpu:bfloat16"})
    ASSERT_EQ(run_in(folder / place, place), lab::Ending::finished);
  EXPECT_LT(apart(folder / "cpu", folder / "gpu"), 2e-5);
  EXPECT_GT(apart(folder / "cpu", folder / "gpu:bfloat16"), 1e-5);
  EXPECT_LT(apart(folder / "cpu", folder / "gpu:bfloat16"), 0.02);
  const auto json = file::Json::parse(file::read_text(folder / "gpu:bfloat16/run.json"));
  EXPECT_EQ(json->text_at("device"), "gpu:bfloat16");
}

/// The same samples as on the CPU, in training and in looks; interrupted, the same bytes.
TEST_F(DeviceRuns, DrawFreshSamples) {
  const test::TempFolder folder;
  for (const char* place : {"cpu", "gpu"})
    ASSERT_EQ(run_in(folder / place, place, 1'000'000, fresh_spec()), lab::Ending::finished);
  EXPECT_LT(apart(folder / "cpu", folder / "gpu"), 2e-5);
  const auto losses = [&](const char* place) {
    return file::find(file::read_npz(folder / place / "record.npz"), "loss")->as<double>();
  };
  const std::vector<double> here = losses("cpu"), there = losses("gpu");
  ASSERT_EQ(here.size(), 3);
  EXPECT_NE(here[0], here[2]) << "nothing moved: this test cannot fail";
  for (std::size_t look = 0; look < here.size(); ++look)
    EXPECT_NEAR(here[look], there[look], 1e-5 * here[look]);
  ASSERT_EQ(run_in(folder / "parts", "gpu", 13, fresh_spec()), lab::Ending::interrupted);
  ASSERT_EQ(run_in(folder / "parts", "gpu", 1'000'000, fresh_spec()), lab::Ending::finished);
  EXPECT_EQ(record_of(folder / "gpu"), record_of(folder / "parts"));
}

TEST_F(DeviceRuns, AnInterruptedRunGoesOnToTheSameBytes) {
  const test::TempFolder folder;
  for (const std::string place : {"gpu", "gpu:bfloat16"}) {
    ASSERT_EQ(run_in(folder / "whole", place), lab::Ending::finished);
    ASSERT_EQ(run_in(folder / "parts", place, 17), lab::Ending::interrupted);
    ASSERT_EQ(run_in(folder / "parts", place, 20), lab::Ending::interrupted);
    ASSERT_EQ(run_in(folder / "parts", place), lab::Ending::finished);
    EXPECT_EQ(record_of(folder / "whole"), record_of(folder / "parts"));
    EXPECT_EQ(file::read_text(folder / "whole/state.npz"), file::read_text(folder / "parts/state.npz"));
    for (const char* run : {"whole", "parts"}) fs::remove_all(folder / run);
  }
}

TEST_F(DeviceRuns, ACheckpointGoesThereAndBack) {
  const test::TempFolder folder;
  ASSERT_EQ(run_in(folder / "cpu", "cpu"), lab::Ending::finished);
  ASSERT_EQ(run_in(folder / "both", "cpu", 17), lab::Ending::interrupted);
  ASSERT_EQ(run_in(folder / "both", "gpu", 20), lab::Ending::interrupted);
  ASSERT_EQ(run_in(folder / "both", "cpu"), lab::Ending::finished);
  EXPECT_LT(apart(folder / "cpu", folder / "both"), 2e-5);
}

/// Its samples are drawn here, and its looks are at the weights that it brought back: the CPU finds the loss that was recorded.
TEST_F(DeviceRuns, OfOneHiddenLayerTrainOnASet) {
  const test::TempFolder folder;
  for (const char* place : {"cpu", "gpu:single"})
    ASSERT_EQ(run_in(folder / place, place, 1'000'000, two_layer_spec()), lab::Ending::finished);
  EXPECT_LT(apart(folder / "cpu", folder / "gpu:single"), 2e-5);
  for (const char* name : {"loss", "train_loss"}) {
    const auto values = [&](const char* place) {
      return file::find(file::read_npz(folder / place / "record.npz"), name)->as<double>();
    };
    const std::vector<double> here = values("cpu"), there = values("gpu:single");
    ASSERT_EQ(here.size(), 7);
    EXPECT_EQ(here[0], there[0]) << name;
    EXPECT_LT(here[6], 0.9 * here[0]) << name << ": nothing was learned, this test cannot fail";
    for (std::size_t look = 1; look < here.size(); ++look)
      EXPECT_NEAR(here[look], there[look], 1e-5 * here[look]) << name;
  }
  for (const std::string place : {"gpu:single", "cpu"}) {  // gone on with there, and here
    const fs::path parts = folder / (place + ", in parts");
    ASSERT_EQ(run_in(parts, "gpu:single", 4, two_layer_spec()), lab::Ending::interrupted);
    ASSERT_EQ(run_in(parts, place, 1'000'000, two_layer_spec()), lab::Ending::finished);
  }
  EXPECT_EQ(record_of(folder / "gpu:single"), record_of(folder / "gpu:single, in parts"));
  EXPECT_LT(apart(folder / "cpu", folder / "cpu, in parts"), 2e-5);
}

/// Side by side they share the samples on the device; each is what it is alone.
TEST_F(DeviceRuns, ASweepIsItsRuns) {
  const test::TempFolder folder;
  lab::RunOptions options;
  options.out = folder / "sweep";
  options.threads = 3;
  options.place = Place::of("gpu");
  const std::vector<lab::SweepAxis> axes{lab::parse_axis("seed=1..3")};
  ASSERT_FALSE(lab::sweep(spec(), axes, options, {}).failed());
  ASSERT_EQ(run_in(folder / "alone", "gpu"), lab::Ending::finished);
  EXPECT_EQ(record_of(folder / "sweep/seed=1"), record_of(folder / "alone"));
  EXPECT_NE(record_of(folder / "sweep/seed=2"), record_of(folder / "alone"));
}

}  // namespace
}  // namespace sluice::gpu
