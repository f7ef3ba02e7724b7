#include "sluice/flow/flat_field.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "sluice/flow/continuation.hpp"
#include "sluice/flow/fourier_flow.hpp"
#include "sluice/flow/modulation.hpp"
#include "sluice/flow/steady_states.hpp"
#include "sluice/math/ring.hpp"
#include "sluice/math/statistics.hpp"
#include "test/support/close.hpp"

namespace sluice::flow {
namespace {

math::Workers& flat_team() {
  static math::Workers workers(2);
  return workers;
}

UnitSpec flat_unit(std::int64_t n, double first_xi, double second_xi, double gain) {
  UnitSpec spec;
  spec.task.n = n;
  spec.task.xi = {first_xi, second_xi};
  spec.task.gain = gain;
  return spec;
}

// Gain → 0: −(λ_1k/4)(r_k − r_0), D.5, whatever the draws.
TEST(FlatField, HasTheGaussianRatesAtSmallGain) {
  constexpr std::int64_t n = 12;
  const DiagonalProblem problem = ring_problem({math::ring_kernel(n, 1.5), math::ring_kernel(n, 1)});
  const SteadyState flat = steady_states(problem).front();
  ASSERT_EQ(flat.modes.front(), 0);
  for (const std::int64_t k : {1, 3, 6})
    EXPECT_NEAR(flat_rate(flat_unit(n, 1.5, 1, 1e-3), k, {.draws = 96}, flat_team()),
                growth_rate(problem, flat, 2 * k - 1), 2e-5)
        << k;
}

// The same number by dilution, which has h² in the way, on other draws.
TEST(FlatField, AgreesWithTheDilutedJacobian) {
  const UnitSpec spec = flat_unit(12, 1.5, 1, 0.8);
  std::vector<double> sliced, diluted;
  for (std::int64_t set = 0; set < 6; ++set) {
    sliced.push_back(flat_rate(spec, 1, {.draws = 960, .seed = 7, .set = set}, flat_team()));
    const auto rate = [&](double h) {
      const UnitFamily family(spec, unit_parameter("gain"), "diluted",
                              {.draws = 4800, .seed = 8, .set = set, .dilution = h}, flat_team());
      const std::vector<double> flat(12, 0.3);
      const auto found = Continuation(family, isotropy(flat)).settle(flat, std::log(0.8));
      return found ? found->rates[1].front() : NAN;
    };
    diluted.push_back((4 * rate(0.2) - rate(0.4)) / 3);
  }
  const math::Statistics a(sliced), b(diluted);
  ASSERT_LT(a.error(), 0.2 * b.error()) << "this is what it is for";
  EXPECT_TRUE(test::close(a.mean(), b.mean(), test::sampling(std::hypot(a.error(), b.error()))));
}

// Lengths so close that the onset lies at a small gain, where leading order is good to O(g²).
TEST(FlatField, BeginsToBeModulatedWhereLeadingOrderSays) {
  const UnitSpec spec = flat_unit(24, 1.02, 1, 1);
  const double expected = modulation_gain(spec.task);
  ASSERT_LT(expected, 0.06);
  std::vector<double> found;
  for (std::int64_t set = 0; set < 6; ++set)
    found.push_back(
        flat_onset(spec, unit_parameter("gain"), expected, 1, {.draws = 1920, .set = set}, flat_team())
            .value_or(NAN));
  const math::Statistics over(found);
  ASSERT_LT(over.error(), 0.03 * expected);
  EXPECT_TRUE(test::close(
      over.mean(), expected,
      {5 * expected * expected, 4 * over.error(), "next order in the gain, four standard errors"}));
}

}  // namespace
}  // namespace sluice::flow
