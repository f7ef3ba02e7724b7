/// Probes of receptive fields against fields whose answers are known.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "sluice/math/fourier_basis.hpp"
#include "sluice/probe/change.hpp"
#include "sluice/probe/kind.hpp"
#include "sluice/probe/kurtosis.hpp"
#include "sluice/probe/localized.hpp"
#include "sluice/probe/shape.hpp"
#include "sluice/probe/similarity.hpp"
#include "sluice/probe/spectrum.hpp"
#include "test/support/close.hpp"

namespace sluice::probe {
namespace {

constexpr double kPi = 3.14159265358979323846;

template <class Function>
std::vector<float> field(std::int64_t n, const Function& f) {
  std::vector<float> w;
  for (std::int64_t i = 0; i < n; ++i) w.push_back(static_cast<float>(f(static_cast<double>(i))));
  return w;
}

std::vector<float> bump(std::int64_t n, double centre, double width, double sign = 1) {
  return field(n, [&](double i) {
    const double d = std::remainder(i - centre, static_cast<double>(n));
    return sign * std::exp(-d * d / (2 * width * width));
  });
}

std::vector<float> wave(std::int64_t n, double frequency, double phase = 0.3) {
  return field(n,
               [&](double i) { return std::cos(2 * kPi * frequency * i / static_cast<double>(n) + phase); });
}

std::vector<float> normals(std::size_t count, unsigned seed) {
  std::mt19937 engine(seed);
  std::normal_distribution<float> normal;
  std::vector<float> values(count);
  for (float& value : values) value = normal(engine);
  return values;
}

TEST(Shape, OfASingleSiteAFlatFieldAndNothing) {
  const RingAngles ring(40);
  std::vector<float> site(40, 0.0F);
  site[37] = -3;
  const FieldShape single = ring.shape(site);
  EXPECT_NEAR(single.norm, 3, 1e-12);
  EXPECT_NEAR(single.ipr, 1, 1e-12);
  EXPECT_NEAR(single.entropy, 0, 1e-6);
  EXPECT_NEAR(single.position, 37, 1e-9);
  EXPECT_NEAR(single.variance, 0, 1e-9);
  EXPECT_NEAR(single.spread, 0, 1e-6);

  const FieldShape flat = ring.shape(std::vector<float>(40, 0.2F));
  EXPECT_NEAR(flat.entropy, std::log(40.0), 1e-6);
  EXPECT_NEAR(flat.variance, 1, 1e-9);

  const FieldShape none = ring.shape(std::vector<float>(40, 0.0F));
  for (const double value : {none.ipr, none.entropy, none.position, none.variance, none.spread})
    EXPECT_TRUE(std::isnan(value));
}

TEST(Shape, OfABumpAcrossTheSeam) {
  const RingAngles ring(100);
  for (const double centre : {0.3, 50.0, 99.8}) {
    const FieldShape shape = ring.shape(bump(100, centre, 3));
    EXPECT_NEAR(shape.position, centre, 1e-4);
    // p is a normal density of variance s²/2 on the ring: |Z| = exp(−(2π/n)² s²/4), and the differential entropy of a normal.
    EXPECT_NEAR(shape.spread, 3 / std::sqrt(2.0), 1e-4);
    EXPECT_NEAR(shape.variance, 1 - std::exp(-std::pow(2 * kPi / 100, 2) * 9 / 4), 1e-6);
    EXPECT_NEAR(shape.entropy, 0.5 * std::log(2 * kPi * std::exp(1.0) * 4.5), 1e-5);
  }
}

TEST(Spectrum, IsThatOfTheFourierBasis) {
  for (const std::int64_t n : {1, 2, 3, 4, 7, 40, 41, 100, 101, 210}) {
    const std::int64_t units = 50;  // more than a block
    const std::vector<float> fields = normals(static_cast<std::size_t>(units * n), 3);
    const math::FourierBasis basis(n);
    const FieldSpectra spectra = FieldFourier(n).analyse(fields);
    const std::vector<float> shares = power_shares(spectra);
    for (const std::int64_t k : {0, 47, 48, 49}) {
      const std::vector<double> w(fields.begin() + k * n, fields.begin() + (k + 1) * n);
      const std::vector<double> modes = basis.analyse(w);
      std::vector<double> power(static_cast<std::size_t>(n / 2 + 1));
      double total = 0;
      for (std::int64_t mode = 0; mode < n; ++mode) {
        const double u = modes[static_cast<std::size_t>(mode)];
        power[static_cast<std::size_t>(math::FourierBasis::frequency(mode))] += u * u;
        total += u * u;
      }
      for (std::size_t j = 0; j < power.size(); ++j)
        EXPECT_NEAR(shares[static_cast<std::size_t>(k) * power.size() + j], power[j] / total, 2e-6)
            << n << " " << j;
    }
  }
}

TEST(Spectrum, KnowsTheFrequencyOfAWave) {
  const std::vector<float> shares = power_shares(FieldFourier(40).analyse(wave(40, 7)));
  EXPECT_EQ(power_peak(shares), 7);
  EXPECT_NEAR(mean_frequency(shares), 7, 1e-4);
  std::vector<float> two = wave(40, 3);
  const std::vector<float> other = wave(40, 9);
  for (std::size_t i = 0; i < two.size(); ++i) two[i] = 2 * two[i] + other[i];  // powers 4 : 1
  const std::vector<float> mixed = power_shares(FieldFourier(40).analyse(two));
  EXPECT_EQ(power_peak(mixed), 3);
  EXPECT_NEAR(mean_frequency(mixed), (4 * 3 + 9) / 5.0, 1e-4);
  EXPECT_TRUE(
      std::isnan(mean_frequency(power_shares(FieldFourier(40).analyse(std::vector<float>(40, 0.0F))))));
}

TEST(Kind, OfBumpsWavesConstantsAndNoise) {
  const auto kind = [](const std::vector<float>& w) {
    const auto n = static_cast<std::int64_t>(w.size());
    return kind_of(localized_flags(w, n, 0).front() == 1, power_shares(FieldFourier(n).analyse(w)));
  };
  EXPECT_EQ(kind(bump(40, 12, 1)), FieldKind::localized);
  EXPECT_EQ(kind(bump(40, 12, 1, -1)), FieldKind::localized);
  EXPECT_EQ(kind(bump(40, 12, 4)), FieldKind::localized);  // IPR 0.10, but one place
  EXPECT_EQ(
      kind(field(40,
                 [](double i) { return std::exp(-(i - 20) * (i - 20) / 18) * std::cos(2 * kPi * i / 6); })),
      FieldKind::localized);  // three frequencies hold its power, at one place
  EXPECT_EQ(kind(wave(40, 17)), FieldKind::oscillatory);
  EXPECT_EQ(kind(wave(40, 6.5)), FieldKind::oscillatory);  // between two frequencies
  EXPECT_EQ(kind(std::vector<float>(40, -0.1F)), FieldKind::flat);
  EXPECT_EQ(kind(bump(40, 12, 10)), FieldKind::flat);  // too broad
  int flat = 0;
  for (unsigned seed = 0; seed < 100; ++seed) flat += kind(normals(100, seed)) == FieldKind::flat;
  EXPECT_EQ(flat, 100);  // three of 51 frequencies with half of white noise's power: p < 1e-9
}

TEST(LocalizedFlags, AreOnePerFieldOnRingsAndTori) {
  std::vector<float> fields = bump(64, 12, 1);
  for (const auto& other : {wave(64, 5), bump(64, 60, 2, -1), std::vector<float>(64, 0.0F)})
    fields.insert(fields.end(), other.begin(), other.end());
  EXPECT_EQ(localized_flags(fields, 64, 0), (std::vector<std::uint8_t>{1, 0, 1, 0}));
  std::vector<float> blob(64, 0.0F);
  blob[27] = 1;
  blob.insert(blob.end(), fields.begin(), fields.begin() + 64);  // across one axis only: two rows of a torus
  EXPECT_EQ(localized_flags(blob, 64, 8).front(), 1);
  EXPECT_TRUE(localized_flags({}, 64, 0).empty());
  EXPECT_TRUE(localized_flags({}, 0, 0).empty());
}

TEST(Change, CountsTurningButNotGrowth) {
  const std::vector<float> w{3, 4, 0, -1};
  std::vector<float> grown = w;
  for (float& x : grown) x *= 2;
  EXPECT_NEAR(shape_change(grown, w, 10), 0, 1e-9);
  std::vector<float> negative = w;
  for (float& x : negative) x *= -0.1F;
  EXPECT_NEAR(shape_change(negative, w, 1), 2, 1e-6);
  EXPECT_NEAR(shape_change(std::vector<float>{0, 1}, std::vector<float>{1, 0}, 50), std::sqrt(2.0) / 50,
              1e-9);
  EXPECT_EQ(weight_sign_changes(negative, w), 3);  // zero has no sign
  EXPECT_EQ(weight_sign_changes(grown, w), 0);
}

/// Every shift of every pair, in double.
std::vector<double> similarities(const std::vector<float>& fields, std::size_t n) {
  const std::size_t units = fields.size() / n;
  std::vector<double> best(units, 0);
  for (std::size_t k = 0; k < units; ++k) {
    for (std::size_t l = 0; l < units; ++l) {
      for (std::size_t s = 0; k != l && s < n; ++s) {
        double kl = 0, kk = 0, ll = 0;
        for (std::size_t i = 0; i < n; ++i) {
          const double a = fields[k * n + i], b = fields[l * n + (i + s) % n];
          kl += a * b, kk += a * a, ll += b * b;
        }
        best[k] = std::max(best[k], std::abs(kl) / std::sqrt(kk * ll));
      }
    }
  }
  return best;
}

TEST(Similarity, IsTheBestOverAllPairsShiftsAndSigns) {
  for (const std::int64_t n : {16, 25}) {
    std::vector<float> fields = normals(static_cast<std::size_t>(70 * n), 11);
    for (std::int64_t k = 0; k < 30; ++k) {  // some structure, so that pairs are ruled out
      const std::vector<float> smooth =
          bump(n, static_cast<double>(3 * k % n), 1 + 0.05 * static_cast<double>(k));
      for (std::int64_t i = 0; i < n; ++i) {
        float& w = fields[static_cast<std::size_t>(k * n + i)];
        w = 0.1F * w + smooth[static_cast<std::size_t>(i)];
      }
    }
    const FieldFourier fourier(n);
    const std::vector<float> fast = nearest_unit_similarity(fourier.analyse(fields), fourier.plan());
    const std::vector<double> slow = similarities(fields, static_cast<std::size_t>(n));
    ASSERT_EQ(fast.size(), slow.size());
    for (std::size_t k = 0; k < slow.size(); ++k) {
      EXPECT_LE(fast[k], slow[k] + 1e-5) << k;
      EXPECT_GE(fast[k], slow[k] - kSimilarityTolerance - 1e-5) << k;
    }
  }
}

TEST(Similarity, OfManyUnitsFindsCopiesAndIsALowerBoundElsewhere) {
  constexpr std::size_t n = 16;
  constexpr std::size_t units = kMostForAllPairs + 44;
  std::vector<float> fields = normals(units * n, 12);
  for (std::size_t i = 0; i < n; ++i) fields[7 * n + i] = -2 * fields[250 * n + (i + 5) % n];
  const FieldFourier fourier(n);
  const std::vector<float> fast = nearest_unit_similarity(fourier.analyse(fields), fourier.plan());
  const std::vector<double> slow = similarities(fields, n);
  EXPECT_NEAR(fast[7], 1, 1e-5);
  EXPECT_NEAR(fast[250], 1, 1e-5);
  double short_by = 0;
  for (std::size_t k = 0; k < units; ++k) {
    EXPECT_LE(fast[k], slow[k] + 1e-5) << k;
    short_by += (slow[k] - fast[k]) / static_cast<double>(units);
  }
  EXPECT_LT(short_by, 0.1);  // the best of 8 chosen, not of 299
}

TEST(Similarity, SeesAShiftedNegativeCopy) {
  constexpr std::int64_t n = 40;
  const FieldFourier fourier(n);
  std::vector<float> fields = bump(n, 5, 2);
  for (const auto& more : {bump(n, 31, 2, -0.3), wave(n, 12), std::vector<float>(n, 0.0F)})
    fields.insert(fields.end(), more.begin(), more.end());
  const std::vector<float> found = nearest_unit_similarity(fourier.analyse(fields), fourier.plan());
  EXPECT_NEAR(found[0], 1, 1e-5);
  EXPECT_NEAR(found[1], 1, 1e-5);
  EXPECT_LT(found[2], 0.2);
  EXPECT_TRUE(std::isnan(found[3]));
  EXPECT_TRUE(std::isnan(nearest_unit_similarity(fourier.analyse(bump(n, 5, 2)), fourier.plan()).front()));
}

TEST(Kurtosis, OfNormalsSignsAndTheirSums) {
  constexpr std::int64_t n = 4;
  constexpr std::size_t rows = 50'000;
  std::vector<float> x = normals(rows * n, 21);
  for (std::size_t row = 0; row < rows; ++row) {
    x[row * n + 1] = x[row * n + 1] > 0 ? 1.0F : -1.0F;
    x[row * n + 2] = x[row * n + 2] > 0 ? 1.0F : -1.0F;
  }
  const std::vector<float> weights{1, 0, 0, 0, /**/ 0, 2, 0, 0, /**/ 0, 1, 1, 0, /**/ 1, 0, 0, -3};
  const Samples samples(x, n, {});
  const std::vector<float> kurtosis = samples.preactivation_kurtosis(weights);
  // Standard errors of the estimate: √(24/N) for normals; the sum of two signs is 0, ±2 with kurtosis 2 − 3 = −1.
  const double error = std::sqrt(24.0 / rows);
  EXPECT_TRUE(test::close(kurtosis[0], 0, test::sampling(error)));
  EXPECT_TRUE(test::close(kurtosis[1], -2, test::sampling(error)));
  EXPECT_TRUE(test::close(kurtosis[2], -1, test::sampling(error)));
  EXPECT_TRUE(test::close(kurtosis[3], 0, test::sampling(error)));
  // Pooled: half normal, half ±1, all of variance 1: E X⁴ = (3 + 1)/2.
  EXPECT_TRUE(test::close(samples.input_kurtosis(), -1, test::sampling(error)));
}

TEST(Kurtosis, IsTheMeanOverClassesNotThatOfTheirMixture) {
  constexpr std::size_t rows = 50'000;
  std::vector<float> x = normals(rows, 22);
  std::vector<std::uint8_t> which_class(rows);
  for (std::size_t row = 0; row < rows; ++row) {
    which_class[row] = row % 2;
    if (row % 2 == 1) x[row] *= 5;
  }
  const double error = std::sqrt(24.0 / (rows / 2.0) / 2);
  EXPECT_TRUE(test::close(Samples(x, 1, which_class).input_kurtosis(), 0, test::sampling(error)));
  EXPECT_GT(Samples(x, 1, {}).input_kurtosis(), 1);
}

}  // namespace
}  // namespace sluice::probe
