#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "sluice/file/atomic_file.hpp"
#include "sluice/file/errors.hpp"
#include "sluice/record/checkpoint.hpp"
#include "sluice/record/metrics.hpp"
#include "sluice/record/run_folder.hpp"
#include "test/support/temp_folder.hpp"

namespace sluice::record {
namespace {

using test::TempFolder;

std::string error_of(const std::filesystem::path& path, Existing existing) {
  try {
    RunFolder::open(path, existing);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(RunFolder, RefusesAFolderThatIsInUse) {
  const TempFolder folder;
  const auto out = folder / "run";
  RunFolder::open(out, Existing::refuse);
  EXPECT_EQ(error_of(out, Existing::refuse), "no error") << "an empty folder is fine";
  file::write_atomically(out / "spec.toml", "x");
  EXPECT_NE(error_of(out, Existing::refuse).find("exists and is not empty; add --resume"), std::string::npos);
  EXPECT_EQ(file::read_text(out / "spec.toml"), "x");
  EXPECT_EQ(error_of(out, Existing::resume), "no error");
  EXPECT_EQ(file::read_text(out / "spec.toml"), "x");
}

TEST(RunFolder, OverwriteRemovesOurFilesAndNobodyElses) {
  const TempFolder folder;
  const auto out = folder / "run";
  RunFolder::open(out, Existing::refuse);
  file::write_atomically(out / "record.npz", "old");
  std::filesystem::create_directories(out / "figures");
  EXPECT_EQ(error_of(out, Existing::overwrite), "no error");
  EXPECT_TRUE(std::filesystem::is_empty(out));

  file::write_atomically(out / "record.npz", "old");
  file::write_atomically(out / "thesis.tex", "precious");
  EXPECT_NE(error_of(out, Existing::overwrite).find("it holds 'thesis.tex', which no run wrote"),
            std::string::npos);
  EXPECT_EQ(file::read_text(out / "record.npz"), "old") << "nothing was removed";
}

TEST(RunFolder, SaysWhyAPathCannotBeAFolder) {
  const TempFolder folder;
  file::write_atomically(folder / "file", "x");
  EXPECT_NE(error_of(folder / "file", Existing::refuse).find("cannot be used as a folder: it is a file"),
            std::string::npos);
  EXPECT_NE(error_of("/proc/sluice", Existing::refuse).find("cannot be used as a folder"), std::string::npos);
}

TEST(RunFolder, ReadsItsConclusionAndSurvivesADamagedOne) {
  const TempFolder folder;
  const RunFolder run = RunFolder::open(folder / "run", Existing::refuse);
  EXPECT_EQ(run.conclusion().status, "");
  file::write_atomically(run.manifest(), "{\"status\": \"finished\", \"spec\": \"00ff\"}");
  EXPECT_EQ(run.conclusion().status, "finished");
  EXPECT_EQ(run.conclusion().spec, "00ff");
  for (const char* damaged : {"", "{\"status\": ", "[1]", "{\"status\": 3}"}) {
    file::write_atomically(run.manifest(), damaged);
    EXPECT_EQ(run.conclusion().status, "") << damaged;
  }
}

TEST(RunFolder, ResumesOnlyTheFolderOfARun) {
  const TempFolder folder;
  std::filesystem::create_directories(folder / "mine");
  file::write_atomically(folder / "mine/report.html", "precious");
  EXPECT_NE(error_of(folder / "mine", Existing::resume).find("not the folder of a run: it has no spec.toml"),
            std::string::npos);
  EXPECT_EQ(error_of(folder / "new", Existing::resume), "no error")
      << "nothing there yet: a requeued job's first start";
}

TEST(Checkpoint, ReadsBackAndRefusesDamage) {
  const TempFolder folder;
  Checkpoint saved;
  saved.state = {.step = 77, .parameters = {1.5F, -2.0F}};
  saved.watched.emplace_back("step", file::Array{{1}, std::vector<std::int64_t>{50}});
  const auto path = folder / "checkpoint.npz";
  save(saved, path);
  const Checkpoint read = load_checkpoint(path);
  EXPECT_EQ(read.state, saved.state);
  EXPECT_EQ(read.watched, saved.watched);

  std::filesystem::resize_file(path, std::filesystem::file_size(path) / 2);
  EXPECT_THROW(load_checkpoint(path), InputError);
}

TEST(Metrics, OneRowPerTimeQuartilesForUnits) {
  const file::NamedArrays arrays{
      {"step", {{2}, std::vector<std::int64_t>{0, 50}}},
      {"weights", {{2, 1, 2}, std::vector<float>{1, 2, 3, 4}}},
      {"loss", {{2}, std::vector<double>{0.25, 0.125}}},
      {"ipr", {{2, 3}, std::vector<float>{1, 2, 3, 5, 5, 5}}},
  };
  EXPECT_EQ(metrics_csv(arrays), "step,loss,ipr_median,ipr_q25,ipr_q75\n0,0.25,2,1.5,2.5\n50,0.125,5,5,5\n");
}

}  // namespace
}  // namespace sluice::record
