#include "sluice/math/philox.hpp"

#include <gtest/gtest.h>

namespace sluice::math {
namespace {

constexpr PhiloxCounter kOnes{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff};
constexpr PhiloxCounter kPi{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344};

// kat_vectors of the Random123 distribution, philox4x32-7.
TEST(Philox, MatchesPublishedVectors) {
  EXPECT_EQ(philox({0, 0, 0, 0}, {0, 0}), (PhiloxCounter{0x5f6fb709, 0x0d893f64, 0x4f121f81, 0x4f730a48}));
  EXPECT_EQ(philox(kOnes, {0xffffffff, 0xffffffff}),
            (PhiloxCounter{0x5207ddc2, 0x45165e59, 0x4d8ee751, 0x8c52f662}));
  EXPECT_EQ(philox(kPi, {0xa4093822, 0x299f31d0}),
            (PhiloxCounter{0x4dfccaba, 0x190a87f0, 0xc47362ba, 0xb6b5242a}));
}

// The same with ten rounds, philox4x32-10.
TEST(Philox, MatchesPublishedVectorsOfTenRounds) {
  EXPECT_EQ(philox({0, 0, 0, 0}, {0, 0}, 10),
            (PhiloxCounter{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philox(kOnes, {0xffffffff, 0xffffffff}, 10),
            (PhiloxCounter{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox(kPi, {0xa4093822, 0x299f31d0}, 10),
            (PhiloxCounter{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

}  // namespace
}  // namespace sluice::math
