#include "sluice/flow/flow.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "sluice/flow/erf_landscape.hpp"
#include "sluice/flow/fourier_flow.hpp"
#include "sluice/flow/gaussian.hpp"
#include "sluice/flow/relu_landscape.hpp"
#include "sluice/math/fourier_basis.hpp"
#include "test/flow/landscapes.hpp"

namespace sluice::flow {
namespace {

using math::ring_kernel;
using test::random_field;

constexpr std::int64_t kSites = 40;
const std::array<std::vector<double>, 2> kRows{ring_kernel(kSites, 2), ring_kernel(kSites, 1)};
const std::array<std::vector<double>, 2> kReversed{ring_kernel(kSites, 1), ring_kernel(kSites, 2)};

/// K ReLU units on Gaussian data.
struct GaussianRelu {
  GaussianPopulation first, second;
  ReluLandscape landscape;
  explicit GaussianRelu(std::int64_t units, const std::array<std::vector<double>, 2>& rows = kRows,
                        std::array<double, 2> labels = {1, 0})
      : first(Covariance::circulant(rows[0])),
        second(Covariance::circulant(rows[1])),
        landscape(units, {&first, &second}, labels) {}
};

/// dx/dt = −A x with A = diag(1, 3): known in closed form.
class TwoRates final : public Landscape {
 public:
  std::size_t size() const override { return 2; }
  void downhill(std::span<const double> x, std::span<double> out) const override {
    out[0] = -x[0];
    out[1] = -3 * x[1];
  }
  double loss(std::span<const double> x) const override { return x[0] * x[0] / 2 + 3 * x[1] * x[1] / 2; }
};

TEST(Flow, FollowsTheExactSolutionToItsTolerance) {
  const TwoRates landscape;
  double previous = 1;
  for (const double tolerance : {1e-5, 1e-7, 1e-9}) {
    Flow flow(landscape, {.parameters = {1, -2}}, {.tolerance = tolerance});
    EXPECT_EQ(flow.advance(1.5), Stop::time_reached);
    EXPECT_EQ(flow.time(), 1.5);
    const double error =
        std::hypot(flow.parameters()[0] - std::exp(-1.5), flow.parameters()[1] + 2 * std::exp(-4.5));
    EXPECT_LT(error, 100 * tolerance);
    EXPECT_LT(error, previous / 10) << "a hundredth of the tolerance should give far less error";
    previous = error;
  }
}

TEST(Flow, StopsAtASteadyStateOfItsOwnAccord) {
  const GaussianRelu relu(1);
  Flow flow(relu.landscape, {.parameters = random_field(kSites, 1, 0.1)}, {.steady = 1e-7});
  EXPECT_EQ(flow.advance(1e6), Stop::steady);
  EXPECT_LT(flow.time(), 1e5);
  std::vector<double> slope(kSites);
  relu.landscape.downhill(flow.parameters(), slope);
  for (const double rate : slope) EXPECT_LE(std::abs(rate), 1e-7);
}

// Section K: final norms and losses of one unit on Gaussian data, by integrating the flow (N0.c6).
TEST(Flow, EndsWhereSectionKSays) {
  const test::Tolerance printed = test::absolute(6e-11, "ten printed digits");
  const GaussianRelu relu(1);
  Flow flow(relu.landscape, {.parameters = random_field(kSites, 2, 0.1)}, {.tolerance = 1e-10});
  flow.advance(6000);
  EXPECT_TRUE(test::close(test::norm(flow.parameters()), 0.2825083973, printed));
  EXPECT_TRUE(test::close(flow.loss(), 0.1969501816, printed));
  EXPECT_NEAR(flow.parameters()[0], flow.parameters()[17], 1e-9) << "the flat mode";
}

TEST(Flow, NeverIncreasesTheLoss) {
  const GaussianRelu three(3);
  const ErfLandscape erf(3, kRows, {1, -1});
  const Landscape* landscapes[] = {&three.landscape, &erf};
  for (const Landscape* landscape : landscapes) {
    Flow flow(*landscape, {.parameters = random_field(landscape->size(), 3, 0.3)});
    double before = flow.loss();
    const double start = before;
    for (double t = 0.25; t < 200; t *= 1.5) {
      flow.advance(t);
      EXPECT_LE(flow.loss(), before + 1e-9);
      before = flow.loss();
    }
    EXPECT_LT(before, start - 0.01) << "nothing was learned: this test cannot fail";
  }
}

TEST(Flow, ContinuesFromASavedStateToTheSameBits) {
  const GaussianRelu relu(2);
  const std::vector<double> start = random_field(2 * kSites, 4, 0.2);
  Flow whole(relu.landscape, {.parameters = start});
  std::vector<FlowState> saved;
  for (const double t : {0.7, 3.0, 11.0, 40.0}) {
    whole.advance(t);
    saved.push_back(whole.state());
  }
  Flow resumed(relu.landscape, saved[1]);
  resumed.advance(11.0);
  resumed.advance(40.0);
  EXPECT_EQ(resumed.state().parameters, saved[3].parameters);
  EXPECT_EQ(resumed.state().step, saved[3].step);

  // Probe times change nothing beyond the tolerance.
  Flow straight(relu.landscape, {.parameters = start});
  straight.advance(40.0);
  for (std::size_t i = 0; i < start.size(); ++i) {
    EXPECT_NEAR(straight.parameters()[i], saved[3].parameters[i], 1e-6);
  }
}

// The site-space flow and the one-number solution (D.4) are the same flow: n even and odd, one label and two.
TEST(FourierFlow, IsTheFlowInSiteSpace) {
  for (const std::int64_t n : {40, 21}) {
    for (const std::array<double, 2> labels : {std::array{1.0, 0.0}, std::array{1.0, 0.4}}) {
      const std::array<std::vector<double>, 2> rows{ring_kernel(n, 2), ring_kernel(n, 1)};
      const math::FourierBasis basis(n);
      const GaussianRelu relu(1, rows, labels);
      const std::vector<double> start = random_field(static_cast<std::size_t>(n), 6, 0.15);
      Flow sites(relu.landscape, {.parameters = start}, {.tolerance = 1e-11});
      FourierFlow modes(ring_problem(rows, {kGaussianConstant, kGaussianConstant}, labels),
                        {.parameters = basis.analyse(start)}, {.tolerance = 1e-10});
      EXPECT_NEAR(modes.loss(), sites.loss(), 1e-14);
      for (const double t : {0.5, 5.0, 40.0, 300.0}) {
        sites.advance(t);
        modes.advance(t);
        const std::vector<double> w = basis.synthesise(modes.parameters());
        for (std::size_t i = 0; i < w.size(); ++i)
          ASSERT_NEAR(w[i], sites.parameters()[i], 2e-9) << "t = " << t;
        EXPECT_NEAR(modes.loss(), sites.loss(), 1e-10);
      }
      EXPECT_GT(test::norm(sites.parameters()), 0.1);
    }
  }
}

// Section K at the other end of the spectrum, where modes compete for a time of 10⁷.
TEST(FourierFlow, EndsWhereSectionKSays) {
  const test::Tolerance printed = test::absolute(6e-11, "ten printed digits");
  const std::vector<double> start = random_field(kSites, 8, 0.1);
  FourierFlow flat(ring_problem(kRows), {.parameters = start});
  flat.advance(1e5);
  EXPECT_TRUE(test::close(test::norm(flat.parameters()), 0.2825083973, printed));
  EXPECT_TRUE(test::close(flat.loss(), 0.1969501816, printed));
  FourierFlow alternating(ring_problem(kReversed), {.parameters = start});
  alternating.advance(1e7);
  EXPECT_TRUE(test::close(test::norm(alternating.parameters()), 1.4534413115, printed));
  EXPECT_TRUE(test::close(alternating.loss(), 0.1705194800, printed));
}

TEST(FourierFlow, ContinuesFromASavedStateToTheSameBits) {
  const std::vector<double> start = random_field(kSites, 9, 0.1);
  FourierFlow whole(ring_problem(kRows), {.parameters = start});
  whole.advance(2);
  const FlowState saved = whole.state();
  whole.advance(50);
  FourierFlow resumed(ring_problem(kRows), saved);
  resumed.advance(50);
  EXPECT_EQ(resumed.state().parameters, whole.state().parameters);
  EXPECT_EQ(resumed.state().step, whole.state().step);
}

TEST(FourierFlow, ConservesSignsAndZeros) {
  std::vector<double> start = random_field(kSites, 10, 0.1);
  start[0] = 0;
  FourierFlow flow(ring_problem(kRows), {.parameters = start});
  flow.advance(500);
  EXPECT_EQ(flow.parameters()[0], 0);
  for (std::size_t k = 1; k < start.size(); ++k) EXPECT_GE(flow.parameters()[k] * start[k], 0) << k;
}

TEST(FourierFlow, TakesAMillionSites) {
  constexpr std::int64_t kMany = 1'000'000;
  FourierFlow flow(ring_problem({ring_kernel(kMany, 2), ring_kernel(kMany, 1)}),
                   {.parameters = random_field(kMany, 11, 0.001)}, {.tolerance = 1e-6});
  const double before = flow.loss();
  EXPECT_EQ(flow.advance(3), Stop::time_reached);
  EXPECT_LT(flow.loss(), before);
}

}  // namespace
}  // namespace sluice::flow
