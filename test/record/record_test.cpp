#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "sluice/file/atomic_file.hpp"
#include "sluice/file/errors.hpp"
#include "sluice/file/npz.hpp"
#include "sluice/record/checkpoint.hpp"
#include "sluice/record/digest.hpp"
#include "sluice/record/end_state.hpp"
#include "sluice/record/metrics.hpp"
#include "sluice/record/recording.hpp"
#include "sluice/record/run_folder.hpp"
#include "test/support/temp_folder.hpp"

namespace sluice::record {
namespace {

using test::TempFolder;

/// Everything that is called so reads as a spec here: what a spec is, other rooms know.
bool is_spec(const std::filesystem::path& file) { return file::read_text(file).starts_with("spec"); }

std::string error_of(const std::filesystem::path& path, Existing existing) {
  try {
    RunFolder::open(path, existing, is_spec);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

/// A run as far as its folder is concerned.
void run(const std::filesystem::path& path, Existing existing) {
  RunFolder folder = RunFolder::open(path, existing, is_spec);
  folder.begin();
  file::write_atomically(folder.spec(), "spec");
  file::write_atomically(folder.record(), "record");
  folder.claim({"figures/learning.svg"});
  std::filesystem::create_directories(folder.figures());
  file::write_atomically(folder.figures() / "learning.svg", "<svg/>");
  file::write_atomically(folder.conclusion_file(), R"({"status": "finished", "sluice": "0.1.0"})");
  folder.seal();
}

std::vector<std::string> names_in(const std::filesystem::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
    names.push_back(std::filesystem::relative(entry.path(), folder).string());
  std::ranges::sort(names);
  return names;
}

TEST(RunFolder, RefusesAFolderThatIsInUse) {
  const TempFolder folder;
  const auto out = folder / "run";
  RunFolder::open(out, Existing::refuse, is_spec);
  EXPECT_EQ(error_of(out, Existing::refuse), "no error") << "an empty folder is fine";
  file::write_atomically(out / "spec.toml", "x");
  EXPECT_NE(error_of(out, Existing::refuse).find("exists and is not empty; resume or overwrite it"),
            std::string::npos);
  EXPECT_EQ(file::read_text(out / "spec.toml"), "x");
  EXPECT_EQ(error_of(out, Existing::resume), "no error");
  EXPECT_EQ(file::read_text(out / "spec.toml"), "x");
}

/// One whose `sluice probe` was killed before it said what it had written may be somebody's: it is not vouched for beside another record.
TEST(RunFolder, ProbesThatWereNeverSealedAreNobodysBesideAnotherRecord) {
  const TempFolder folder;
  const auto out = folder / "run";
  run(out, Existing::refuse);
  EXPECT_THROW(write_into(out, {"probes.npz"}, is_spec,
                          [&] {
                            file::write_atomically(out / "probes.npz", "measured");
                            throw InputError("killed");
                          }),
               InputError);
  EXPECT_TRUE(Manifest(out, is_spec).lists("probes.npz"));
  RunFolder again = RunFolder::open(out, Existing::resume, is_spec);
  again.begin();
  again.forget_probes();
  again.seal();
  EXPECT_EQ(file::read_text(out / "probes.npz"), "measured");
  EXPECT_FALSE(Manifest(out, is_spec).lists("probes.npz"));
}

TEST(RunFolder, OverwriteRemovesOurFilesAndNobodyElses) {
  const TempFolder folder;
  const auto out = folder / "run";
  run(out, Existing::refuse);
  file::write_atomically(out / "figures/mine.pdf", "precious");
  RunFolder::open(out, Existing::overwrite, is_spec).begin();
  EXPECT_EQ(names_in(out), (std::vector<std::string>{".sluice-manifest", "figures", "figures/mine.pdf"}));

  run(out, Existing::overwrite);
  file::write_atomically(out / "thesis.tex", "precious");
  EXPECT_NE(error_of(out, Existing::overwrite).find("it holds 'thesis.tex', which no run wrote"),
            std::string::npos);
  EXPECT_EQ(file::read_text(out / "record.npz"), "record") << "nothing was removed";
}

TEST(Safety, H6_AFileThatWasChangedIsNoLongerOurs) {
  const TempFolder folder;
  const auto out = folder / "run";
  run(out, Existing::refuse);
  file::write_atomically(out / "figures/learning.svg", "<svg>edited by hand</svg>");
  EXPECT_NE(
      error_of(out, Existing::overwrite).find("'figures/learning.svg' was changed since the run wrote it"),
      std::string::npos)
      << error_of(out, Existing::overwrite);
  EXPECT_EQ(file::read_text(out / "figures/learning.svg"), "<svg>edited by hand</svg>");
  EXPECT_EQ(file::read_text(out / "record.npz"), "record");
}

TEST(Safety, H6_OurNamesAloneMakeNoRun) {
  const TempFolder folder;
  const auto out = folder / "home";
  std::filesystem::create_directories(out / "figures");
  file::write_atomically(out / "log.txt", "diary");
  EXPECT_NE(error_of(out, Existing::overwrite).find("which no run wrote"), std::string::npos);
  file::write_atomically(out / "run.json", R"({"status": "finished", "sluice": "0.1.0"})");
  file::write_atomically(out / "spec.toml", "something else");
  EXPECT_NE(error_of(out, Existing::overwrite).find("which no run wrote"), std::string::npos);
  EXPECT_EQ(file::read_text(out / "log.txt"), "diary");
}

TEST(Safety, H6_AFolderOfVersion010IsKnownByWhatItHolds) {
  const TempFolder folder;
  const auto out = folder / "run";
  run(out, Existing::refuse);
  std::filesystem::remove(out / ".sluice-manifest");
  file::write_atomically(out / "figures/mine.pdf", "precious");
  EXPECT_EQ(error_of(out, Existing::resume), "no error");
  RunFolder::open(out, Existing::overwrite, is_spec).begin();
  EXPECT_EQ(names_in(out), (std::vector<std::string>{".sluice-manifest", "figures", "figures/mine.pdf"}));
}

TEST(Safety, H6_AManifestReachesNowhereElse) {
  const TempFolder folder;
  const auto out = folder / "run";
  run(out, Existing::refuse);
  file::write_atomically(folder / "victim", "precious");
  file::write_atomically(
      out / ".sluice-manifest",
      R"({"kind": "run", "files": {"../victim": {}, "spec.toml": {}, "record.npz": {}, "run.json": {}}})");
  RunFolder::open(out, Existing::overwrite, is_spec).begin();
  EXPECT_EQ(file::read_text(folder / "victim"), "precious");
}

TEST(Safety, H1_ARefusedStartTouchesNothing) {
  const TempFolder folder;
  file::write_atomically(folder / "notes.sluice-tmp-backup.md", "precious");
  const auto before = std::filesystem::last_write_time(folder.path());
  for (const Existing existing : {Existing::refuse, Existing::resume, Existing::overwrite})
    EXPECT_NE(error_of(folder.path(), existing), "no error");
  EXPECT_EQ(file::read_text(folder / "notes.sluice-tmp-backup.md"), "precious");
  EXPECT_EQ(std::filesystem::last_write_time(folder.path()), before) << "nothing came or went";
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
  const RunFolder run = RunFolder::open(folder / "run", Existing::refuse, is_spec);
  EXPECT_EQ(run.conclusion().status, "");
  file::write_atomically(run.conclusion_file(), "{\"status\": \"finished\", \"spec\": \"00ff\"}");
  EXPECT_EQ(run.conclusion().status, "finished");
  EXPECT_EQ(run.conclusion().spec, "00ff");
  for (const char* damaged : {"", "{\"status\": ", "[1]", "{\"status\": 3}"}) {
    file::write_atomically(run.conclusion_file(), damaged);
    EXPECT_EQ(run.conclusion().status, "") << damaged;
  }
}

TEST(RunFolder, ResumesOnlyTheFolderOfARun) {
  const TempFolder folder;
  std::filesystem::create_directories(folder / "mine");
  file::write_atomically(folder / "mine/report.html", "precious");
  EXPECT_NE(error_of(folder / "mine", Existing::resume).find("not the folder of a run, it has no spec.toml"),
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
  save(saved.spec, saved.state, file::views_of(saved.watched), path);
  const Checkpoint read = load_checkpoint(path);
  EXPECT_EQ(read.state, saved.state);
  EXPECT_EQ(read.watched, saved.watched);

  std::filesystem::resize_file(path, std::filesystem::file_size(path) / 2);
  EXPECT_THROW(load_checkpoint(path), InputError);
}

Checkpoint with_memory() {
  Checkpoint saved{.spec = 7, .state = {.step = 77, .parameters = {1.5F, -2.0F}}, .watched = {}};
  saved.state.memory = {0.5F, 0.25F, 3.0F, 4.0F};
  saved.watched.emplace_back("step", file::Array{{2}, std::vector<std::int64_t>{0, 50}});
  saved.watched.emplace_back("loss", file::Array{{2}, std::vector<double>{0.5, 0.25}});
  return saved;
}

TEST(Safety, M1_EveryFlippedBitOfACheckpointIsSeenOrHarmless) {
  const TempFolder folder;
  const Checkpoint saved = with_memory();
  const auto path = folder / "checkpoint.npz";
  save(saved.spec, saved.state, file::views_of(saved.watched), path);
  const std::string whole = file::read_text(path);
  int seen = 0;
  for (std::size_t at = 0; at < whole.size(); ++at) {
    const auto put = [&](int byte) {
      std::fstream stream(path, std::ios::binary | std::ios::in | std::ios::out);
      stream.seekp(static_cast<std::streamoff>(at));
      stream.put(static_cast<char>(byte));
    };
    put(whole[at] ^ 1);
    try {
      const Checkpoint read = load_checkpoint(path);
      EXPECT_EQ(read.state, saved.state) << "byte " << at;
      EXPECT_EQ(read.watched, saved.watched) << "byte " << at;
    } catch (const InputError&) {
      ++seen;
    }
    put(whole[at]);
  }
  EXPECT_GT(seen, 0);
}

TEST(Safety, M1_ACheckpointOfVersion010IsRead) {
  const TempFolder folder;
  const Checkpoint saved = with_memory();
  const auto path = folder / "checkpoint.npz";
  save(saved.spec, saved.state, file::views_of(saved.watched), path);
  file::NamedArrays arrays = file::read_npz(path);
  ASSERT_EQ(arrays.back().first, "checkpoint.digest");
  arrays.pop_back();
  file::write_npz(path, arrays, file::Packing::stored);
  EXPECT_THROW(load_checkpoint(path), InputError) << "the digest of one that had it is missing";
  arrays.front().second.data = std::vector<std::int64_t>{1};
  file::write_npz(path, arrays, file::Packing::stored);
  EXPECT_EQ(load_checkpoint(path).state, saved.state);
}

TEST(Metrics, OneRowPerTimeQuartilesForUnitsEachLayerByItself) {
  const file::NamedArrays arrays{
      {"step", {{2}, std::vector<std::int64_t>{0, 50}}},
      {"weights", {{2, 1, 2}, std::vector<float>{1, 2, 3, 4}}},
      {"loss", {{2}, std::vector<double>{0.25, 0.125}}},
      {"ipr", {{2, 3}, std::vector<float>{1, 2, 3, 5, 5, 5}}},
      {"weight_norms", {{2, 2}, std::vector<double>{1, 2, 3, 4}}},
      {"tangent_spectrum", {{2, 3}, std::vector<double>{1, 2, 3, 4, 5, 6}}},
      {"layer1", {{2, 2}, std::vector<float>{1, 2, 3, 4}}},
  };
  EXPECT_EQ(metrics_csv(arrays, {{"step", {"step"}},
                                 {"weights", {"step", "unit", "site"}},
                                 {"loss", {"step"}},
                                 {"ipr", {"step", "unit"}},
                                 {"weight_norms", {"step", "layer"}},
                                 {"tangent_spectrum", {"step", "sample"}},
                                 {"layer1", {"unit", "input"}}}),
            "step,loss,ipr_median,ipr_q25,ipr_q75,weight_norms_1,weight_norms_2\n"
            "0,0.25,2,1.5,2.5,1,2\n50,0.125,5,5,5,3,4\n");
}

TEST(EndState, EveryNumberIsThereOrNamed) {
  const TempFolder folder;
  EndState end{
      .parts = {{"weights", {{2}, std::vector<float>{1, 2}}}}, .state = {.step = 7}, .belongs_to = 3};
  file::NamedArrays arrays = to_arrays(end);
  arrays.pop_back();  // the digest, which anybody can make
  std::erase_if(arrays, [](const auto& named) { return named.first == "state.memory_from"; });
  add_digest(arrays, "state.digest");
  file::write_npz(folder / "state.npz", arrays, file::Packing::stored);
  std::string said;
  try {
    read_end_state(folder / "state.npz");
  } catch (const InputError& error) {
    said = error.what();
  }
  EXPECT_EQ(said, (folder / "state.npz").string() + ": state.memory_from: expected one integer, found none");
}

TEST(Recording, InputsOfRunJsonLieSomewhere) {
  const TempFolder folder;
  file::write_atomically(folder / "spec.toml", "");
  file::write_npz(folder / "record.npz", file::NamedArrays{}, file::Packing::stored);
  const auto said = [&](const std::string& inputs) -> std::string {
    file::write_atomically(folder / "run.json", "{\"inputs\": " + inputs + ", \"steps\": 1e300}");
    try {
      return to_json(read_recording(folder.path())).find("inputs")->dump();
    } catch (const InputError& error) {
      return error.what();
    }
  };
  const std::string file = (folder / "run.json").string();
  EXPECT_EQ(
      said(R"({"kind": "image", "rows": 3037000500, "columns": 3037000500})"),
      file + ": inputs: 3037000500 rows, 3037000500 columns and 1 channels cannot be those of an image");
  EXPECT_EQ(said(R"({"kind": "torus", "rows": 8, "columns": 2})"),
            file + ": inputs: 8 rows, 2 columns and 1 channels cannot be those of a torus");
  EXPECT_EQ(said(R"({"kind": "ring", "rows": 1, "columns": -4})"),
            file + ": inputs: 1 rows, -4 columns and 1 channels cannot be those of a ring");
  EXPECT_NE(said(R"({"kind": "image", "rows": 4, "columns": 2, "channels": 3})").find("image"),
            std::string::npos);
}

}  // namespace
}  // namespace sluice::record
