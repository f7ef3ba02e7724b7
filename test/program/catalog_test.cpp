// Every experiment of the catalog, briefly: run, reported, drawn, probed, swept, compared with a run of another family; and the bits of
// its record.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "sluice/file/atomic_file.hpp"
#include "sluice/file/npz.hpp"
#include "sluice/lab/catalog.hpp"
#include "sluice/record/checkpoint.hpp"
#include "test/support/environment.hpp"
#include "test/support/idx_files.hpp"
#include "test/support/photographs.hpp"
#include "test/support/process.hpp"

namespace sluice {
namespace {

std::vector<std::string> experiments() {
  std::vector<std::string> names;
  for (const lab::CatalogEntry& entry : lab::catalog()) names.emplace_back(entry.name);
  return names;
}

bool on_digits(const std::string& name) { return name.starts_with("digits") || name.starts_with("mnist"); }
bool on_photographs(const std::string& name) { return name.starts_with("cifar10"); }

class Catalog : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    test::small_digits().write(folder / "digits");
    if (on_photographs(GetParam())) test::write_photographs(folder / "photographs");
    if (GetParam() == "digits-learned-gates") {
      say(brief("digits-relu", "teacher"));
      more.insert(more.end(), {"--set", "network.gate_init.path=teacher"});
    }
  }

  /// A verb that succeeds; what it printed.
  std::string say(const std::vector<std::string>& words) const {
    const test::Said said = test::sluice(words, folder.path());
    EXPECT_EQ(said.code, 0) << fmt::format("{}", words.front()) << ": " << said.err;
    return said.out;
  }
  std::vector<std::string> brief(const std::string& name, const std::string& out,
                                 const std::string& verb = "run") const {
    std::vector<std::string> words{verb,
                                   name,
                                   "--out",
                                   out,
                                   "--quiet",
                                   "--threads",
                                   "2",
                                   "--set",
                                   "dynamics.steps=6",
                                   "--set",
                                   "probe.every=3",
                                   "--set",
                                   "probe.samples=200"};
    if (on_digits(name)) words.insert(words.end(), {"--set", "task.path=digits"});
    if (on_photographs(name))  // and a network that is small enough
      words.insert(words.end(),
                   {"--set", "task.path=photographs", "--set", "task.samples=all", "--set",
                    "dynamics.batch=20", "--set", "network.channels=[4,8]", "--set", "network.widths=[10]"});
    if (name == GetParam()) words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  nlohmann::json run_json(const std::string& run) const {
    return nlohmann::json::parse(file::read_text(folder / run / "run.json"));
  }

  test::TempFolder folder;
  test::Environment cache{"XDG_CACHE_HOME", (folder / "cache").string()};  // empty
  std::vector<std::string> more;
};

TEST_P(Catalog, IsRunReportedDrawnProbedSweptAndCompared) {
  say(brief(GetParam(), "r"));
  const std::string page = file::read_text(folder / "r/report.html");
  say({"report", "r"});
  EXPECT_EQ(file::read_text(folder / "r/report.html"), page) << "the page from the folder is the run's own";

  // The page's numbers are those of the record.
  const file::NamedArrays record = file::read_npz(folder / "r/record.npz");
  const nlohmann::json json = run_json("r");
  EXPECT_EQ(json["steps"], file::find(record, "step")->as<std::int64_t>().back());
  const bool on_training_set = json["evaluated_on"] == "training set";
  for (const char* name : {"loss", "accuracy", "train_loss", "train_accuracy", "error"}) {
    const file::Array* array = file::find(record, name);
    ASSERT_EQ(json.contains(name), array != nullptr) << name;
    if (array == nullptr) continue;
    EXPECT_EQ(json[name], array->as<double>().back()) << name;
    const bool said_otherwise = on_training_set && std::string(name).find("train") == std::string::npos;
    if (std::string(name).ends_with("accuracy") && !said_otherwise) {
      EXPECT_NE(page.find(fmt::format("{:.4f}", array->as<double>().back())), std::string::npos) << name;
    }
  }
  EXPECT_EQ(page.find("test accuracy") != std::string::npos, json["evaluated_on"] == "test set");
  for (const auto& [name, array] : record) {
    ASSERT_TRUE(json["axes"].contains(name)) << name;
    EXPECT_EQ(json["axes"][name].size(), array.shape.size()) << name;
  }
  EXPECT_EQ(json["axes"].size(), record.size());
  const bool places = json["inputs"]["kind"] == "ring" || json["inputs"]["kind"] == "torus";
  EXPECT_EQ(json.contains("localized_share"), places) << "no share of what has no sites";

  // Every figure it offers.
  std::istringstream names(say({"figure", "r", "--list"}));
  int drawn = 0;
  for (std::string line; std::getline(names, line); ++drawn) {
    const std::string name = line.substr(0, line.find(' '));
    say({"figure", "r", name, "--out", name + ".svg"});
    EXPECT_GT(std::filesystem::file_size(folder / (name + ".svg")), 500U) << name;
  }
  EXPECT_GE(drawn, 1);

  say({"probe", "r"});
  EXPECT_NE(file::find(file::read_npz(folder / "r/probes.npz"), "ipr"), nullptr);

  std::vector<std::string> sweep = brief(GetParam(), "s", "sweep");
  sweep.insert(sweep.end(), {"--over", "seed=1,2", "--set", "sweep.over=\"\""});
  say(sweep);
  if (say({"show", GetParam()}).find("\n[sweep]") !=
      std::string::npos) {  // its own axes: every point can be set up
    EXPECT_NE(say({"sweep", GetParam(), "--dry-run", "--out", "plan"}).find("points"), std::string::npos);
  }
  EXPECT_FALSE(say({"figure", "s", "--list"}).empty());
  say({"report", "s", "--out", "again.html"});

  const bool deep = file::read_text(folder / "r/spec.toml").find("deep-gated") != std::string::npos;
  say(brief(deep ? "localization" : "depth-relu", "other"));
  say({"report", "r", "other", "--out", "both.html"});
  const std::string both = file::read_text(folder / "both.html");
  for (const char* wrong : {">nan", "nan %"}) EXPECT_EQ(both.find(wrong), std::string::npos) << wrong;
  const nlohmann::json other = run_json("other");
  EXPECT_EQ(other.contains("ipr_mean_end"), deep) << "points have no receptive fields to measure";
}

/// Hashes of all arrays of a record, "experiment array hash"; those in test/data/catalog_hashes.txt were made by version 0.1.0, before
/// the networks got one house.
std::map<std::string, std::string> stored_hashes() {
  std::map<std::string, std::string> hashes;
  std::ifstream file(PROJECT_FOLDER "/test/data/catalog_hashes.txt");
  for (std::string experiment, array, hash; file >> experiment >> array >> hash;)
    hashes[experiment + " " + array] = hash;
  return hashes;
}

std::string hash_of(const file::Array& array) {
  std::string bytes = file::to_string(array.shape) + std::to_string(array.data.index());
  std::visit(
      [&](const auto& values) {
        bytes.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(values[0]));
      },
      array.data);
  return fmt::format("{:016x}", static_cast<std::uint64_t>(record::fingerprint(bytes)));
}

