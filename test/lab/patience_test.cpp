/// dynamics.patience: training ends so many probe times after the best accuracy.
#include <gtest/gtest.h>

#include <algorithm>

#include "sluice/file/atomic_file.hpp"
#include "sluice/file/npz.hpp"
#include "sluice/lab/run.hpp"
#include "test/support/temp_folder.hpp"

namespace sluice::lab {
namespace {

constexpr std::int64_t kPatience = 4;

/// Few points and a network that soon knows them by heart: the accuracy on the others stops growing.
Experiment experiment(std::int64_t patience) {
  return load(
      {.name_or_file = "spec", .assignments = {"dynamics.patience=" + std::to_string(patience)}, .text = R"(
[task]
kind = "dataset"
samples = 60
from = { kind = "nlgp", n = 12 }
[network]
kind = "deep-gated"
widths = [20]
beta = 4.0
init = { law = "he-normal" }
[dynamics]
kind = "adam"
rate = 0.01
batch = 20
steps = 400
[probe]
every = 5
)"});
}

Outcome run_in(const std::filesystem::path& out, std::int64_t patience, int stop_after = 1'000'000) {
  RunOptions options;
  options.out = out;
  options.existing = record::Existing::resume;
  options.pages = false;
  options.stop_requested = [&stop_after] { return stop_after-- == 0; };
  return run(experiment(patience), "run", options);
}

TEST(Patience, EndsSoManyLooksAfterTheBest) {
  const test::TempFolder folder;
  const Outcome all = run_in(folder / "all", 0), some = run_in(folder / "some", kPatience);
  EXPECT_EQ(all.steps(), 400);
  EXPECT_EQ(all.summary().find("best_accuracy"), std::nullopt) << "nobody asked";
  EXPECT_EQ(some.ending, Ending::finished);
  ASSERT_LT(some.steps(), 400) << "it never stops growing: this test cannot fail";

  const auto accuracy = [](const Outcome& run) {
    return file::find(run.recording.arrays, "accuracy")->as<double>();
  };
  const std::vector<double> whole = accuracy(all), part = accuracy(some);
  ASSERT_GT(part.size(), static_cast<std::size_t>(kPatience) + 1) << "it never grew";
  EXPECT_TRUE(std::equal(part.begin(), part.end(), whole.begin())) << "the same training";
  const auto best = std::ranges::max_element(part);
  EXPECT_EQ(part.end() - best, kPatience + 1);
  EXPECT_EQ(some.summary().find("best_accuracy"), *best);
  EXPECT_EQ(some.summary().find("best_step"), static_cast<double>(5 * (best - part.begin())));
  // No earlier look had waited as long.
  std::ptrdiff_t since = 0;
  for (std::size_t i = 1; i + 1 < part.size(); ++i) {
    since = part[i] > *std::max_element(part.begin(), part.begin() + static_cast<std::ptrdiff_t>(i))
                ? 0
                : since + 1;
    EXPECT_LT(since, kPatience) << i;
  }
}

/// Interrupted between its best look and its end: what was waited before counts.
TEST(Patience, IsThatOfTheWholeRunAfterAnInterruption) {
  const test::TempFolder folder;
  const Outcome whole = run_in(folder / "whole", kPatience);
  const int to_the_last_look = static_cast<int>(whole.steps()) - 2;
  ASSERT_EQ(run_in(folder / "parts", kPatience, to_the_last_look).ending, Ending::interrupted);
  ASSERT_EQ(run_in(folder / "parts", kPatience).ending, Ending::finished);
  EXPECT_EQ(file::read_text(folder / "whole/record.npz"), file::read_text(folder / "parts/record.npz"));
  EXPECT_EQ(run_in(folder / "parts", kPatience).ending, Ending::already_finished);
}

}  // namespace
}  // namespace sluice::lab
