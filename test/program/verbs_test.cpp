#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "sluice/file/atomic_file.hpp"
#include "sluice/theory/claim.hpp"
#include "test/support/process.hpp"

namespace sluice {
namespace {

TEST(Verbs, ListShowsNameTitleAndDuration) {
  const test::TempFolder folder;
  const test::Said said = test::sluice({"list"}, folder.path());
  EXPECT_EQ(said.code, 0);
  for (const char* part : {"\nlocalization  ", "  Non-Gaussian data localizes receptive fields  ", "  2 s\n"})
    EXPECT_NE(said.out.find(part), std::string::npos) << said.out;
  const auto entries = nlohmann::json::parse(test::sluice({"list", "--json"}, folder.path()).out);
  const auto localization =
      std::ranges::find_if(entries, [](const auto& entry) { return entry.at("name") == "localization"; });
  EXPECT_EQ(localization->at("document"), "000 §1, 001 §1");
}

TEST(Verbs, ShowPrintsTheCatalogFileWithItsComments) {
  const test::TempFolder folder;
  const test::Said said = test::sluice({"show", "localization"}, folder.path());
  EXPECT_EQ(said.out, file::read_text(std::string(PROJECT_FOLDER) + "/experiments/notes/localization.toml"));
}

TEST(Verbs, EveryVerbHasHelpWithExamples) {
  const test::TempFolder folder;
  for (const char* verb :
       {"list", "show", "run", "sweep", "report", "sample", "predict", "probe", "figure", "check", "theory",
        "branch", "race", "freeze", "reduce", "kernel", "data", "keys", "completion"}) {
    const test::Said said = test::sluice({verb, "--help"}, folder.path());
    EXPECT_EQ(said.code, 0) << verb;
    EXPECT_NE(said.out.find("Example"), std::string::npos) << said.out;
    EXPECT_NE(test::sluice({"--help"}, folder.path()).out.find(verb), std::string::npos);
  }
  EXPECT_EQ(test::sluice({"--version"}, folder.path()).out.substr(0, 7), "sluice ");
  EXPECT_EQ(test::sluice({}, folder.path()).code, 2);
}

TEST(Verbs, ListFitsOnATerminal) {
  const test::TempFolder folder;
  std::istringstream lines(test::sluice({"list"}, folder.path()).out);
  for (std::string line; std::getline(lines, line);) {
    const auto columns =
        std::ranges::count_if(line, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; });
    EXPECT_LE(columns, 100) << line;
  }
}

TEST(Verbs, KeysOfAPartSayWhatIsRequiredAndWhichWordsTheyTake) {
  const test::TempFolder folder;
  const auto keys = [&](const char* part) {
    return nlohmann::json::parse(test::sluice({"keys", part, "--json"}, folder.path()).out);
  };
  const nlohmann::json gain = keys("gain");
  ASSERT_EQ(gain.size(), 1U);
  EXPECT_EQ(gain[0].at("key"), "task.gain");
  EXPECT_EQ(gain[0].at("default"), "3.0");
  const nlohmann::json kind = keys("network.kind");
  EXPECT_EQ(kind[0].at("required"), true);
  EXPECT_TRUE(kind[0].at("default").is_null());
  EXPECT_EQ(kind[0].at("words").size(), 3U);
  for (const auto& key : keys("network.init"))
    EXPECT_EQ(key.at("key").get<std::string>().find("network.init."), 0U) << key;
  const test::Said unknown = test::sluice({"keys", "network.ini"}, folder.path());
  EXPECT_EQ(unknown.code, 2);
  EXPECT_NE(unknown.err.find("did you mean 'network.init'?"), std::string::npos) << unknown.err;
  EXPECT_EQ(test::sluice({"keys", "--json", "--markdown"}, folder.path()).code, 2);
}

TEST(Verbs, WhatIsPrintedAndWrittenIsJsonWhenAskedFor) {
  const test::TempFolder folder;
  test::sluice({"run", "localization", "--set", "network.hidden=4", "--set", "dynamics.steps=5"},
               folder.path());
  const std::vector<std::vector<std::string>> calls{{"list"},
                                                    {"show", "localization"},
                                                    {"keys"},
                                                    {"data", "list", "--data-dir", "data"},
                                                    {"data", "remove", "mnist", "--data-dir", "data"},
                                                    {"sample", "pulse", "--count", "10"},
                                                    {"kernel", "depth-frg", "--samples", "10"},
                                                    {"report", "runs/localization"},
                                                    {"theory", "spectrum"},
                                                    {"probe", "runs/localization", "ipr"}};
  for (std::vector<std::string> call : calls) {
    call.emplace_back("--json");
    const test::Said said = test::sluice(call, folder.path());
    EXPECT_EQ(said.code, 0) << call[0] << ": " << said.err;
    EXPECT_TRUE(nlohmann::json::accept(said.out)) << call[0] << ": " << said.out;
  }
}

TEST(Verbs, RunPrintsOneSummaryLineAndThePage) {
  const test::TempFolder folder;
  const test::Said said = test::sluice(
      {"run", "localization", "--set", "network.hidden=4", "--set", "dynamics.steps=5"}, folder.path());
  EXPECT_EQ(said.code, 0);
  EXPECT_EQ(said.out.find("localization: 5 steps in "), 0U) << said.out;
  EXPECT_NE(said.out.find("\nruns/localization/report.html\n"), std::string::npos) << said.out;
  EXPECT_EQ(said.err, "") << "a short run off a terminal is silent";
}

TEST(Verbs, ReportPutsRunsSideBySide) {
  const test::TempFolder folder;
  const auto run = [&](const char* gain, const char* out) {
    test::sluice({"run", "localization", "--set", "network.hidden=4", "--set", "dynamics.steps=5", "--set",
                  std::string("task.gain=") + gain, "--out", out},
                 folder.path());
  };
  run("0.5", "a");
  run("3", "b");
  const test::Said said = test::sluice({"report", "a", "b/", "--out", "both.html"}, folder.path());
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_EQ(said.out, "both.html\n");
  const std::string page = file::read_text(folder.path() / "both.html");
  for (const char* part :
       {"<h2>gain = 0.5</h2>", "<h2>gain = 3</h2>", "Non-Gaussian data localizes receptive fields"})
    EXPECT_NE(page.find(part), std::string::npos) << part;
  EXPECT_EQ(test::sluice({"report", "a"}, folder.path()).out, "a/report.html\n");
}

TEST(Verbs, ReportWritesTheSamePageAsTheRun) {
  const test::TempFolder folder;
  test::sluice(
      {"run", "localization", "--set", "network.hidden=4", "--set", "dynamics.steps=5", "--out", "a"},
      folder.path());
  const std::string written = file::read_text(folder.path() / "a/report.html");
  EXPECT_EQ(test::sluice({"report", "a"}, folder.path()).code, 0);
  EXPECT_EQ(file::read_text(folder.path() / "a/report.html"), written);
}

TEST(Verbs, ReportNeedsRuns) {
  const test::TempFolder folder;
  const test::Said said = test::sluice({"report", "nowhere"}, folder.path());
  EXPECT_EQ(said.code, 2);
  EXPECT_EQ(said.err,
            "sluice: nowhere: expected the folder of a run or of a sweep, with record.npz and run.json, or a "
            "checkpoint\n");
}

TEST(Verbs, JsonIsJsonAndNothingElse) {
  const test::TempFolder folder;
  const test::Said said = test::sluice(
      {"run", "localization", "--set", "network.hidden=4", "--set", "dynamics.steps=5", "--json"},
      folder.path());
  const nlohmann::json json = nlohmann::json::parse(said.out);
  EXPECT_EQ(json["status"], "finished");
  EXPECT_EQ(json["steps"], 5);
  EXPECT_EQ(json["axes"]["weights"], (std::vector<std::string>{"step", "unit", "site"}));
  EXPECT_EQ(nlohmann::json::parse(file::read_text(folder / "runs/localization/run.json")), json);
}

TEST(Verbs, SweepEndsWithATableTheFolderAndThePage) {
  const test::TempFolder folder;
  const test::Said said = test::sluice({"sweep", "localization", "--over", "task.gain=0.01,3", "--set",
                                        "network.hidden=4", "--set", "dynamics.steps=5", "--quiet"},
                                       folder.path());
  EXPECT_EQ(said.code, 0) << said.err;
  std::istringstream lines(said.out);
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(line, "gain  excess kurtosis  IPR start  IPR end  localized    loss  accuracy");
  EXPECT_NE(said.out.find("\nfolder  runs/localization\npage    runs/localization/report.html\n"),
            std::string::npos)
      << said.out;
}

TEST(Verbs, FreezeHasATableAPageAndJson) {
  const test::TempFolder folder;
  test::sluice(
      {"run", "frozen-gates", "--set", "task.n=8", "--set", "network.hidden=2", "--set", "dynamics.steps=20",
       "--set", "dynamics.batch=100", "--set", "probe.samples=200", "--out", "r", "--quiet"},
      folder.path());
  const std::vector<std::string> freeze{"freeze", "r", "--samples", "2000", "--out", "f.html"};
  const test::Said said = test::sluice(freeze, folder.path());
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_EQ(said.out.find("step  time  solved, % of way"), 0U) << said.out;
  EXPECT_NE(said.out.find("\n  20    12 "), std::string::npos) << "the last step\n" << said.out;
  EXPECT_NE(file::read_text(folder / "f.html").find("From when on is a ReLU network a gated linear one?"),
            std::string::npos);
  const test::Said again = test::sluice(freeze, folder.path());
  EXPECT_EQ(again.code, 2) << "the page is there already";
  EXPECT_EQ(again.out, "");
  const test::Said json =
      test::sluice({"freeze", "r", "--samples", "2000", "--at", "10", "--json"}, folder.path());
  EXPECT_EQ(nlohmann::json::parse(json.out).at(0).at("freezes").at(0).at("step"), 10) << json.err;
}

TEST(Verbs, ReduceHasTwoTablesAPageAndJson) {
  const test::TempFolder folder;
  test::sluice(
      {"run", "populations", "--set", "task.n=12", "--set", "network.hidden=8", "--set", "dynamics.steps=400",
       "--set", "dynamics.batch=100", "--set", "probe.samples=200", "--out", "r", "--quiet"},
      folder.path());
  const test::Said said =
      test::sluice({"reduce", "r", "--samples", "1000", "--out", "reduced.html"}, folder.path());
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_EQ(said.out.find("K  population  units"), 0U) << said.out;
  EXPECT_NE(said.out.find("folded, as printed"), std::string::npos) << said.out;
  EXPECT_NE(file::read_text(folder / "reduced.html").find("two filters, moved over the ring"),
            std::string::npos);
  const test::Said json = test::sluice({"reduce", "r", "--samples", "1000", "--json"}, folder.path());
  EXPECT_EQ(nlohmann::json::parse(json.out).at(0).at("models").at(0).at("correlation"), 1) << json.err;
}

TEST(Completion, ScriptsCompleteVerbsOptionsNamesAndKeys) {
  const test::TempFolder folder;
  std::ofstream(folder / "sluice.bash") << test::sluice({"completion", "bash"}, folder.path()).out;
  const auto complete = [&](const std::string& words, int position) {
    const std::string script = "source sluice.bash; compopt() { :; }; COMP_WORDS=(" + words +
                               "); COMP_CWORD=" + std::to_string(position) +
                               "; _sluice; echo \"${COMPREPLY[@]}\" > reply";
    EXPECT_EQ(std::system(("cd " + folder.path().string() + " && bash -c '" + script + "'").c_str()), 0);
    std::string reply = file::read_text(folder / "reply");
    reply.pop_back();
    return reply;
  };
  EXPECT_EQ(complete("sluice sw", 1), "sweep");
  EXPECT_EQ(complete("sluice run loc", 2), "localization");
  EXPECT_EQ(complete("sluice run gaussian-c", 2), "gaussian-control");
  EXPECT_EQ(complete("sluice sample gaussian-c", 2), "gaussian-control gaussian-clone");
  EXPECT_EQ(complete("sluice run localization --thr", 3), "--threads");
  EXPECT_EQ(complete("sluice run localization --set task.g", 4), "task.gain=");
  EXPECT_EQ(complete("sluice run localization --set network.activation = er", 6), "erf");
  EXPECT_EQ(complete("sluice run localization --set network.init.law =", 5),
            "xavier-normal normal basis bump gabor file zero bernoulli he-normal xavier-uniform");
  EXPECT_EQ(complete("sluice check N1.p", 2), "N1.p1 N1.p2 N1.p3 N1.p4");
  EXPECT_EQ(complete("sluice theory spec", 2), "spectrum");
  EXPECT_EQ(complete("sluice probe r gabor_w", 3), "gabor_width gabor_width_error");
  EXPECT_EQ(complete("sluice figure r phase", 3), "phase_diagram");
  EXPECT_EQ(complete("sluice figure r kinds --format p", 5), "pdf png");
  EXPECT_EQ(complete("sluice check --document 00", 3), "000 001 002 003 004");
  EXPECT_EQ(complete("sluice kernel depth-frg --kind s", 4), "strength");
  EXPECT_EQ(complete("sluice predict localization --pairs g", 4), "gaussian");
  EXPECT_EQ(complete("sluice predict localization --operator au", 4), "auto");
  EXPECT_EQ(complete("sluice kernel depth-frg --from sluice.b", 4), "sluice.bash");
  std::filesystem::create_directory(folder / "runs");
  EXPECT_EQ(complete("sluice run localization --continue ru", 4), "runs");
  EXPECT_EQ(complete("sluice run localization --continue sluice", 4), "") << "a folder";
  EXPECT_EQ(complete("sluice watch ru", 2), "runs");
  EXPECT_EQ(complete("sluice watch localiz", 2), "");
  EXPECT_EQ(complete("sluice runs ru", 2), "runs");
  EXPECT_EQ(complete("sluice runs ex", 2), "export");
  EXPECT_EQ(complete("sluice runs rm ru", 3), "runs");
  EXPECT_EQ(complete("sluice runs --sort localized", 3), "localized_share");
  EXPECT_EQ(complete("sluice figure r curve --palette o", 5), "okabe-ito");
  EXPECT_EQ(complete("sluice figure r curve --bars s", 5), "se sd");
  EXPECT_EQ(complete("sluice figure r curve --log x", 5), "x xy");
  EXPECT_EQ(complete("sluice figure r curve --boundary b", 5), "bump");
  EXPECT_EQ(complete("sluice figure r phase_diagram --z localized", 5), "localized_share");
  EXPECT_EQ(complete("sluice figure r phase_diagram --x task.ga", 5), "task.gain");
  EXPECT_EQ(complete("sluice figure r phase_diagram --whe", 4), "--where");
  EXPECT_EQ(complete("sluice data ge", 2), "get");
  EXPECT_EQ(complete("sluice data get mn", 3), "mnist");
  EXPECT_EQ(complete("sluice data get ci", 3), "cifar10");
  const std::string zsh = test::sluice({"completion", "zsh"}, folder.path()).out;
  EXPECT_EQ(zsh.find("#compdef sluice"), 0U);
  EXPECT_NE(zsh.find("task.gain="), std::string::npos);
  for (const char* line :
       {"--data-dir|--continue) _files -/;", "--palette) compadd -- okabe-ito ramp grey;",
        "--bars) compadd -- se sd range none;", "--log) compadd -- x y xy none;", "$words[2]\" == watch ]]"})
    EXPECT_NE(zsh.find(line), std::string::npos) << line;
  EXPECT_EQ(zsh.find('@', zsh.find("local -a")), zsh.rfind("$@") + 1) << "a placeholder was not filled";
}

TEST(Docs, KeysPageIsWhatTheProgramPrints) {
  const test::TempFolder folder;
  EXPECT_EQ(test::sluice({"keys", "--markdown"}, folder.path()).out,
            file::read_text(std::string(PROJECT_FOLDER) + "/docs/reference/keys.md"))
      << "run make docs";
}

/// Ids, those that have a check, and different checks: one number alone would promise more than there is.
TEST(Docs, ClaimsAreCountedAsTheProgramDoes) {
  const theory::ClaimCount count = theory::count(theory::all_claims());
  const auto flat = [](const std::string& name) {
    return std::regex_replace(file::read_text(std::string(PROJECT_FOLDER) + "/" + name), std::regex("\\s+"),
                              " ");
  };
  const std::string readme =
      fmt::format("{} claims, of the notes and our own, {} of which have a check, {} different ones",
                  count.claims, count.checked, count.checks);
  EXPECT_NE(flat("README.md").find(readme), std::string::npos) << readme;
  const std::string changelog =
      fmt::format("{} claims, of the notes and our own, {} with a check, {} different ones", count.claims,
                  count.checked, count.checks);
  EXPECT_NE(flat("CHANGELOG.md").find(changelog), std::string::npos) << changelog;
}

}  // namespace
}  // namespace sluice
