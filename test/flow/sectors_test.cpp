#include "sluice/flow/sectors.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "test/flow/landscapes.hpp"

namespace sluice::flow {
namespace {

constexpr std::size_t kRing = 12;

template <class Value>
std::vector<double> ring_of(const Value& value) {
  std::vector<double> w;
  for (std::size_t i = 0; i < kRing; ++i) w.push_back(value(static_cast<double>(i)));
  return w;
}

TEST(Sectors, AreAsLargeAsTheSymmetryLeaves) {
  const auto wave = [](double k) {
    return ring_of([k](double i) { return std::cos(2 * std::numbers::pi * k * i / kRing); });
  };
  EXPECT_EQ(isotropy(wave(0)).dimensions(), 1U) << "flat";
  EXPECT_EQ(isotropy(wave(6)).dimensions(), 1U) << "alternating: shifts with a change of sign";
  EXPECT_EQ(isotropy(wave(1)).dimensions(), 3U) << "cosines of odd frequency";
  EXPECT_EQ(isotropy(test::bump(kRing, 1)).dimensions(), 7U) << "even about a site";
  const auto bond = ring_of(
      [](double i) { return std::exp(-std::pow(std::min(std::abs(i - 0.5), 12 - std::abs(i - 0.5)), 2)); });
  EXPECT_EQ(isotropy(bond).dimensions(), 6U) << "even about the middle of two";
  EXPECT_EQ(isotropy(test::random_field(kRing, 3)).dimensions(), kRing);
}

TEST(Sectors, OfTwoUnitsKnowThatTheyMayChangePlaces) {
  const auto beside = [](std::vector<double> first, const std::vector<double>& second, double sign) {
    for (const double w : second) first.push_back(sign * w);
    return first;
  };
  const std::vector<double> flat(kRing, 0.3), bump = test::bump(kRing, 1);
  std::vector<double> moved = bump;
  std::ranges::rotate(moved, moved.begin() + 5);
  EXPECT_EQ(isotropy(beside(flat, flat, -1), 2).dimensions(), 1U) << "a flat pair of opposite signs";
  EXPECT_EQ(isotropy(beside(flat, flat, 0.5), 2).dimensions(), 2U) << "two sizes: no exchange";
  EXPECT_EQ(isotropy(beside(bump, bump, -1), 2).dimensions(), 7U);
  EXPECT_EQ(isotropy(beside(bump, moved, 1), 2).dimensions(), kRing) << "a mirror between them, and exchange";
  EXPECT_EQ(isotropy(beside(bump, moved, 0.5), 2).dimensions(), 2 * kRing) << "none is left";
}

TEST(Sectors, ExchangedPartsAddUp) {
  const std::vector<double> w = test::random_field(2 * kRing, 5);
  const std::vector<double> even = exchanged_part(w, 1), odd = exchanged_part(w, -1);
  for (std::size_t i = 0; i < w.size(); ++i) {
    EXPECT_NEAR(even[i] + odd[i], w[i], 1e-15);
    EXPECT_EQ(even[i], even[(i + kRing) % w.size()]);
    EXPECT_EQ(odd[i], -odd[(i + kRing) % w.size()]);
  }
}

TEST(Sectors, AreOrthonormalAndHoldTheField) {
  const std::vector<double> w = test::bump(kRing, 1);
  const Sectors sectors = isotropy(w);
  std::vector<double> all = sectors.inside;
  all.insert(all.end(), sectors.outside.begin(), sectors.outside.end());
  ASSERT_EQ(all.size(), kRing * kRing);
  const std::span<const double> rows(all);
  for (std::size_t i = 0; i < kRing; ++i) {
    for (std::size_t j = 0; j < kRing; ++j)
      EXPECT_NEAR(test::dot(rows.subspan(i * kRing, kRing), rows.subspan(j * kRing, kRing)), i == j, 1e-14);
  }
  for (std::size_t at = sectors.inside.size(); at < all.size(); at += kRing)
    EXPECT_NEAR(test::dot(rows.subspan(at, kRing), w), 0, 1e-14);
}

TEST(Sectors, MirroredPartsAddUp) {
  const std::vector<double> w = test::random_field(kRing, 5);
  for (const std::int64_t axis : {0, 1, 7}) {
    const std::vector<double> even = mirrored_part(w, axis, 1), odd = mirrored_part(w, axis, -1);
    EXPECT_NEAR(test::dot(even, odd), 0, 1e-14);
    for (std::size_t i = 0; i < kRing; ++i) EXPECT_NEAR(even[i] + odd[i], w[i], 1e-15);
  }
}

}  // namespace
}  // namespace sluice::flow
