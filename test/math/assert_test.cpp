#include "sluice/math/assert.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "sluice/file/array.hpp"
#include "sluice/math/kernels.hpp"

namespace sluice {
namespace {

/// A contract of ours, broken: four numbers do not make two rows of three.
file::Array torn() { return {{2, 3}, std::vector<float>(4)}; }

/// C = A·B whose rows of C overlap.
void multiply_into_overlapping_rows() {
  std::vector<float> numbers(64);
  math::multiply(math::Product<float>{.m = 2,
                                      .n = 16,
                                      .k = 1,
                                      .a = numbers.data(),
                                      .a_stride = 1,
                                      .b = numbers.data(),
                                      .b_stride = 16,
                                      .c = numbers.data() + 16,
                                      .c_stride = 8,
                                      .add = false});
}

#ifdef SLUICE_ASSERTIONS

using AssertDeathTest = ::testing::Test;

TEST(AssertDeathTest, SaysConditionFileAndLine) {
  EXPECT_DEATH(SLUICE_ASSERT(2 + 2 == 5), "assert_test\\.cpp:[0-9]+: assertion failed: 2 \\+ 2 == 5");
}

TEST(AssertDeathTest, ArraysThatDoNotFitTheirShape) {
  EXPECT_DEATH(static_cast<void>(torn().as<float>()), "array\\.hpp:[0-9]+: assertion failed: ");
  EXPECT_DEATH(static_cast<void>(torn().as<double>()), "array\\.hpp:[0-9]+: assertion failed: ");
}

TEST(AssertDeathTest, ProductsWhoseRowsOverlap) {
  EXPECT_DEATH(multiply_into_overlapping_rows(), "kernels\\.cpp:[0-9]+: assertion failed: ");
}

#else

TEST(Assert, CostsNothingInRelease) {
  int asked = 0;
  const auto ask = [&] { return ++asked == 0; };
  SLUICE_ASSERT(ask());
  EXPECT_EQ(asked, 0);
  EXPECT_EQ(torn().as<float>().size(), 4U);
  multiply_into_overlapping_rows();
}

#endif

}  // namespace
}  // namespace sluice
