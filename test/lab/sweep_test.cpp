/// Sweeps as one process runs them: on threads, with shared samples, going on with what is there.
#include "sluice/lab/sweep.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <optional>

#include "sluice/file/atomic_file.hpp"
#include "sluice/file/errors.hpp"
#include "sluice/file/json.hpp"
#include "sluice/file/lock.hpp"
#include "sluice/lab/cohort.hpp"
#include "sluice/lab/point_state.hpp"
#include "sluice/lab/session.hpp"
#include "sluice/lab/sweep_simulation.hpp"
#include "test/support/temp_folder.hpp"

namespace sluice::lab {
namespace {

namespace fs = std::filesystem;
using test::TempFolder;

Source tiny(std::vector<std::string> more = {}) {
  std::vector<std::string> assignments{"task.n=10",          "network.hidden=3", "dynamics.steps=40",
                                       "dynamics.batch=100", "probe.every=10",   "probe.samples=200"};
  assignments.insert(assignments.end(), more.begin(), more.end());
  return {.name_or_file = "localization", .assignments = std::move(assignments)};
}

std::string bytes(const fs::path& file) { return file::read_text(file); }

RunOptions into(const fs::path& folder, int threads = 1,
                record::Existing existing = record::Existing::refuse) {
  return {.out = folder, .existing = existing, .threads = threads};
}

const std::vector<SweepAxis> kGrid{parse_axis("task.gain=0.1,3"), parse_axis("seed=1..3")};
const std::vector<std::string> kPoints{"gain=0.1,seed=1", "gain=0.1,seed=2", "gain=0.1,seed=3",
                                       "gain=3,seed=1",   "gain=3,seed=2",   "gain=3,seed=3"};

TEST(ManyPoints, HaveTheBitsOfSingleRunsWhateverTheThreads) {
  const TempFolder folder;
  sweep(tiny(), kGrid, into(folder / "one"), {});
  sweep(tiny(), kGrid, into(folder / "four", 4), {});
  for (const std::string& point : kPoints)
    EXPECT_EQ(bytes(folder / "one" / point / "record.npz"), bytes(folder / "four" / point / "record.npz"));
  run(load(tiny({"task.gain=3", "seed=2"})), "alone", into(folder / "alone"));
  EXPECT_EQ(bytes(folder / "alone/record.npz"), bytes(folder / "four/gain=3,seed=2/record.npz"));
  EXPECT_FALSE(fs::exists(folder / "four/gain=3,seed=2/report.html")) << "pages are made when asked for";
  for (const char* name : {"spec.toml", "metrics.csv", "run.json"})
    EXPECT_TRUE(fs::exists(folder / "four/gain=3,seed=2" / name)) << name;
}

/// A point of a sweep that shares its samples is a run with a sample_seed, and has its bits.
TEST(ManyPoints, ThatShareSamplesHaveTheBitsOfRunsWithThatSampleSeed) {
  const TempFolder folder;
  const Source shared = tiny({"sweep.share_samples=true", "seed=7"});
  const std::vector<SweepAxis> seeds{parse_axis("seed=1..5"), parse_axis("dynamics.rate=1,4")};
  sweep(shared, seeds, into(folder / "s", 2), {});
  for (const int seed : {1, 5}) {
    const std::string name = fmt::format("seed={},rate=4", seed);
    run(load(tiny({"sample_seed=7", "dynamics.rate=4", fmt::format("seed={}", seed)})), "alone",
        into(folder / name));
    EXPECT_EQ(bytes(folder / name / "record.npz"), bytes(folder / "s" / name / "record.npz"));
    EXPECT_NE(bytes(folder / "s" / name / "spec.toml").find("sample_seed = 7"), std::string::npos);
  }
  EXPECT_NE(bytes(folder / "s/seed=1,rate=4/record.npz"), bytes(folder / "s/seed=2,rate=4/record.npz"));
  sweep(tiny({"sample_seed=7"}), {parse_axis("seed=1")}, into(folder / "own"), {});
  sweep(tiny(), {parse_axis("seed=1")}, into(folder / "other"), {});
  EXPECT_NE(bytes(folder / "own/seed=1/record.npz"), bytes(folder / "other/seed=1/record.npz"));
}

/// Stopped in the middle, those that move together go on, also when one of them stands elsewhere than the others.
TEST(ManyPoints, ThatShareSamplesGoOnToTheSameBits) {
  const TempFolder folder;
  const Source shared = tiny({"sweep.share_samples=true"});
  const std::vector<SweepAxis> seeds{parse_axis("seed=1..4")};
  sweep(shared, seeds, into(folder / "whole"), {});
  RunOptions stopping = into(folder / "s");
  int asked = 0;
  stopping.stop_requested = [&] { return ++asked > 70; };
  EXPECT_FALSE(sweep(shared, seeds, stopping, {}).complete);
  EXPECT_EQ(status_of(folder / "s/seed=3").state, PointState::interrupted);
  fs::remove(folder / "s/seed=2/checkpoint.npz");  // it begins again, the others go on
  const SweepOutcome again = sweep(shared, seeds, into(folder / "s", 1, record::Existing::resume), {});
  EXPECT_TRUE(again.complete);
  for (const char* point : {"seed=1", "seed=2", "seed=3", "seed=4"})
    EXPECT_EQ(bytes(folder / "s" / point / "record.npz"), bytes(folder / "whole" / point / "record.npz"))
        << point;
}

/// A kill leaves checkpoints of different steps: those behind move first, and from the step of the others on all move together.
TEST(ManyPoints, ThatStandAtDifferentStepsMoveTogetherOnceTheyMeet) {
  const TempFolder folder;
  const std::vector<std::int64_t> stopped_at{25, 7, 25, 12};
  std::vector<std::pair<std::size_t, std::int64_t>> moved;  // session, step
  const auto session = [&](std::size_t i, const fs::path& out) {
    RunOptions options = into(out, 1, record::Existing::resume);
    options.progress = [&moved, i](std::int64_t step, std::int64_t) { moved.emplace_back(i, step); };
    Experiment experiment = load(tiny({"sample_seed=3", fmt::format("seed={}", i + 1)}));
    return std::make_unique<Session>(std::move(experiment), "one", options);
  };
  std::vector<std::unique_ptr<Joinable>> sessions;
  for (std::size_t i = 0; i < stopped_at.size(); ++i) {
    const std::string name = fmt::format("seed={}", i + 1);
    run(load(tiny({"sample_seed=3", name})), "whole", into(folder / ("whole " + name)));
    RunOptions stopping = into(folder / name);
    std::int64_t asked = 0;
    stopping.stop_requested = [&] { return asked++ >= stopped_at[i]; };
    ASSERT_EQ(run(load(tiny({"sample_seed=3", name})), "stopped", stopping).ending, Ending::interrupted);
    auto again = session(i, folder / name);
    ASSERT_FALSE(again->open());
    ASSERT_EQ(again->begins().step, stopped_at[i]);
    sessions.push_back(std::move(again));
  }
  std::vector<std::size_t> ended;
  math::Workers alone(1);
  const auto end = [&](std::size_t i, const Outcome& outcome) {
    EXPECT_EQ(outcome.ending, Ending::finished);
    EXPECT_EQ(outcome.steps_done, 40 - stopped_at[i]);
    ended.push_back(i);
  };
  run_together(sessions, {}, end, alone);
  EXPECT_EQ(ended.size(), stopped_at.size());
  std::vector<std::pair<std::size_t, std::int64_t>> expected;
  for (std::int64_t step = 7; step < 40; ++step)
    for (const std::size_t i : {1U, 3U, 0U, 2U})  // by the step at which they joined
      if (step >= stopped_at[i]) expected.emplace_back(i, step);
  EXPECT_EQ(moved, expected);
  for (std::size_t i = 0; i < stopped_at.size(); ++i) {
    const std::string name = fmt::format("seed={}", i + 1);
    EXPECT_EQ(bytes(folder / name / "record.npz"), bytes(folder / ("whole " + name) / "record.npz"));
  }
}

/// In memory, too, and stopped in the middle of a step: all that were looked at are kept.
TEST(Sweep, RunsInMemoryThatShareSamplesMoveTogether) {
  const TempFolder folder;
  const Source shared = tiny({"sweep.share_samples=true"});
  const std::vector<SweepAxis> seeds{{"seed", {"1", "2", "3"}}};
  sweep(shared, seeds, into(folder / "s"), {});
  const std::vector<SimulatedPoint> points = simulate_sweep(shared, seeds, 1);
  ASSERT_EQ(points.size(), 3U);
  for (const SimulatedPoint& point : points) {
    ASSERT_TRUE(point.run) << point.failure;
    EXPECT_EQ(point.run->arrays(), read_run(folder / "s" / point.point.folder).arrays());
  }
  std::int64_t told = 0;
  Hooks stopping;
  stopping.progress = [&](std::int64_t, std::int64_t) {
    if (++told == 30) throw Stopped();  // of the third at its tenth step
  };
  for (const SimulatedPoint& point : simulate_sweep(shared, seeds, 1, stopping)) {
    ASSERT_TRUE(point.run) << point.failure;
    EXPECT_EQ(point.run->recording.status, "interrupted");
  }
}

/// What is told before a sweep begins: points, those that are there, and a time that knows of shared samples.
TEST(ManyPoints, APreviewKnowsWhatIsLeftAndWhoMovesTogether) {
  const TempFolder folder;
  const std::vector<SweepAxis> seeds{parse_axis("seed=1..32")};
  const auto one_unit = [](const char* shared) {
    return tiny({"task.n=40", "network.hidden=1", "dynamics.steps=20000", "dynamics.batch=1000",
                 "probe.every=20000", fmt::format("sweep.share_samples={}", shared)});
  };
  const RunOptions options = into(folder / "s");
  const Preview alone = preview(one_unit("false"), seeds, options);
  const Preview together = preview(one_unit("true"), seeds, options);
  EXPECT_EQ(alone.points, 32U);
  EXPECT_EQ(together.states.at(PointState::pending), 32U);
  const Estimate apart = estimate(one_unit("false"), alone, options);
  const Estimate at_once = estimate(one_unit("true"), together, options);
  EXPECT_DOUBLE_EQ(apart.bytes, at_once.bytes);
  EXPECT_LT(at_once.seconds, 0.6 * apart.seconds);  // a seventh where nothing else is at work
  EXPECT_FALSE(fs::exists(folder / "s")) << "a preview touches nothing";
  sweep(tiny(), {parse_axis("seed=1,2")}, options, {});
  const Preview rest =
      preview(tiny(), {parse_axis("seed=1..5")}, into(folder / "s", 1, record::Existing::resume));
  EXPECT_EQ(rest.points, 5U);
  EXPECT_EQ(rest.states.at(PointState::done), 2U);
  EXPECT_EQ(rest.left.size(), 3U);
}

TEST(ManyPoints, ASweepDoesOnlyWhatIsMissingAndCanBeExtended) {
  const TempFolder folder;
  sweep(tiny(), {parse_axis("seed=1,2")}, into(folder / "s"), {});
  const auto before = fs::last_write_time(folder / "s/seed=1/record.npz");
  run(load(tiny({"seed=4"})), "by hand", into(folder / "s/seed=4"));  // is adopted
  std::vector<std::string> begun;
  std::size_t found = 0;
  SweepHooks hooks;
  hooks.begins = [&](const std::string& label, std::size_t, std::size_t) { begun.push_back(label); };
  hooks.found = [&](std::size_t points) { found = points; };
  const SweepOutcome outcome =
      sweep(tiny(), {parse_axis("seed=1..4")}, into(folder / "s", 1, record::Existing::resume), hooks);
  EXPECT_TRUE(outcome.complete);
  EXPECT_EQ(found, 3U);
  EXPECT_EQ(begun, std::vector<std::string>{"seed = 3"});
  EXPECT_EQ(outcome.table.rows.size(), 4U);
  EXPECT_EQ(fs::last_write_time(folder / "s/seed=1/record.npz"), before);
  EXPECT_THROW(sweep(tiny({"task.gain=2"}), {parse_axis("seed=1..4")},
                     into(folder / "s", 1, record::Existing::resume), {}),
               InputError)
      << "a point of another spec is not taken for this one";
}

/// Pages of points are made when somebody asks for them, and then the page of the sweep links them.
TEST(ManyPoints, HavePagesWhenTheyAreAskedFor) {
  const TempFolder folder;
  sweep(tiny(), {parse_axis("seed=1,2")}, into(folder / "s"), {});
  math::Workers workers(1);
  const auto compared = [&] {
    compare_again(folder / "s", workers);
    return bytes(folder / "s/report.html");
  };
  const std::string before = compared();
  EXPECT_EQ(compared(), before) << "nothing else makes a difference";
  record::write_into(folder / "s/seed=1", {"report.html"}, is_spec,
                     [&] { write_run_page(folder / "s/seed=1/report.html", read_run(folder / "s/seed=1")); });
  if (before.find("id=\"data\"") != std::string::npos) {  // a build without the viewer has no links
    EXPECT_NE(compared(), before) << "the link to it is there";
  }
  EXPECT_EQ(bytes(folder / "s/seed=1/report.html").find("figures/receptive_fields"), std::string::npos)
      << "it has no figures as files";
}

/// A curve has room for twelve lines; tables and page of a larger grid do without.
TEST(ManyPoints, OfAGridWithMoreLinesThanACurveHasAreComparedAllTheSame) {
  const TempFolder folder;
  const SweepOutcome outcome = sweep(tiny({"dynamics.steps=1", "probe.every=1"}),
                                     {parse_axis("task.gain=1,2"), parse_axis("dynamics.rate=lin(1,2,13)")},
                                     into(folder / "s", 2), {});
  EXPECT_EQ(outcome.table.rows.size(), 26U);
  for (const char* name : {"report.html", "summary.csv", "sweep.csv", "figures/comparison.svg"})
    EXPECT_TRUE(fs::exists(folder / "s" / name)) << name;
  EXPECT_FALSE(fs::exists(folder / "s/figures/curve.svg"));
  for (const PointOutcome& each : outcome.points)
    EXPECT_EQ(each.outcome->recording.status, "finished") << "what was lent for the comparison is back";
}

/// Threads look at points side by side; what is said is what one after the other would have found.
TEST(ManyPoints, AreRefusedForTheFirstOneThatCannotBeRun) {
  const TempFolder folder;
  const std::vector<SweepAxis> axes{parse_axis("task.gain=1,2,-3,4,-5,6,7,8")};
  for (int again = 0; again < 10; ++again) {
    try {
      sweep(tiny(), axes, into(folder / "s", 4), {});
      FAIL() << "a negative gain";
    } catch (const InputError& refusal) {
      EXPECT_NE(std::string(refusal.what()).find("(gain=-3)"), std::string::npos) << refusal.what();
    }
  }
  EXPECT_FALSE(fs::exists(folder / "s"));
}

TEST(ManyPoints, AxesMayStandInTheSpec) {
  const TempFolder folder;
  const Source own = tiny({"sweep.over=\"task.gain=1,3; seed=1..2\""});
  EXPECT_EQ(sweep_points(planned_axes(own, {})).size(), 4U);
  EXPECT_EQ(sweep_points(planned_axes(own, {parse_axis("seed=1..5")})).size(), 10U) << "given values win";
  EXPECT_EQ(sweep_points(planned_axes(own, {parse_axis("network.hidden=1,2")})).size(), 8U);
  EXPECT_THROW(planned_axes(tiny(), {}), InputError);
  sweep(own, {parse_axis("seed=3")}, into(folder / "s"), {});
  EXPECT_TRUE(fs::exists(folder / "s/gain=3,seed=3/record.npz"));
  EXPECT_NE(bytes(folder / "s/gain=3,seed=3/spec.toml").find("over = \"\""), std::string::npos)
      << "a point is no sweep";
}

TEST(ManyPoints, WhatTheirFoldersSay) {
  const TempFolder folder;
  EXPECT_EQ(status_of(folder / "none").state, PointState::pending);
  sweep(tiny({"dynamics.rate=1e30"}), {parse_axis("seed=1")}, into(folder / "s"), {});
  EXPECT_EQ(status_of(folder / "s/seed=1").state, PointState::diverged);
  const std::string diverged = bytes(folder / "s/seed=1/run.json");
  for (const char* key : {"\"steps\"", "\"norms\"", "\"weights\""})
    EXPECT_NE(diverged.find(key), std::string::npos) << diverged;
  fs::create_directories(folder / "busy");
  {
    const file::FolderLock lock(folder / "busy");
    EXPECT_EQ(status_of(folder / "busy").state, PointState::running);
  }
  EXPECT_EQ(status_of(folder / "busy").state, PointState::pending);
  note_failure(folder / "busy", "no reason");
  EXPECT_EQ(status_of(folder / "busy").state, PointState::failed);
  EXPECT_EQ(status_of(folder / "busy").reason, "no reason");
  run(load(tiny()), "r", into(folder / "busy"));
  EXPECT_EQ(status_of(folder / "busy").state, PointState::done) << "tried again, it is forgotten";
  EXPECT_FALSE(fs::exists(folder / "busy/failed.json"));
}

/// Shares of a sweep meet in one folder; whoever ends last compares.
TEST(ManyPoints, SharesMakeTheWhole) {
  const TempFolder folder;
  sweep(tiny(), kGrid, into(folder / "whole"), {});
  const auto share = [&](std::size_t index) {
    return sweep(tiny(), kGrid, into(folder / "s", 1, record::Existing::resume), {}, {.shard = {index, 3}});
  };
  EXPECT_FALSE(share(1).complete);
  EXPECT_TRUE(fs::exists(folder / "s/gain=0.1,seed=2/record.npz"));
  EXPECT_FALSE(fs::exists(folder / "s/gain=0.1,seed=1"));
  EXPECT_FALSE(share(0).complete);
  EXPECT_FALSE(fs::exists(folder / "s/report.html"));
  EXPECT_TRUE(share(2).complete);
  EXPECT_TRUE(fs::exists(folder / "s/report.html"));
  EXPECT_EQ(bytes(folder / "s/summary.csv"), bytes(folder / "whole/summary.csv"));
}

/// A worker leaves a point that somebody has to whoever has it.
TEST(ManyPoints, AWorkerLeavesWhatOthersHave) {
  const TempFolder folder;
  fs::create_directories(folder / "s");
  const RunOptions options = into(folder / "s", 1, record::Existing::resume);
  std::optional<file::FolderLock> other;
  SweepHooks hooks;
  hooks.begins = [&](const std::string& label, std::size_t, std::size_t) {
    if (label == "seed = 1") {
      fs::create_directories(folder / "s/seed=2");
      other.emplace(folder / "s/seed=2");
    }
  };
  const SweepOutcome outcome = sweep(tiny(), {parse_axis("seed=1..3")}, options, hooks, {.worker = true});
  EXPECT_FALSE(outcome.complete);
  EXPECT_FALSE(outcome.failed());
  EXPECT_TRUE(fs::exists(folder / "s/seed=3/record.npz"));
  EXPECT_FALSE(fs::exists(folder / "s/seed=2/record.npz"));
  other.reset();
  EXPECT_TRUE(sweep(tiny(), {parse_axis("seed=1..3")}, options, {}, {.worker = true}).complete);
  EXPECT_TRUE(fs::exists(folder / "s/report.html"));
}

}  // namespace
}  // namespace sluice::lab
