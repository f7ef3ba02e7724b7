/// Folders of other people, half-written ones, and those that somebody is at work in: nothing in them is touched.
#include <sys/file.h>

#include "sluice/file/lock.hpp"
#include "test/program/hostile.hpp"

namespace sluice::test {
namespace of_hostile_folders {
namespace {

using Words = std::vector<std::string>;

/// A paper with figures of its own, under names that we have, too.
const Prepare kPaper = all_of({holds("r/figures/fig1.pdf", "precious"), holds("r/report.html", "precious"),
                               holds("r/summary.csv", "precious"), holds("r/log.txt", "a diary"),
                               holds("r/thesis.tex", "precious")});

struct Verb {
  std::string name;
  Words words;
};
/// Every verb that writes into a folder, told to write into r.
std::vector<Verb> writers() {
  return {
      {"Run", and_then(kTinyRun, {"--out", "r"})},
      {"RunResumed", and_then(kTinyRun, {"--out", "r", "--resume"})},
      {"RunOverwritten", and_then(kTinyRun, {"--out", "r", "--overwrite"})},
      {"Sweep", and_then(kTinySweep, {"--over", "seed=1,2", "--out", "r"})},
      {"SweepResumed", and_then(kTinySweep, {"--over", "seed=1,2", "--out", "r", "--resume"})},
      {"SweepOverwritten", and_then(kTinySweep, {"--over", "seed=1,2", "--out", "r", "--overwrite"})},
      {"Report", {"report", "r"}},
      {"Figure", {"figure", "r", "learning"}},
      {"Probe", {"probe", "r"}},
      {"Removed", {"runs", "rm", "r", "--yes"}},
  };
}

/// All of them on this folder, and what each says.
void add_writers(std::vector<Hostile>& cases, const std::string& row, const Prepare& prepare,
                 const std::vector<std::string>& messages) {
  const std::vector<Verb> verbs = writers();
  for (std::size_t i = 0; i < verbs.size(); ++i)
    cases.push_back({row + verbs[i].name, verbs[i].words, messages.at(i), prepare});
}

/// As another process would hold it; until the end of the program.
Prepare is_locked(const std::string& name) {
  return [=](const std::filesystem::path& folder) {
    static std::vector<std::unique_ptr<file::FolderLock>> held;
    held.push_back(std::make_unique<file::FolderLock>(folder / name));
  };
}

}  // namespace
}  // namespace of_hostile_folders

std::vector<Hostile> hostile_folders() {
  using namespace of_hostile_folders;
  std::vector<Hostile> cases;
  add_writers(cases, "C1_H6_OfAPaper", kPaper, std::vector<std::string>(10, "@") /*WRITERS_C1_H6_OfAPaper*/);
  add_writers(cases, "H1_OfNotes", holds("r/notes.sluice-tmp-backup.md", "precious"), std::vector<std::string>(10, "@") /*WRITERS_H1_OfNotes*/);
  add_writers(cases, "H6_OfADiary",
              all_of({holds("r/log.txt", "diary"), holds("r/figures/fig1.pdf", "precious")}), std::vector<std::string>(10, "@") /*WRITERS_H6_OfADiary*/);
  add_writers(cases, "AFile", holds("r", "precious"), std::vector<std::string>(10, "@") /*WRITERS_AFile*/);
  const std::vector<Hostile> more{
      {"H6_ARunWithAChangedFile", and_then(kTinyRun, {"--out", "r", "--overwrite"}), "@",
       all_of({finished_run(), holds("r/report.html", "mine now")})},
      {"H6_ARunWithAFileMore", and_then(kTinyRun, {"--out", "r", "--overwrite"}), "@",
       all_of({finished_run(), holds("r/thesis.tex", "precious")})},
      {"H6_ARunBehindALink", and_then(kTinyRun, {"--out", "r", "--overwrite"}), "@",
       all_of({finished_run(), holds("mine/learning.svg", "precious"), lacks("r/figures"),
               holds_link("r/figures", "../mine")})},
      {"H6_ARunWhoseRecordIsALink", and_then(kTinyRun, {"--out", "r", "--overwrite"}), "@",
       all_of({finished_run(), holds("mine.npz", "precious"), lacks("r/record.npz"),
               holds_link("r/record.npz", "../mine.npz")})},
      {"ARunInWhichARunIsNot", and_then(kTinyRun, {"--out", "s", "--overwrite"}), "@", finished_sweep()},
      {"C1_ASweepInWhichASweepIsNot",
       and_then(kTinySweep, {"--over", "seed=1,2", "--out", "r", "--overwrite"}), "@", finished_run()},
      {"C1_ASweepWithAChangedTable",
       and_then(kTinySweep, {"--over", "seed=1,2", "--out", "s", "--overwrite"}), "@",
       all_of({finished_sweep(), holds("s/summary.csv", "mine now")})},
      {"C1_ASweepWhosePointIsSomebodyElses",
       and_then(kTinySweep, {"--over", "seed=1,2", "--out", "s", "--overwrite"}), "@",
       all_of({finished_sweep(), lacks("s/seed=2"), holds("s/seed=2/thesis.tex", "precious")})},
      {"M5_ASweepWhosePointIsAFile", and_then(kTinySweep, {"--over", "seed=1,2,3", "--out", "s", "--resume"}),
       "@", all_of({finished_sweep(), holds("s/seed=3", "precious")})},
      {"C1_ASweepThatCannotRunOverAnother",
       and_then(kTinySweep, {"--over", "dynamics.batch=10,11", "--out", "s", "--overwrite"}), "@",
       finished_sweep()},
      {"ASweepOfAnotherSpecResumed",
       {"sweep", "localization", "--set", "task.n=16", "--over", "seed=1,2", "--out", "s", "--resume"},
       "@",
       finished_sweep()},
      {"ARunOfAnotherSpecResumed", and_then(kTinyRun, {"--set", "task.n=16", "--out", "r", "--resume"}), "@",
       finished_run()},
      {"ARunThatIsThere", and_then(kTinyRun, {"--out", "r"}), "@", finished_run()},
      {"ASweepThatIsThere", and_then(kTinySweep, {"--over", "seed=1,2", "--out", "s"}), "@",
       finished_sweep()},
      {"AManifestThatNamesWhatLiesOutside", and_then(kTinyRun, {"--out", "r", "--overwrite"}), "@",
       all_of(
           {holds("mine.txt", "precious"),
            holds("r/.sluice-manifest",
                  R"({"sluice": "0.1.0", "kind": "run", "files": {"../mine.txt": {}, "/etc/hostname": {}}})"),
            holds("r/spec.toml", "x")})},
      {"AManifestThatNamesWhatLiesBehindALink", and_then(kTinyRun, {"--out", "r", "--overwrite"}), "@",
       all_of(
           {holds("mine/deep/thesis.tex", "precious"), holds_link("r/a", "../mine"),
            holds("r/.sluice-manifest",
                  R"({"sluice": "0.1.0", "kind": "run", "files": {"a/deep/thesis.tex": {}, "a/x": {}}})")})},
      {"AManifestOfNothing", and_then(kTinyRun, {"--out", "r", "--overwrite"}), "@",
       all_of({finished_run(), holds("r/.sluice-manifest", "")})},
      {"AManifestOfAnotherKind", and_then(kTinyRun, {"--out", "r", "--overwrite"}), "@",
       all_of({finished_run(), says("r/.sluice-manifest", "\"run\"", "\"paper\"")})},
      {"AManifestThatIsALink", and_then(kTinyRun, {"--out", "r", "--overwrite"}), "@",
       all_of(
           {finished_run(), lacks("r/.sluice-manifest"), holds_link("r/.sluice-manifest", "/etc/hostname")})},
      {"M4_AReportThatIsSomebodyElses",
       {"report", "r", "--out", "mine.html"},
       "@",
       all_of({finished_run(), holds("mine.html", "precious")})},
      {"M4_AFigureThatIsSomebodyElses",
       {"figure", "r", "learning", "--out", "mine.svg"},
       "@",
       all_of({finished_run(), holds("mine.svg", "precious")})},
      {"M4_AProbeThatIsSomebodyElses",
       {"probe", "r", "--out", "mine.npz"},
       "@",
       all_of({finished_run(), holds("mine.npz", "precious")})},
      {"M4_AnExportThatIsSomebodyElses",
       {"runs", "export", ".", "--out", "mine.csv"},
       "@",
       all_of({finished_run(), holds("mine.csv", "precious")})},
      {"M4_AComparisonThatIsSomebodyElses",
       {"report", "r", "s/seed=1"},
       "@",
       all_of({finished_run(), finished_sweep(), holds("comparison.html", "precious")})},
      {"M4_AJobThatIsAnother",
       {"sweep", "localization", "--over", "seed=1,2", "--slurm", "--out", "q"},
       "@",
       all_of({holds("q.sbatch", "precious"), holds("bin/sbatch", "#!/bin/sh\nexit 1\n"),
               has_mode("bin/sbatch", 0755)}),
       2,
       {},
       [] {
         ::setenv("PATH", (std::string(std::getenv("HERE")) + "/bin:" + std::getenv("PATH")).c_str(), 1);
       }},
      {"AFigureOfARunThatSomebodyDrew",
       {"figure", "r", "unit_map"},
       "@",
       all_of({finished_run(), holds("r/figures/unit_map.svg", "precious")})},
      {"AProbeOfARunThatSomebodyMade",
       {"probe", "r"},
       "@",
       all_of({finished_run(), holds("r/probes.npz", "precious")})},
      {"AReportOfARunThatSomebodyWrote",
       {"report", "r"},
       "@",
       all_of({finished_run(), holds("r/report.html", "mine now")})},
      {"RemovingARunWithAFileMore",
       {"runs", "rm", "r", "--yes"},
       "@",
       all_of({finished_run(), holds("r/thesis.tex", "precious")})},
      {"RemovingARunWithAChangedFile",
       {"runs", "rm", "r", "--yes"},
       "@",
       all_of({finished_run(), holds("r/report.html", "mine now")})},
      {"RemovingAPaper", {"runs", "rm", "r", "--yes"}, "@", kPaper},
      {"RemovingAFolderOfNothing", {"runs", "rm", "r", "--yes"}, "@", holds_folder("r")},
      {"RemovingTheFolderOneIsIn", {"runs", "rm", ".", "--yes"}, "@", holds("thesis.tex", "precious")},
      {"RemovingTheRoot", {"runs", "rm", "/", "--yes"}, "@"},
      {"ReportOfAnEmptyFolder", {"report", "r"}, "@", holds_folder("r")},
      {"FigureOfAnEmptyFolder", {"figure", "r"}, "@", holds_folder("r")},
      {"ProbeOfAnEmptyFolder", {"probe", "r"}, "@", holds_folder("r")},
      {"FreezeOfAnEmptyFolder", {"freeze", "r"}, "@", holds_folder("r")},
      {"ReduceOfAnEmptyFolder", {"reduce", "r"}, "@", holds_folder("r")},
      {"ContinueAnEmptyFolder", {"run", "--continue", "r"}, "@", holds_folder("r")},
      {"ShowAnEmptyFolder", {"runs", "show", "r"}, "@", holds_folder("r")},
      {"WatchAnEmptyFile", {"watch", "r"}, "@", holds("r", "")},
      {"PredictAgainstAnEmptyFolder", {"predict", "single-unit", "--against", "r"}, "@", holds_folder("r")},
      {"KernelFromAnEmptyFolder", {"kernel", "depth-frg", "--from", "r"}, "@", holds_folder("r")},
  };
  cases.insert(cases.end(), more.begin(), more.end());
  std::vector<Hostile> held;
  add_writers(held, "H2_WhileSomebodyIsAtWorkIn", all_of({finished_run(), is_locked("r")}), std::vector<std::string>(10, "@") /*WRITERS_H2_WhileSomebodyIsAtWorkIn*/);
  for (Hostile& each : held) each.written = {"r/.sluice-lock", "r/.sluice-lock/"};
  cases.insert(cases.end(), held.begin(), held.end());
  return cases;
}

}  // namespace sluice::test
