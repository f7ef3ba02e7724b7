/// Folders of other people, half-written ones, and those that somebody is at work in: nothing in them is touched.
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
      {"Run", with(kTinyRun, {"--out", "r"})},
      {"RunResumed", with(kTinyRun, {"--out", "r", "--resume"})},
      {"RunOverwritten", with(kTinyRun, {"--out", "r", "--overwrite"})},
      {"Sweep", with(kTinySweep, {"--over", "seed=1,2", "--out", "r"})},
      {"SweepResumed", with(kTinySweep, {"--over", "seed=1,2", "--out", "r", "--resume"})},
      {"SweepOverwritten", with(kTinySweep, {"--over", "seed=1,2", "--out", "r", "--overwrite"})},
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
  add_writers(
      cases, "C1_H6_OfAPaper", kPaper,
      {"sluice: r: exists and is not empty; resume or overwrite it, or choose another folder",
       "sluice: r: cannot be resumed: not the folder of a run, it has no spec.toml",
       "sluice: r: not overwritten: it holds 'figures', which no run wrote",
       "sluice: r: exists and is not empty; resume it to skip finished runs, overwrite it to run them again, "
       "or choose another folder",
       "sluice: r: exists, is not empty, and no sweep wrote it; choose another folder",
       "sluice: r: exists, is not empty, and no sweep wrote it; choose another folder",
       "sluice: r: expected the folder of a run or of a sweep, with record.npz and run.json, or a checkpoint",
       "sluice: r: expected the folder of a run or of a sweep, with record.npz and run.json, or a checkpoint",
       "sluice: r: a sweep; expected one of the runs in it",
       "sluice: r: not removed: not the folder of a run or sweep of sluice"});
  add_writers(
      cases, "H1_OfNotes", holds("r/notes.sluice-tmp-backup.md", "precious"),
      {"sluice: r: exists and is not empty; resume or overwrite it, or choose another folder",
       "sluice: r: cannot be resumed: not the folder of a run, it has no spec.toml",
       "sluice: r: not overwritten: it holds 'notes.sluice-tmp-backup.md', which no run wrote",
       "sluice: r: exists and is not empty; resume it to skip finished runs, overwrite it to run them again, "
       "or choose another folder",
       "sluice: r: exists, is not empty, and no sweep wrote it; choose another folder",
       "sluice: r: exists, is not empty, and no sweep wrote it; choose another folder",
       "sluice: r: expected the folder of a run or of a sweep, with record.npz and run.json, or a checkpoint",
       "sluice: r: no record.npz; expected the folder of a run, or an npz file",
       "sluice: r: no record.npz; expected the folder of a run, or an npz file",
       "sluice: r: not removed: not the folder of a run or sweep of sluice"});
  add_writers(
      cases, "H6_OfADiary", all_of({holds("r/log.txt", "diary"), holds("r/figures/fig1.pdf", "precious")}),
      {"sluice: r: exists and is not empty; resume or overwrite it, or choose another folder",
       "sluice: r: cannot be resumed: not the folder of a run, it has no spec.toml",
       "sluice: r: not overwritten: it holds 'figures', which no run wrote",
       "sluice: r: exists and is not empty; resume it to skip finished runs, overwrite it to run them again, "
       "or choose another folder",
       "sluice: r: exists, is not empty, and no sweep wrote it; choose another folder",
       "sluice: r: exists, is not empty, and no sweep wrote it; choose another folder",
       "sluice: r: expected the folder of a run or of a sweep, with record.npz and run.json, or a checkpoint",
       "sluice: r: no record.npz; expected the folder of a run, or an npz file",
       "sluice: r: no record.npz; expected the folder of a run, or an npz file",
       "sluice: r: not removed: not the folder of a run or sweep of sluice"});
  add_writers(
      cases, "AFile", holds("r", "precious"),
      {"sluice: r: cannot be used as a folder: it is a file",
       "sluice: r: cannot be used as a folder: it is a file",
       "sluice: r: cannot be used as a folder: it is a file",
       "sluice: r: cannot be used as a folder: it is a file",
       "sluice: r: cannot be used as a folder: it is a file",
       "sluice: r: cannot be used as a folder: it is a file",
       "sluice: r: expected the folder of a run or of a sweep, with record.npz and run.json, or a checkpoint",
       "sluice: r: not a complete npz archive (truncated?)",
       "sluice: r: not a complete npz archive (truncated?)",
       "sluice: r: expected the folder of a run or sweep"});
  const std::vector<Hostile> more{
      {"H6_ARunWithAChangedFile", with(kTinyRun, {"--out", "r", "--overwrite"}),
       "sluice: r: not overwritten: 'report.html' was changed since the run wrote it; move it away",
       all_of({finished_run(), holds("r/report.html", "mine now")})},
      {"H6_ARunWithAFileMore", with(kTinyRun, {"--out", "r", "--overwrite"}),
       "sluice: r: not overwritten: it holds 'thesis.tex', which no run wrote",
       all_of({finished_run(), holds("r/thesis.tex", "precious")})},
      {"H6_ARunBehindALink", with(kTinyRun, {"--out", "r", "--overwrite"}),
       "sluice: r: not overwritten: 'figures/learning.svg' was changed since the run wrote it; move it away",
       all_of({finished_run(), holds("mine/learning.svg", "precious"), lacks("r/figures"),
               holds_link("r/figures", "../mine")})},
      {"H6_ARunWhoseRecordIsALink", with(kTinyRun, {"--out", "r", "--overwrite"}),
       "sluice: r: not overwritten: 'record.npz' was changed since the run wrote it; move it away",
       all_of({finished_run(), holds("mine.npz", "precious"), lacks("r/record.npz"),
               holds_link("r/record.npz", "../mine.npz")})},
      {"ARunInWhichARunIsNot", with(kTinyRun, {"--out", "s", "--overwrite"}),
       "sluice: s: not overwritten: it holds 'figures', which no run wrote", finished_sweep()},
      {"C1_ASweepInWhichASweepIsNot", with(kTinySweep, {"--over", "seed=1,2", "--out", "r", "--overwrite"}),
       "sluice: r: exists, is not empty, and no sweep wrote it; choose another folder", finished_run()},
      {"C1_ASweepWithAChangedTable", with(kTinySweep, {"--over", "seed=1,2", "--out", "s", "--overwrite"}),
       "sluice: s: 'summary.csv' was changed since the sweep wrote it; move it away",
       all_of({finished_sweep(), holds("s/summary.csv", "mine now")})},
      {"C1_ASweepWhosePointIsSomebodyElses",
       with(kTinySweep, {"--over", "seed=1,2", "--out", "s", "--overwrite"}),
       "sluice: s/seed=2: not overwritten: it holds 'thesis.tex', which no run wrote (seed=2)",
       all_of({finished_sweep(), lacks("s/seed=2"), holds("s/seed=2/thesis.tex", "precious")})},
      {"M5_ASweepWhosePointIsAFile", with(kTinySweep, {"--over", "seed=1,2,3", "--out", "s", "--resume"}),
       "sluice: s/seed=3: cannot be used as a folder: it is a file (seed=3)",
       all_of({finished_sweep(), holds("s/seed=3", "precious")})},
      {"C1_ASweepThatCannotRunOverAnother",
       with(kTinySweep, {"--over", "dynamics.batch=10,11", "--out", "s", "--overwrite"}),
       "sluice: dynamics.batch = 11: expected an even number, half of it from each class (batch=11)",
       finished_sweep()},
      {"ASweepOfAnotherSpecResumed",
       {"sweep", "localization", "--set", "task.n=16", "--over", "seed=1,2", "--out", "s", "--resume"},
       "sluice: s/seed=1: it was begun with 'task.n = 8', not 'task.n = 16' (seed=1)",
       finished_sweep()},
      {"ARunOfAnotherSpecResumed", with(kTinyRun, {"--set", "task.n=16", "--out", "r", "--resume"}),
       "sluice: r: it was begun with 'task.n = 8', not 'task.n = 16'", finished_run()},
      {"ARunThatIsThere", with(kTinyRun, {"--out", "r"}),
       "sluice: r: exists and is not empty; resume or overwrite it, or choose another folder",
       finished_run()},
      {"ASweepThatIsThere", with(kTinySweep, {"--over", "seed=1,2", "--out", "s"}),
       "sluice: s: exists and is not empty; resume it to skip finished runs, overwrite it to run them again, "
       "or choose another folder",
       finished_sweep()},
      {"AManifestThatNamesWhatLiesOutside", with(kTinyRun, {"--out", "r", "--overwrite"}),
       "sluice: r: not overwritten: it holds 'spec.toml', which no run wrote",
       all_of(
           {holds("mine.txt", "precious"),
            holds("r/.sluice-manifest",
                  R"({"sluice": "0.1.0", "kind": "run", "files": {"../mine.txt": {}, "/etc/hostname": {}}})"),
            holds("r/spec.toml", "x")})},
      {"AManifestThatNamesWhatLiesBehindALink", with(kTinyRun, {"--out", "r", "--overwrite"}),
       "sluice: r: not overwritten: it holds 'a', which no run wrote",
       all_of(
           {holds("mine/deep/thesis.tex", "precious"), holds_link("r/a", "../mine"),
            holds("r/.sluice-manifest",
                  R"({"sluice": "0.1.0", "kind": "run", "files": {"a/deep/thesis.tex": {}, "a/x": {}}})")})},
      {"AManifestOfNothing", with(kTinyRun, {"--out", "r", "--overwrite"}),
       "sluice: r: not overwritten: it holds 'state.npz', which no run wrote",
       all_of({finished_run(), holds("r/.sluice-manifest", "")})},
      {"AManifestOfAnotherKind", with(kTinyRun, {"--out", "r", "--overwrite"}),
       "sluice: r: not overwritten: it holds 'state.npz', which no run wrote",
       all_of({finished_run(), says("r/.sluice-manifest", "\"run\"", "\"paper\"")})},
      {"AManifestThatIsALink", with(kTinyRun, {"--out", "r", "--overwrite"}),
       "sluice: r: not overwritten: it holds 'state.npz', which no run wrote",
       all_of(
           {finished_run(), lacks("r/.sluice-manifest"), holds_link("r/.sluice-manifest", "/etc/hostname")})},
      {"M4_AReportThatIsSomebodyElses",
       {"report", "r", "--out", "mine.html"},
       "sluice: mine.html: exists; overwrite it, or choose another file",
       all_of({finished_run(), holds("mine.html", "precious")})},
      {"M4_AFigureThatIsSomebodyElses",
       {"figure", "r", "learning", "--out", "mine.svg"},
       "sluice: mine.svg: exists; overwrite it, or choose another file",
       all_of({finished_run(), holds("mine.svg", "precious")})},
      {"M4_AProbeThatIsSomebodyElses",
       {"probe", "r", "--out", "mine.npz"},
       "sluice: mine.npz: exists; overwrite it, or choose another file",
       all_of({finished_run(), holds("mine.npz", "precious")})},
      {"M4_AnExportThatIsSomebodyElses",
       {"runs", "export", ".", "--out", "mine.csv"},
       "sluice: mine.csv: exists; overwrite it, or choose another file",
       all_of({finished_run(), holds("mine.csv", "precious")})},
      {"M4_AComparisonThatIsSomebodyElses",
       {"report", "r", "s/seed=1"},
       "sluice: comparison.html: exists; overwrite it, or choose another file",
       all_of({finished_run(), finished_sweep(), holds("comparison.html", "precious")})},
      {"M4_AJobThatIsAnother",
       {"sweep", "localization", "--over", "seed=1,2", "--slurm", "--out", "q"},
       "sluice: q.sbatch: exists, and is another job: submit it with sbatch, or move it away",
       all_of({holds("q.sbatch", "precious"), holds("bin/sbatch", "#!/bin/sh\nexit 1\n"),
               has_mode("bin/sbatch", 0755)}),
       2,
       {},
       [] {
         ::setenv("PATH", (std::string(std::getenv("HERE")) + "/bin:" + std::getenv("PATH")).c_str(), 1);
       }},
      {"AFigureOfARunThatSomebodyDrew",
       {"figure", "r", "unit_map"},
       "sluice: r/figures/unit_map.svg: sluice did not write it; move it away",
       all_of({finished_run(), holds("r/figures/unit_map.svg", "precious")})},
      {"AProbeOfARunThatSomebodyMade",
       {"probe", "r"},
       "sluice: r/probes.npz: sluice did not write it; move it away",
       all_of({finished_run(), holds("r/probes.npz", "precious")})},
      {"AReportOfARunThatSomebodyWrote",
       {"report", "r"},
       "sluice: r/report.html: was changed since sluice wrote it; move it away",
       all_of({finished_run(), holds("r/report.html", "mine now")})},
      {"RemovingARunWithAFileMore",
       {"runs", "rm", "r", "--yes"},
       "sluice: r: not removed: it holds 'thesis.tex', which no run wrote",
       all_of({finished_run(), holds("r/thesis.tex", "precious")})},
      {"RemovingARunWithAChangedFile",
       {"runs", "rm", "r", "--yes"},
       "sluice: r: not removed: 'report.html' was changed since the run wrote it; move it away",
       all_of({finished_run(), holds("r/report.html", "mine now")})},
      {"RemovingAPaper",
       {"runs", "rm", "r", "--yes"},
       "sluice: r: not removed: not the folder of a run or sweep of sluice",
       kPaper},
      {"RemovingAFolderOfNothing",
       {"runs", "rm", "r", "--yes"},
       "sluice: r: not removed: not the folder of a run or sweep of sluice",
       holds_folder("r")},
      {"RemovingTheFolderOneIsIn",
       {"runs", "rm", ".", "--yes"},
       "sluice: .: not removed: not the folder of a run or sweep of sluice",
       holds("thesis.tex", "precious")},
      {"RemovingTheRoot",
       {"runs", "rm", "/", "--yes"},
       "sluice: /: not removed: not the folder of a run or sweep of sluice"},
      {"ReportOfAnEmptyFolder",
       {"report", "r"},
       "sluice: r: expected the folder of a run or of a sweep, with record.npz and run.json, or a checkpoint",
       holds_folder("r")},
      {"FigureOfAnEmptyFolder",
       {"figure", "r"},
       "sluice: r: no record.npz; expected the folder of a run, or an npz file",
       holds_folder("r")},
      {"ProbeOfAnEmptyFolder",
       {"probe", "r"},
       "sluice: r: no record.npz; expected the folder of a run, or an npz file",
       holds_folder("r")},
      {"FreezeOfAnEmptyFolder",
       {"freeze", "r"},
       "sluice: r: expected the folder of a run or of a sweep, with record.npz and run.json, or a checkpoint",
       holds_folder("r")},
      {"ReduceOfAnEmptyFolder",
       {"reduce", "r"},
       "sluice: r: expected the folder of a run or of a sweep, with record.npz and run.json, or a checkpoint",
       holds_folder("r")},
      {"ContinueAnEmptyFolder",
       {"run", "--continue", "r"},
       "sluice: --continue r: not the folder of a run: it has no spec.toml",
       holds_folder("r")},
      {"ShowAnEmptyFolder",
       {"runs", "show", "r"},
       "sluice: r: expected the folder of a run",
       holds_folder("r")},
      {"WatchAnEmptyFile",
       {"watch", "r"},
       "sluice: r: expected the folder of a run, with spec.toml, or of a sweep, with sweep.json",
       holds("r", "")},
      {"PredictAgainstAnEmptyFolder",
       {"predict", "single-unit", "--against", "r"},
       "sluice: r/record.npz: cannot be read: No such file or directory",
       holds_folder("r")},
      {"KernelFromAnEmptyFolder",
       {"kernel", "depth-frg", "--from", "r"},
       "sluice: r/record.npz: cannot be read: No such file or directory",
       holds_folder("r")},
  };
  cases.insert(cases.end(), more.begin(), more.end());
  std::vector<Hostile> held;
  add_writers(held, "H2_WhileSomebodyIsAtWorkIn", all_of({finished_run(), is_locked("r")}),
              {"sluice: r: exists and is not empty; resume or overwrite it, or choose another folder",
               "sluice: r: another sluice (pid [...]) is at work there",
               "sluice: r: another sluice (pid [...]) is at work there",
               "sluice: r: exists and is not empty; resume it to skip finished runs, overwrite it to run "
               "them again, or choose another folder",
               "sluice: r: exists, is not empty, and no sweep wrote it; choose another folder",
               "sluice: r: exists, is not empty, and no sweep wrote it; choose another folder",
               "sluice: r: another sluice (pid [...]) is at work there",
               "sluice: r: another sluice (pid [...]) is at work there",
               "sluice: r: another sluice (pid [...]) is at work there",
               "sluice: r: another sluice (pid [...]) is at work there"});
  for (Hostile& each : held) each.written = {"r/.sluice-lock", "r/.sluice-lock/"};
  cases.insert(cases.end(), held.begin(), held.end());
  return cases;
}

}  // namespace sluice::test
