#include "sluice/task/pulse.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <vector>

#include "test/support/moments.hpp"

namespace sluice::task {
namespace {

/// Every pulse with its weight, by brute force over length, start and inversion: rows of n values.
struct Enumeration {
  std::vector<std::vector<double>> samples;

  void add(std::int64_t n, std::int64_t length, std::int64_t start, bool inverted, double off) {
    std::vector<double> x(static_cast<std::size_t>(n));
    for (std::int64_t i = 0; i < n; ++i) {
      const bool inside = (i - start + n) % n < length;
      x[static_cast<std::size_t>(i)] = inside != inverted ? 1 : off;
    }
    samples.push_back(x);
  }

  /// E over samples and sites of (X_i − about)^power (X_{i+d} − about).
  double moment(double about, int power, std::size_t d) const {
    double sum = 0;
    double count = 0;
    for (const std::vector<double>& x : samples) {
      for (std::size_t i = 0; i < x.size(); ++i, ++count) {
        sum += std::pow(x[i] - about, power) * (x[(i + d) % x.size()] - about);
      }
    }
    return sum / count;
  }

  void expect(const Moments& stated) const {
    EXPECT_NEAR(moment(0, 0, 0), stated.mean, 1e-14);
    for (std::size_t d = 0; d < stated.covariance.size(); ++d) {
      EXPECT_NEAR(moment(stated.mean, 1, d), stated.covariance[d], 1e-14) << d;
    }
    const double variance = moment(stated.mean, 1, 0);
    EXPECT_NEAR(moment(stated.mean, 3, 0) / (variance * variance) - 3, stated.excess_kurtosis, 1e-12);
  }
};

PulseOptions pulse(bool invert, const std::string& support) {
  PulseOptions options;
  options.n = 20;
  options.width_first = {0.2, 0.35};   // 4, 5, 6
  options.width_second = {0.6, 0.95};  // 12, …, 18: pulses that meet themselves around the ring
  options.invert = invert;
  options.support = support;
  return options;
}

BlockOptions block(bool invert, const std::string& support) {
  BlockOptions options;
  options.n = 20;
  options.block = {5, 10};
  options.invert = invert;
  options.support = support;
  return options;
}

TEST(Pulse, MomentsAreThoseOfTheEnumeration) {
  for (const bool invert : {false, true}) {
    for (const std::string support : {"01", "pm1"}) {
      Enumeration pulses[2];
      Enumeration blocks[2];
      for (int flip = 0; flip <= (invert ? 1 : 0); ++flip) {
        const double off = support == "01" ? 0 : -1;
        for (std::int64_t start = 0; start < 20; ++start) {
          for (std::int64_t length = 4; length <= 6; ++length)
            pulses[0].add(20, length, start, flip == 1, off);
          for (std::int64_t length = 12; length <= 18; ++length)
            pulses[1].add(20, length, start, flip == 1, off);
          if (start % 5 == 0) blocks[0].add(20, 5, start, flip == 1, off);
          if (start % 10 == 0) blocks[1].add(20, 10, start, flip == 1, off);
        }
      }
      for (int c : {0, 1}) {
        pulses[c].expect(Pulse(pulse(invert, support)).moments(c));
        blocks[c].expect(Pulse(block(invert, support)).moments(c));
      }
    }
  }
}

TEST(Pulse, MomentsOfSamplesMatch) {
  test::expect_stated_moments(Pulse(PulseOptions{}), 0, 1'000'000, 81);
  test::expect_stated_moments(Pulse(PulseOptions{}), 1, 200'000, 82);
  for (const bool invert : {false, true}) {
    for (const std::string support : {"01", "pm1"}) {
      test::expect_stated_moments(Pulse(pulse(invert, support)), 0, 200'000, 83);
      test::expect_stated_moments(Pulse(pulse(invert, support)), 1, 200'000, 84);
      test::expect_stated_moments(Pulse(block(invert, support)), 0, 200'000, 85);
      test::expect_stated_moments(Pulse(block(invert, support)), 1, 200'000, 86);
    }
  }
}

/// The distinct samples of class 0, each with how often it came.
std::map<std::vector<float>, int> distinct_samples(const Task& task, std::int64_t samples) {
  const std::vector<float> rows = test::sample_rows(task, {.seed = 87}, 0, samples);
  std::map<std::vector<float>, int> distinct;
  for (auto at = rows.begin(); at != rows.end(); at += task.inputs()) {
    ++distinct[std::vector<float>(at, at + task.inputs())];
  }
  return distinct;
}

// A mean over sites does not see where a pulse begins; this does.
TEST(Pulse, EveryLengthStartAndInversionIsEquallyLikely) {
  constexpr std::int64_t kSamples = 200'000;
  const auto expect_equal_shares = [](const Task& task, std::size_t configurations) {
    const auto distinct = distinct_samples(task, kSamples);
    EXPECT_EQ(distinct.size(), configurations);
    const double expected = kSamples / static_cast<double>(configurations);
    double chi_square = 0;
    for (const auto& [x, times] : distinct) chi_square += (times - expected) * (times - expected) / expected;
    const auto freedom = static_cast<double>(configurations - 1);
    EXPECT_TRUE(test::close(chi_square, freedom, test::sampling(std::sqrt(2 * freedom))));
  };
  expect_equal_shares(Pulse(pulse(false, "01")), 3 * 20);
  expect_equal_shares(Pulse(pulse(true, "pm1")), 3 * 20 * 2);
  expect_equal_shares(Pulse(block(false, "01")), 4);
  expect_equal_shares(Pulse(block(true, "pm1")), 4 * 2);
}

TEST(Pulse, WidthsAreTheIntegersOfTheHalfOpenInterval) {
  std::set<long> lengths;
  for (const auto& [x, times] : distinct_samples(Pulse(PulseOptions{}), 10'000)) {
    lengths.insert(std::count(x.begin(), x.end(), 1.0F));
    int rises = 0;
    for (std::size_t i = 0; i < x.size(); ++i) rises += x[i] == 0 && x[(i + 1) % x.size()] == 1 ? 1 : 0;
    EXPECT_EQ(rises, 1);
  }
  EXPECT_EQ(lengths, (std::set<long>{8, 9}));
}

TEST(Block, LiesOnTheGrid) {
  const auto plain = distinct_samples(Pulse(block(false, "01")), 1000);
  EXPECT_EQ(plain.size(), 4U);
  for (const auto& [x, times] : plain) {
    for (std::size_t i = 0; i < x.size(); ++i) EXPECT_EQ(x[i], x[i / 5 * 5]);
  }
  EXPECT_EQ(distinct_samples(Pulse(block(true, "pm1")), 1000).size(), 8U);
}

}  // namespace
}  // namespace sluice::task
