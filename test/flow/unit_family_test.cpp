#include "sluice/flow/unit_family.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sluice/file/errors.hpp"
#include "sluice/flow/branching.hpp"
#include "sluice/flow/fourier_flow.hpp"
#include "sluice/flow/steady_states.hpp"
#include "sluice/flow/unit_landscape.hpp"
#include "sluice/math/fourier_basis.hpp"
#include "test/flow/landscapes.hpp"

namespace sluice::flow {
namespace {

math::Workers& family_team() {
  static math::Workers workers(2);
  return workers;
}

UnitSpec unit_on(std::int64_t n, double first_xi, double second_xi) {
  UnitSpec spec;
  spec.task.n = n;
  spec.task.xi = {first_xi, second_xi};
  return spec;
}

UnitFamily family_of(const UnitSpec& spec, const std::string& parameter, const std::string& response,
                     const DilutedOptions& options = {.draws = 480}) {
  return {spec, unit_parameter(parameter), response, options, family_team()};
}

// Gain → 0: all waves are fixed points, with the amplitudes, losses and growth rates of flow/steady_states (D.5).
TEST(UnitFamily, HasTheGaussianSteadyStatesAtSmallGain) {
  constexpr std::int64_t n = 12;
  const DiagonalProblem problem = ring_problem({math::ring_kernel(n, 1.5), math::ring_kernel(n, 1)});
  for (const char* response : {"diluted", "conditioned", "gaussian"}) {
    const UnitFamily family = family_of(unit_on(n, 1.5, 1), "gain", response);
    for (const SteadyState& state : steady_states(problem)) {
      std::vector<double> u(n, 0.0);
      u[static_cast<std::size_t>(state.modes.front())] = 1.02 * state.amplitude;
      const std::vector<double> wave = math::FourierBasis(n).synthesise(u);
      const Continuation continuation(family, isotropy(wave));
      const auto found = continuation.settle(wave, std::log(1e-3));
      ASSERT_TRUE(found) << response << ", mode " << state.modes.front();
      EXPECT_NEAR(test::norm(found->field), state.amplitude, 2e-5 * state.amplitude) << response;
      EXPECT_NEAR(found->loss, state.loss, 1e-6);
      std::vector<double> want{state.own_rate}, got;
      for (std::int64_t k = 0; k < n; ++k)
        if (k != state.modes.front()) want.push_back(growth_rate(problem, state, k));
      for (const auto& sector : found->rates) got.insert(got.end(), sector.begin(), sector.end());
      std::ranges::sort(want);
      std::ranges::sort(got);
      ASSERT_EQ(got.size(), want.size());
      for (std::size_t k = 0; k < got.size(); ++k)
        EXPECT_NEAR(got[k], want[k], 1e-4 + 1e-4 * std::abs(want[k]))
            << response << ", mode " << state.modes.front();
    }
  }
}

// ŷ = ReLU(s) + a s: weights scale by 1/κ, rates by κ, κ = 1 + 2a + 2a², and nothing else happens.
TEST(UnitFamily, APathwayOnlyScales) {
  const UnitSpec spec = unit_on(12, 1.5, 1);
  const UnitFamily family = family_of(spec, "pathway", "diluted");
  const std::vector<double> wave = std::vector<double>(12, 0.2);
  const Continuation continuation(family, isotropy(wave));
  const auto without = continuation.settle(wave, 0);
  ASSERT_TRUE(without);
  for (const double a : {-0.5, 0.7}) {
    const double kappa = 1 + 2 * a + 2 * a * a;
    const auto with = continuation.settle(std::vector<double>(12, 0.2 / kappa), a);
    ASSERT_TRUE(with);
    EXPECT_NEAR(with->field[0], without->field[0] / kappa, 1e-6);
    EXPECT_NEAR(with->loss - 0.25, (without->loss - 0.25) / kappa, 1e-6);
    for (std::size_t k = 0; k < without->rates[1].size(); ++k)
      EXPECT_NEAR(with->rates[1][k], kappa * without->rates[1][k], 1e-5);
  }
}

void expect_jacobian_of_downhill(const CurvedLandscape& landscape, const std::vector<double>& w) {
  const std::size_t size = w.size();
  std::vector<double> jacobian(size * size), up(size), down(size);
  landscape.jacobian(w, jacobian);
  constexpr double kStep = 3e-3;
  for (std::size_t j = 0; j < size; ++j) {
    std::vector<double> at = w;
    at[j] += kStep;
    landscape.downhill(at, up);
    at[j] -= 2 * kStep;
    landscape.downhill(at, down);
    for (std::size_t i = 0; i < size; ++i)
      EXPECT_NEAR(jacobian[i * size + j], (up[i] - down[i]) / (2 * kStep), 1e-4);
  }
}

TEST(UnitFamily, JacobianIsThatOfTheDownhillForAnyLabels) {
  UnitSpec spec = unit_on(10, 1.5, 1);
  spec.task.classes.labels = {1, -0.6};
  spec.task.gain = 1;
  expect_jacobian_of_downhill(*family_of(spec, "label", "diluted", {.draws = 480, .dilution = 0.5}).at(-0.6),
                              test::bump(10, 1));
}

std::vector<double> pair_of(std::vector<double> first, const std::vector<double>& second, double sign) {
  for (const double w : second) first.push_back(sign * w);
  return first;
}

TEST(UnitFamily, JacobianOfTwoUnitsIsThatOfTheDownhillAndItOfTheLoss) {
  UnitSpec spec = unit_on(10, 1.5, 1);
  spec.task.classes.labels = {1, -0.6};
  spec.units = 2;
  spec.pathway = 0.3;
  const auto landscape =
      family_of(spec, "label", "gaussian").at(-0.6);  // the one response that is a gradient to the last digit
  const std::vector<double> w = pair_of(test::bump(10, 1), test::random_field(10, 4), 0.4);
  expect_jacobian_of_downhill(*landscape, w);
  std::vector<double> slope(20);
  landscape->downhill(w, slope);
  constexpr double kStep = 1e-4;
  for (std::size_t j = 0; j < w.size(); ++j) {
    std::vector<double> up = w, down = w;
    up[j] += kStep;
    down[j] -= kStep;
    EXPECT_NEAR(slope[j], (landscape->loss(down) - landscape->loss(up)) / (2 * kStep), 1e-7);
  }
}

// Gates of w and −w never open together: L₂(2u, −2u) − ¼ΣY² = 2 (L₁(u) − ¼ΣY²), and every rate of one unit stands there twice, over K² = 4.
TEST(UnitFamily, TwoOppositeUnitsDoNotKnowOfEachOther) {
  UnitSpec spec = unit_on(12, 2, 1);
  const std::vector<double> bump = test::bump(12, 1);
  for (const double gain : {0.4, 2.0}) {
    spec.units = 1;
    const auto one =
        Continuation(family_of(spec, "gain", "conditioned"), isotropy(bump)).settle(bump, std::log(gain));
    ASSERT_TRUE(one);
    std::vector<double> twice = one->field;
    for (double& w : twice) w *= 2;
    spec.units = 2;
    const std::vector<double> pair = pair_of(twice, twice, -1);
    const auto both =
        Continuation(family_of(spec, "gain", "conditioned"), isotropy(pair, 2)).settle(pair, std::log(gain));
    ASSERT_TRUE(both);
    EXPECT_NEAR(both->loss - 0.25, 2 * (one->loss - 0.25), 1e-9);
    std::vector<double> want, got;
    for (const auto& sector : one->rates)
      for (const double rate : sector) want.insert(want.end(), 2, rate / 4);
    for (const auto& sector : both->rates) got.insert(got.end(), sector.begin(), sector.end());
    std::ranges::sort(want);
    std::ranges::sort(got);
    ASSERT_EQ(got.size(), want.size());
    for (std::size_t k = 0; k < got.size(); ++k) EXPECT_NEAR(got[k], want[k], 2e-5) << "gain " << gain;
  }
}

// A pitchfork of the flat field: cosine and sine at once, a branch centred at a site and one between two, beginning continuously.
TEST(UnitFamily, AFlatFieldLosesToAWaveThatBeginsContinuously) {
  const UnitFamily family = family_of(unit_on(12, 2, 1), "gain", "conditioned");
  const std::vector<double> flat(12, 0.3);
  const ContinuationOptions options{.step = 0.2, .size = 1, .still = 1e-4};
  const Continuation continuation(family, isotropy(flat), options);
  const Branch branch =
      continuation.follow(*continuation.settle(flat, std::log(0.3)), 1, std::log(0.3), std::log(0.6));
  ASSERT_FALSE(branch.critical.empty());
  const Critical& critical = branch.critical.front();
  EXPECT_EQ(critical.kind, Critical::Kind::breaking);
  EXPECT_EQ(critical.vectors.size(), 2U) << "cosine and sine";
  const std::vector<Offshoot> offshoots = branch_off(family, critical, options);
  ASSERT_EQ(offshoots.size(), 2U);
  for (const Offshoot& offshoot : offshoots)
    EXPECT_EQ(offshoot.criticality, Criticality::supercritical) << offshoot.name;
  EXPECT_EQ(offshoots[0].sectors.dimensions(), 7U);
  EXPECT_EQ(offshoots[1].sectors.dimensions(), 6U);
  EXPECT_NEAR(offshoots[0].curvature, offshoots[1].curvature, 0.01 * offshoots[0].curvature)
      << "a ring of waves: the sites show at high order only";
}

TEST(UnitFamily, KnowsItsParameters) {
  EXPECT_THROW(unit_parameter("gian"), InputError);
  for (const UnitParameter& parameter : unit_parameters()) {
    EXPECT_NEAR(parameter.value(parameter.coordinate(0.7)), 0.7, 1e-15);
    UnitSpec spec;
    parameter.of(spec) = 0.7;
    const std::string_view name = parameter.choice.name;
    EXPECT_EQ(name == "gain"    ? spec.task.gain
              : name == "xi"    ? spec.task.xi[0]
              : name == "label" ? spec.task.classes.labels[1]
                                : spec.pathway,
              0.7)
        << name;
  }
}

}  // namespace
}  // namespace sluice::flow
