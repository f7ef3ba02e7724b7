/// Tests that need a device: skipped, with the reason, where there is none.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <span>
#include <string>

#include "sluice/gpu/deep_engine.hpp"

namespace sluice::gpu {

class OnDevice : public testing::Test {
 protected:
  void SetUp() override {
    if (const std::string why = Place::of("gpu").missing(); !why.empty()) GTEST_SKIP() << why;
  }
};

/// How far apart two states are, in units of the way that one of them has gone.
inline double share_of_way(std::span<const float> there, std::span<const float> here,
                           std::span<const float> start) {
  double apart = 0, way = 0;
  for (std::size_t p = 0; p < start.size(); ++p) {
    apart += std::pow(static_cast<double>(there[p]) - here[p], 2);
    way += std::pow(static_cast<double>(here[p]) - start[p], 2);
  }
  EXPECT_GT(way, 0) << "nothing moved: this test cannot fail";
  return std::sqrt(apart / way);
}

}  // namespace sluice::gpu
