/// Killed at any moment, alone or beside others in its folder that are killed too, a run goes on to the bytes of one that nothing happened to. Sweeps: workers_test.cpp.
#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "sluice/file/atomic_file.hpp"
#include "test/support/process.hpp"

namespace sluice {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using test::with;
using Words = std::vector<std::string>;

struct Kind {
  std::string name;
  Words run;
};
enum class Company {
  nobody,
  rival,
  readers
};  // a second process that trains in the folder; probe, report and figure of it
struct Cell {
  Kind kind;
  Company company;
};

Words settings(const Words& keys) {
  Words words;
  for (const std::string& key : keys) words.insert(words.end(), {"--set", key});
  return words;
}

std::vector<Cell> cells() {
  const std::vector<Kind> kinds{
      {"TwoLayer", with({"run", "localization"}, settings({"network.hidden=30", "dynamics.steps=4000",
                                                           "probe.every=100", "probe.samples=1000"}))},
      {"Adam", with({"run", "localization"},
                    settings({"network.hidden=20", "dynamics.kind=adam", "dynamics.rate=0.01",
                              "dynamics.steps=3000", "probe.every=100", "probe.samples=1000"}))},
      {"Flow", with({"run", "gaussian-control"},
                    settings({"dynamics.kind=flow", "network.hidden=4", "dynamics.steps=300", "probe.every=5",
                              "probe.samples=1000"}))},
      {"Deep",
       with({"run", "depth-relu"}, settings({"network.depth=4", "dynamics.steps=400", "probe.every=20"}))}};
  std::vector<Cell> all;
  for (const Kind& kind : kinds)
    for (const Company company : {Company::nobody, Company::rival, Company::readers})
      all.push_back({kind, company});
  return all;
}

std::string name_of(const Cell& cell) {
  constexpr std::array<const char*, 3> kNames{"Alone", "WithARival", "WithReaders"};
  return cell.kind.name + kNames.at(static_cast<std::size_t>(cell.company));
}

class Kills : public testing::TestWithParam<Cell> {
 protected:
  int kills_wanted() const {
    const char* asked = std::getenv("SLUICE_TEST_KILLS");
    return asked == nullptr ? 3 : std::atoi(asked);
  }
  Words train(const std::string& out) const {  // most kills hit a write or come soon after one
    return with(GetParam().kind.run, {"--out", out, "--resume", "--checkpoint-every", "0.005", "--quiet"});
  }
  Words company(const std::string& out) {
    if (GetParam().company == Company::rival) return train(out);
    const std::vector<Words> readers{{"probe", out, GetParam().kind.name == "Deep" ? "weight_norms" : "ipr"},
                                     {"report", out},
                                     {"figure", out, "learning"}};
    return readers[random_() % readers.size()];
  }
  static std::map<std::string, std::string> results_in(const fs::path& folder) {
    std::map<std::string, std::string> files;
    for (const char* name : {"record.npz", "metrics.csv", "spec.toml", "state.npz"})
      files[name] = file::read_text(folder / name);
    return files;
  }
  std::chrono::duration<double> a_while(double mean) {
    return std::chrono::duration<double>(std::exponential_distribution<double>(1 / mean)(random_));
  }

  std::mt19937_64 random_{20260101};
  const test::TempFolder folder_;
};

TEST_P(Kills, CostNothing) {
  const auto begun = std::chrono::steady_clock::now();
  ASSERT_EQ(test::sluice(train("whole"), folder_.path()).code, 0);
  const double whole = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
  const auto expected = results_in(folder_ / "whole");
  const bool alone = GetParam().company == Company::nobody;

  int kills = 0, runs = 0;
  const auto limit = std::chrono::steady_clock::now() + 20min;
  for (; kills < kills_wanted(); ++runs) {
    const std::string out = "killed" + std::to_string(runs);
    // [0] trains; [1] is there too. Whoever says that another is at work comes again.
    std::array<std::unique_ptr<test::Process>, 2> here;
    for (bool over = false; !over;) {
      ASSERT_LT(std::chrono::steady_clock::now(), limit);
      if (!here[0]) here[0] = std::make_unique<test::Process>(train(out), folder_.path());
      if (!here[1] && !alone) here[1] = std::make_unique<test::Process>(company(out), folder_.path());
      std::this_thread::sleep_for(a_while(whole / 8));
      const std::size_t victim = alone ? 0 : random_() % 2;
      for (std::size_t i = 0; i < here.size(); ++i) {
        if (!here[i]) continue;
        const bool kill = i == victim && kills < kills_wanted();
        if (kill) here[i]->signal(SIGKILL);
        const std::optional<test::Said> said = kill ? here[i]->wait() : here[i]->poll();
        if (!said) continue;
        const bool trains = i == 0 || GetParam().company == Company::rival;
        kills += said->code == 128 + SIGKILL ? 1 : 0;
        // One that comes when there is nothing yet, or beside another, is told so.
        EXPECT_TRUE(said->code == 0 || said->code == 2 || said->code == 128 + SIGKILL) << said->err;
        if (said->code == 2 && trains) {
          EXPECT_NE(said->err.find("is at work there"), std::string::npos) << said->err;
        }
        over = over || (said->code == 0 && trains);
        here[i].reset();
      }
      if (HasFailure()) return;
    }
    for (auto& each : here) {
      if (each) each->wait();
    }
    EXPECT_EQ(test::sluice(train(out), folder_.path()).code, 0)
        << "whoever comes next clears away what killed ones left";
    ASSERT_EQ(results_in(folder_ / out), expected) << "after " << kills << " kills";
    EXPECT_FALSE(fs::exists(folder_ / out / ".sluice-lock"));
    for (const auto& entry : fs::recursive_directory_iterator(folder_ / out))
      EXPECT_FALSE(file::is_temporary(entry.path().filename().string())) << entry.path();
  }
  RecordProperty("kills", kills);
  std::printf("%s: %d kills over %d runs, every record identical\n", name_of(GetParam()).c_str(), kills,
              runs);
}
INSTANTIATE_TEST_SUITE_P(Of, Kills, testing::ValuesIn(cells()),
                         [](const auto& instance) { return name_of(instance.param); });

}  // namespace
}  // namespace sluice
