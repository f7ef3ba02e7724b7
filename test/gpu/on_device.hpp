/// Tests that need a device: skipped, with the reason, where there is none.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "sluice/file/errors.hpp"
#include "sluice/gpu/machine.hpp"

namespace sluice::gpu {

class OnDevice : public testing::Test {
 protected:
  void SetUp() override {
    try {
      device();
    } catch (const InputError& why) {
      GTEST_SKIP() << why.what();
    }
  }
};

}  // namespace sluice::gpu
