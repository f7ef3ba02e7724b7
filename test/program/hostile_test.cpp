/// Bad inputs and faults by class: exit code, the one line, and what is on disk afterwards, of every case.
#include "test/program/hostile.hpp"

#include <set>

namespace sluice::test {
namespace of_hostile {
namespace {

namespace fs = std::filesystem;

constexpr std::pair<const char*, std::vector<Hostile> (*)()> kClasses[]{
    {"words", hostile_words},     {"overrides", hostile_overrides},
    {"studies", hostile_studies}, {"texts", hostile_texts},
    {"specs", hostile_specs},     {"paths", hostile_paths},
    {"arrays", hostile_arrays},   {"folders", hostile_folders},
    {"runs", hostile_runs},       {"checkpoints", hostile_checkpoints},
    {"data", hostile_data},       {"resources", hostile_resources}};

TEST(Hostile, Words) { expect_answers(hostile_words()); }
TEST(Hostile, Overrides) { expect_answers(hostile_overrides()); }
TEST(Hostile, Studies) { expect_answers(hostile_studies()); }
TEST(Hostile, Texts) { expect_answers(hostile_texts()); }
TEST(Hostile, Specs) { expect_answers(hostile_specs()); }
TEST(Hostile, Paths) { expect_answers(hostile_paths()); }
TEST(Hostile, Arrays) { expect_answers(hostile_arrays()); }
TEST(Hostile, Folders) { expect_answers(hostile_folders()); }
TEST(Hostile, Runs) { expect_answers(hostile_runs()); }
TEST(Hostile, Checkpoints) { expect_answers(hostile_checkpoints()); }
TEST(Hostile, Data) { expect_answers(hostile_data()); }
TEST(Hostile, Resources) { expect_answers(hostile_resources()); }

TEST(Hostile, ThereAreEnoughAndNoTwoHaveOneName) {
  std::size_t all = 0;
  for (const auto& [name, cases] : kClasses) {
    std::set<std::string> names;
    for (const Hostile& each : cases())
      EXPECT_TRUE(names.insert(each.name).second) << name << ": " << each.name;
    EXPECT_GE(names.size(), 25U) << name;
    RecordProperty(name, static_cast<int>(names.size()));
    all += names.size();
  }
  EXPECT_GE(all, 600U);
}

/// The rows of the attack on version 0.1.0 have tests of their own (Safety), cases here, or a test where their cause was.
TEST(Hostile, EveryRowOfTheReviewIsAmongThem) {
  std::string names;
  for (const auto& [name, cases] : kClasses)
    for (const Hostile& each : cases()) names += " " + each.name;
  const testing::UnitTest& tests = *testing::UnitTest::GetInstance();
  for (int i = 0; i < tests.total_test_suite_count(); ++i)
    for (int j = 0; j < tests.GetTestSuite(i)->total_test_count(); ++j)
      names += std::string(" ") + tests.GetTestSuite(i)->GetTestInfo(j)->name();
  // H3 is two writers of one file: test/file/atomic_file_test.cpp.
  const std::set<std::string> elsewhere{"H3"};
  for (const auto& [letter, count] : {std::pair{"C", 1}, {"H", 6}, {"M", 15}, {"L", 11}})
    for (int i = 1; i <= count; ++i) {
      const std::string row = letter + std::to_string(i);
      if (!elsewhere.contains(row)) {
        EXPECT_TRUE(names.find(" " + row + "_") != std::string::npos ||
                    names.find("_" + row + "_") != std::string::npos)
            << row;
      }
    }
}

/// One flipped bit in a checkpoint is noticed, or changes nothing: never another result.
TEST(Safety, M1_AFlippedBitInACheckpointIsNoOtherResult) {
  const std::vector<std::string> words =
      with(kTinyRun, {"--set", "dynamics.steps=3000", "--set", "dynamics.kind=adam"});
  const Made stopped(with(words, {"--checkpoint-every", "0"}), "r", "r/checkpoint.npz");
  const std::vector<std::string> resume = with(words, {"--out", "r", "--resume"});
  const TempFolder whole;
  stopped.copy()(whole.path());
  ASSERT_TRUE(fs::exists(whole / "r/checkpoint.npz")) << "it ended before it was stopped";
  const std::string bytes = file::read_text(whole / "r/checkpoint.npz");
  ASSERT_EQ(sluice(resume, whole.path()).code, 0);
  const std::string record = file::read_text(whole / "r/record.npz");
  int tried = 0, refused = 0;
  const std::size_t stride = bytes.size() / 24 + 1;
  for (std::size_t at = 0; at < bytes.size(); at += stride) {
    const TempFolder folder;
    stopped.copy()(folder.path());
    has_flipped("r/checkpoint.npz", at)(folder.path());
    const Said said = sluice(resume, folder.path());
    EXPECT_EQ(complaint_about(said.err, folder.path()), "") << said.err;
    ++tried;
    if (said.code == 2) ++refused;
    EXPECT_TRUE(said.code == 2 || file::read_text(folder / "r/record.npz") == record) << "byte " << at;
  }
  EXPECT_GT(2 * refused, tried);
}

}  // namespace
}  // namespace of_hostile
}  // namespace sluice::test
