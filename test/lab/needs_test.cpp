#include "sluice/lab/needs.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <filesystem>
#include <string>

#include "sluice/file/errors.hpp"
#include "sluice/file/system.hpp"
#include "sluice/lab/run.hpp"
#include "sluice/lab/sweep.hpp"
#include "sluice/math/memory.hpp"
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
  EXPECT_EQ(refusal([&] { require_room(1e9, 1e3, folder / "r"); }), "");
  const std::string memory = refusal([&] { require_room(1e18, 1, folder / "r"); });
  EXPECT_TRUE(memory.starts_with(out + ": needs at least 9.31e+08 GiB of memory, and there are ")) << memory;
  const std::string disk = refusal([&] { require_room(1, 1e18, folder / "r"); });
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
