#include "sluice/figure/select.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "sample_run.hpp"
#include "sluice/figure/populations.hpp"

namespace sluice::figure {
namespace {

using testing::nan_f;
using testing::SampleRun;
using Indices = std::vector<std::size_t>;

TEST(EvenlyChosen, TakesAllWhenThereAreFew) {
  EXPECT_EQ(evenly_chosen(0, 4), Indices{});
  EXPECT_EQ(evenly_chosen(1, 4), Indices{0});
  EXPECT_EQ(evenly_chosen(4, 4), (Indices{0, 1, 2, 3}));
}

TEST(EvenlyChosen, IncludesBothEndsAndKeepsTheGapsEqual) {
  for (const std::size_t count : {101u, 250u, 1000u, 12345u}) {
    const Indices chosen = evenly_chosen(count, 100);
    ASSERT_EQ(chosen.size(), 100u);
    EXPECT_EQ(chosen.front(), 0u);
    EXPECT_EQ(chosen.back(), count - 1);
    const std::size_t gap = (count - 1) / 99;
    for (std::size_t i = 1; i < chosen.size(); ++i) {
      EXPECT_GE(chosen[i] - chosen[i - 1], gap);
      EXPECT_LE(chosen[i] - chosen[i - 1], gap + 1);
    }
  }
  EXPECT_EQ(evenly_chosen(5, 1), Indices{0});
}

TEST(OrderedByPosition, SortsByTheSiteOfTheLargestWeightAndPutsMissingOnesLast) {
  SampleRun run(5, 4, 2);
  const std::vector<float> final{0,     0,     0,     -9,     // site 3: the size counts, not the sign
                                 nan_f, nan_f, nan_f, nan_f,  //
                                 1,     5,     0,     0,      // site 1
                                 0,     -2,    1,     nan_f,  // site 1 as well, later unit
                                 7,     0,     0,     0};     // site 0
  std::ranges::copy_backward(final, run.weights.end());
  EXPECT_EQ(ordered_by_position(run.view(), {0, 1, 2, 3, 4}), (Indices{4, 2, 3, 0, 1}));
  EXPECT_EQ(ordered_by_position(run.view(), {3, 2}), (Indices{2, 3}))
      << "ties by unit, whatever the order given";
}

TEST(MostLocalized, SortsByFinalIpr) {
  SampleRun run(4, 3, 2);
  run.ipr = {9, 9, 9, 9, 0.2f, nan_f, 0.7f, 0.2f};  // the first time does not count
  EXPECT_EQ(most_localized(run.view(), 4), (Indices{2, 0, 3, 1}));
  EXPECT_EQ(most_localized(run.view(), 2), (Indices{2, 0}));
  run.ipr.clear();
  EXPECT_EQ(most_localized(run.view(), 2), (Indices{0, 1}));
}

// One unit, one site: the weight is a given function of time.
SampleRun with_course(const std::vector<float>& weights) {
  SampleRun run(1, 1, static_cast<std::int64_t>(weights.size()));
  run.weights = weights;
  return run;
}

TEST(TimesOfEqualProgress, FollowTheWeightsAndNotTheClock) {
  std::vector<float> course(100, 1.0f);  // rises from 0 to 1 over the first ten of a hundred times
  for (std::size_t t = 0; t < 10; ++t) course[t] = static_cast<float>(t) / 10;
  const Indices times = times_of_equal_progress(with_course(course).view(), {0}, 6);
  EXPECT_EQ(times, (Indices{0, 2, 4, 6, 8, 99}));
}

TEST(TimesOfEqualProgress, FallBackToTheClock) {
  const std::vector<float> constant(50, 1.0f);
  EXPECT_EQ(times_of_equal_progress(with_course(constant).view(), {0}, 5), evenly_chosen(50, 5));
  std::vector<float> diverged(50, 1.0f);
  diverged.back() = nan_f;
  EXPECT_EQ(times_of_equal_progress(with_course(diverged).view(), {0}, 5), evenly_chosen(50, 5));
  EXPECT_EQ(times_of_equal_progress(with_course({0, 1, 2}).view(), {0}, 8), (Indices{0, 1, 2}));
}

TEST(SpreadOver, InterpolatesAndIgnoresWhatIsMissing) {
  const std::vector<float> values{4, 1,     3,     2,     nan_f,  //
                                  7, nan_f, nan_f, nan_f, nan_f, nan_f, nan_f, nan_f, nan_f, nan_f};
  const Spread all = spread_over(std::span<const float>(values), 3, {0, 1, 2, 3, 4});
  EXPECT_DOUBLE_EQ(all.lower[0], 1.75);
  EXPECT_DOUBLE_EQ(all.mean[0], 2.5);
  EXPECT_DOUBLE_EQ(all.upper[0], 3.25);
  EXPECT_EQ(all.mean[1], 7);
  EXPECT_TRUE(std::isnan(all.mean[2]));
  const Spread some = spread_over(std::span<const float>(values), 3, {0, 2});
  EXPECT_DOUBLE_EQ(some.mean[0], 3.5);
}

TEST(Populations, PartTheUnitsByWhatTheyAreAtTheEnd) {
  const std::vector<std::uint8_t> mixed{1, 0, 1, 1};
  const std::vector<Population> both = populations(4, mixed);
  ASSERT_EQ(both.size(), 2U);
  EXPECT_EQ(both[0].name, "localized");
  EXPECT_EQ(both[0].units, (Indices{0, 2, 3}));
  EXPECT_DOUBLE_EQ(both[0].share, 0.75);
  EXPECT_EQ(both[1].units, (Indices{1}));
  const std::vector<std::uint8_t> none{0, 0};
  ASSERT_EQ(populations(2, none).size(), 1U);
  EXPECT_EQ(populations(2, none)[0].name, "not localized");
  ASSERT_EQ(populations(3, {}).size(), 1U);
  EXPECT_EQ(populations(3, {})[0].units, (Indices{0, 1, 2}));
  EXPECT_EQ(populations(3, {})[0].name, "");
}

}  // namespace
}  // namespace sluice::figure