/// AVX2 and AVX-512 give the same bits; older instruction sets agree only to rounding. Set SLUICE_HASHES to a file to append what this
/// program makes.
TEST_P(Catalog, GivesTheBitsItAlwaysGave) {
  if ((hwy::SupportedTargets() & (HWY_AVX2 | HWY_AVX3)) == 0) GTEST_SKIP() << "needs AVX2";
  say(brief(GetParam(), "r"));
  const std::map<std::string, std::string> stored = stored_hashes();
  std::size_t compared = 0;
  for (const auto& [name, array] : file::read_npz(folder / "r/record.npz")) {
    const std::string key = GetParam() + " " + name;
    if (const char* file = std::getenv("SLUICE_HASHES"))
      std::ofstream(file, std::ios::app) << key << " " << hash_of(array) << "\n";
    if (!stored.contains(key)) continue;
    EXPECT_EQ(hash_of(array), stored.at(key)) << key;
    ++compared;
  }
  EXPECT_GE(compared, 3U) << "nothing to compare with";
}

INSTANTIATE_TEST_SUITE_P(Every, Catalog, testing::ValuesIn(experiments()), [](const auto& test) {
  std::string name = test.param;
  std::ranges::replace(name, '-', '_');
  return name;
});

}  // namespace
}  // namespace sluice
