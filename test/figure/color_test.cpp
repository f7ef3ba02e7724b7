#include "sluice/figure/color.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace sluice::figure {
namespace {

constexpr int samples = 256;

Color sample(int i) { return sequential(static_cast<double>(i) / samples); }

TEST(Sequential, GoesFromDarkBlueToLightYellow) {
  const Color dark = sequential(0), light = sequential(1);
  EXPECT_GT(dark.blue, 2 * dark.red);
  EXPECT_GT(dark.blue, 2 * dark.green);
  EXPECT_LT(luminance(dark), 0.05);
  EXPECT_GT(light.red, 3 * light.blue);
  EXPECT_GT(light.green, 3 * light.blue);
  EXPECT_GT(luminance(light), 0.6);
}

TEST(Sequential, LuminanceRisesAtEveryStep) {
  for (int i = 0; i < samples; ++i) EXPECT_LT(luminance(sample(i)), luminance(sample(i + 1))) << i;
}

TEST(Sequential, StaysInsideTheGamut) {
  for (int i = 1; i < samples; ++i)  // a clipped channel would sit exactly on 0 or 1
    for (const double channel : {sample(i).red, sample(i).green, sample(i).blue}) {
      EXPECT_GT(channel, 0) << i;
      EXPECT_LT(channel, 1) << i;
    }
}

TEST(Sequential, LightnessIsNearlyLinear) {
  const auto lightness = [](double t) {
    return std::cbrt(luminance(sequential(t)));
  };  // L* up to a linear map
  for (int i = 0; i <= samples; ++i) {
    const double t = static_cast<double>(i) / samples;
    EXPECT_NEAR(lightness(t), std::lerp(lightness(0), lightness(1), t), 0.04) << t;
  }
}

TEST(Sequential, ClampsWhatLiesOutside) {
  EXPECT_EQ(luminance(sequential(-1)), luminance(sequential(0)));
  EXPECT_EQ(luminance(sequential(2)), luminance(sequential(1)));
  EXPECT_EQ(luminance(sequential(std::numeric_limits<double>::quiet_NaN())), luminance(sequential(0)));
}

TEST(Category, ColoursAreDistinctAndVisibleOnWhite) {
  for (std::size_t i = 0; i < 6; ++i) {
    EXPECT_LT(luminance(category(i)), 0.5) << i;
    for (std::size_t j = 0; j < i; ++j) {
      const Color a = category(i), b = category(j);
      EXPECT_GT(std::hypot(a.red - b.red, a.green - b.green, a.blue - b.blue), 0.2) << i << ", " << j;
    }
  }
}

}  // namespace
}  // namespace sluice::figure
