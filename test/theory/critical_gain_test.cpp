#include "sluice/theory/critical_gain.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "sluice/flow/advantage.hpp"
#include "sluice/theory/shapes.hpp"
#include "test/support/close.hpp"

namespace sluice::theory {
namespace {

math::Workers& critical_team() {
  static math::Workers workers(2);
  return workers;
}

// docs/theory/branches.md, "Lengths and rings": 0.1729 ± 0.0011 by the same draws; 0.1718 ± 0.0005 by four times as many, the first of
// which are these, so that their errors do not add up to more than that of these.
TEST(CriticalGain, OfTheFlatFieldIsThatOfTheBranches) {
  const CriticalGain flat = flat_loses_stability({}, 1, critical_team());
  EXPECT_TRUE(test::close(flat.gain, 0.1729, test::absolute(6e-5, "digits of the table, float sums")));
  EXPECT_TRUE(test::close(flat.error, 0.0011, test::absolute(6e-5, "digits of the table")));
  EXPECT_TRUE(test::close(flat.gain, 0.1718, test::sampling(flat.error)));
}

// docs/findings.md, "How non-Gaussian must the data be?": 0.287 ± 0.03. On other draws, eight times as many, R of both is equal there.
TEST(CriticalGain, OfTheBumpIsWhereItHasTheLossOfTheFlatField) {
  const CriticalGain bump_wins = bump_beats_flat({}, 1, critical_team());
  EXPECT_TRUE(test::close(bump_wins.gain, 0.287, test::absolute(0.03, "the error stated there")));
  EXPECT_GT(bump_wins.gain, flat_loses_stability({}, 1, critical_team()).gain);
  task::NlgpOptions task;
  const auto lead = [&](double gain) {
    task.gain = gain;
    const auto made = task.make();
    const flow::SampledResponse response(*made, 0, {.samples = 1 << 16, .seed = 77}, critical_team());
    return flow::advantage(*made, view(bump(40, 3)), response).value -
           flow::advantage(*made, view(flat(40)), response).value;
  };
  EXPECT_LT(lead(bump_wins.gain - 6 * bump_wins.error), 0);
  EXPECT_GT(lead(bump_wins.gain + 6 * bump_wins.error), 0);
}

TEST(CriticalGain, IsNotThereWhereTheFlatFieldIsNotTheGaussianWinner) {
  task::NlgpOptions task;
  task.n = 12;
  task.xi = {1, 2};
  for (const GainBoundary& boundary : gain_boundaries())
    EXPECT_TRUE(std::isnan(boundary.at(task, 1, critical_team()).gain)) << boundary.choice.name;
}

}  // namespace
}  // namespace sluice::theory
