#include "sluice/lab/gate_search_report.hpp"

#include <gtest/gtest.h>

#include "sluice/file/errors.hpp"
#include "sluice/lab/run.hpp"
#include "test/support/temp_folder.hpp"

namespace sluice::lab {
namespace {

Experiment spec(const std::string& network, const std::string& task = "kind = \"nlgp\"\nn = 8") {
  return parse_spec("[task]\n" + task + "\n[network]\n" + network +
                        "\n[dynamics]\nkind = \"sgd\"\nsteps = 20\nbatch = 100\n[probe]\nevery = 20\n",
                    "test");
}
constexpr const char* kGated = "kind = \"gated-linear\"\nhidden = 2";

TEST(SearchGates, SaysWhatItFoundAndWhatItCost) {
  math::Workers workers(2);
  const GateSearch search =
      search_gates({.experiment = spec(kGated), .candidates = 20, .samples = 1000}, workers);
  EXPECT_EQ(search.refined().gates.size(), 16U);
  EXPECT_EQ(search.rounds.size(), 2U);
  EXPECT_GE(search.budget.candidates, 40);
  EXPECT_EQ(search.budget.gains, 2 * search.budget.candidates - 1);
  EXPECT_GT(search.budget.seconds, 0);
  // What is refined is at least as good as where it started.
  EXPECT_LE(search.refined().fitted, search.greedy().fitted);
  EXPECT_LE(search.refined().fitted, search.structures.front().fitted);
  EXPECT_EQ(search.refined().behind.mean, 0);
  for (const Structure& one : search.structures) EXPECT_GT(one.held_out.error, 0) << one.name;
  const std::string page = search_page(search, "A search");
  for (const std::string& sentence : conclusions(search))
    EXPECT_NE(page.find(sentence), std::string::npos) << sentence;
  EXPECT_NE(page.find("sets of gates fitted"), std::string::npos);
}

TEST(SearchGates, BeatsOnlyByTwoStandardErrors) {
  EXPECT_EQ(verdict({.mean = 2.1, .error = 1}), "beats");
  EXPECT_EQ(verdict({.mean = 1.9, .error = 1}), "does not beat");
  EXPECT_EQ(verdict({.mean = -1.9, .error = 1}), "does not beat");
  EXPECT_EQ(verdict({.mean = -2.1, .error = 1}), "loses to");
  EXPECT_EQ(verdict({.mean = 1e-8, .error = 0}), "does not beat") << "rounding";
}

TEST(SearchGates, OnFinitelyManyPointsNothingIsEstimated) {
  math::Workers workers(2);
  const GateSearch search =
      search_gates({.experiment = spec(kGated, "kind = \"pulse\"\nn = 20"), .candidates = 20}, workers);
  EXPECT_TRUE(search.exact);
  EXPECT_EQ(search.budget.points, search.budget.held_out);
  for (const Structure& one : search.structures) {
    EXPECT_EQ(one.held_out.error, 0) << one.name;
    EXPECT_NEAR(one.held_out.mean, one.fitted, 1e-6) << one.name;
  }
}

std::string refused(SearchRequest request) {
  math::Workers workers(1);
  request.samples = 1000;
  request.candidates = 20;
  try {
    search_gates(request, workers);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(SearchGates, RefusesWhatHasNoGatesToSearch) {
  EXPECT_EQ(refused({.experiment = spec("kind = \"two-layer\"")}),
            "network.kind = \"two-layer\": expected \"gated-linear\" to search gates for");
  EXPECT_EQ(refused({.experiment = spec(kGated, "kind = \"nlgp\"\nn = 4\ndim = 2")}),
            "task: expected inputs on a ring, where gates have translates");
}

TEST(SearchGates, IsComparedWithARunOfReluUnitsOnly) {
  const test::TempFolder folder;
  const auto recorded = [&](const std::string& name, const std::string& network) {
    run(spec(network), name, {.out = folder.path() / name});
    return read_run(folder.path() / name);
  };
  const Recorded relu = recorded("relu", "kind = \"two-layer\"\nhidden = 3");
  math::Workers workers(2);
  const GateSearch search = search_gates(
      {.experiment = spec(kGated), .candidates = 20, .samples = 1000, .against = &relu}, workers);
  EXPECT_EQ(search.run, (folder.path() / "relu").string());
  EXPECT_EQ(search.run_units, 3);
  EXPECT_EQ(search.structures.size(), 7U);  // three units are not two gates: no row of their own
  ASSERT_EQ(search.agreements.size(), 5U);
  for (const AgreementRow& row : search.agreements) {
    EXPECT_GE(row.mean.best, row.mean.matched) << row.name;
    EXPECT_GE(row.mean.shifted, row.mean.best) << row.name;
    EXPECT_LE(row.mean.shifted, 1) << row.name;
  }
  const Recorded gated = recorded("gated", kGated);
  EXPECT_NE(
      refused({.experiment = spec(kGated), .against = &gated}).find("expected a run of a two-layer network"),
      std::string::npos);
  EXPECT_NE(refused({.experiment = spec(kGated, "kind = \"nlgp\"\nn = 10"), .against = &relu})
                .find("expected weights of units on 10 sites"),
            std::string::npos);
}

}  // namespace
}  // namespace sluice::lab
