/// Names and paths: what is no file, what may not be read, what is as large as nothing is, and names that nobody would type.
#include <grp.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "sluice/file/npy.hpp"
#include "test/program/hostile.hpp"

namespace sluice::test {
namespace of_hostile_paths {
namespace {

const std::string kGood =
    "[task]\nkind = \"nlgp\"\nn = 8\n[network]\nkind = \"two-layer\"\nhidden = 3\n[dynamics]\nkind = "
    "\"sgd\"\nsteps = 2\n"
    "[probe]\nsamples = 100\n";
constexpr std::uintmax_t kHuge = std::uintmax_t{1} << 40;

void be_nobody() {
  if (::setgroups(0, nullptr) != 0 || ::setgid(65534) != 0 || ::setuid(65534) != 0) ::_exit(126);
}

/// Root may do everything: whoever is to be refused has to be somebody else, and to see the program.
bool can_be_nobody() {
  static const bool can =
      ::geteuid() == 0 && Process({"--version"}, "/", RLIM_INFINITY, be_nobody).wait().code == 0;
  return can;
}

Hostile as_nobody(const std::string& name, const std::vector<std::string>& words, const std::string& message,
                  const std::vector<Prepare>& steps, int code = 2) {
  std::vector<Prepare> all = steps;
  all.push_back([](const std::filesystem::path& folder) {
    std::filesystem::permissions(folder, std::filesystem::perms::all);
  });
  return {name, words, message, all_of(all), code, {}, be_nobody};
}

Prepare holds_socket(const std::string& name) {
  return [=](const std::filesystem::path& folder) {
    const std::filesystem::path before = std::filesystem::current_path();
    std::filesystem::current_path(folder);  // addresses are short
    const int socket = ::socket(AF_UNIX, SOCK_STREAM, 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    name.copy(address.sun_path, sizeof address.sun_path - 1);
    EXPECT_EQ(::bind(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    ::close(socket);
    std::filesystem::current_path(before);
  };
}

/// Every verb that reads a file, given x.npz, x.toml or x.
std::vector<Hostile> readers_of(const std::string& what, const Prepare& spec, const Prepare& arrays,
                                const Prepare& folder_of_a_run, const std::string& message) {
  const auto named = [&](const std::string& verb) { return "M6_" + what + verb; };
  const std::string path = "path=\"x.npz\"}";
  return {
      {named("ForRun"), {"run", "x.toml"}, message, spec},
      {named("ForSweep"), {"sweep", "x.toml", "--over", "seed=1,2"}, message, spec},
      {named("ForSample"), {"sample", "x.toml"}, message, spec},
      {named("ForPredict"), {"predict", "x.toml"}, message, spec},
      {named("ForKernel"), {"kernel", "x.toml"}, message, spec},
      {named("ForTheory"), {"theory", "spectrum", "x.toml"}, message, spec},
      {named("ForCheck"), {"check", "x.toml"}, message, spec},
      {named("ForBranch"), {"branch", "x.toml"}, message, spec},
      {named("ForRace"), {"race", "x.toml"}, message, spec},
      {named("ForSearch"), {"search", "x.toml"}, message, spec},
      {named("ForProbe"), {"probe", "x.npz"}, message, arrays},
      {named("ForFigure"), {"figure", "x.npz"}, message, arrays},
      {named("ForWeights"), {"theory", "response", "--weights", "x.npz"}, message, arrays},
      {named("ForInit"),
       {"run", "localization", "--set", "network.init={law=\"file\"," + path},
       message,
       arrays},
      {named("ForGates"),
       {"run", "gated-pair", "--set", "network.gate={law=\"file\"," + path},
       message,
       arrays},
      {named("ForLayers"),
       {"run", "depth-galu", "--set", "network.gate_init={law=\"file\"," + path},
       message,
       arrays},
      {named("ForADataset"),
       {"run", "localization", "--set", "task={kind=\"dataset\"," + path},
       message,
       arrays},
      {named("ForAStart"),
       {"branch", "single-unit", "--from", "x.npy"},
       message,
       all_of({arrays,
               [](const auto& folder) { std::filesystem::rename(folder / "x.npz", folder / "x.npy"); }})},
      {named("ForReport"), {"report", "x"}, message, folder_of_a_run},
  };
}

}  // namespace
}  // namespace of_hostile_paths

std::vector<Hostile> hostile_paths() {
  using namespace of_hostile_paths;
  const auto record_is = [](const Prepare& what) {
    return all_of({finished_run(),
                   [](const auto& folder) { std::filesystem::rename(folder / "r", folder / "x"); },
                   lacks("x/record.npz"), what});
  };
  std::vector<Hostile> cases{
      {"ASpecThatIsASocket",
       {"run", "x.toml"},
       "sluice: x.toml: cannot be read: No such device or address",
       holds_socket("x.toml")},
      {"ASpecThatIsItself",
       {"run", "x.toml"},
       "sluice: x.toml: cannot be read: Too many levels of symbolic links",
       holds_link("x.toml", "x.toml")},
      {"ASpecThatIsALinkToNowhere",
       {"run", "x.toml"},
       "sluice: x.toml: no such file and no such experiment; expected one of cifar10-galu, "
       "cifar10-gates-only, cifar10-relu, cifar10-soft-relu, cifar10-two-classes, deep-linear, depth-frg, "
       "depth-galu, depth-relu, digits-frozen, digits-galu, digits-gates-only, digits-learned-gates, "
       "digits-relu, digits-soft-galu, digits-soft-relu, mnist-galu, mnist-relu, absolute-loss, …",
       holds_link("x.toml", "nowhere")},
      {"ASpecThatIsALinkToADevice",
       {"run", "x.toml"},
       "sluice: x.toml: expected a file, found a device or pipe",
       holds_link("x.toml", "/dev/zero")},
      {"ASpecThatIsADevice",
       {"run", "/dev/null"},
       "sluice: /dev/null: expected a file, found a device or pipe"},
      {"ASpecThatIsATerminal",
       {"run", "/dev/full"},
       "sluice: /dev/full: expected a file, found a device or pipe"},
      {"ASpecBehindAFile",
       {"run", "bad.toml/spec.toml"},
       "sluice: bad.toml/spec.toml: no such file and no such experiment; expected one of cifar10-galu, "
       "cifar10-gates-only, cifar10-relu, cifar10-soft-relu, cifar10-two-classes, deep-linear, depth-frg, "
       "depth-galu, depth-relu, digits-frozen, digits-galu, digits-gates-only, digits-learned-gates, "
       "digits-relu, digits-soft-galu, digits-soft-relu, mnist-galu, mnist-relu, absolute-loss, …",
       holds("bad.toml", kGood)},
      {"ASpecThatIsAFolder",
       {"run", "x.toml"},
       "sluice: x.toml: expected a file, found a folder",
       holds_folder("x.toml")},
      {"AnOutThatIsADevice",
       {"run", "localization", "--out", "/dev/null"},
       "sluice: /dev/null: cannot be used as a folder: it is a file"},
      {"AnOutInTheSystem",
       {"run", "localization", "--out", "/sys/x"},
       "sluice: /sys/x: cannot be used as a folder: Operation not permitted"},
      {"AnOutThatIsAPipe",
       {"run", "localization", "--out", "x"},
       "sluice: x: cannot be used as a folder: it is a file",
       holds_pipe("x")},
      {"AnOutThatIsALinkToNowhere",
       {"run", "localization", "--out", "x"},
       "sluice: x: cannot be used as a folder: File exists",
       holds_link("x", "nowhere/at/all")},
      {"AnOutThatIsItself",
       {"run", "localization", "--out", "x"},
       "sluice: x: cannot be used as a folder: Too many levels of symbolic links",
       holds_link("x", "x")},
      {"AnOutBehindAFile",
       {"run", "localization", "--out", "bad.toml/r"},
       "sluice: bad.toml/r: cannot be used as a folder: Not a directory",
       holds("bad.toml", kGood)},
      {"AnOutOfATooLongName",
       {"run", "localization", "--out", std::string(300, 'x')},
       "sluice: "
       "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
       "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx: "
       "cannot be used as a folder: the name is too long"},
      {"ASampleIntoAFolder",
       {"sample", "pulse", "--out", "x.npz"},
       "sluice: x.npz: expected a file, found a folder",
       holds_folder("x.npz")},
      {"ASampleIntoAPipe",
       {"sample", "pulse", "--out", "x.npz"},
       "sluice: x.npz: exists; overwrite it, or choose another file",
       holds_pipe("x.npz")},
      {"ASampleThroughALink",
       {"sample", "pulse", "--out", "x.npz"},
       "sluice: x.npz: exists; overwrite it, or choose another file",
       all_of({holds("mine.npz", "precious"), holds_link("x.npz", "mine.npz")})},
      {"ASampleBehindAFile",
       {"sample", "pulse", "--out", "bad.toml/x.npz"},
       "sluice: bad.toml/x.npz: no such folder: bad.toml",
       holds("bad.toml", kGood)},
      {"ASampleIntoNoFolder",
       {"sample", "pulse", "--out", "no/where/x.npz"},
       "sluice: no/where/x.npz: no such folder: no/where"},
      {"ASampleOfATooLongName",
       {"sample", "pulse", "--out", std::string(300, 'x') + ".npz"},
       "sluice: "
       "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
       "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx.npz: "
       "cannot be written: File name too long"},
      {"RunsWithAnIndexThatIsAPipe",
       {"runs", "."},
       "./.sluice-index.sqlite: not an index of sluice; move it away; it is done without",
       all_of({finished_run(), holds_pipe(".sluice-index.sqlite")}),
       0},
      {"RunsWithAnIndexThatIsALink",
       {"runs", "."},
       "./.sluice-index.sqlite: not an index of sluice; move it away; it is done without",
       all_of({finished_run(), holds("mine", "precious"), holds_link(".sluice-index.sqlite", "mine")}),
       0},
      {"RunsWithAJournalThatIsAPipe",
       {"runs", "."},
       "./.sluice-index.sqlite-journal: not an index of sluice; move it away; it is done without",
       all_of({finished_run(), holds_pipe(".sluice-index.sqlite-journal")}),
       0},
      {"ACurveWithAnIndexThatIsAPipe",
       {"figure", "s", "curve", "--out", "f.svg"},
       "",
       all_of({finished_sweep(), holds_pipe("s/.sluice-index.sqlite")}),
       0,
       {"f.svg"}},
      {"ARunWhoseLogIsAPipe",
       {"run", "localization", "--out", "r", "--resume"},
       "sluice: r: it was begun with 'task.n = 8', not 'task.n = 40'",
       all_of({finished_run(), holds_pipe("r/log.txt")})},
      {"ARunWhoseConclusionIsAPipe",
       {"report", "r"},
       "sluice: r/run.json: expected a file, found a device or pipe",
       all_of({finished_run(), holds_pipe("r/run.json")})},
      {"ARunWhoseSpecIsAPipe",
       {"report", "r"},
       "sluice: r/spec.toml: expected a file, found a device or pipe",
       all_of({finished_run(), holds_pipe("r/spec.toml")})},
      {"ARunWhoseManifestIsAPipe", with(kTinyRun, {"--out", "r", "--overwrite"}),
       "sluice: r: not overwritten: it holds '.sluice-manifest', which no run wrote",
       all_of({finished_run(), holds_pipe("r/.sluice-manifest")})},
      {"ACheckpointThatIsAPipe", with(kStopped, {"--out", "c", "--resume"}),
       "sluice: c/checkpoint.npz: expected a file, found a device or pipe; delete it, or overwrite the run "
       "to begin again",
       all_of({stopped_run(), holds_pipe("c/checkpoint.npz")})},
      {"ACheckpointThatIsAFolder", with(kStopped, {"--out", "c", "--resume"}),
       "sluice: c/checkpoint.npz: expected a file, found a folder; delete it, or overwrite the run to begin "
       "again",
       all_of({stopped_run(), lacks("c/checkpoint.npz"), holds_folder("c/checkpoint.npz")})},
      {"ARecordThatIsAFolder",
       {"report", "x"},
       "sluice: x/record.npz: expected a file, found a folder",
       record_is(holds_folder("x/record.npz"))},
      {"ARunOfATerabyte",
       {"report", "x"},
       "sluice: x/record.npz: 1099511627776 bytes, expected at most [...]",
       record_is(holds_hole("x/record.npz", kHuge))},
      {"AConclusionOfATerabyte",
       {"report", "r"},
       "sluice: r/run.json: 1099511627776 bytes, expected at most [...]",
       all_of({finished_run(), holds_hole("r/run.json", kHuge)})},
      {"ASpecOfARunOfATerabyte",
       {"report", "r"},
       "sluice: r/spec.toml: 1099511627776 bytes, expected at most [...]",
       all_of({finished_run(), holds_hole("r/spec.toml", kHuge)})},
      {"AManifestOfATerabyte", with(kTinyRun, {"--out", "r", "--overwrite"}),
       "sluice: r/.sluice-manifest: 1099511627776 bytes, expected at most [...]",
       all_of({finished_run(), holds_hole("r/.sluice-manifest", kHuge)})},
      {"APlanOfATerabyte",
       {"report", "s", "--out", "page.html"},
       "",
       all_of({finished_sweep(), holds_hole("s/sweep.json", kHuge)}),
       0,
       {"page.html"}},
      {"ACheckpointOfATerabyte", with(kStopped, {"--out", "c", "--resume"}),
       "sluice: c/checkpoint.npz: 1099511627776 bytes, expected at most [...]; delete it, or overwrite the "
       "run to begin again",
       all_of({stopped_run(), holds_hole("c/checkpoint.npz", kHuge)})},
      // names
      {"L1_ANewlineInTheNameOfASpec",
       {"run", "a\nb.toml"},
       "sluice: a\\nb.toml:1: task.kind: missing key; expected one of \"nlgp\", \"gaussian\", "
       "\"gaussian-clone\", \"student-t\", \"shell\", \"scale-mixture\", \"norta\", \"ising\", \"pulse\", "
       "\"block\", \"teacher\", \"dataset\", \"points\", \"mnist\", \"cifar10\", \"function\"",
       holds("a\nb.toml", "[task]\n")},
      {"L1_AnEscapeInTheNameOfASpec",
       {"run", "a\x1b[31mb.toml"},
       "sluice: a\\x1b[31mb.toml:1: task.kind: missing key; expected one of \"nlgp\", \"gaussian\", "
       "\"gaussian-clone\", \"student-t\", \"shell\", \"scale-mixture\", \"norta\", \"ising\", \"pulse\", "
       "\"block\", \"teacher\", \"dataset\", \"points\", \"mnist\", \"cifar10\", \"function\"",
       holds("a\x1b[31mb.toml", "[task]\n")},
      {"L1_NoUtf8InTheNameOfASpec",
       {"run", "caf\xe9.toml"},
       "sluice: caf\\xe9.toml:1: task.kind: missing key; expected one of \"nlgp\", \"gaussian\", "
       "\"gaussian-clone\", \"student-t\", \"shell\", \"scale-mixture\", \"norta\", \"ising\", \"pulse\", "
       "\"block\", \"teacher\", \"dataset\", \"points\", \"mnist\", \"cifar10\", \"function\"",
       holds("caf\xe9.toml", "[task]\n")},
      {"L1_AnEscapeInTheNameOfARecord",
       {"probe", "\x1b[2J.npz"},
       "sluice: \\x1b[2J.npz: not a complete npz archive (truncated?)",
       holds("\x1b[2J.npz", "no archive, but long enough to hold one's end")},
      {"L1_AnEscapeInTheNameOfAFolder",
       {"report", "\x1b[2J"},
       "sluice: \\x1b[2J: expected the folder of a run or of a sweep, with record.npz and run.json, or a "
       "checkpoint",
       holds_folder("\x1b[2J")},
      {"AnOutOfANameThatIsNoUtf8",
       with(kTinyRun, {"--out", "caf\xe9"}),
       "",
       [](const auto&) {},
       0,
       {"caf\xe9/"}},
      {"AnOutWithNewlines", with(kTinyRun, {"--out", "a\nb"}), "", [](const auto&) {}, 0, {"a\nb/"}},
      {"AnOutWithQuotes",
       with(kTinyRun, {"--out", "a'\"b $(touch x) `touch y`"}),
       "",
       [](const auto&) {},
       0,
       {"a'\"b $(touch x) `touch y`/"}},
      {"AnOutOf250Bytes",
       with(kTinyRun, {"--out", std::string(250, 'x')}),
       "",
       [](const auto&) {},
       0,
       {std::string(250, 'x') + "/"}},
      {"AnOutThatLooksLikeAnOption",
       with(kTinyRun, {"--out=--overwrite"}),
       "",
       [](const auto&) {},
       0,
       {"--overwrite/"}},
  };
  for (const auto& each :
       {readers_of("APipe", holds_pipe("x.toml"), holds_pipe("x.npz"), record_is(holds_pipe("x/record.npz")),
                   "sluice: [...]: expected a file, found a device or pipe"),
        readers_of("AHole", holds_hole("x.toml", kHuge), holds_hole("x.npz", kHuge),
                   record_is(holds_hole("x/record.npz", kHuge)),
                   "sluice: [...] bytes, expected at most [...]")})
    cases.insert(cases.end(), each.begin(), each.end());
  if (!can_be_nobody()) return cases;
  const std::vector<Hostile> refused{
      as_nobody("L10_ASpecThatMayNotBeRead", {"run", "x.toml"},
                "sluice: x.toml: cannot be read: Permission denied",
                {holds("x.toml", kGood), has_mode("x.toml", 0)}),
      as_nobody("L10_ASpecInAFolderThatMayNotBeSearched", {"run", "locked/x.toml"},
                "sluice: locked/x.toml: cannot be read: Permission denied",
                {holds("locked/x.toml", kGood), has_mode("locked", 0700)}),
      as_nobody("L10_AnOutThatMayNotBeMade", {"run", "localization", "--out", "mine/r"},
                "sluice: mine/r: cannot be used as a folder: Permission denied", {holds_folder("mine")}),
      as_nobody("L10_AnOutBehindAFolderThatMayNotBeSearched", {"run", "localization", "--out", "locked/in/r"},
                "sluice: locked/in/r: cannot be used as a folder: Permission denied",
                {holds_folder("locked/in"), has_mode("locked", 0700)}),
      as_nobody("L10_ASampleThatMayNotBeWritten", {"sample", "pulse", "--out", "mine/x.npz"},
                "sluice: mine/x.npz: cannot be written: Permission denied", {holds_folder("mine")}, 1),
      as_nobody("L10_ASampleInAFolderThatMayNotBeSearched", {"sample", "pulse", "--out", "locked/in/x.npz"},
                "sluice: locked/in/x.npz: cannot be written: Permission denied",
                {holds_folder("locked/in"), has_mode("locked", 0700)}),
      as_nobody("L10_AnArchiveThatMayNotBeRead", {"probe", "x.npz"},
                "sluice: x.npz: cannot be read: Permission denied",
                {holds("x.npz", "x"), has_mode("x.npz", 0)}),
      as_nobody("L10_AnArchiveInAFolderThatMayNotBeSearched", {"probe", "locked/x.npz"},
                "sluice: locked/x.npz: Permission denied",
                {holds("locked/x.npz", "x"), has_mode("locked", 0700)}),
      as_nobody("L10_ARunOfSomebodyElse", {"run", "localization", "--out", "r", "--overwrite"},
                "sluice: r/figures: cannot be removed: Permission denied; nothing was", {finished_run()}),
      as_nobody(
          "L10_ARunOfSomebodyElseResumed", with(kStopped, {"--out", "c", "--resume"}),
          "sluice: c: nothing can be written there: c/.sluice-lock: cannot be written: Permission denied",
          {stopped_run()}),
      as_nobody("L10_ARecordThatMayNotBeRead", {"report", "r"},
                "sluice: r/record.npz: cannot be read: Permission denied",
                {finished_run(), has_mode("r/record.npz", 0)}),
      as_nobody("L10_AConclusionThatMayNotBeRead", {"report", "r"},
                "sluice: r/run.json: cannot be read: Permission denied",
                {finished_run(), has_mode("r/run.json", 0)}),
      as_nobody("L10_ARunInAFolderThatMayNotBeSearched", {"report", "locked/r"},
                "sluice: locked/r/record.npz: Permission denied",
                {finished_run(), holds_folder("locked"),
                 [](const auto& folder) { std::filesystem::rename(folder / "r", folder / "locked/r"); },
                 has_mode("locked", 0700)}),
      as_nobody("L10_AFigureIntoARunOfSomebodyElse", {"figure", "r", "learning"},
                "sluice: r/.sluice-lock: cannot be written: Permission denied", {finished_run()}, 1),
      as_nobody("L10_AReportOfARunOfSomebodyElse", {"report", "r"},
                "sluice: r/.sluice-lock: cannot be written: Permission denied", {finished_run()}, 1),
      as_nobody("L10_AProbeOfARunOfSomebodyElse", {"probe", "r"},
                "sluice: r/.sluice-lock: cannot be written: Permission denied", {finished_run()}, 1),
      as_nobody("L10_TheRunsOfALockedFolder", {"runs", "locked"},
                "sluice: locked: cannot be searched for runs: Permission denied",
                {holds_folder("locked"), has_mode("locked", 0700)}),
      as_nobody("L10_RemovingARunOfSomebodyElse", {"runs", "rm", "r", "--yes"},
                "sluice: r/figures: cannot be removed: Permission denied; nothing was", {finished_run()}),
      as_nobody("L10_WatchingALockedRun", {"watch", "locked/r"},
                "sluice: locked/r/spec.toml: Permission denied",
                {holds_folder("locked/r"), has_mode("locked", 0700)}),
      {"AFigureWithoutAnEnding",
       {"figure", "r", "learning", "--out", "g"},
       "sluice: --out g: expected a file ending in .svg, .pdf or .png",
       finished_run()},
      {"AFigureOfAnEndingAlone",
       {"figure", "r", "learning", "--out", ".svg"},
       "sluice: --out .svg: expected a file ending in .svg, .pdf or .png",
       finished_run()},
      {"AFigureToStandardOutput",
       {"figure", "r", "learning", "--out", "/dev/stdout"},
       "sluice: --out /dev/stdout: expected a file ending in .svg, .pdf or .png",
       finished_run()},
      {"ProbesInPlaceOfWhatIsProbed",
       {"probe", "w.npz", "--out", "./w.npz", "--overwrite"},
       "sluice: ./w.npz: is what is read; expected another file for what is written",
       holds_arrays("w.npz", {{"weights", {{2, 8}, std::vector<float>(16, 1)}}})},
      {"ProbesInPlaceOfALinkToWhatIsProbed",
       {"probe", "w.npz", "--out", "l.npz", "--overwrite"},
       "sluice: l.npz: is what is read; expected another file for what is written",
       all_of({holds_arrays("w.npz", {{"weights", {{2, 8}, std::vector<float>(16, 1)}}}),
               holds_link("l.npz", "w.npz")})},
      {"AResponseInPlaceOfItsWeights",
       {"theory", "response", "localization", "--set", "task.n=8", "--weights", "w.npy", "--out", "w.npy",
        "--overwrite"},
       "sluice: w.npy: is what is read; expected another file for what is written",
       [](const auto& folder) {
         file::write_npy(folder / "w.npy", {{8}, std::vector<float>{1, 0, 0, 0, 0, 0, 0, 0}});
       }},
      {"ProbesInPlaceOfTheRecord",
       {"probe", "r", "--out", "r/record.npz", "--overwrite"},
       "sluice: r/record.npz: belongs to the run in [...]/r, which is not without it; choose another file",
       finished_run()},
      {"ATableInPlaceOfAConclusion",
       {"theory", "spectrum", "--out", "r/run.json", "--overwrite"},
       "sluice: r/run.json: belongs to the run in [...]/r, which is not without it; choose another file",
       finished_run()},
      {"SamplesInPlaceOfAState",
       {"sample", "pulse", "--out", "r/state.npz", "--overwrite"},
       "sluice: r/state.npz: belongs to the run in [...]/r, which is not without it; choose another file",
       finished_run()},
      {"ATableInPlaceOfAPlan",
       {"theory", "spectrum", "--out", "s/sweep.json", "--overwrite"},
       "sluice: s/sweep.json: belongs to the run in [...]/s, which is not without it; choose another file",
       finished_sweep()},
      {"ARunInPlaceOfTheRunThatItGoesOnFrom",
       with(kTinyRun, {"--set", "start.run=r", "--set", "dynamics.steps=8", "--out", "r", "--overwrite"}),
       "sluice: start.run: [...]/r: expected a run outside of r, which would be replaced", finished_run()},
      {"ARunInPlaceOfALinkToTheRunThatItGoesOnFrom",
       with(kTinyRun, {"--set", "start.run=r", "--set", "dynamics.steps=8", "--out", "l", "--overwrite"}),
       "sluice: start.run: [...]/r: expected a run outside of l, which would be replaced",
       all_of({finished_run(), holds_link("l", "r")})},
      {"ARunInPlaceOfTheStateThatItGoesOnFrom",
       with(kTinyRun,
            {"--set", "start.run=r/state.npz", "--set", "dynamics.steps=8", "--out", "r", "--overwrite"}),
       "sluice: start.run: [...]/r/state.npz: expected a run outside of r, which would be replaced",
       finished_run()},
      as_nobody("L10_ContinuingALockedRun", {"run", "--continue", "locked/r"},
                "sluice: locked/r/spec.toml: Permission denied",
                {holds_folder("locked/r"), has_mode("locked", 0700)}),
  };
  cases.insert(cases.end(), refused.begin(), refused.end());
  return cases;
}

}  // namespace sluice::test
