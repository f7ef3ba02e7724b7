/// dynamics.precision: what a spec may say, where it is refused, and that it comes to the device. No device is needed.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "sluice/file/errors.hpp"
#include "sluice/gpu/ensemble.hpp"
#include "sluice/lab/cohort.hpp"
#include "sluice/lab/fingerprint.hpp"
#include "sluice/lab/freeze.hpp"
#include "sluice/lab/setup.hpp"
#include "sluice/lab/simulation.hpp"
#include "sluice/lab/sweep_execution.hpp"

namespace sluice::lab {
namespace {

Source spec(const std::string& in_dynamics, const std::vector<std::string>& assignments = {}) {
  return {.name_or_file = "mine.toml",
          .assignments = assignments,
          .text =
              "[task]\nkind = \"nlgp\"\nn = 8\n[network]\nkind = \"two-layer\"\nhidden = 3\n[dynamics]\n"
              "kind = \"sgd\"\nsteps = 20\nbatch = 10\n" +
              in_dynamics};
}
const std::string kFast = "precision = \"fast\"\n";

/// Why a spec is refused, when it is read, set up or asked whether it can be trained there; empty: it is not.
std::string refused(const Source& source, const std::string& place) {
  try {
    Setup(load(source)).require_known_at(gpu::Place::of(place));
    return "";
  } catch (const InputError& error) {
    return error.what();
  }
}

TEST(Precision, IsAWordOfTheDynamics) {
  EXPECT_FALSE(load(spec("")).dynamics.fast());
  EXPECT_FALSE(load(spec("precision = \"strict\"\n")).dynamics.fast());
  EXPECT_TRUE(load(spec(kFast)).dynamics.fast());
  EXPECT_EQ(refused(spec("precision = \"quick\"\n"), "gpu"),
            "mine.toml:11: dynamics.precision = 'quick': expected one of \"strict\", \"fast\"");
  EXPECT_EQ(refused(spec("precision = true\n"), "gpu"),
            "mine.toml:11: dynamics.precision = true: expected one of \"strict\", \"fast\"");
}

/// Who does not use it has the spec and the fingerprint of the time before there was the key.
TEST(Precision, SaysNothingWhereItIsStrict) {
  const Experiment silent = load(spec("")), strict = load(spec("precision = \"strict\"\n")),
                   fast = load(spec(kFast));
  EXPECT_EQ(to_toml(silent).find("precision"), std::string::npos);
  EXPECT_EQ(to_toml(silent), to_toml(strict));
  EXPECT_EQ(fingerprint(silent), "2-a9afcb51e8c8c02b") << "of the version without the key";
  EXPECT_EQ(fingerprint(silent), fingerprint(strict));
  EXPECT_NE(to_toml(fast).find("\nprecision = \"fast\" "), std::string::npos);
  EXPECT_TRUE(parse_spec(to_toml(fast), "spec.toml").dynamics.fast());
  EXPECT_NE(fingerprint(silent), fingerprint(fast));
}

TEST(Precision, FastIsRefusedWhereNothingIsQuicker) {
  const std::string elsewhere = "mine.toml: dynamics.precision = \"fast\": expected device \"gpu\", found ";
  EXPECT_EQ(refused(spec(kFast), "gpu"), "");
  for (const std::string place : {"cpu", "gpu:single", "gpu:tf32", "gpu:bfloat16"})
    EXPECT_EQ(refused(spec(kFast), place), elsewhere + '"' + place + '"');
  for (const char* place : {"cpu", "gpu", "gpu:single"})
    EXPECT_EQ(refused(spec("precision = \"strict\"\n"), place), "") << place;
  for (const char* kind : {"deep-gated", "gated-linear"}) {
    const std::string network = std::string("network={kind=\"") + kind + "\"}";
    EXPECT_EQ(refused(spec(kFast, {network}), "gpu"),
              std::string("mine.toml:11: dynamics.precision = 'fast': expected \"strict\" for network.kind = "
                          "\"") +
                  kind + '"');
    EXPECT_EQ(refused(spec("precision = \"strict\"\n", {network}), "cpu"), "");
  }
  for (const char* kind : {"flow", "exact"})
    EXPECT_EQ(refused(spec(kFast, {std::string("dynamics.kind=") + kind}), "gpu"),
              "mine.toml:11: dynamics.precision = 'fast': expected \"strict\": a flow sees no samples");
  EXPECT_EQ(refused(spec("precision = \"strict\"\n", {"dynamics.kind=flow"}), "cpu"), "");
}

/// Kernels are made for some networks and samples.
TEST(Precision, FastIsRefusedForWhatNoKernelIsMadeFor) {
  const auto expected = [](const std::vector<std::string>& assignments) {
    const std::string line = refused(spec(kFast, assignments), "gpu"),
                      start = "mine.toml: dynamics.precision = \"fast\": expected ";
    return line.starts_with(start) ? line.substr(start.size()) : line;
  };
  EXPECT_EQ(expected({"task.n=47", "network.hidden=127", "dynamics.batch=4096"}), "");
  EXPECT_EQ(expected({"task.n=48"}), "at most 47 sites, found 48");
  EXPECT_EQ(expected({"network.hidden=128"}), "at most 127 units, found 128");
  EXPECT_EQ(expected({"dynamics.batch=4098"}), "at most 4096 samples a batch, found 4098");
  EXPECT_EQ(expected({"network.readout=learned"}), "network.readout = \"mean\"");
  EXPECT_EQ(expected({"network.pathway=0.3"}), "no pathway");
  for (const char* task : {"student-t", "shell", "pulse", "ising"})
    EXPECT_EQ(expected({std::string("task={kind=\"") + task + "\", n=20}"}),
              "a task whose samples are gaussian, or erf of gaussian, at every site (gaussian, nlgp)")
        << task;
  EXPECT_EQ(expected({"task.kind=gaussian"}), "");
}

/// Predictions are held against training on the CPU, whoever else may have a device.
TEST(Precision, NobodyTrainsWithoutIt) {
  const lab::Setup setup(load(spec(kFast)));
  math::Workers workers(1);
  EXPECT_THROW(static_cast<void>(setup.trainer(setup.begins(), workers)), InputError);
}

TEST(Precision, ComesToTheDevice) {
  math::Workers workers(1);
  const auto plan = [&](const std::string& line) {
    const lab::Setup setup(load(spec(line)));
    return gpu::plan_of(setup.member(setup.begins(), workers));
  };
  EXPECT_TRUE(plan(kFast).fast);
  EXPECT_FALSE(plan("precision = \"strict\"\n").fast);
  EXPECT_FALSE(plan("").fast);
}

TEST(Precision, PointsOfBothDoNotMoveTogether) {
  const std::vector<SweepPoint> points =
      planned_points(spec(""), {parse_axis("seed=1..3"), parse_axis("dynamics.precision=strict,fast")});
  RunOptions options;
  options.place = gpu::Place::of("gpu");
  std::vector<PointGroup> groups = groups_of(
      spec(""), options, [&](std::size_t i) -> const SweepPoint& { return points[i]; }, {0, 1, 2, 3, 4, 5},
      64);
  std::ranges::sort(groups);
  EXPECT_EQ(groups, (std::vector<PointGroup>{{0, 2, 4}, {1, 3, 5}}));
}

/// The CPU does not know which samples a fast run saw: there is nothing to replay.
TEST(Precision, FrozenGatesOfAFastRunAreSolvedAlone) {
  const Source source = spec("", {"network.bias=none", "probe.every=10", "probe.samples=200"});
  const auto frozen = [&](const std::string& precision) {
    Recorded run{simulate(load(source), "run", 1), load(source)};
    run.experiment->dynamics.precision = precision;
    math::Workers workers(1);
    return freeze(std::move(run), {.count = 2, .samples = 1000}, workers).freezes;
  };
  for (const Freeze& each : frozen("fast")) EXPECT_FALSE(each.replayed) << each.step;
  for (const Freeze& each : frozen("strict")) EXPECT_TRUE(each.replayed) << each.step;
}

}  // namespace
}  // namespace sluice::lab
