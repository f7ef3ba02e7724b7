/// Tests that need a device: skipped, with the reason, where there is none.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "sluice/gpu/deep_engine.hpp"

namespace sluice::gpu {

class OnDevice : public testing::Test {
 protected:
  void SetUp() override {
    if (const std::string why = Place::of("gpu").missing(); !why.empty()) GTEST_SKIP() << why;
  }
};

}  // namespace sluice::gpu
