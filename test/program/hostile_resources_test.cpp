/// Faults of the world: no room, no memory, no descriptors, nobody who listens.
#include "test/program/hostile.hpp"

namespace sluice::test {
namespace of_hostile_resources {
namespace {

using Words = std::vector<std::string>;
using Limit = std::function<void()>;

Limit limit_of(int resource, rlim_t most) {
  return [=] {
    ::close_range(3, ~0U, 0);  // whoever started this test may have left some open
    const rlimit limit{most, most};
    ::setrlimit(static_cast<__rlimit_resource_t>(resource), &limit);
  };
}
Limit to_device(int descriptor, const char* device) {
  return [=] { ::dup2(::open(device, O_WRONLY), descriptor); };
}
Limit closed(int descriptor) {
  return [=] { ::close(descriptor); };
}

Hostile fault(
    const std::string& name, const Words& words, const Limit& limit, const std::string& message,
    const std::vector<std::string>& written = {},
    const Prepare& prepare = [](const std::filesystem::path&) {}, int code = 1) {
  return {name, words, message, prepare, code, written, limit};
}

/// Matrices of 8 MiB, more than the limit has room for.
Prepare large_claim() {
  std::string text = "[task]\nkind = \"gaussian\"\nn = 1024\n[symbols]\nw = { seed = 1 }\n";
  for (int i = 0; i < 120; ++i) text += "a" + std::to_string(i) + " = \"outer(w,w)\"\n";
  return holds("mine.toml", text + "[[expect]]\nclass = 1\nmean = \"x[0]\"\n");
}

}  // namespace
}  // namespace of_hostile_resources

std::vector<Hostile> hostile_resources() {
  using namespace of_hostile_resources;
  const Words run = with(kTinyRun, {"--out", "r"});
  const Words big{"run",     "localization", "--set", "network.hidden=100000", "--set", "task.n=400",
                  "--quiet", "--out",        "r"};
  std::vector<Hostile> cases{
      fault("ARunWithoutRoom", run, limit_of(RLIMIT_FSIZE, 800),
            "sluice: r/spec.toml: write failed: File too large", {"r/"}),
      fault("ARunWithRoomFor10Kilobytes", run, limit_of(RLIMIT_FSIZE, 10000),
            "sluice: r/figures/receptive_fields.png: write failed: File too large", {"r/"}),
      fault("ASampleWithoutRoom", {"sample", "pulse", "--out", "x.npz"}, limit_of(RLIMIT_FSIZE, 800),
            "sluice: x.npz: write failed: File too large"),
      fault("ATableWithoutRoom", {"theory", "spectrum", "--out", "x.csv"}, limit_of(RLIMIT_FSIZE, 800),
            "sluice: x.csv: write failed: File too large"),
      fault("AReportWithoutRoom", {"report", "r", "--out", "x.html"}, limit_of(RLIMIT_FSIZE, 800),
            "sluice: x.html: write failed: File too large", {}, finished_run()),
      fault("AFigureWithoutRoom", {"figure", "r", "learning", "--out", "x.svg"}, limit_of(RLIMIT_FSIZE, 800),
            "sluice: x.svg: write failed: File too large", {}, finished_run()),
      fault("AProbeWithoutRoom", {"probe", "r", "--out", "x.npz"}, limit_of(RLIMIT_FSIZE, 800),
            "sluice: x.npz: write failed: File too large", {}, finished_run()),
      fault("ARunWithoutMemory", big, limit_of(RLIMIT_AS, 400'000'000), "sluice: out of memory[...]", {"r/"}),
      fault(
          "ASampleWithoutMemory", {"sample", "pulse", "--count", "10000000", "--out", "x.npz"},
          limit_of(RLIMIT_AS, 400'000'000),
          "sluice: 10000000 samples of 40 numbers: 1.49 GiB, expected at most 0.373 GiB", {},
          [](const auto&) {}, 2),
      fault("ABranchWithoutRoomForItsLibrary", {"branch", "--range", "1:1.01", "--quiet"},
            limit_of(RLIMIT_AS, 300'000'000), "sluice: out of memory[...]"),
      fault("HelpWithoutRoom", {"--help"},
            [] {
              limit_of(RLIMIT_FSIZE, 800)();
              ::dup2(::open("help.txt", O_WRONLY | O_CREAT, 0600), 1);
            },
            "sluice: standard output: [...]File too large", {"help.txt"}),
      fault("AnArchiveWithoutMemory", {"probe", "x.npz"}, limit_of(RLIMIT_AS, 400'000'000),
            "sluice: x.npz: 1000000000 bytes, expected at most 400000000", {},
            holds_hole("x.npz", 1'000'000'000), 2),
      fault("ARunWithoutDescriptors", run, limit_of(RLIMIT_NOFILE, 6),
            "sluice: r/[...]: cannot be written: Too many open files", {"r/"}),
      fault("AReportWithoutDescriptors", {"report", "r", "--overwrite"}, limit_of(RLIMIT_NOFILE, 4),
            "sluice: r/[...]: cannot be [...]: Too many open files", {}, finished_run()),
      fault("RunsWithoutDescriptors", {"runs", "."}, limit_of(RLIMIT_NOFILE, 4),
            "sluice: ./r: cannot be searched for runs: Too many open files", {}, finished_run()),
      fault("AWatchWithoutDescriptors", {"watch", "r"}, limit_of(RLIMIT_NOFILE, 4),
            "sluice: the page cannot be served at any port of 127.0.0.1: Too many open files", {},
            finished_run()),
      fault("AWatchWithTooFewDescriptors", {"watch", "r", "--port", "8123"}, limit_of(RLIMIT_NOFILE, 6),
            "sluice: the page cannot be served at port 8123 of 127.0.0.1: Too many open files", {},
            finished_run()),
      fault("AClaimWithoutMemory", {"check", "mine.toml"}, limit_of(RLIMIT_AS, 800'000'000),
            "sluice: mine.toml[...]: its arrays [...]GiB[...]", {}, large_claim(), 2),
      fault(
          "ARunWithFewDescriptors", run, limit_of(RLIMIT_NOFILE, 12), "", {"r/"}, [](const auto&) {}, 0),
      fault("AListToNobody", {"list"}, closed(1),
            "sluice: standard output: write failed: Bad file descriptor"),
      fault("AListToAFullDisk", {"list"}, to_device(1, "/dev/full"),
            "sluice: standard output: write failed: No space left on device"),
      fault("KeysToAFullDisk", {"keys", "--json"}, to_device(1, "/dev/full"),
            "sluice: standard output: write failed: No space left on device"),
      fault("ASpecToAFullDisk", {"show", "localization"}, to_device(1, "/dev/full"),
            "sluice: standard output: write failed: No space left on device"),
      fault("ATableToAFullDisk", {"theory", "spectrum"}, to_device(1, "/dev/full"),
            "sluice: standard output: write failed: No space left on device"),
      fault("RunsToAFullDisk", {"runs", "."}, to_device(1, "/dev/full"),
            "sluice: standard output: write failed: No space left on device", {".sluice-index.sqlite"},
            finished_run()),
      fault("RunsWithoutRoomForAnIndex", {"runs", "."}, limit_of(RLIMIT_FSIZE, 800),
            "./.sluice-index.sqlite: cannot be [...]written; it is done without", {".sluice-index.sqlite"},
            finished_run(), 0),
      fault("ClaimsToAFullDisk", {"check", "--list"}, to_device(1, "/dev/full"),
            "sluice: standard output: write failed: No space left on device"),
      fault("ACheckToAFullDisk", {"check", "N0.12", "--samples", "10000"}, to_device(1, "/dev/full"),
            "sluice: standard output: write failed: No space left on device"),
      fault("ACheckAsJsonToAFullDisk", {"check", "N0.12", "--samples", "10000", "--json"},
            to_device(1, "/dev/full"), "sluice: standard output: write failed: No space left on device"),
      fault(
          "AJobWithoutAFolderForTemporaries",
          {"sweep", "localization", "--over", "seed=1,2", "--slurm", "--out", "q"},
          [] { ::setenv("TMPDIR", "/nowhere", 1); },
          "sluice: TMPDIR = \"/nowhere\": expected a folder for what sbatch has to say", {},
          [](const auto&) {}, 2),
      fault("HelpToAFullDisk", {"--help"}, to_device(1, "/dev/full"),
            "sluice: standard output: write failed: No space left on device"),
      fault("HelpOfAVerbToAFullDisk", {"run", "--help"}, to_device(1, "/dev/full"),
            "sluice: standard output: write failed: No space left on device"),
      fault("AVersionToAFullDisk", {"--version"}, to_device(1, "/dev/full"),
            "sluice: standard output: write failed: No space left on device"),
      fault("ARunThatTellsAFullDisk", run, to_device(1, "/dev/full"),
            "sluice: standard output: write failed: No space left on device", {"r/"}),
      fault(
          "H5_ARefusalToNobody", {"run", "nowhere.toml"}, closed(2), "", {}, [](const auto&) {}, 2),
      fault(
          "H5_ARefusalToAFullDisk", {"run", "nowhere.toml"}, to_device(2, "/dev/full"), "", {},
          [](const auto&) {}, 2),
      fault("H5_ARunWithoutAnyDescriptors", run,
            [] {
              ::close(0);
              ::close(1);
              ::close(2);
            },
            "", {"r/"}),
      fault(
          "NoEnvironment", run, [] { ::clearenv(); }, "", {"r/"}, [](const auto&) {}, 0),
      fault(
          "NoHomeForData", {"run", "digits-relu"}, [] { ::clearenv(); },
          "sluice: no cache folder: expected HOME or XDG_CACHE_HOME in the environment, an absolute path", {},
          [](const auto&) {}, 2),
      fault(
          "AHomeThatIsAFile", {"run", "digits-relu"},
          [] {
            ::unsetenv("XDG_CACHE_HOME");
            ::setenv("HOME", "/dev/null", 1);
          },
          "sluice: mnist: no files in /dev/null/.cache/sluice/mnist: fetch the data set, or give task.path; "
          "`sluice data get mnist` fetches it",
          {}, [](const auto&) {}, 2),
  };
  return cases;
}

}  // namespace sluice::test
