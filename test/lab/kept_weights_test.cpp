/// probe.weights = "end": a record with the weights of the last probe time alone, and everything that reads it.
#include <gtest/gtest.h>

#include <filesystem>

#include "sluice/file/atomic_file.hpp"
#include "sluice/file/errors.hpp"
#include "sluice/file/npz.hpp"
#include "sluice/lab/freeze.hpp"
#include "sluice/lab/probing.hpp"
#include "sluice/lab/recorded.hpp"
#include "sluice/lab/run.hpp"
#include "sluice/lab/run_figures.hpp"
#include "sluice/lab/setup.hpp"
#include "sluice/lab/sweep.hpp"
#include "test/support/temp_folder.hpp"

namespace sluice::lab {
namespace {

namespace fs = std::filesystem;
using test::TempFolder;

Source keeping(const std::string& kept, const std::string& watch = R"(["ipr","shape_change"])") {
  return {.name_or_file = "localization",
          .assignments = {"task.n=12", "network.hidden=3", "dynamics.steps=40", "dynamics.batch=100",
                          "probe.every=10", "probe.samples=200", "probe.watch=" + watch,
                          "probe.weights=" + kept}};
}

Ending run_keeping(const fs::path& out, const std::string& kept, int stop_after = 1'000'000) {
  RunOptions options{.out = out, .existing = record::Existing::resume};
  options.stop_requested = [&] { return stop_after-- == 0; };
  return run(load(keeping(kept)), "run", options).ending;
}

bool lists(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

TEST(KeptWeights, OfTheEndAreTheLastOfAllAndNothingElseChanges) {
  const TempFolder folder;
  ASSERT_EQ(run_keeping(folder / "all", "always"), Ending::finished);
  ASSERT_EQ(run_keeping(folder / "end", "end"), Ending::finished);
  const Recorded all = read_run(folder / "all"), end = read_run(folder / "end");
  ASSERT_EQ(all.arrays().size(), end.arrays().size());
  for (const auto& [name, array] : end.arrays()) {
    if (name != "weights") {
      EXPECT_EQ(array.shape, file::find(all.arrays(), name)->shape) << name;
      continue;
    }
    EXPECT_EQ(array.shape, (file::Shape{1, 3, 12}));
    const std::vector<float>& whole = file::find(all.arrays(), name)->as<float>();
    ASSERT_EQ(whole.size(), 5 * 36);
    EXPECT_EQ(array.as<float>(), std::vector<float>(whole.end() - 36, whole.end()));
    EXPECT_NE(array.as<float>(), std::vector<float>(whole.begin(), whole.begin() + 36)) << "nothing moved";
  }
  for (const char* name : {"ipr", "loss"})
    EXPECT_EQ(*file::find(end.arrays(), name), *file::find(all.arrays(), name)) << name;
  // Of the weights of the time before, which nobody keeps.
  const std::vector<float>&change = file::find(end.arrays(), "shape_change")->as<float>(),
        &before = file::find(all.arrays(), "shape_change")->as<float>();
  EXPECT_TRUE(std::equal(change.begin() + 3, change.end(), before.begin() + 3));
  EXPECT_EQ(end.recording.axes.at("weights"), (std::vector<std::string>{"end", "unit", "site"}));
  for (const char* number : {"ipr_median_start", "ipr_mean_start", "ipr_median_end", "localized_share"})
    EXPECT_EQ(end.recording.summary.find(number), all.recording.summary.find(number)) << number;
  EXPECT_EQ(file::read_text(folder / "end/metrics.csv"), file::read_text(folder / "all/metrics.csv"));
}

TEST(KeptWeights, OfTheEndGoOnToTheSameBytes) {
  const TempFolder folder;
  ASSERT_EQ(run_keeping(folder / "whole", "end"), Ending::finished);
  ASSERT_EQ(run_keeping(folder / "parts", "end", 15), Ending::interrupted);
  EXPECT_EQ(file::find(read_run(folder / "parts").arrays(), "weights")->shape[0], 1);
  EXPECT_THROW(run_keeping(folder / "parts", "always"), InputError) << "another record";
  ASSERT_EQ(run_keeping(folder / "parts", "end"), Ending::finished);
  EXPECT_EQ(run_keeping(folder / "parts", "end"), Ending::already_finished);
  EXPECT_EQ(file::read_text(folder / "parts/record.npz"), file::read_text(folder / "whole/record.npz"));
}

TEST(KeptWeights, OfTheEndAreProbedDrawnAndComparedWhereTheyLast) {
  const TempFolder folder;
  ASSERT_EQ(run_keeping(folder / "all", "always"), Ending::finished);
  ASSERT_EQ(run_keeping(folder / "end", "end"), Ending::finished);
  EXPECT_TRUE(fs::exists(folder / "end/report.html"));
  math::Workers workers(1);
  const Recorded end = read_run(folder / "end");
  const file::NamedArrays probed = measure(end, {.names = {"ipr", "position"}}, workers);
  EXPECT_EQ(*file::find(probed, "step"), (file::Array{{1}, std::vector<std::int64_t>{40}}));
  const std::vector<float>& watched = file::find(end.arrays(), "ipr")->as<float>();
  EXPECT_EQ(file::find(probed, "ipr")->as<float>(), std::vector<float>(watched.end() - 3, watched.end()));
  const std::vector<std::string> of_all = figures_of({folder / "all"}), of_end = figures_of({folder / "end"});
  for (const char* name : {"receptive_fields", "learning", "unit_map"})
    EXPECT_TRUE(lists(of_end, name)) << name;
  for (const char* name : {"evolution", "time_map", "spectra", "kinds"}) {
    EXPECT_TRUE(lists(of_all, name)) << name;
    EXPECT_FALSE(lists(of_end, name)) << name;
  }
  try {
    freeze(read_run(folder / "end"), {}, workers);
    FAIL() << "a trajectory of one time";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find(R"(probe.weights = "end": expected "always")"),
              std::string::npos)
        << error.what();
  }
  const SweepOutcome outcome =
      sweep(keeping("end"), {parse_axis("seed=1..3")}, {.out = folder / "sweep", .threads = 2}, {});
  EXPECT_TRUE(outcome.complete && !outcome.failed());
  EXPECT_TRUE(fs::exists(folder / "sweep/figures/comparison.svg"));
}

/// Without the IPR of earlier times nobody knows it: the figures show what there is.
TEST(KeptWeights, OfTheEndAreDrawnWithoutTheirIpr) {
  const TempFolder folder;
  ASSERT_EQ(run(load(keeping("end", R"(["loss"])")), "run", {.out = folder / "run"}).ending,
            Ending::finished);
  EXPECT_TRUE(fs::exists(folder / "run/figures/learning.svg"));
  EXPECT_TRUE(fs::exists(folder / "run/report.html"));
}

/// A continued run and one that starts from its arrays take the last weights, which are there.
TEST(KeptWeights, OfTheEndAreAStart) {
  const TempFolder folder;
  ASSERT_EQ(run_keeping(folder / "end", "end"), Ending::finished);
  ASSERT_EQ(run_keeping(folder / "all", "always"), Ending::finished);
  const auto from = [&](const char* name) {
    Source source = keeping("always");
    source.assignments.push_back("network.init={law=\"file\",path=\"" +
                                 (folder / name / "record.npz").string() + "\"}");
    return lab::Setup(load(source)).start();
  };
  EXPECT_EQ(from("end"), from("all"));
}

}  // namespace
}  // namespace sluice::lab
