#include "sluice/figure/ticks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "sluice/figure/axis.hpp"

namespace sluice::figure {
namespace {

struct Case {
  Interval range;
  int most;
};

// Ranges of every size, at every distance from zero, on both sides of it.
std::vector<Case> random_cases() {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> unit(0, 1), exponent(-12, 12), offset(-3, 3);
  std::vector<Case> cases;
  for (int i = 0; i < 2000; ++i) {
    const double length = std::pow(10, exponent(random)),
                 low = length * std::pow(10, offset(random)) * (unit(random) - 0.5);
    cases.push_back({{low, low + length}, 3 + i % 4});
  }
  return cases;
}

void expect_one_two_five(double step) {
  const double mantissa = step / std::pow(10, std::floor(std::log10(step) + 1e-9));
  const double off = std::min({std::abs(mantissa - 1), std::abs(mantissa - 2), std::abs(mantissa - 5)});
  EXPECT_LT(off, 1e-9) << "step " << step;
}

TEST(Ticks, CoverTheRangeInFewNiceSteps) {
  for (const auto& [range, most] : random_cases()) {
    const std::vector<double> ticks = ticks_covering(range, most);
    ASSERT_GE(ticks.size(), 2u);
    ASSERT_LE(ticks.size(), static_cast<std::size_t>(most) + 2);
    const double step = ticks[1] - ticks[0], rounding = 1e-6 * step;
    expect_one_two_five(nice_step(range.length(), most));
    EXPECT_NEAR(step, nice_step(range.length(), most), rounding);
    EXPECT_LE(ticks.front(), range.low + rounding);
    EXPECT_GE(ticks.back(), range.high - rounding);
    EXPECT_GT(ticks.front() + step, range.low) << "a tick too many below";
    EXPECT_LT(ticks.back() - step, range.high) << "a tick too many above";
    for (const double tick : ticks)
      EXPECT_NEAR(tick / step, std::round(tick / step), 1e-6) << "not a multiple of the step";
    for (std::size_t i = 1; i < ticks.size(); ++i) EXPECT_NEAR(ticks[i] - ticks[i - 1], step, rounding);
  }
}

TEST(Ticks, WithinTheRangeNoneIsOutsideAndNoneIsMissing) {
  for (const auto& [range, most] : random_cases()) {
    const std::vector<double> ticks = ticks_within(range, most);
    const double step = nice_step(range.length(), most), rounding = 1e-6 * step;
    ASSERT_FALSE(ticks.empty());
    ASSERT_LE(ticks.size(), static_cast<std::size_t>(most) + 1);
    EXPECT_GE(ticks.front(), range.low - rounding);
    EXPECT_LE(ticks.back(), range.high + rounding);
    EXPECT_LT(ticks.front() - step, range.low);
    EXPECT_GT(ticks.back() + step, range.high);
  }
}

TEST(Ticks, TheStepIsTheSmallestThatIsAllowed) {
  EXPECT_DOUBLE_EQ(nice_step(10, 5), 2);
  EXPECT_DOUBLE_EQ(nice_step(10, 4), 5);
  EXPECT_DOUBLE_EQ(nice_step(1, 10), 0.1);
  EXPECT_EQ(ticks_within({0, 1}, 6, 1), (std::vector<double>{0, 1})) << "sites are whole numbers";
}

TEST(Ticks, DegenerateRangesStillHaveAtLeastTwo) {
  const double largest = std::numeric_limits<double>::max(),
               smallest = std::numeric_limits<double>::denorm_min();
  for (const Interval range :
       {Interval{}, Interval{0, 0}, Interval{3, 3}, Interval{-3, -3}, Interval{1, 1 + 1e-15},
        Interval{0, smallest}, Interval{smallest, smallest}, Interval{1e300, 1e300}}) {
    const std::vector<double> ticks = ticks_covering(range, 5);
    ASSERT_GE(ticks.size(), 2u);
    EXPECT_LT(ticks.front(), ticks.back());
    EXPECT_TRUE(std::ranges::all_of(ticks, [](double t) { return std::isfinite(t); }));
    if (!range.empty()) {
      EXPECT_LE(ticks.front(), range.low);
      EXPECT_GE(ticks.back(), range.high);
    }
  }
  EXPECT_LE(ticks_covering({-largest, largest}, 5).size(), 7u) << "must end";
}

TEST(Ticks, LengthsThatOverflowHaveFiniteTicksAndLabels) {
  const double largest = std::numeric_limits<double>::max();
  for (const Interval range : {Interval{-1e308, 1e308}, {-largest, largest}, {0, largest}})
    for (const int most : {3, 4, 5, 6})
      for (const std::vector<double>& ticks : {ticks_covering(range, most), ticks_within(range, most)}) {
        ASSERT_FALSE(ticks.empty());
        EXPECT_TRUE(std::ranges::all_of(ticks, [](double t) { return std::isfinite(t); }));
        for (const std::string& label : tick_labels(ticks).text) EXPECT_LE(label.size(), 6u) << label;
      }
  for (const double length : {std::numeric_limits<double>::infinity(), std::nan(""), 0.0, -1.0}) {
    EXPECT_TRUE(std::isfinite(nice_step(length, 5)));
    EXPECT_GT(nice_step(length, 5), 0);
  }
  EXPECT_FALSE(Axis::rounded("x", {0, 1}, 5).limited_to({-1e308, 1e308}).ticks().empty());
}

TEST(Ticks, AnIntervalIgnoresWhatIsNotFinite) {
  const double inf = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(finite_range(std::vector<double>{}).empty());
  EXPECT_TRUE(finite_range(std::vector<double>{inf, std::nan("")}).empty());
  const Interval range = finite_range(std::vector<float>{2, -1, std::nanf("")});
  EXPECT_EQ(range.low, -1);
  EXPECT_EQ(range.high, 2);
}

TEST(TickLabels, ShowAsManyDigitsAsTheStepNeeds) {
  EXPECT_EQ(tick_labels({0, 0.05, 0.1}).text, (std::vector<std::string>{"0.00", "0.05", "0.10"}));
  EXPECT_EQ(tick_labels({-1, 0, 1}).text, (std::vector<std::string>{"−1", "0", "1"}));
  EXPECT_EQ(tick_labels({0, 5000, 10000}).text, (std::vector<std::string>{"0", "5,000", "10,000"}));
  EXPECT_EQ(tick_labels({0, 5000}).factor, "");
}

TEST(TickLabels, TakeOutAPowerOfTenFromUnhandyNumbers) {
  const TickLabels large = tick_labels({0, 200000, 400000});
  EXPECT_EQ(large.text, (std::vector<std::string>{"0", "200", "400"}));
  EXPECT_EQ(large.factor, "×10³");
  const TickLabels small = tick_labels({0, 2e-5, 4e-5});
  EXPECT_EQ(small.text, (std::vector<std::string>{"0", "20", "40"}));
  EXPECT_EQ(small.factor, "×10⁻⁶");
}

TEST(TickLabels, AreDistinct) {
  for (const auto& [range, most] : random_cases()) {
    std::vector<std::string> labels = tick_labels(ticks_covering(range, most)).text;
    std::ranges::sort(labels);
    EXPECT_TRUE(std::ranges::adjacent_find(labels) == labels.end()) << range.low << " … " << range.high;
  }
}

TEST(Axis, RoundedRunsFromTickToTick) {
  const Axis axis = Axis::rounded("IPR", {0, 0.29}, 5);
  EXPECT_EQ(axis.position(axis.ticks().front()), 0);
  EXPECT_EQ(axis.position(axis.ticks().back()), 1);
}

TEST(Axis, AdaptiveIsLogarithmicOnlyOverDecades) {
  const Axis linear = Axis::adaptive("loss", {0.05, 0.12}, 5), decades = Axis::adaptive("loss", {1e-6, 1}, 6);
  EXPECT_NEAR(linear.position((linear.range().low + linear.range().high) / 2), 0.5, 1e-12);
  EXPECT_NEAR(decades.position(1e-3), 0.5, 1e-12);
  EXPECT_EQ(decades.tick_labels().text.front(), "10⁻⁶");
  EXPECT_TRUE(std::isnan(decades.position(0)));
  const Axis extreme = Axis::adaptive("loss", {5e-324, 1e308}, 5);
  EXPECT_TRUE(std::isfinite(extreme.position(1e308)));
  EXPECT_GE(extreme.ticks().size(), 3u);
  EXPECT_EQ(Axis::adaptive("loss", {0, 1}, 5).position(0), 0)
      << "zero has no logarithm, so this one is linear";
}

}  // namespace
}  // namespace sluice::figure
