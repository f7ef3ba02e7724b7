/// sluice check and sluice theory, as a user types them.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "sluice/file/atomic_file.hpp"
#include "sluice/file/npz.hpp"
#include "sluice/theory/claim.hpp"
#include "test/support/process.hpp"

namespace sluice {
namespace {

test::Said said(const std::vector<std::string>& arguments) {
  const test::TempFolder folder;
  return test::sluice(arguments, folder.path());
}

TEST(Check, PrintsAPlainRowPerClaimAndASummary) {
  const test::Said out = said({"check", "N0.25", "N0.8", "--samples", "20000"});
  EXPECT_EQ(out.code, 0) << out.out;
  EXPECT_NE(out.out.find("ok    N0.25   corrected                    0.38736      0.282508  0.282508"),
            std::string::npos)
      << out.out;
  EXPECT_NE(out.out.find(
                "2 claims: 1 checked, by 1 different checks; 1 definitions, 0 failed; 20000 samples, seed 1"),
            std::string::npos);
  EXPECT_EQ(out.out.find('\x1b'), std::string::npos) << "colour off a terminal";
}

TEST(Check, JsonIsJson) {
  const nlohmann::json json =
      nlohmann::json::parse(said({"check", "N0.12", "N0.13", "N0.1", "--samples", "20000", "--json"}).out);
  EXPECT_EQ(json["failed"], 0);
  EXPECT_EQ(json["claims"].size(), 3U);
  EXPECT_TRUE(json["claims"][0]["measured"].is_null()) << "a definition has no numbers";
  EXPECT_GT(json["claims"][1]["standard_error"], 0);
  EXPECT_EQ(json["claims"][2]["verdict"], "corrected");
  EXPECT_NE(json["claims"][2]["notes"], json["claims"][2]["corrected"]);
}

TEST(Check, DocumentAndListChoose) {
  const test::Said list = said({"check", "--document", "001", "--list"});
  EXPECT_NE(list.out.find("N1.4 "), std::string::npos);
  EXPECT_EQ(list.out.find("N0.4 "), std::string::npos);
}

TEST(Check, SeedChangesTheSamplesOnly) {
  const auto measured = [](const std::string& seed) {
    const auto json =
        nlohmann::json::parse(said({"check", "N0.11", "--samples", "20000", "--seed", seed, "--json"}).out);
    return json["claims"][0]["measured"].get<double>();
  };
  EXPECT_EQ(measured("1"), measured("1"));
  EXPECT_NE(measured("1"), measured("2"));
}

struct Wrong {
  std::vector<std::string> arguments;
  std::string message;
};

TEST(Theory, WrongInputIsOneLineAndExitCodeTwo) {
  const std::vector<Wrong> all{
      {{"check", "N0.cc4"}, "sluice: N0.cc4: no such claim; did you mean 'N0.c4'?"},
      {{"check", "entropy"}, "sluice: entropy: no such claim; `sluice check --list` has all ids"},
      {{"check", "A.1", "--document", "000"}, "sluice: document 000: none of these claims is in it"},
      {{"check", "--samples", "5"},
       "sluice check: --samples: 5: expected an integer from 10000 to 1000000000 (see sluice check --help)"},
      {{"check", "--document", "005"},
       "sluice check: --document: 005: expected 000, 001, 002, 003, 004, sheet or sluice (see sluice check "
       "--help)"},
      {{"theory", "spektrum"}, "sluice: spektrum: no such quantity; did you mean 'spectrum'?"},
      {{"theory"}, "sluice theory: QUANTITY is required (see sluice theory --help)"},
      {{"theory", "spectrum", "--class", "2"},
       "sluice theory: --class: 2: expected one of 1, 0 (see sluice theory --help)"},
      {{"theory", "spectrum", "--format", "npy"}, "sluice: --format npy: expected --out FILE"},
      {{"theory", "spectrum", "--out", "f.jpeg"},
       "sluice: f.jpeg: expected a file ending in .txt, .csv, .json, .npy, .svg, .pdf or .png"},
      {{"theory", "spectrum", "--format", "csv", "--out", "f.svg"},
       "sluice: --format csv: --out f.svg is a picture; leave --format out, or choose another ending"},
      {{"theory", "normalisation", "--out", "f.svg"},
       "sluice: normalisation: has no picture; choose a file ending in .txt, .csv, .json or .npy"},
      {{"theory", "landscape", "--set", "task={kind=\"gaussian\"}"},
       "sluice: landscape: task.kind = gaussian: expected nlgp"},
      {{"theory", "mode-map", "--set", "task.n=513"}, "sluice: mode-map: task.n = 513: expected at most 512"},
      {{"theory", "gram-entries"}, "sluice: gram-entries: network.kind = two-layer: expected deep-gated"},
      {{"theory", "response", "--set", "network={kind=\"deep-gated\"}", "--set", "probe={every=50}"},
       "sluice: response: network.kind = deep-gated: expected two-layer"},
      {{"theory", "gram-spectrum", "--set", "network={kind=\"deep-gated\"}", "--set", "probe={every=50}"},
       "sluice: gram-spectrum: task.kind = nlgp: expected a finite task (points, dataset, mnist, cifar10)"},
      {{"theory", "response", "--operator", "mean-feld"},
       "sluice: operator mean-feld: unknown; did you mean 'mean-field'?"},
      {{"theory", "response", "--operator", "ising"},
       "sluice: operator ising: exact for ising up to 40 sites; the task is nlgp"},
      {{"theory", "response"},
       "sluice: unit 0: no exact response of nlgp is known for these weights; choose the operator mean-field "
       "or gaussian"},
      {{"theory", "amplifier", "--set", "task={kind=\"gaussian\"}"},
       "sluice: amplifier: task.kind = gaussian: expected nlgp or norta"},
      {{"theory", "spectrum", "--set", "task.n=-3"}, ""},
      {{"theory", "response", "--weights", "missing.npy"}, ""},
  };
  for (const Wrong& wrong : all) {
    const test::Said out = said(wrong.arguments);
    EXPECT_EQ(out.code, 2) << wrong.message << out.err;
    EXPECT_EQ(out.out, "");
    if (!wrong.message.empty()) {
      EXPECT_EQ(out.err, wrong.message + "\n");
    }
    EXPECT_EQ(std::count(out.err.begin(), out.err.end(), '\n'), 1) << out.err;
  }
}

TEST(Theory, WeightsComeFromAFileAndGoToOne) {
  const test::TempFolder folder;
  std::vector<double> sites(80);
  sites[3] = sites[45] = 1;  // e_3 and e_5
  file::write_npy(folder / "w.npy", {{2, 40}, sites});
  const test::Said out = test::sluice(
      {"theory", "response", "--weights", "w.npy", "--format", "npy", "--out", "f.npy"}, folder.path());
  EXPECT_EQ(out.code, 0) << out.err;
  const file::Array f = file::read_npz(folder / "f.npy").front().second;
  EXPECT_EQ(f.shape, (file::Shape{2, 40}));
  EXPECT_NEAR(f.as<double>()[3], 0.4788775947, 1e-10);   // K.3
  EXPECT_NEAR(f.as<double>()[46], 0.3075978322, 1e-10);  // K.4
  file::write_npy(folder / "w.npy", {{2, 20}, std::vector<double>(40)});
  EXPECT_EQ(test::sluice({"theory", "response", "--weights", "w.npy"}, folder.path()).err,
            "sluice: w.npy: shape [2, 20]: expected [40] or [K, 40]\n");
}

TEST(Theory, EndingOfTheFileIsItsFormat) {
  const test::TempFolder folder;
  for (const auto& [name, start] :
       std::vector<std::pair<std::string, std::string>>{{"b.svg", "<?xml"},
                                                        {"b.pdf", "%PDF"},
                                                        {"b.png", "\x89PNG"},
                                                        {"b.csv", "site,constant"},
                                                        {"b.json", "{\"quantity\""},
                                                        {"b.npy", "\x93NUMPY"},
                                                        {"b.txt", "site  "}}) {
    const test::Said out = test::sluice({"theory", "basis", "--out", name}, folder.path());
    EXPECT_EQ(out.code, 0) << out.err;
    EXPECT_EQ(out.out, "");
    EXPECT_TRUE(file::read_text(folder / name).starts_with(start)) << name;
  }
}

TEST(Theory, ClassOneIsTheFirstLength) {
  const auto first = [](const std::string& label) {
    return nlohmann::json::parse(said({"theory", "spectrum", "--set", "task={kind=\"gaussian\"}", "--class",
                                       label, "--format", "json"})
                                     .out)["rows"][0][1]
        .get<double>();
  };
  EXPECT_NEAR(first("1"), 3.5449077018, 1e-10);  // K.6
  EXPECT_NEAR(first("0"), 1.7726372048, 1e-10);  // K.7
}

/// Numbers may differ in the last digits between instruction sets: ids, statements, sources and verdicts may not.
TEST(Docs, LedgerPageHasEveryClaimAsTheProgramStatesIt) {
  const std::string page = file::read_text(std::string(PROJECT_FOLDER) + "/docs/ledger.md");
  std::istringstream lines(page);
  std::vector<std::string> rows;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("| ") && !line.starts_with("| id ")) rows.push_back(line);
  }
  const std::vector<theory::Claim> claims = theory::all_claims();
  ASSERT_EQ(rows.size(), claims.size()) << "run make docs";
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::string statement;
    for (const char c : claims[i].statement) statement += c == '|' ? std::string("\\|") : std::string(1, c);
    const std::string expected = "| " + std::string(claims[i].id) + " | " + statement + " | " +
                                 std::string(claims[i].source) + " | " +
                                 std::string(theory::to_string(claims[i].verdict)) + " | ";
    EXPECT_TRUE(rows[i].starts_with(expected)) << rows[i] << "\nis not\n" << expected << "\nrun make docs";
  }
}

}  // namespace
}  // namespace sluice
