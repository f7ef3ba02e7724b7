#include "sluice/math/permutation.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace sluice::math {
namespace {

TEST(Permutation, VisitsEverySampleOnce) {
  for (const std::uint64_t size : {1U, 2U, 3U, 4U, 5U, 63U, 64U, 65U, 1000U, 4097U}) {
    for (const std::uint64_t epoch : {0U, 1U, 7U}) {
      const Permutation order(size, 11, epoch);
      std::vector<int> visits(size, 0);
      for (std::uint64_t i = 0; i < size; ++i) ++visits.at(order(i));
      EXPECT_EQ(visits, std::vector<int>(size, 1)) << size << " " << epoch;
    }
  }
}

TEST(Permutation, EpochsAndSeedsDiffer) {
  int fixed = 0;
  for (std::uint64_t i = 0; i < 1000; ++i) {
    fixed += Permutation(1000, 1, 0)(i) == Permutation(1000, 1, 1)(i) ? 1 : 0;
    fixed += Permutation(1000, 1, 0)(i) == Permutation(1000, 2, 0)(i) ? 1 : 0;
  }
  EXPECT_LT(fixed, 12);  // two Poisson(1) numbers of coincidences: P(≥ 12) < 1e-5
}

// Over many epochs each place of the order holds each sample equally often: χ² of the 20 × 20 table of counts.
TEST(Permutation, PlacesAreUniform) {
  constexpr std::size_t kSize = 20;
  constexpr int kEpochs = 20'000;
  std::vector<double> counts(kSize * kSize, 0);
  for (std::uint64_t epoch = 0; epoch < kEpochs; ++epoch) {
    const Permutation order(kSize, 5, epoch);
    for (std::uint64_t i = 0; i < kSize; ++i) counts[i * kSize + order(i)] += 1;
  }
  const double expected = static_cast<double>(kEpochs) / kSize;
  double chi2 = 0;
  for (const double count : counts) chi2 += (count - expected) * (count - expected) / expected;
  // Rows and columns sum to the number of epochs. The (m−1)² free counts of a random permutation matrix make
  // χ²·(m−1)/m a χ² variable with (m−1)² degrees of freedom: mean 361, sd √722.
  const double free = (kSize - 1.0) * (kSize - 1.0);
  EXPECT_NEAR(chi2 * (kSize - 1.0) / kSize, free, 4 * std::sqrt(2 * free));
}

// Neighbours in one epoch are not neighbours in the next: the rank correlation of consecutive epochs vanishes.
TEST(Permutation, ConsecutiveEpochsAreUncorrelated) {
  constexpr double kSize = 5000;
  const Permutation first(5000, 3, 0);
  const Permutation second(5000, 3, 1);
  double product = 0;
  for (std::uint64_t i = 0; i < 5000; ++i) {
    product += (static_cast<double>(first(i)) - (kSize - 1) / 2) *
               (static_cast<double>(second(i)) - (kSize - 1) / 2);
  }
  const double correlation = product / (kSize * (kSize * kSize - 1) / 12);
  EXPECT_LT(std::abs(correlation), 4 / std::sqrt(kSize - 1));
}

}  // namespace
}  // namespace sluice::math
