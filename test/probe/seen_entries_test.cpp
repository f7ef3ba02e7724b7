#include <gtest/gtest.h>

#include <random>

#include "sluice/probe/kurtosis.hpp"

namespace sluice::probe {
namespace {

constexpr std::int64_t kInputs = 5, kCount = 2000;

std::vector<float> signs() {
  std::mt19937 engine(12);
  std::vector<float> x(kInputs * kCount);
  for (float& value : x) value = engine() % 2 == 0 ? 1.0F : -1.0F;
  return x;
}

/// On independent signs: one entry that outweighs the others; three that vote; all, where the smallest decides the many ties of
/// the others; and the first again, among small ones that change the gate on 1/16 of the samples.
TEST(SeenEntries, AreThoseThatDecideTheGate) {
  const Samples samples(signs(), kInputs, {});
  const std::vector<float> weights{0, -5,   1,    2,    1,     //
                                   2, 2,    3,    0.5F, 0,     //
                                   1, 1,    1,    1,    0.1F,  //
                                   1, 0.3F, 0.3F, 0.3F, 0.3F};
  EXPECT_EQ(samples.seen_entries({weights, {}}, 0.01), (std::vector<std::int64_t>{1, 3, 5, 5}));
  EXPECT_EQ(samples.seen_entries({weights, {}}, 0.1)[3], 1);
}

/// Classes count alike, however many samples they have: one class in which the first entry decides, one in which it does not.
TEST(SeenEntries, AreTheMeanOverClasses) {
  const std::vector<float> x{1, -1, -1, 1, 1, 1, -1, -1, -1, 1, 1, -1};  // samples of two sites
  const std::vector<std::uint8_t> which{0, 0, 0, 0, 0, 1};
  const std::vector<float> weights{2, 1}, bias{-2};
  const Samples samples(x, 2,
                        which);  // 2x_0 − 2 has the sign of 2x_0 + x_1 − 2 unless x_0 = 1, where it is 0
  EXPECT_EQ(samples.seen_entries({weights, bias}, 0.36)[0], 1) << "0.8 and 0.5";
  EXPECT_EQ(samples.seen_entries({weights, bias}, 0.34)[0], 2);
}

}  // namespace
}  // namespace sluice::probe
