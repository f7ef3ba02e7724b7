/// The normals of a device, as many as a second has room for; bench/gpu_normals.cpp draws a thousand times as many where there is one.
#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>
#include <utility>

#include "bench/judged_normals.hpp"

namespace sluice::bench {
namespace {

constexpr std::int64_t kSteps = 250, kStreamSteps = 204;  // 10⁷ normals

std::vector<Finding> of_bits(const WordBits& bits) { return judge(draw_normals(1, kSteps, bits)); }

std::vector<Finding> of_bits(const StreamBits& bits) { return judge(draw_streams(1, kStreamSteps, bits)); }

bool fails(const std::vector<Finding>& findings, std::string_view what) {
  const auto found =
      std::ranges::find_if(findings, [&](const Finding& each) { return each.what.ends_with(what); });
  EXPECT_NE(found, findings.end()) << what;
  return found != findings.end() && !found->holds();
}

void expect_all_hold(const std::vector<Finding>& findings) {
  for (const Finding& each : findings)
    EXPECT_TRUE(each.holds()) << each.what << ": " << each.found << " in place of " << each.expected << " ± "
                              << each.known << ", off by " << each.off() << " standard errors";
}

void add_product(NormalSums::Products& sum, double a, double b) {
  ++sum.count;
  sum.sum += a * b;
  sum.of_squares += (a * a - 1) * (b * b - 1);
}
void expect_same(const std::vector<NormalSums::Products>& drawn,
                 const std::vector<NormalSums::Products>& sums) {
  ASSERT_EQ(drawn.size(), sums.size());
  for (std::size_t b = 0; b < drawn.size(); ++b) {
    EXPECT_EQ(drawn[b].count, sums[b].count) << drawn[b].where;
    EXPECT_NEAR(drawn[b].sum, sums[b].sum, 1e-6) << drawn[b].where;
    EXPECT_NEAR(drawn[b].of_squares, sums[b].of_squares, 1e-6) << drawn[b].where;
  }
}

TEST(NormalsOfADevice, HaveTheMomentsTailsAndHistogramOfNormalsAndAreIndependent) {
  const std::vector<Finding> findings = of_bits(WordBits{});
  EXPECT_EQ(findings.size(), 25U);
  expect_all_hold(findings);
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
  std::vector<NormalSums::Products> sums(kBesides);
  const auto add = [&](Beside beside, double a, double b) {
    add_product(sums[static_cast<std::size_t>(beside)], a, b);
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
  expect_same(drawn.products, sums);
}

/// Radii of 16 bits end at √(32 ln 2) = 4.7, but for one in 65,536, which is 6.66; angles of 9 bits leave holes.
TEST(NormalsOfADevice, WouldBeSeenIfTheyWereCoarse) {
  const std::vector<Finding> radius = of_bits(WordBits{.radius = 0xFFFF0000U}),
                             angle = of_bits(WordBits{.angle = 0xFF800000U});
  for (const char* what : {"moment 8", "share beyond 5", "share beyond 5.5"})
    EXPECT_TRUE(fails(radius, what)) << what;
  for (const char* what : {"firsts", "seconds"}) EXPECT_TRUE(fails(angle, what)) << what;
}

/// Sums that are six standard errors off.
void make_dependent(NormalSums& drawn) {
  for (NormalSums::Products& each : drawn.products) {
    each.sum = 6 * std::sqrt(static_cast<double>(each.count));
    each.of_squares = -12 * std::sqrt(static_cast<double>(each.count));
  }
}

TEST(NormalsOfADevice, WouldBeSeenIfTheyWereDependent) {
  NormalSums drawn = draw_normals(1, 1);
  make_dependent(drawn);
  const std::vector<Finding> findings = judge(drawn);
  for (std::size_t i = findings.size() - 2 * kBesides; i < findings.size(); ++i)
    EXPECT_FALSE(findings[i].holds()) << findings[i].what;
}

TEST(FastNormalsOfADevice, HaveTheMomentsTailsAndHistogramOfNormalsAndAreIndependent) {
  const std::vector<Finding> findings = of_bits(StreamBits{});
  EXPECT_EQ(findings.size(), 50U);
  expect_all_hold(findings);
}

/// The words of a stream, as they are said to be: Philox at its address, then two rounds more for every four.
class Words {
 public:
  Words(std::uint64_t seed, std::uint64_t step, std::uint32_t thread)
      : key_{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)},
        words_(math::philox({1U << 30, thread, static_cast<std::uint32_t>(step),
                             math::address_tag({.seed = seed, .step = step})},
                            key_)) {}
  std::uint32_t next() {
    if (used_ % 4 == 0) words_ = math::philox(math::philox(words_, key_, 1), {key_[1], key_[0]}, 1);
    return words_[used_++ % 4];
  }

 private:
  math::PhiloxKey key_;
  math::PhiloxCounter words_;
  std::size_t used_ = 0;
};
constexpr int kWords = kTilesOfStream * kWordsOfTile;

/// By what is rounded on the way: half a last place of a half, and functions of floats.
TEST(FastNormalsOfADevice, AreWhatIsSaidOfThem) {
  const math::Address first{.seed = 12345678901, .step = (std::uint64_t{1} << 32) + 7, .row = 120};
  const std::vector<std::uint32_t> pairs = normals_of_streams(first, 20);
  ASSERT_EQ(pairs.size(), std::size_t{20 * kWords});
  double largest = 0;
  for (std::uint32_t thread = 0; thread < 20; ++thread) {
    Words words(first.seed, first.step, first.row + thread);
    for (std::size_t m = 0; m < kWords; ++m) {
      const std::uint32_t word = words.next(), pair = pairs[thread * kWords + m];
      const double radius = std::sqrt(-2 * std::log((0.5 + (word >> 9)) * 0x1p-23));
      const int steps = static_cast<int>(word & 0x7FFFU);
      const double angle = (word & 0x8000U) == 0 ? 8192 + steps / 4.0 : 16384 + steps / 2.0;
      for (const double off : {normal_of_half(pair & 0xFFFFU) - radius * std::cos(angle),
                               normal_of_half(pair >> 16) - radius * std::sin(angle)})
        largest = std::max(largest, std::abs(off) / radius);
    }
  }
  EXPECT_LE(largest, 0x1p-11 + 1e-5);
  EXPECT_GE(largest, 0x1p-12) << "nothing was rounded: this test cannot fail";
}

/// Counts and sums are those of the streams of a step, added up in another way.
TEST(FastNormalsOfADevice, AreCountedAndMultipliedWithWhatStandsBesideThem) {
  const StreamSums drawn = draw_streams(3, 1);
  const std::vector<std::uint32_t> pairs = normals_of_streams({.seed = 3}, kStreamsOfStep + 1),
                                   after = normals_of_streams({.seed = 3, .step = 1}, kStreamsOfStep);
  const auto half = [](const std::vector<std::uint32_t>& of, int at) {
    return of[static_cast<std::size_t>(at / 2)] >> (at % 2 * 16) & 0xFFFFU;
  };
  const auto z = [&](int at) { return normal_of_half(half(pairs, at)); };
  auto left = drawn.normals.counts, words_left = drawn.words;
  double cosines = 0, sines = 0;
  std::vector<NormalSums::Products> sums(kInStream);
  const auto add = [&](auto where, double a, double b) {
    add_product(sums[static_cast<std::size_t>(where)], a, b);
  };
  constexpr int kTile = 2 * kWordsOfTile, kStream = 2 * kWords;
  for (int at = 0; at < kStreamsOfStep * kStream; ++at) {
    --left[static_cast<std::size_t>(at % 2)][half(pairs, at)];
    if (at % 2 == 0) {
      add(InStream::in_pair, z(at), z(at + 1));
      cosines += std::cos(std::atan2(z(at + 1), z(at)));
      sines += std::sin(std::atan2(z(at + 1), z(at)));
    }
    for (int apart = 1; at % kTile + 2 * apart < kTile; ++apart) add(apart, z(at), z(at + 2 * apart));
    if (at % kStream + kTile < kStream) add(InStream::next_tile, z(at), z(at + kTile));
    add(InStream::next_thread, z(at), z(at + kStream));
    add(InStream::next_step, z(at), normal_of_half(half(after, at)));
  }
  for (std::uint32_t thread = 0; thread < kStreamsOfStep; ++thread) {
    Words words(3, 0, thread);
    std::uint32_t before = words.next();
    for (std::size_t m = 1; m < kWords; ++m) {
      const std::uint32_t word = words.next();
      --words_left[(m + 1) % 2][(before >> 24) * 256 + (word >> 24)];
      before = word;
    }
  }
  for (const auto& counts : {left, words_left})
    for (const auto& each : counts) EXPECT_EQ(std::ranges::count(each, 0U), 65536);
  expect_same(drawn.normals.products, sums);
  EXPECT_NEAR(drawn.cosines, cosines, 1e-6);
  EXPECT_NEAR(drawn.sines, sines, 1e-6);
}

/// 9 bits of the angle stand unevenly; without some bits of the radius in the middle there are holes, and without an upper one words of one half are missing.
TEST(FastNormalsOfADevice, WouldBeSeenIfTheyWereCoarse) {
  const std::vector<Finding> angle = of_bits(StreamBits{.word = 0xFFFFFF80U}),
                             radius = of_bits(StreamBits{.word = 0xFF80FFFFU});
  for (const char* what : {"cosines of angles", "firsts", "seconds"}) EXPECT_TRUE(fails(angle, what)) << what;
  for (const char* what : {"moment 2", "moment 8", "share beyond 3"})
    EXPECT_TRUE(fails(radius, what)) << what;
  const std::vector<Finding> words = of_bits(StreamBits{.word = 0xFEFFFFFFU});
  for (const char* what : {"words 2k and 2k + 1", "words 2k + 1 and 2k + 2"})
    EXPECT_TRUE(fails(words, what)) << what;
}

TEST(FastNormalsOfADevice, WouldBeSeenIfStreamsWereTheSame) {
  EXPECT_TRUE(fails(of_bits(StreamBits{.thread = ~1U}), "correlation of neighbouring threads"));
  EXPECT_TRUE(fails(of_bits(StreamBits{.step = ~std::uint64_t{1}}), "correlation of neighbouring steps"));
}

TEST(FastNormalsOfADevice, WouldBeSeenIfTheyWereDependent) {
  StreamSums drawn = draw_streams(1, 1);
  // So many that six standard errors are less than what is known of angles, which only products in a pair may be off by.
  for (NormalSums::Products& each : drawn.normals.products) each.count = 10'000'000'000;
  make_dependent(drawn.normals);
  drawn.normals.products[0].sum += 2e-4 * static_cast<double>(drawn.normals.products[0].count);
  int seen = 0;
  for (const Finding& each : judge(drawn)) {
    if (!each.what.starts_with("correlation")) continue;
    EXPECT_FALSE(each.holds()) << each.what;
    ++seen;
  }
  EXPECT_EQ(seen, 2 * kInStream);
}

/// What is known is allowed, and no more.
TEST(FastNormalsOfADevice, MayHaveAnglesThatAreUnevenByWhatIsKnown) {
  StreamSums drawn = draw_streams(1, 1);
  const double pairs = static_cast<double>(drawn.normals.count) / 2, error = std::sqrt(0.5 / pairs);
  drawn.cosines = pairs * (2e-4 + 4.9 * error);
  drawn.sines = -pairs * (2e-4 + 5.1 * error);
  NormalSums::Products& in_pair = drawn.normals.products[0];
  in_pair.count = 10'000'000'000;
  in_pair.sum = static_cast<double>(in_pair.count) * 2.4e-4;  // four standard errors beyond
  const std::vector<Finding> findings = judge(drawn);
  EXPECT_FALSE(fails(findings, "correlation in a pair"));
  const double radius = std::sqrt(std::numbers::pi / 2);  // E r; E r³ = 3 E r
  for (const auto& [moment, known] : {std::pair{0U, radius}, {1U, 0.0}, {2U, 3 * radius}, {3U, 0.0}})
    EXPECT_NEAR(findings[moment].known, 2e-4 * known, 1e-12) << findings[moment].what;
  EXPECT_FALSE(fails(findings, "mean of cosines of angles"));
  EXPECT_TRUE(fails(findings, "mean of sines of angles"));
}

}  // namespace
}  // namespace sluice::bench
