/// The normals of a device, as many as a second has room for; bench/gpu_normals.cpp draws a thousand times as many where there is one.
#include <gtest/gtest.h>

#include <algorithm>

#include "bench/judged_normals.hpp"

namespace sluice::bench {
namespace {

constexpr std::int64_t kSteps = 250;  // 10⁷ normals

std::vector<Finding> of_bits(const WordBits& bits) { return judge(draw_normals(1, kSteps, bits)); }

bool fails(const std::vector<Finding>& findings, std::string_view what) {
  const auto found =
      std::ranges::find_if(findings, [&](const Finding& each) { return each.what.ends_with(what); });
  EXPECT_NE(found, findings.end()) << what;
  return found != findings.end() && !found->holds();
}

TEST(NormalsOfADevice, HaveTheMomentsTailsAndHistogramOfNormalsAndAreIndependent) {
  const std::vector<Finding> findings = of_bits({});
  EXPECT_EQ(findings.size(), 25U);
  for (const Finding& each : findings)
    EXPECT_TRUE(each.holds()) << each.what << ": " << each.found << " in place of " << each.expected
                              << ", off by " << each.off() << " standard errors";
}

/// What is expected of halves is what normals have, up to the rounding.
TEST(NormalsOfADevice, AreHeldAgainstTheNormalLaw) {
  const std::vector<Finding> findings = judge(draw_normals(1, 1));
  const double moments[] = {0, 1, 0, 3, 0, 15, 0, 105};
  for (std::size_t k = 0; k < 8; ++k) EXPECT_NEAR(findings[k].expected, moments[k], 2e-6 * moments[k]) << k;
  const double limits[] = {1, 2, 3, 4, 5, 5.5, 6};
  for (std::size_t t = 0; t < 7; ++t) {
    const double share = std::erfc(limits[t] / std::sqrt(2.0));
    // A tail begins where a half ends, at most one of them away: in 2⁻¹⁰ of the limit.
    EXPECT_NEAR(findings[8 + t].expected, share, share * limits[t] * (limits[t] + 1) * 0x1p-10) << limits[t];
  }
}

TEST(NormalsOfADevice, AreThoseOfTheCpuUpToRounding) {
  const Differences off = compare_with_cpu({.seed = 12345678901, .step = 7, .row = 3}, 20'000);
  EXPECT_TRUE(off.hold()) << off.last_places << " " << off.small << " " << off.small_radius;
  EXPECT_GE(off.last_places, 0.5) << "nothing was rounded: this test cannot fail";
}

/// Counts and sums are those of the rows of a step, added up in another way.
TEST(NormalsOfADevice, AreCountedAndMultipliedWithWhatStandsBesideThem) {
  const NormalSums drawn = draw_normals(3, 1);
  const std::vector<std::uint32_t> pairs = normals_of_rows({.seed = 3}, kRowsOfStep);
  const auto half = [&](int row, int site) {
    return pairs[static_cast<std::size_t>(row * 2 * kCounters + site / 2)] >> (site % 2 * 16) & 0xFFFFU;
  };
  auto left = drawn.counts;
  NormalSums::Products sums[kBesides];
  const auto add = [&](Beside beside, double a, double b) {
    NormalSums::Products& sum = sums[static_cast<std::size_t>(beside)];
    ++sum.count;
    sum.sum += a * b;
    sum.of_squares += (a * a - 1) * (b * b - 1);
  };
  for (int row = 0; row < kRowsOfStep; ++row) {
    for (int site = 0; site < 4 * kCounters; ++site) {
      --left[static_cast<std::size_t>(site % 2)][half(row, site)];
      const auto z = [&](int down, int along) { return normal_of_half(half(row + down, site + along)); };
      if (site % 2 == 0) add(Beside::in_pair, z(0, 0), z(0, 1));
      if (site % 4 < 2) add(Beside::in_counter, z(0, 0), z(0, 2));
      if (site + 4 < 4 * kCounters) add(Beside::next_counter, z(0, 0), z(0, 4));
      if (row % 8 != 7) add(Beside::next_row, z(0, 0), z(1, 0));  // threads have eight rows each
    }
  }
  for (const auto& each : left) EXPECT_EQ(std::ranges::count(each, 0U), 65536);
  for (std::size_t b = 0; b < kBesides; ++b) {
    EXPECT_EQ(drawn.products[b].count, sums[b].count) << b;
    EXPECT_NEAR(drawn.products[b].sum, sums[b].sum, 1e-6) << b;
    EXPECT_NEAR(drawn.products[b].of_squares, sums[b].of_squares, 1e-6) << b;
  }
}

/// Radii of 16 bits end at √(32 ln 2) = 4.7, but for one in 65,536, which is 6.66; angles of 9 bits leave holes.
TEST(NormalsOfADevice, WouldBeSeenIfTheyWereCoarse) {
  const std::vector<Finding> radius = of_bits({.radius = 0xFFFF0000U}),
                             angle = of_bits({.angle = 0xFF800000U});
  for (const char* what : {"moment 8", "share beyond 5", "share beyond 5.5"})
    EXPECT_TRUE(fails(radius, what)) << what;
  for (const char* what : {"firsts", "seconds"}) EXPECT_TRUE(fails(angle, what)) << what;
}

/// Sums that are six standard errors off.
TEST(NormalsOfADevice, WouldBeSeenIfTheyWereDependent) {
  NormalSums drawn = draw_normals(1, 1);
  for (NormalSums::Products& each : drawn.products) {
    each.sum = 6 * std::sqrt(static_cast<double>(each.count));
    each.of_squares = -12 * std::sqrt(static_cast<double>(each.count));
  }
  const std::vector<Finding> findings = judge(drawn);
  for (std::size_t i = findings.size() - 2 * kBesides; i < findings.size(); ++i)
    EXPECT_FALSE(findings[i].holds()) << findings[i].what;
}

}  // namespace
}  // namespace sluice::bench
