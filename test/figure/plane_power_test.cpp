/// Power over wave vectors as it is drawn, of waves that are known.
#include "sluice/figure/plane_power.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "sluice/probe/plane.hpp"

namespace sluice::figure {
namespace {

/// cos of so many periods across and up the picture, whose rows count downwards; as the probe measures it.
std::vector<float> shares_of_wave(std::int64_t rows, std::int64_t columns, int up, int across) {
  std::vector<float> field;
  for (std::int64_t y = 0; y < rows; ++y)
    for (std::int64_t x = 0; x < columns; ++x)
      field.push_back(
          static_cast<float>(std::cos(2 * std::numbers::pi *
                                          (static_cast<double>(across * x) / static_cast<double>(columns) -
                                           static_cast<double>(up * y) / static_cast<double>(rows)) +
                                      0.7)));
  return probe::PlaneOptics({task::Layout::Kind::image, rows, columns}).waves(field).shares;
}

PlanePower power_of_wave(std::int64_t rows, std::int64_t columns, int up, int across) {
  return {static_cast<std::size_t>(rows), static_cast<std::size_t>(columns),
          shares_of_wave(rows, columns, up, across)};
}

struct Wave {
  std::int64_t rows, columns;
  int up, across;
};

class PlanePowerOf : public testing::TestWithParam<Wave> {};

TEST_P(PlanePowerOf, AWaveLiesAtItsPeriodsAndTheirOpposites) {
  const Wave wave = GetParam();
  const PlanePower power = power_of_wave(wave.rows, wave.columns, wave.up, wave.across);
  const HeatMap map = power_map(power, power.side());
  ASSERT_EQ(map.rows, power.rows);
  ASSERT_EQ(map.columns, power.columns);
  const auto value = [&](std::int64_t y, std::int64_t x) {  // row 0 is at the bottom, and holds −h/2
    const std::int64_t row = y + wave.rows / 2, column = x + wave.columns / 2;
    return map.values[static_cast<std::size_t>(row * wave.columns + column)];
  };
  EXPECT_NEAR(value(wave.up, wave.across), 0.5, 1e-5);
  EXPECT_NEAR(value(-wave.up, -wave.across), 0.5, 1e-5);
  if (wave.up != 0 && wave.across != 0) {
    EXPECT_NEAR(value(wave.up, -wave.across), 0, 1e-5) << "the waves of the mirror image";
  }
  EXPECT_NEAR(std::accumulate(map.values.begin(), map.values.end(), 0.0), 1, 1e-5);
}

INSTANTIATE_TEST_SUITE_P(Waves, PlanePowerOf,
                         testing::Values(Wave{12, 12, 2, 3}, Wave{12, 12, -2, 3}, Wave{11, 11, 4, -1},
                                         Wave{10, 16, 3, 5}, Wave{16, 9, 0, 2}, Wave{9, 16, 3, 0}));

TEST(PlanePower, MeansLeaveFieldsWithoutEnergyOut) {
  std::vector<float> shares = shares_of_wave(8, 8, 1, 2), none = shares_of_wave(8, 8, 0, 0);
  std::ranges::fill(none, std::nanf(""));
  const std::size_t waves = shares.size();
  shares.insert(shares.begin(), none.begin(), none.end());
  const PlanePower mean = mean_power(shares, 8, 8);
  ASSERT_EQ(mean.shares.size(), waves);
  EXPECT_NEAR(mean.at(1, 2), 0.5, 1e-5);
  EXPECT_TRUE(std::isnan(mean_power(none, 8, 8).at(1, 2)));
}

TEST(PlanePower, OfOneLengthIsTheMeanOverItsWaves) {
  const std::vector<float> lengths = power_of_lengths(power_of_wave(16, 16, 3, 4), 8);
  ASSERT_EQ(lengths.size(), 9U);
  // 28 waves have a length from 4.5 to 5.5: (5,0) (4,3) (3,4) (5,1) (1,5) (5,2) (2,5), their signs and turns.
  EXPECT_NEAR(lengths[5], 1.0 / 28, 1e-5);
  EXPECT_NEAR(lengths[4], 0, 1e-6);
  EXPECT_NEAR(lengths[6], 0, 1e-6);
  const std::vector<float> tall = power_of_lengths(power_of_wave(32, 8, 0, 1), 16);
  EXPECT_GT(tall[4], 0) << "a period of 8 sites is four of 32";
  EXPECT_NEAR(tall[1], 0, 1e-6);
}

TEST(PlanePower, AMapReachesAsFarAsThePower) {
  EXPECT_EQ(periods_with_power(power_of_wave(20, 20, 2, 6)), 7U) << "6 and one more";
  EXPECT_EQ(periods_with_power(power_of_wave(20, 20, 0, 1)), 4U) << "a third of 10";
  EXPECT_EQ(periods_with_power(power_of_wave(20, 20, 9, 9)), 10U) << "all";
  EXPECT_EQ(periods_with_power(power_of_wave(10, 20, 3, 0)), 7U) << "3 of 10 sites are 6 of 20";
  const HeatMap map = power_map(power_of_wave(10, 20, 3, 0), 7);
  EXPECT_EQ(map.columns, 15U);  // −7 … 7
  EXPECT_EQ(map.rows, 7U);      // −3 … 3
  EXPECT_NEAR(map.values[6 * 15 + 7], 0.5, 1e-5);
  EXPECT_NEAR(map.values[7], 0.5, 1e-5);
}

}  // namespace
}  // namespace sluice::figure
