#include "sluice/spec/given.hpp"

#include <gtest/gtest.h>

namespace sluice::spec {
namespace {

using Numbers = Given<int>;

TEST(Given, IsFoundAsLongAsItIsKeptAndTheLaterOneFirst) {
  EXPECT_EQ(Numbers::find("a"), nullptr);
  Numbers::Kept first = Numbers::give("a", 1);
  Numbers::Kept second = Numbers::give("a", 2);
  const Numbers::Kept other = Numbers::give("b", 3);
  EXPECT_EQ(*Numbers::find("a"), 2);
  const Numbers::Kept in_use = Numbers::find("a");
  second.reset();
  EXPECT_EQ(*Numbers::find("a"), 2) << "somebody uses it";
  first.reset();
  EXPECT_EQ(*Numbers::find("b"), 3);
}

TEST(Given, IsGoneWithItsKeeper) {
  Numbers::Kept first = Numbers::give("c", 1);
  Numbers::Kept second = Numbers::give("c", 2);
  second.reset();
  EXPECT_EQ(*Numbers::find("c"), 1);
  first.reset();
  EXPECT_EQ(Numbers::find("c"), nullptr);
}

TEST(Given, MarksAreSixtyFourDigits) {
  EXPECT_TRUE(is_mark(std::string(64, '0')));
  EXPECT_FALSE(is_mark(std::string(63, '0')));
  EXPECT_FALSE(is_mark(std::string(64, 'g')));
  EXPECT_FALSE(is_mark(""));
}

}  // namespace
}  // namespace sluice::spec
