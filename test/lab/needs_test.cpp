#include "sluice/lab/needs.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include "sluice/file/errors.hpp"
#include "sluice/file/npz.hpp"
#include "sluice/file/system.hpp"
#include "sluice/lab/run.hpp"
#include "sluice/lab/sweep.hpp"
#include "sluice/math/memory.hpp"
#include "sluice/record/manifest.hpp"
#include "test/support/temp_folder.hpp"

namespace sluice::lab {
namespace {

namespace fs = std::filesystem;

Source localization(std::vector<std::string> assignments) {
  return {.name_or_file = "localization", .assignments = std::move(assignments)};
}

Setup set_up(std::vector<std::string> assignments) {
  return Setup(load(localization(std::move(assignments))));
}

Needs needs(std::vector<std::string> assignments, int threads = 1) {
  return needs_of(set_up(std::move(assignments)), threads);
}

std::string refusal(const auto& work) {
  try {
    work();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

/// The folder is written: what it was said to take is what it has, but for texts and pictures.
TEST(Needs, OfTheDiskAreWhatAFolderHas) {
  const test::TempFolder folder;
  const std::vector<std::string> spec{
      "task.n=100",         "network.hidden=100",    "dynamics.steps=20",
      "dynamics.kind=adam", "probe.every=1",         "dynamics.batch=10",
      "probe.samples=100",  "record.compress=false", "probe.watch=[\"loss\"]"};
  RunOptions options{.out = folder / "r", .checkpoint_every = 0, .pages = false};
  std::uintmax_t checkpoint = 0;
  options.progress = [&](std::int64_t, std::int64_t) {
    std::error_code none;
    if (const auto size = fs::file_size(folder / "r/checkpoint.npz", none); !none) checkpoint = size;
  };
  run(load(localization(spec)), "x", options);
  const Needs said = needs(spec);
  const auto size = [&](const char* name) { return static_cast<double>(fs::file_size(folder / "r" / name)); };
  const double there = size("record.npz") + size("state.npz");
  EXPECT_NEAR(said.folder / there, 1, 0.05);
  EXPECT_NEAR(said.beside / static_cast<double>(checkpoint), 1, 0.1) << "one probe time less";
}

TEST(Needs, GrowWithWhatThereIs) {
  const Needs small = needs({"dynamics.steps=100", "probe.every=10"});
  EXPECT_GT(needs({"dynamics.steps=1000", "probe.every=10"}).record, 9 * small.record);
  EXPECT_GT(needs({"dynamics.steps=100", "probe.every=10", "network.hidden=1000"}).held, 9 * small.held);
  EXPECT_GT(needs({"dynamics.steps=100", "probe.every=10", "dynamics.kind=adam"}).folder, small.folder);
  EXPECT_GT(needs({"dynamics.steps=100", "probe.every=10"}, 8).work, small.work);
}

/// The largest of as many as are at work at once have what they hold and work with, a set of samples is there once, records that are shown stay, folders add up.
TEST(Needs, OfRunsTogether) {
  const std::vector<Needs> runs{
      {.held = 100, .shared = 1000, .work = 10, .record = 7, .folder = 5, .beside = 3, .freed = 4},
      {.held = 90, .shared = 2000, .work = 40, .record = 8, .folder = 6, .beside = 2, .freed = 2},
      {.held = 1, .shared = 0, .work = 1, .record = 9, .folder = 4, .beside = 1}};
  const std::vector<bool> none(3), first_and_last{true, false, true};
  EXPECT_EQ(room_of(runs, 1, 1, none).memory, 2000 + 100 + 40);
  EXPECT_EQ(room_of(runs, 2, 2, first_and_last).memory, 2000 + 100 + 90 + 40 + 10);
  EXPECT_EQ(room_of(runs, 1, 1, first_and_last).memory, 2000 + 100 + 40 + 7) << "the other is at work";
  EXPECT_EQ(room_of(runs, 2, 1, none).memory, 2000 + 100 + 90 + 40) << "two that one thread moves together";
  EXPECT_EQ(room_of(runs, 8, 8, none).memory, 2000 + 191 + 51) << "there are three";
  EXPECT_EQ(room_of(runs, 2, 1, none).disk, 5 + 6 + 4 + 3 + 2);
  EXPECT_EQ(room_of(runs, 2, 1, none).freed, 4 + 2);
}

TEST(Needs, AreWorthARemarkFromAGibibyteOn) {
  EXPECT_EQ(remark_on({.memory = 1e9, .disk = 1e9}), "");
  EXPECT_EQ(remark_on({.memory = 2 * math::kGibibyte, .disk = math::kGibibyte / 1024}),
            "takes at least 2 GiB of memory and 1 MiB of the disk");
  EXPECT_EQ(remark_on({.memory = math::kGibibyte / 2, .disk = 3 * math::kGibibyte}),
            "takes at least 512 MiB of memory and 3 GiB of the disk");
}

/// A limit of the address space, while it lives: the one limit of memory that a test can set.
class Space {
 public:
  explicit Space(double bytes) {
    getrlimit(RLIMIT_AS, &before_);
    rlimit less = before_;
    less.rlim_cur = static_cast<rlim_t>(bytes);
    setrlimit(RLIMIT_AS, &less);
  }
  ~Space() { setrlimit(RLIMIT_AS, &before_); }
  Space(const Space&) = delete;
  Space& operator=(const Space&) = delete;

 private:
  rlimit before_{};
};

TEST(M11, MemoryIsThatOfTheMachineOrOfTheLimit) {
  const double machine = math::memory_bytes();
  EXPECT_GT(machine, 1e8);
  const Space space(machine / 2);
  EXPECT_NEAR(math::memory_bytes() / machine, 0.5, 1e-6);
  EXPECT_LE(math::affordable_bytes(), math::memory_bytes());
}

TEST(M11, ARunThatCannotFitIsRefusedBeforeAnythingIsWritten) {
  const test::TempFolder folder;
  const std::string out = (folder / "r").string();
  EXPECT_EQ(refusal([&] { require_room({.memory = 1e9, .disk = 1e3}, folder / "r"); }), "");
  const std::string memory = refusal([&] { require_room({.memory = 1e18, .disk = 1}, folder / "r"); });
  EXPECT_TRUE(memory.starts_with(out + ": needs at least 9.31e+08 GiB of memory, and there are ")) << memory;
  const std::string disk = refusal([&] { require_room({.memory = 1, .disk = 1e18}, folder / "r"); });
  EXPECT_TRUE(disk.starts_with(out + ": needs at least 9.31e+08 GiB of the disk, and ")) << disk;
  EXPECT_FALSE(fs::exists(folder / "r"));
}

TEST(M11, ASweepIsReckonedWhole) {
  const test::TempFolder folder;
  // A gigabyte of record each, of which no run is too large.
  const Source source = localization({"dynamics.steps=200000", "probe.every=10", "network.hidden=300",
                                      "probe.watch=[\"loss\"]", "record.compress=false"});
  const double each = needs(source.assignments).folder;
  ASSERT_LT(each, math::affordable_bytes());
  const auto points = static_cast<std::int64_t>(file::free_bytes(folder.path()) / each) + 2;
  if (points > 9000) GTEST_SKIP() << "a disk of more than nine terabytes";
  RunOptions options{.out = folder / "s", .threads = 2};
  const std::string said =
      refusal([&] { sweep(source, {parse_axis("seed=1.." + std::to_string(points))}, options, {}); });
  EXPECT_NE(said.find(": needs at least "), std::string::npos) << said;
  EXPECT_FALSE(fs::exists(folder / "s"));
  options.existing = record::Existing::resume;  // workers of a job begin like that
  EXPECT_EQ(refusal([&] { sweep(source, {parse_axis("seed=1.." + std::to_string(points))}, options, {}); }),
            said);
}

/// Points that share their samples move together, as many as there are up to a limit: all their records grow at once.
TEST(M11, ASweepOfPointsThatMoveTogetherHoldsThemAll) {
  const test::TempFolder folder;
  const RunOptions options{.out = folder / "s", .threads = 2};
  const auto memory = [&](const char* share) {
    const Source source = localization({"dynamics.steps=1000", "probe.every=10", "probe.watch=[\"loss\"]",
                                        std::string("sweep.share_samples=") + share});
    return preview(source, {parse_axis("seed=1..40")}, options, {}).room.memory;
  };
  const double record = needs({"dynamics.steps=1000", "probe.every=10", "probe.watch=[\"loss\"]"}).record;
  EXPECT_GT(memory("true"), 42 * record) << "forty at work, two of them at their end";
  EXPECT_GT(memory("false"), 42 * record);
  EXPECT_LT(memory("false"), 50 * record) << "two at work";
}

/// A data set is in memory once, whoever learns from it: forty points of a set of three megabytes.
TEST(M11, ASweepHoldsItsDataSetOnce) {
  const test::TempFolder folder;
  constexpr std::int64_t kRows = 1000, kInputs = 784;
  std::vector<std::int64_t> labels(kRows);
  for (std::size_t i = 0; i < kRows; ++i) labels[i] = static_cast<std::int64_t>(i % 2);
  std::vector<float> x(kRows * kInputs);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i % 17);
  file::write_npz(folder / "set.npz", {{"x", {{kRows, kInputs}, x}}, {"y", {{kRows}, labels}}},
                  file::Packing::stored);
  const double set = sizeof(float) * static_cast<double>(x.size());
  const Source source = localization(
      {"task={kind=\"dataset\",path=\"" + (folder / "set.npz").string() + "\"}", "network.hidden=2",
       "dynamics.steps=1", "dynamics.batch=10", "probe.watch=[\"loss\"]", "sweep.share_samples=true"});
  const RunOptions options{.out = folder / "s", .threads = 2};
  const double memory = preview(source, {parse_axis("seed=1..40")}, options, {}).room.memory;
  EXPECT_GT(memory, set);
  EXPECT_LT(memory, 2 * set);
}

/// What is overwritten makes room for what overwrites it.
TEST(M11, AnOldRunMakesRoomForTheNewOne) {
  const test::TempFolder folder;
  const std::vector<std::string> spec{"network.hidden=4", "dynamics.steps=2", "dynamics.batch=10",
                                      "probe.samples=10"};
  run(load(localization(spec)), "x", {.out = folder / "r", .pages = false});
  double there = 0;
  for (const auto& entry : fs::directory_iterator(folder / "r"))
    if (entry.path().filename() != record::Manifest::kName) there += static_cast<double>(entry.file_size());
  const Needs alone = needs(spec);
  const auto in = [&](const char* name, record::Existing existing) {
    return needs_in(folder / name, existing, alone);
  };
  EXPECT_EQ(in("r", record::Existing::overwrite).freed, there);
  EXPECT_EQ(in("r", record::Existing::overwrite).folder, alone.folder);
  EXPECT_EQ(in("none", record::Existing::overwrite).freed, 0);
  EXPECT_EQ(in("r", record::Existing::resume).freed, 0);
  EXPECT_EQ(in("r", record::Existing::resume).folder, 0) << "its results are there";
  EXPECT_EQ(in("none", record::Existing::resume).folder, alone.folder) << "nothing to go on with yet";
  const double free = file::free_bytes(folder.path());
  if (std::isfinite(free)) {
    EXPECT_NE(refusal([&] { require_room({.disk = 1.5 * free}, folder / "r"); }), "");
  }
  EXPECT_EQ(refusal([&] { require_room({.disk = 1.5 * free, .freed = free}, folder / "r"); }), "");
  const Source source = localization(spec);
  const RunOptions options{.out = folder / "s", .threads = 2};
  const std::vector<SweepAxis> seeds{parse_axis("seed=1,2")};
  ASSERT_TRUE(sweep(source, seeds, options, {}).complete);
  RunOptions again = options;
  again.existing = record::Existing::overwrite;
  EXPECT_GT(preview(source, seeds, again, {}).room.freed, there);
}

TEST(M11, SamplesAndWeightsThatNoMachineHoldsAreRefused) {
  const std::string said = refusal([] {
    set_up({"task.n=1000000", "network.hidden=1000000", "dynamics.steps=1"});
  });
  EXPECT_TRUE(said.starts_with("network: 10000")) << said;
  EXPECT_NE(said.find("expected at most "), std::string::npos) << said;
}

TEST(Needs, FreeBytesAreThoseOfTheFolderThatWillBeMade) {
  const test::TempFolder folder;
  EXPECT_GT(file::free_bytes(folder.path()), 0);
  EXPECT_NEAR(file::free_bytes(folder / "a/b/c") / file::free_bytes(folder.path()), 1, 0.1);
}

}  // namespace
}  // namespace sluice::lab
