#include "sluice/flow/steady_states.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "sluice/flow/elliptical.hpp"
#include "sluice/flow/gaussian.hpp"
#include "sluice/flow/relu_landscape.hpp"
#include "sluice/math/fourier_basis.hpp"
#include "test/flow/landscapes.hpp"

namespace sluice::flow {
namespace {

using math::ring_kernel;

constexpr std::int64_t kSites = 40;

DiagonalProblem gaussian(double first_xi, double second_xi) {
  return ring_problem({ring_kernel(kSites, first_xi), ring_kernel(kSites, second_xi)});
}

/// One unit on elliptical data, in site space.
struct Sites {
  std::array<std::vector<double>, 2> rows;
  EllipticalResponse response;
  OneUnit first, second;
  ReluLandscape landscape;
  Sites(double first_xi, double second_xi, double constant)
      : rows{ring_kernel(kSites, first_xi), ring_kernel(kSites, second_xi)},
        response(Covariance::circulant(rows[0]), constant),
        first(Covariance::circulant(rows[0]), &response),
        second(Covariance::circulant(rows[1])),
        landscape(1, {&first, &second}, {1, 0}) {}
};

// Section K, N0.c6: norms and losses by formula.
TEST(SteadyStates, AreThoseOfSectionK) {
  const test::Tolerance printed = test::absolute(6e-11, "ten printed digits");
  const SteadyState flat = steady_states(gaussian(2, 1)).front();
  EXPECT_EQ(flat.modes, std::vector<std::int64_t>{0});
  EXPECT_TRUE(flat.stable);
  EXPECT_TRUE(test::close(flat.amplitude, 0.2825083973, printed));
  EXPECT_TRUE(test::close(flat.loss, 0.1969501816, printed));
  const SteadyState alternating = steady_states(gaussian(1, 2)).front();
  EXPECT_EQ(alternating.modes, std::vector<std::int64_t>{39});  // frequency 20
  EXPECT_TRUE(alternating.stable);
  EXPECT_TRUE(test::close(alternating.amplitude, 1.4534413115, printed));
  EXPECT_TRUE(test::close(alternating.loss, 0.1705194800, printed));
  EXPECT_NEAR(steady_states(gaussian(3, 2)).front().amplitude, 0.20761, 6e-6);
}

// D.5: |u| = 2c√λ1/(λ0+λ1), loss ¼ − c²/(2(1+r)), growth −(λ1_k/4)(r_k − r_j); c of Gaussian and Student t (N1.E).
TEST(SteadyStates, FollowTheSheet) {
  for (const double c : {kGaussianConstant, elliptical_constant(task::StudentTOptions{})}) {
    DiagonalProblem problem = gaussian(2, 1);
    problem.constants = {c, c};
    const auto states = steady_states(problem);
    ASSERT_EQ(states.size(), 21U) << "one per frequency";
    int stable = 0;
    for (const SteadyState& state : states) {
      const auto j = static_cast<std::size_t>(state.modes.front());
      EXPECT_EQ(state.modes.size(), j == 0 || j == 39 ? 1U : 2U);
      const double first = problem.eigenvalues[0][j];
      const double second = problem.eigenvalues[1][j];
      const double r = second / first;
      EXPECT_NEAR(state.amplitude, 2 * c * std::sqrt(first) / (first + second), 1e-12);
      EXPECT_NEAR(state.loss, 0.25 - c * c / (2 * (1 + r)), 1e-12);
      for (std::int64_t k = 0; k < kSites; ++k) {
        const double lambda = problem.eigenvalues[0][static_cast<std::size_t>(k)];
        const double other = problem.eigenvalues[1][static_cast<std::size_t>(k)] / lambda;
        EXPECT_NEAR(growth_rate(problem, state, k), -lambda / 4 * (other - r), 1e-12);
      }
      stable += state.stable ? 1 : 0;
    }
    EXPECT_EQ(stable, 1);
    EXPECT_TRUE(std::ranges::is_sorted(states, {}, &SteadyState::ratio)) << "lowest loss, smallest ratio";
  }
}

// Zeros of the flow in site space, on the whole circle of a cos/sin pair; growth rates against the Jacobian of that flow.
TEST(SteadyStates, AreZerosOfTheFlowAndGrowthRatesItsJacobian) {
  const double c = elliptical_constant(task::StudentTOptions{});
  DiagonalProblem problem = gaussian(2, 1);
  problem.constants = {c, c};
  const Sites sites(2, 1, c);
  const math::FourierBasis basis(kSites);
  std::vector<double> slope(kSites), up(kSites), down(kSites);
  for (const SteadyState& state : steady_states(problem)) {
    for (const double angle : {0.0, 0.7, 2.0}) {
      std::vector<double> u(kSites, 0.0);
      u[static_cast<std::size_t>(state.modes.front())] = state.amplitude * std::cos(angle);
      u[static_cast<std::size_t>(state.modes.back())] += state.modes.size() == 1
                                                             ? state.amplitude * (1 - std::cos(angle))
                                                             : state.amplitude * std::sin(angle);
      const std::vector<double> w = basis.synthesise(u);
      sites.landscape.downhill(w, slope);
      for (const double rate : slope) ASSERT_NEAR(rate, 0, 1e-15);
      ASSERT_NEAR(sites.landscape.loss(w), state.loss, 1e-14);

      for (const std::int64_t mode : {0, 7, 20, 39}) {
        if (std::ranges::find(state.modes, mode) != state.modes.end()) continue;
        constexpr double kStep = 1e-6;
        std::vector<double> nudged = u;
        nudged[static_cast<std::size_t>(mode)] = kStep;
        sites.landscape.downhill(basis.synthesise(nudged), up);
        nudged[static_cast<std::size_t>(mode)] = -kStep;
        sites.landscape.downhill(basis.synthesise(nudged), down);
        for (std::size_t i = 0; i < up.size(); ++i) up[i] = (up[i] - down[i]) / (2 * kStep);
        const double rate = basis.analyse(up)[static_cast<std::size_t>(mode)];
        // The nudge makes N² larger by λ h²: that much of the pull c λ/2N is missing. Rounding 1e-16/h.
        const double lambda = problem.eigenvalues[0][static_cast<std::size_t>(mode)];
        const double n = 2 * c / (1 + state.ratio);
        const double missing = c * lambda / (2 * n) * lambda * kStep * kStep / (2 * n * n);
        ASSERT_NEAR(rate, growth_rate(problem, state, mode), 2 * missing + 1e-9) << "mode " << mode;
      }
    }
    // The amplitude's own rate.
    std::vector<double> u(kSites, 0.0);
    constexpr double kStep = 1e-6;
    u[static_cast<std::size_t>(state.modes.front())] = state.amplitude * (1 + kStep);
    sites.landscape.downhill(basis.synthesise(u), slope);
    const double rate =
        basis.analyse(slope)[static_cast<std::size_t>(state.modes.front())] / (state.amplitude * kStep);
    ASSERT_NEAR(rate, state.own_rate, 1e-6);
  }
}

// One law twice: every ratio is 1, all modes share one ellipsoid of steady states, nothing grows or decays.
TEST(SteadyStates, TieWhenTheClassesAreOneLaw) {
  const auto states = steady_states(gaussian(1.5, 1.5));
  ASSERT_EQ(states.size(), 1U);
  EXPECT_EQ(states.front().modes.size(), static_cast<std::size_t>(kSites));
  EXPECT_TRUE(states.front().stable);
  EXPECT_EQ(states.front().fastest_mode, -1);
  EXPECT_NEAR(states.front().loss, 0.25 - kGaussianConstant * kGaussianConstant / 4, 1e-14);
}

// A label at each class: zeros of the flow with that formula, by the loss's own derivative along the mode.
TEST(SteadyStates, WithTwoLabelsAreZerosToo) {
  DiagonalProblem problem = gaussian(2, 1);
  problem.labels = {1, 0.4};
  for (const SteadyState& state : steady_states(problem)) {
    FlowState at{.parameters = std::vector<double>(kSites, 0.0)};
    at.parameters[static_cast<std::size_t>(state.modes.front())] = state.amplitude;
    FourierFlow flow(problem, at);
    EXPECT_NEAR(flow.loss(), state.loss, 1e-14);
    flow.advance(10);
    EXPECT_NEAR(flow.parameters()[static_cast<std::size_t>(state.modes.front())], state.amplitude, 1e-7);
  }
}

TEST(SteadyStates, AreReachedWhenTheSlowestRivalHasDied) {
  const DiagonalProblem problem = gaussian(2, 1);
  const SteadyState winner = steady_states(problem).front();
  const std::vector<double> start = test::random_field(kSites, 1, 0.1);
  const double early = time_to_reach(problem, winner, start, 1e-2, 1e6);
  const double late = time_to_reach(problem, winner, start, 1e-4, 1e6);
  // Between the two only the slowest rival is left: a factor 100 at its rate.
  EXPECT_NEAR(late - early, std::log(100) / -winner.fastest_growth, 0.01 * (late - early));
  EXPECT_EQ(winner.fastest_mode, 1);
  EXPECT_TRUE(std::isinf(time_to_reach(problem, winner, start, 1e-4, late / 2)));
}

}  // namespace
}  // namespace sluice::flow
