/// A run that is asked to stop in the middle of anything keeps what was whole before, and goes on to the bytes of one that nobody stopped.
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "sluice/file/atomic_file.hpp"
#include "sluice/file/errors.hpp"
#include "sluice/file/lock.hpp"
#include "sluice/lab/run.hpp"
#include "sluice/lab/simulated_run.hpp"
#include "sluice/lab/sweep.hpp"
#include "test/support/temp_folder.hpp"

namespace sluice::lab {
namespace {

namespace fs = std::filesystem;

struct Kind {
  const char* name;
  const char* experiment;
  std::vector<std::string> assignments;
};

const std::vector<Kind>& kinds() {
  static const std::vector<Kind> all{
      {"two_layer",
       "localization",
       {"task.n=12", "network.hidden=3", "dynamics.steps=9", "dynamics.batch=300", "dynamics.kind=adam",
        "probe.every=4", "probe.samples=300"}},
      {"weights_of_the_end",
       "localization",
       {"task.n=12", "network.hidden=3", "dynamics.steps=9", "dynamics.batch=300", "probe.every=4",
        "probe.samples=300", "probe.weights=end"}},
      {"deep",
       "depth-galu",
       {"task.samples=30", "network.depth=3", "network.width=8", "network.beta=4", "network.train=both",
        "dynamics.kind=adam", "dynamics.rate=0.01", "dynamics.rate_unit=one", "dynamics.batch=8",
        "dynamics.steps=9", "probe.every=4",
        R"(probe.watch=["nu_tangent","nu_gates","tangent_spectrum","active_gates","weight_norms"])"}},
      {"modes",
       "gaussian-control",
       {"dynamics.kind=flow", "network.hidden=1", "dynamics.rate=0.05", "dynamics.steps=40", "probe.every=10",
        "probe.samples=200"}},
      {"sampled_flow",
       "gaussian-control",
       {"task.kind=nlgp", "dynamics.kind=flow", "network.hidden=2", "dynamics.samples=1024",
        "dynamics.rate=0.05", "dynamics.steps=40", "probe.every=10", "probe.samples=200"}},
      {"exact",
       "gated-pair",
       {"dynamics.kind=exact", "dynamics.samples=2048", "dynamics.steps=400", "probe.every=100",
        "probe.samples=200"}},
      {"flow_beside", "flow-one-unit", {"dynamics.steps=30", "probe.every=10", "dynamics.batch=100"}},
  };
  return all;
}

struct Attempt {
  int asked = 0;  ///< how often anybody looked whether to stop
  bool stopped = false;
};

/// Asks for a stop from the n-th look on.
Attempt run_into(const fs::path& out, const Kind& kind, int stop_after = 1'000'000'000, bool pages = false) {
  const auto asked = std::make_shared<std::atomic<int>>(0);
  RunOptions options{.out = out, .threads = 2, .pages = pages};
  options.existing = fs::exists(out / "spec.toml") ? record::Existing::resume : record::Existing::refuse;
  options.abandon_requested = [asked, stop_after] { return (*asked)++ >= stop_after; };
  Attempt attempt;
  try {
    const Outcome outcome =
        run(load({.name_or_file = kind.experiment, .assignments = kind.assignments}), kind.name, options);
    attempt.stopped = outcome.ending == Ending::interrupted;
    EXPECT_NE(outcome.ending, Ending::diverged);
  } catch (const Stopped&) {
    attempt.stopped = true;  // before there was anything to show
  }
  attempt.asked = *asked;
  return attempt;
}

/// What must be the same whatever happened on the way.
std::map<std::string, std::string> results_in(const fs::path& folder) {
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    EXPECT_FALSE(file::is_temporary(name)) << entry.path();
    EXPECT_NE(name, file::FolderLock::kName) << entry.path();
    EXPECT_NE(name, "checkpoint.npz") << entry.path();
    if (name == "record.npz" || name == "spec.toml" || name == "metrics.csv" || name == "state.npz")
      files[name] = file::read_text(entry.path());
  }
  return files;
}

class Stopping : public testing::TestWithParam<Kind> {};

TEST_P(Stopping, AnywhereItGoesOnToTheSameBytes) {
  const test::TempFolder whole;
  const Attempt all = run_into(whole / "r", GetParam());
  ASSERT_FALSE(all.stopped);
  ASSERT_GT(all.asked, 20) << "nobody looks: this test stops nothing";
  const auto expected = results_in(whole / "r");
  ASSERT_EQ(expected.size(), 4);
  constexpr int kStops = 9;  // spread over all looks, which two threads may come to in another order
  int stopped = 0;
  for (int i = 0; i < kStops; ++i) {
    const int stop_after = all.asked * i / kStops;
    SCOPED_TRACE("stopped after look " + std::to_string(stop_after) + " of " + std::to_string(all.asked));
    const test::TempFolder folder;
    stopped += run_into(folder / "r", GetParam(), stop_after).stopped ? 1 : 0;
    stopped +=
        run_into(folder / "r", GetParam(), all.asked / 3).stopped ? 1 : 0;  // and a second time on its way
    EXPECT_FALSE(run_into(folder / "r", GetParam()).stopped);
    EXPECT_EQ(results_in(folder / "r"), expected);
  }
  EXPECT_GE(stopped, kStops);
}
INSTANTIATE_TEST_SUITE_P(Of, Stopping, testing::ValuesIn(kinds()),
                         [](const auto& instance) { return std::string(instance.param.name); });

/// Figures and page are made after the last step: a run that is stopped there is not finished, and has nothing to train when it goes on.
TEST(StoppingAtTheEnd, DrawsWhenItGoesOn) {
  const Kind& kind = kinds().front();
  const test::TempFolder folder;
  const int trained = run_into(folder / "trained", kind).asked;
  const int all = run_into(folder / "whole", kind, 1'000'000'000, true).asked;
  ASSERT_GT(all, trained + 2) << "nobody looks while it is drawn";
  // What comes last is the remark that nothing was learned; figures and page come before.
  fs::path r;
  for (int back = 1; back < all && (r.empty() || fs::exists(r / "report.html")); back += 4) {
    r = folder / std::to_string(back);
    EXPECT_TRUE(run_into(r, kind, all - back, true).stopped);
  }
  ASSERT_TRUE(fs::exists(r / "figures")) << "it was not being drawn";
  EXPECT_TRUE(fs::exists(r / "checkpoint.npz"));
  const Attempt again = run_into(r, kind, 1'000'000'000, true);
  EXPECT_FALSE(again.stopped);
  EXPECT_LT(again.asked, all - trained / 2) << "it was trained again";
  EXPECT_TRUE(fs::exists(r / "report.html"));
  EXPECT_EQ(results_in(r), results_in(folder / "whole"));
}

/// Points that move together, too.
TEST(StoppingASweep, GoesOnToTheSameBytes) {
  const Kind& kind = kinds().front();
  Source source{.name_or_file = kind.experiment, .assignments = kind.assignments};
  source.assignments.emplace_back("sweep.share_samples=true");
  const std::vector<SweepAxis> axes{parse_axis("seed=1..4")};
  const auto asked = std::make_shared<std::atomic<int>>(0);
  const auto options_in = [&](const fs::path& out, int stop_after) {
    *asked = 0;
    RunOptions options{.out = out, .existing = record::Existing::resume, .threads = 2, .pages = false};
    options.abandon_requested = [asked, stop_after] { return (*asked)++ >= stop_after; };
    options.stop_requested = [asked, stop_after] { return *asked >= stop_after; };
    return options;
  };
  const auto sweep_into = [&](const fs::path& out, int stop_after) {
    try {
      return sweep(source, axes, options_in(out, stop_after), {}).complete;
    } catch (const Stopped&) {
      return false;
    }
  };
  const test::TempFolder folder;
  ASSERT_TRUE(sweep_into(folder / "whole", 1'000'000'000));
  const int all = *asked;
  ASSERT_GT(all, 50);
  int stopped = 0;
  for (int i = 0; i < 7; ++i) {
    SCOPED_TRACE(i);
    const fs::path out = folder / std::to_string(i);
    stopped += sweep_into(out, all * i / 7) ? 0 : 1;
    ASSERT_TRUE(sweep_into(out, 1'000'000'000));
    for (const char* point : {"seed=1", "seed=2", "seed=3", "seed=4"})
      EXPECT_EQ(results_in(out / point), results_in(folder / "whole" / point)) << point;
  }
  EXPECT_GE(stopped, 6);
}

TEST(StoppingInMemory, ShowsWhatWasMeasured) {
  const Kind& kind = kinds().front();
  const auto asked = std::make_shared<std::atomic<int>>(0);
  const auto simulated = [&](int stop_after) {
    *asked = 0;
    return simulate(load({.name_or_file = kind.experiment, .assignments = kind.assignments}), "x", 1,
                    {.abandon_requested = [asked, stop_after] { return (*asked)++ >= stop_after; }});
  };
  const record::Recording whole = simulated(1'000'000'000);
  EXPECT_EQ(whole.status, "finished");
  const record::Recording part = simulated(*asked / 2);
  EXPECT_EQ(part.status, "interrupted");
  const auto& losses = file::find(part.arrays, "loss")->as<double>();
  const auto& all = file::find(whole.arrays, "loss")->as<double>();
  ASSERT_LT(losses.size(), all.size());
  EXPECT_TRUE(std::equal(losses.begin(), losses.end(), all.begin()));
  EXPECT_THROW(simulated(0), Stopped) << "before there was anything to show";
}

}  // namespace
}  // namespace sluice::lab
