/// The claims: every one holds, none can be falsified unnoticed, none is forgotten.
#include "sluice/theory/claim.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <set>
#include <stdexcept>

#include "sluice/theory/evidence.hpp"
#include "sluice/theory/respond.hpp"

namespace sluice::theory {
namespace {

constexpr std::int64_t kFewSamples = 60'000;

class Claims : public testing::TestWithParam<Claim> {};

TEST_P(Claims, Hold) {
  math::Workers workers(2);
  const Finding finding = run(GetParam(), Sampler(kFewSamples, 1, workers));
  EXPECT_TRUE(finding.passed) << GetParam().id << ": measured " << finding.measured << " ± "
                              << finding.standard_error << ", stated " << finding.stated.value_or(NAN)
                              << ", allowed " << finding.allowed << "; " << finding.evidence;
  if (!finding.resolution) return;
  // A stated form that is so much too large, or too small, fails: on this seed, or else on nine of ten others.
  for (const double error : {*finding.resolution, -*finding.resolution}) {
    if (would_catch(finding, error)) continue;
    int caught = 0;
    for (std::uint64_t seed = 2; seed <= 11; ++seed)
      caught += would_catch(run(GetParam(), Sampler(kFewSamples, seed, workers)), error) ? 1 : 0;
    EXPECT_GE(caught, 9) << GetParam().id << ": " << 100 * error << " %";
  }
}

std::string as_test_name(const testing::TestParamInfo<Claim>& tested) {
  std::string name(tested.param.id);
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}
INSTANTIATE_TEST_SUITE_P(All, Claims, testing::ValuesIn(all_claims()), as_test_name);

#ifdef SLUICE_ASSERTIONS  // Claims.Hold takes too long in these builds
/// Every check runs to its end; what it finds on so few samples means nothing.
TEST_P(Claims, HaveChecksThatRunOnFewSamples) {
  if (GetParam().check == nullptr) return;
  math::Workers workers(2);
  const Finding finding = GetParam().check(Sampler(500, 1, workers));
  EXPECT_FALSE(finding.evidence.empty());
}
#endif

/// The ids this release promises: documents 000 to 004; sheet A to I; the values of K; what we add.
std::set<std::string> promised() {
  std::set<std::string> ids;
  const auto add = [&](const std::string& prefix, int first, int last) {
    for (int i = first; i <= last; ++i) ids.insert(prefix + std::to_string(i));
  };
  add("N0.", 1, 67);
  add("N0.c", 1, 19);
  add("N2.", 1, 34);
  add("N2.c", 1, 7);
  add("G.", 1, 2);
  add("N3.", 1, 13);
  add("N3.c", 1, 3);
  add("N1.", 1, 22);
  add("N1.p", 1, 4);
  add("N1.c", 1, 8);
  add("N1.S", 1, 2);
  ids.insert({"N2.G", "N1.G", "N1.E", "N1.J", "H.1"});
  add("A.", 1, 2);
  add("B.", 1, 7);
  add("C.", 1, 7);
  add("D.", 1, 6);
  add("E.", 1, 6);
  add("F.", 1, 5);
  add("I.", 1, 10);
  add("K.", 1, 22);
  add("P.", 1, 16);
  add("P.T", 1, 3);
  add("P.A", 1, 2);
  add("P.a", 1, 17);
  add("P.s", 1, 2);
  add("P.E", 1, 8);
  add("P.F", 1, 6);
  add("S.", 1, 9);
  ids.insert({"P.T5",      "P.F7a",  "P.F7b",   "P.F8",     "P.C1",     "P.C2",    "P.C3-8",
              "P.L2.1",    "P.L2.2", "P.L2.4",  "P.Th2.3a", "P.Th2.3b", "P.L3.1i", "P.L3.1ii",
              "P.L3.1iii", "P.D3.1", "P.L4.1",  "P.D7.1",   "P.D7.2",   "P.D7.3",  "P.D7.4",
              "P.L7.1",    "P.L7.2", "P.Th7.3", "P.L7.4",   "P.L7.5",   "P.L8.2"});
  return ids;
}

std::set<std::string> present() {
  std::set<std::string> ids;
  for (const Claim& claim : all_claims()) ids.emplace(claim.id);
  return ids;
}

TEST(ClaimTable, HasEveryPromisedIdOnce) {
  EXPECT_EQ(present(), promised());
  EXPECT_EQ(all_claims().size(), present().size()) << "an id occurs twice";
}

TEST(ClaimTable, IsInTheOrderOfTheDocuments) {
  const std::vector<Claim> all = all_claims();
  EXPECT_EQ(all.front().id, "N0.1");
  EXPECT_EQ(all[9].id, "N0.10") << "not N0.2";
  EXPECT_EQ(all.back().id, "S.9");
}

TEST(ClaimTable, OnlyDefinitionsExperimentsAndWhatIsOpenHaveNothingToCheck) {
  for (const Claim& claim : all_claims()) {
    if (claim.verdict == Verdict::measured) {
      EXPECT_EQ(claim.check, nullptr) << claim.id;
    } else if (claim.verdict != Verdict::open) {
      EXPECT_EQ(claim.check == nullptr, claim.verdict == Verdict::definition) << claim.id;
    }
    EXPECT_FALSE(claim.statement.empty()) << claim.id;
    EXPECT_FALSE(claim.source.empty()) << claim.id;
  }
}

/// Where the working copy of the ledger lies beside the project, nothing in its scope may be missing here.
/// The id at the beginning of a line of the ledger: "| N0.12 | …" of a document, "- C.4. …" of the sheet; else empty.
std::string id_of(const std::string& line) {
  if (line.starts_with("| P.E3 to E7")) return "P.E3";
  if (line.starts_with("| N0.") || line.starts_with("| N1.") || line.starts_with("| N3.") ||
      line.starts_with("| P."))
    return line.substr(2, line.find(" |", 2) - 2);
  const bool sheet = line.size() > 5 && line.starts_with("- ") &&
                     std::string("ABCDEFHI").find(line[2]) != std::string::npos && line[3] == '.' &&
                     std::isdigit(static_cast<unsigned char>(line[4])) != 0;
  return sheet ? line.substr(2, line.find('.', 4) - 2) : "";
}

TEST(ClaimTable, CoversTheLedgerWhereItIsAtHand) {
  const std::filesystem::path ledger = std::filesystem::path(TEST_FOLDER) / "../../shared/ledger.md";
  if (!std::filesystem::exists(ledger)) GTEST_SKIP() << "no ledger beside the project";
  std::ifstream file(ledger);
  const std::set<std::string> ids = present();
  int found = 0;
  for (std::string line; std::getline(file, line);) {
    const std::string id = id_of(line);
    if (id.empty()) continue;
    ++found;
    EXPECT_TRUE(ids.contains(id)) << id;
  }
  EXPECT_GT(found, 230);
}

// ---- a false claim fails -------------------------------------------------------------------------------------------

const Data& gaussian() {
  static const Data data = gaussian_data(16, 1.6, 0.8);
  return data;
}
Vector exact() { return respond(gaussian_response(gaussian().one), trial_weights(16, 1)); }
Means measured(const Sampler& sampler) {
  return sampled_response(sampler, gaussian(), Label::one, trial_weights(16, 1));
}

Finding run_check(Check check, std::int64_t samples = kFewSamples) {
  math::Workers workers(2);
  return run({"X.1", "a claim", "test", Verdict::holds, check}, Sampler(samples, 3, workers));
}

TEST(FalseClaim, OfAWrongFactorFails) {
  EXPECT_TRUE(run_check([](const Sampler& s) { return sampled(measured(s), exact()); }).passed);
  EXPECT_FALSE(run_check([](const Sampler& s) { return sampled(measured(s), 1.1 * exact()); }).passed);
}

TEST(FalseClaim, OfAPrintedFormThatIsRightFails) {
  EXPECT_TRUE(
      run_check([](const Sampler& s) { return sampled(measured(s), exact(), 2.0 * exact()); }).passed);
  const Finding finding = run_check([](const Sampler& s) { return sampled(measured(s), exact(), exact()); });
  EXPECT_FALSE(finding.passed);
  EXPECT_NE(finding.evidence.find("not refuted"), std::string::npos);
}

TEST(FalseClaim, OfNumbersThatAreNotNumbersFails) {
  EXPECT_FALSE(run_check([](const Sampler&) { return computed({1, NAN}, {1, 2}, 1e-9, ""); }).passed);
  EXPECT_FALSE(run_check([](const Sampler& s) {
                 Vector stated = exact();
                 stated[7] = NAN;
                 return sampled(measured(s), stated);
               }).passed);
}

TEST(FalseClaim, ThatThrowsFailsWithItsMessage) {
  const Finding finding =
      run_check([](const Sampler&) -> Finding { throw std::runtime_error("no such law"); });
  EXPECT_FALSE(finding.passed);
  EXPECT_EQ(finding.evidence, "no such law");
}

TEST(Evidence, WithoutPowerIsNone) {
  EXPECT_FALSE(run_check([](const Sampler& s) { return sampled(measured(s), exact()); }, 100).passed);
}

/// The resolution is what it says: a form that is off by it is caught on 99 of 100 seeds, one that is off by half of it on few.
TEST(Evidence, CatchesErrorsOfItsResolution) {
  math::Workers workers(2);
  int caught = 0, caught_half = 0;
  constexpr int kSeeds = 100;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    const Sampler sampler(400, seed, workers);
    const Means mean = sampler.mean(gaussian(), Label::one, 1, [](auto x, auto out) { out[0] = 10 + x[0]; });
    const double resolution = *sampled(mean, {10}).resolution;
    caught += sampled(mean, {10 * (1 + resolution)}).passed ? 0 : 1;
    caught_half += sampled(mean, {10 * (1 + resolution / 2)}).passed ? 0 : 1;
  }
  EXPECT_GE(caught, 95);  // Binomial(100, 0.99): fewer with probability 5e-4
  EXPECT_LE(caught_half,
            30);  // 1.05 standard errors short of z: Binomial(100, 0.148), more with probability 4e-5
  EXPECT_NEAR(*computed({2, 4}, {2, 4}, 1e-3, "").resolution, 5e-4,
              1e-12);  // wherever within the tolerance it is
}

TEST(Evidence, OfSeveralFormsResolvesTheCoarsestAndOfSeveralMeasurementsTheFinest) {
  const Finding fine = computed({1}, {1}, 1e-6, "fine"), coarse = computed({1}, {1}, 1e-3, "coarse");
  EXPECT_EQ(both(fine, coarse).resolution, coarse.resolution);
  EXPECT_EQ(twice(coarse, fine).resolution, fine.resolution);
  EXPECT_EQ(twice(coarse, fine).evidence, "coarse; fine");
  EXPECT_TRUE(would_catch(twice(coarse, fine), 1e-5));
  EXPECT_FALSE(would_catch(both(coarse, fine), 1e-5));
  EXPECT_FALSE(twice(coarse, computed({1}, {1.1}, 1e-6, "")).passed);
  EXPECT_FALSE(both(computed({1}, {1.1}, 1e-6, ""), coarse).passed);
}

TEST(Evidence, OfAZeroIsRelativeToTheTermsThatCancel) {
  const Finding finding = computed_zero({0, 1e-9}, 2, 1e-8, "");
  EXPECT_TRUE(finding.passed);
  EXPECT_NEAR(*finding.resolution, 1e-8, 1e-20);
  EXPECT_TRUE(would_catch(finding, *finding.resolution));
  EXPECT_FALSE(would_catch(finding, 0.1 * *finding.resolution));
  EXPECT_FALSE(computed_zero({0, 1e-7}, 2, 1e-8, "").passed);
}

TEST(Evidence, OfAnObservationIsAnEffectWithItsStandardError) {
  const std::vector<double> values{1, 2, 3, 4, 5};
  const Observation seen(values);
  EXPECT_DOUBLE_EQ(seen.mean, 3);
  EXPECT_NEAR(seen.standard_error, std::sqrt(2.5 / 5), 1e-12);
  EXPECT_TRUE(seen.above(0.8));
  EXPECT_FALSE(seen.above(1));  // 2.8 standard errors below the mean
  EXPECT_TRUE(seen.below(5.2));
  EXPECT_FALSE(seen.below(5));
}

/// The length along the form sees a factor that no component alone can tell.
TEST(Evidence, SeesAFactorBestAlongTheForm) {
  const Vector stated(1.0, 16);
  const auto run = [&](bool with) {
    return run_check(
        with ? +[](const Sampler& s) {
          const Vector ones(1.0, 16);
          const Statistic one = [](auto x, auto out) {
            for (std::size_t i = 0; i < 16; ++i) out[i] = 1 + 3 * x[i];
          };
          return sampled(s.mean(gaussian(), Label::one, 17, with_length(one, ones)), with_length(ones));
        }
             : +[](const Sampler& s) {
          const Statistic one = [](auto x, auto out) {
            for (std::size_t i = 0; i < 16; ++i) out[i] = 1 + 3 * x[i];
          };
          return sampled(s.mean(gaussian(), Label::one, 16, one), Vector(1.0, 16));
        });
  };
  EXPECT_TRUE(run(true).passed);
  EXPECT_LT(*run(true).resolution, 0.7 * *run(false).resolution);
}

TEST(Evidence, AllowsMoreDeviationsTheMoreComponentsThereAre) {
  EXPECT_NEAR(allowed_deviations(1), 4.417, 1e-3);   // two-sided 1e-5
  EXPECT_NEAR(allowed_deviations(10), 4.892, 1e-3);  // two-sided 1e-6
}

TEST(Sampler, DoesNotDependOnThreads) {
  math::Workers one(1);
  math::Workers three(3);
  const Means alone = measured(Sampler(5000, 1, one));
  const Means together = measured(Sampler(5000, 1, three));
  for (std::size_t i = 0; i < alone.mean.size(); ++i) {
    EXPECT_EQ(alone.mean[i], together.mean[i]);
    EXPECT_EQ(alone.standard_error[i], together.standard_error[i]);
  }
}

TEST(Sampler, HasTheStandardErrorOfTheMean) {
  math::Workers workers(2);
  const Means means = Sampler(40'000, 1, workers)
                          .mean(gaussian(), Label::one, 1,
                                [](std::span<const double> x, std::span<double> out) { out[0] = x[0]; });
  EXPECT_NEAR(means.standard_error[0] * 200, 1, 0.02);  // sd 1 over √40000, itself known to 1/√80000
  EXPECT_LT(std::abs(means.mean[0]), 4 * means.standard_error[0]);
}

}  // namespace
}  // namespace sluice::theory
