// What the figures of gates are made of: moments behind one gate, and how often gates flip.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "sluice/lab/gate_structure.hpp"
#include "sluice/lab/pair_covariance.hpp"
#include "sluice/lab/simulation.hpp"
#include "sluice/task/nlgp.hpp"

namespace sluice::lab {
namespace {

record::Recording gated(const std::string& gate, const std::string& task) {
  return simulate(
      parse_spec(
          fmt::format(
              "[task]\n{}\n[network]\nkind = \"gated-linear\"\nhidden = 1\ngate = {}\n"
              "[dynamics]\nkind = \"exact\"\nrate = 1.0\nsteps = 10\n[probe]\nevery = 10\nsamples = 100\n",
              task, gate),
          "test"),
      "test", 2);
}
constexpr const char* kBump = "{ law = \"bump\", at = 20 }";
constexpr const char* kNote = "kind = \"nlgp\"\nn = 40\ngain = 3.0\nxi = [2.0, 1.0]\nlabels = [1.0, 0.0]";

/// b by the corrected N0.67 at every gain, w(∞) as the solution of A w = b, and the IPRs of N0.c18 to their printed digits.
TEST(GateStructure, IsTheLedgersBehindTheSmallBump) {
  const figure::GateStructureView view = gate_structure(gated(kBump, kNote));
  ASSERT_EQ(view.cases.size(), 5U);
  EXPECT_EQ(view.cases[view.own].label, "gain 3");
  const double gains[] = {0.01, 1, 3, 10, std::numeric_limits<double>::infinity()};
  for (std::size_t c = 0; c < 5; ++c) {
    for (std::size_t j = 0; j < 40; ++j) {
      const double d = std::abs(static_cast<double>(j) - 20);
      const double expected = std::asin(std::sqrt(task::nlgp_q(gains[c])) * std::exp(-d * d / 4)) /
                              (2 * std::numbers::pi * std::sqrt(task::nlgp_variance(gains[c])));
      EXPECT_NEAR(view.cases[c].response[j], expected, 1e-9) << view.cases[c].label << ", site " << j;
    }
  }
  EXPECT_NEAR(view.cases[0].ipr, 0.41, 0.005) << "Gaussian data localize behind this gate, too";
  EXPECT_NEAR(view.cases[2].ipr, 0.76, 0.005);
  EXPECT_NEAR(view.cases[4].ipr, 0.82, 0.005);
  const figure::GateStructureView::Case& own = view.cases[view.own];
  for (std::size_t i = 0; i < 40; ++i) {
    double aw = 0, unit = 0;
    for (std::size_t j = 0; j < 40; ++j) {
      aw += view.covariance[i * 40 + j] * own.limit[j];
      unit += view.covariance[i * 40 + j] * view.inverse[j * 40 + i];
    }
    EXPECT_NEAR(aw, own.response[i], 1e-12);
    EXPECT_NEAR(unit, 1, 1e-10);
  }
  // N0.c17: a row of (C0 + C1)⁻¹ = ¼A⁻¹.
  EXPECT_NEAR(view.inverse[0] / 4, 0.841, 5e-4);
  EXPECT_NEAR(view.inverse[1] / 4, -0.380, 5e-4);
  EXPECT_NEAR(view.inverse[2] / 4, 0.075, 5e-4);
}

TEST(GateStructure, ALineOfAnyGateHasTheSameCovariance) {
  const figure::GateStructureView bump = gate_structure(gated(kBump, kNote)),
                                  hat = gate_structure(gated("{ law = \"hat\", at = 20 }", kNote));
  for (std::size_t i = 0; i < bump.covariance.size(); ++i)
    EXPECT_NEAR(hat.covariance[i], bump.covariance[i], 1e-12);
  EXPECT_LT(hat.gate[23], 0) << "it has a surround";
}

TEST(GateStructure, TasksWithoutAGainHaveOneCase) {
  const figure::GateStructureView view =
      gate_structure(gated("{ law = \"bump\" }", "kind = \"gaussian\"\nn = 10\nxi = [2.0, 1.0]"));
  ASSERT_EQ(view.cases.size(), 1U);
  EXPECT_EQ(view.gate.size(), 10U);
}

TEST(Summary, HasHowOftenGatesFlipEarlyAndLate) {
  const record::Recording run = simulate(
      parse_spec("[task]\nkind = \"nlgp\"\nn = 10\n[network]\nkind = \"two-layer\"\nhidden = "
                 "2\n[dynamics]\nkind = \"sgd\"\nrate = 0.5\n"
                 "batch = 100\nsteps = 40\n[probe]\nevery = 1\nsamples = 1000\nwatch = [\"gate_flips\"]\n",
                 "test"),
      "test", 2);
  const std::vector<float>& flips = file::find(run.arrays, "gate_flips")->as<float>();
  double early = 0, late = 0;
  for (std::size_t t = 1; t <= 4; ++t) early += (static_cast<double>(flips[2 * t]) + flips[2 * t + 1]) / 8;
  for (std::size_t t = 36; t <= 40; ++t) late += (static_cast<double>(flips[2 * t]) + flips[2 * t + 1]) / 10;
  ASSERT_GT(early, 0);
  EXPECT_NEAR(run.summary.find("gate_flips_early").value(), early, 1e-12);
  EXPECT_NEAR(run.summary.find("gate_flips_late").value(), late, 1e-12);
}

record::Recording pair(const std::string& gate, const std::string& task) {
  return simulate(
      parse_spec(
          fmt::format(
              "[task]\n{}\n[network]\nkind = \"gated-linear\"\nhidden = 2\ngate = {}\n"
              "[dynamics]\nkind = \"exact\"\nrate = 1.0\nsteps = 10\n[probe]\nevery = 10\nsamples = 100\n",
              task, gate),
          "test"),
      "test", 2);
}

/// N3.8: ¼(C₀+C₁) by its own formula, symmetric; the printed form at (2, 3) from the gate, n = 20, g = 3, as the ledger evaluated it
/// (0.3367, without the normalisation by Z_g that it lacks), and not symmetric.
TEST(PairCovariance, IsAQuarterOfBothAndNotAsPrinted) {
  const record::Recording run = pair("{ law = \"bump\", at = 0, pairs = true }",
                                     "kind = \"nlgp\"\nn = 20\ngain = 3.0\nxi = [2.0, 1.0]");
  ASSERT_EQ(no_bump_pair(run), "");
  const figure::PairCovarianceView view = pair_covariance(run);
  ASSERT_EQ(view.corrected.size(), 400U);
  const auto c = [](double d, double xi) {
    const double q = task::nlgp_q(3);
    return std::asin(q * std::exp(-d * d / (xi * xi))) / std::asin(q);
  };
  for (int d = 0; d < 5; ++d)
    EXPECT_NEAR(view.corrected[static_cast<std::size_t>(2 * 20 + 2 + d)], (c(d, 2) + c(d, 1)) / 4, 1e-6);
  EXPECT_NEAR(view.printed[2 * 20 + 3], 0.3367, 5e-4);
  EXPECT_GT(std::abs(view.printed[2 * 20 + 3] - view.printed[3 * 20 + 2]), 0.01);
  EXPECT_TRUE(std::isnan(view.printed[5]));
}

TEST(PairCovariance, IsOfNoteThreeAlone) {
  const std::string nlgp = "kind = \"nlgp\"\nn = 12\ngain = 3.0\nxi = [2.0, 1.0]";
  EXPECT_NE(no_bump_pair(pair("{ law = \"bump\" }", nlgp)), "") << "two sites, no pair";
  EXPECT_NE(no_bump_pair(pair("{ law = \"hat\", pairs = true }", nlgp)), "") << "no bump";
  EXPECT_NE(
      no_bump_pair(pair("{ law = \"bump\", pairs = true }", "kind = \"gaussian\"\nn = 12\nxi = [2.0, 1.0]")),
      "")
      << "no gain";
}

}  // namespace
}  // namespace sluice::lab
