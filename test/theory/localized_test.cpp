#include "sluice/theory/localized.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "sluice/theory/field_panel.hpp"
#include "test/support/normals.hpp"

namespace sluice::theory {
namespace {

using Field = std::vector<float>;

template <class Function>
Field field(int n, const Function& f) {
  Field w;
  for (int x = 0; x < n; ++x) w.push_back(static_cast<float>(f(static_cast<double>(x))));
  return w;
}

double bell(double d, double width) { return std::exp(-d * d / (2 * width * width)); }
Field bump(int n, double centre, double width) {
  return field(n, [&](double x) { return bell(std::remainder(x - centre, n), width); });
}
Field one_site(int n, std::size_t site) {
  Field w(static_cast<std::size_t>(n), 0.0F);
  w[site] = 1;
  return w;
}
Field waves(int n, std::initializer_list<int> frequencies) {
  return field(n, [&](double x) {
    double sum = 0;
    for (const int k : frequencies) sum += std::cos(2 * M_PI * k * x / n);
    return sum;
  });
}
Field product(const Field& rows, const Field& columns) {
  Field w;
  for (const float r : rows)
    for (const float c : columns) w.push_back(r * c);
  return w;
}

bool localized(const Field& w, std::int64_t side = 0) {
  return Localization(static_cast<std::int64_t>(w.size()), side).localized(w);
}

using Four = std::array<double, 4>;

/// Computed by numpy and scipy with its own Bessel function, printed to four and three digits; the weights here are float,
/// ln I₀ is Abramowitz & Stegun's (a difference of up to 7·10⁻⁶).
constexpr double kDigitsOfR = 6e-5, kDigitsOfLogP = 6e-4;

void expect_evidence(const LocalizedEvidence& got, const Four& r, const Four& log_p) {
  for (std::size_t q = 0; q < 4; ++q) {
    EXPECT_NEAR(got.concentration[q], r[q], kDigitsOfR) << "q = " << q + 1;
    EXPECT_NEAR(got.log_p[q], log_p[q], kDigitsOfLogP) << "q = " << q + 1;
  }
}

struct Case {
  const char* name;
  Field w;
  bool localized;
  Four r, log_p;
};

std::vector<Case> oracle() {
  const auto d = [](double x) { return std::remainder(x - 12, 40.0); };
  Field two = bump(40, 5, 1);
  const Field other = bump(40, 25, 1);
  for (std::size_t i = 0; i < two.size(); ++i) two[i] += other[i];
  return {
      {"bump 2",
       bump(40, 12, 2),
       true,
       {0.9756, 0.906, 0.8009, 0.6738},
       {-24.041, -22.658, -21.353, -20.116}},
      {"bump 1", bump(40, 12, 1), true, {0.9939, 0.9757, 0.9461, 0.9063}, {-46.718, -45.4, -44.078, -42.699}},
      {"bump 4", bump(40, 12, 4), true, {0.906, 0.6738, 0.4114, 0.2062}, {-11.166, -9.704, 0, 0}},
      {"bump 5", bump(40, 12, 5), true, {0.8571, 0.5396, 0.2496, 0.0848}, {-8.43, -6.859, 0, 0}},
      {"bump 8", bump(40, 12, 8), false, {0.6745, 0.2059, 0.0289, 0.0016}, {-4.148, 0, 0, 0}},
      {"Gabor",
       field(40, [&](double x) { return bell(d(x), 3) * std::sin(2 * M_PI * d(x) / 6); }),
       true,
       {0.9459, 0.8005, 0.6054, 0.4074},
       {-31.647, -31.146, -30.262, 0}},
      {"two bumps", two, true, {0, 0.9757, 0, 0.9063}, {0, -23.924, 0, -22.133}},
      {"hat",
       field(40, [&](double x) { return (1 - d(x) * d(x) / 4) * bell(d(x), 2); }),
       true,
       {0.9443, 0.7986, 0.6164, 0.4592},
       {-30.389, -29.123, -27.774, 0}},
      {"one site", one_site(40, 7), true, {1, 1, 1, 1}, {-63.418, -60.3, -57.154, -53.979}},
      {"cos 1", waves(40, {1}), false, {0, 0.5, 0, 0}, {}},
      {"1 + cos 1", waves(40, {0, 1}), false, {0.6667, 0.1667, 0, 0}, {}},
      {"modes 0, 1, 2", waves(40, {0, 1, 2}), false, {0.75, 0.625, 0.25, 0.125}, {-4.326, 0, 0, 0}},
      {"modes 5, 6, 7", waves(40, {5, 6, 7}), false, {0.6667, 0.3333, 0, 0}, {-4.385, 0, 0, 0}},
      {"flat", Field(40, 1.0F), false, {}, {}},
      {"half box", field(40, [](double x) { return x < 20 ? 1 : 0; }), false, {0.6373, 0, 0.2142, 0}, {}},
      {"bump on 41",
       bump(41, 12, 2),
       true,
       {0.9768, 0.9103, 0.8095, 0.6868},
       {-24.65, -23.265, -21.964, -20.73}},
      {"one of 8", one_site(8, 0), true, {1, 1, 1, 0}, {-8.507, -4.385, 0, 0}},
      {"one of 7", one_site(7, 0), false, {}, {}},
  };
}

TEST(Localized, IsWhatTheOracleSaysOnRings) {
  for (const Case& each : oracle()) {
    SCOPED_TRACE(each.name);
    const Localization criterion(static_cast<std::int64_t>(each.w.size()));
    EXPECT_EQ(criterion.localized(each.w), each.localized);
    const auto evidence = criterion.evidence(each.w);
    ASSERT_EQ(evidence.size(), 1U);
    EXPECT_EQ(evidence[0].localized(), each.localized);
    expect_evidence(evidence[0], each.r, each.log_p);
  }
}

TEST(Localized, IsWhatTheOracleSaysOnATorus) {
  const Localization criterion(64, 8);
  const Field blob = product(bump(8, 3, 1), bump(8, 5, 1));
  EXPECT_TRUE(criterion.localized(blob));
  for (const LocalizedEvidence& axis : criterion.evidence(blob))
    expect_evidence(axis, {0.8575, 0.5435, 0.2707, 0}, {-47.031, -42.453, 0, 0});
  const Field stripe = product(bump(8, 3, 1), Field(8, 1.0F));
  EXPECT_FALSE(criterion.localized(stripe));
  const auto evidence = criterion.evidence(stripe);
  ASSERT_EQ(evidence.size(), 2U);
  expect_evidence(evidence[0], {0.8575, 0.5435, 0.2707, 0}, {-7.279, -4.01, 0, 0});
  EXPECT_TRUE(evidence[0].localized());
  expect_evidence(evidence[1], {}, {});
}

// Both axes are concentrated (R = 0.55 and 0.67), one of them by what could be an accident.
TEST(Localized, NeedsBothAxesOfATorus) {
  const Localization criterion(64, 8);
  const Field wide = bump(8, 3, 2), wave = waves(8, {0, 1});
  for (const bool turned : {false, true}) {
    const Field w = turned ? product(wave, wide) : product(wide, wave);
    const auto evidence = criterion.evidence(w);
    for (const LocalizedEvidence& axis : evidence) EXPECT_GT(axis.concentration[0], 0.5);
    EXPECT_EQ(evidence[0].localized(), turned);
    EXPECT_EQ(evidence[1].localized(), !turned);
    EXPECT_FALSE(criterion.localized(w));
  }
}

// A field of any kind of the panel: of 4 × 8 … 40 sites, even and odd.
struct Drawn {
  Field w;
  std::int64_t side;
};
Drawn any_field() {
  const bool torus = *rc::gen::arbitrary<bool>();
  const auto panel = torus ? torus_panel() : ring_panel();
  const auto& kind = panel[*rc::gen::inRange<std::size_t>(0, panel.size())];
  const std::int64_t n = *rc::gen::inRange<std::int64_t>(torus ? 8 : 20, torus ? 14 : 60);
  return {panel_field(kind, n, *rc::gen::inRange(0U, 1000U)), torus ? n : 0};
}

RC_GTEST_PROP(Localized, DoesNotDependOnPlaceMirrorSignOrScale, ()) {
  const auto [w, side] = any_field();
  const auto n = static_cast<std::int64_t>(w.size());
  const Localization criterion(n, side);
  const auto evidence = criterion.evidence(w);
  const bool expected =
      std::ranges::all_of(evidence, [](const LocalizedEvidence& axis) { return axis.localized(); });
  RC_ASSERT(criterion.localized(w) == expected);  // the short way and the long way
  const std::int64_t length = side == 0 ? n : side;
  const std::int64_t dx = *rc::gen::inRange<std::int64_t>(0, length),
                     dy = *rc::gen::inRange<std::int64_t>(0, length);
  const bool mirrored = *rc::gen::arbitrary<bool>();
  const float scale = *rc::gen::element(1.0F, -1.0F, 0x1p-90F, -0x1p60F);  // powers of two: no rounding
  Field moved(w.size());
  for (std::int64_t i = 0; i < n; ++i) {
    const std::int64_t row = side == 0 ? 0 : (i / side + dy) % side;
    std::int64_t column = ((side == 0 ? i : i % side) + dx) % length;
    if (mirrored) column = length - 1 - column;
    moved[static_cast<std::size_t>(row * length + column)] = scale * w[static_cast<std::size_t>(i)];
  }
  const auto other = criterion.evidence(moved);
  for (std::size_t axis = 0; axis < evidence.size(); ++axis) {
    for (std::size_t q = 0; q < 4; ++q) {
      const double r = evidence[axis].concentration[q];
      RC_ASSERT(std::abs(other[axis].concentration[q] - r) < 1e-12);
      if (std::abs(r - 0.5) < 1e-12) continue;  // a sinusoid: on the edge of ½, and p = 1 on either side
      RC_ASSERT(std::abs(other[axis].log_p[q] - evidence[axis].log_p[q]) < 1e-9);
    }
  }
  RC_ASSERT(criterion.localized(moved) == expected);
}

TEST(Localized, IsNothingThatIsZeroOrNotFiniteOrShort) {
  for (const int n : {0, 1, 2, 3, 4, 5, 6, 7}) {
    EXPECT_FALSE(localized(n == 0 ? Field{} : one_site(n, 0))) << n;
    if (n > 0) {
      EXPECT_FALSE(localized(product(one_site(n, 0), one_site(n, 0)), n)) << n;
    }
  }
  for (const int n : {8, 9, 40, 41}) {
    EXPECT_FALSE(localized(Field(static_cast<std::size_t>(n), 0.0F)));
    EXPECT_FALSE(localized(Field(static_cast<std::size_t>(n), -0.3F)));
    EXPECT_TRUE(localized(one_site(n, 3))) << n;
    for (const float bad :
         {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
      Field w = bump(n, 3, 1);
      w[0] = bad;
      EXPECT_FALSE(localized(w));
      const auto evidence = Localization(n).evidence(w);
      expect_evidence(evidence[0], {}, {});
    }
  }
}

// R_2k of a sinusoid of frequency k is ½, on one side or the other, and all its steps are the rounding errors of its weights.
TEST(Localized, TakesNoEvidenceFromRoundingErrors) {
  int concentrated = 0;
  for (const int k : {1, 2}) {
    for (int phase = 0; phase < 100; ++phase) {
      const auto evidence = Localization(40).evidence(
          field(40, [&](double x) { return std::cos(2 * M_PI * k * x / 40 + 0.06 * phase); }));
      const auto q = static_cast<std::size_t>(2 * k - 1);
      EXPECT_NEAR(evidence[0].concentration[q], 0.5, 1e-7);
      concentrated += evidence[0].concentration[q] >= 0.5;
      EXPECT_EQ(evidence[0].log_p[q], 0);
    }
  }
  EXPECT_GT(concentrated, 50);
}

TEST(Localized, IsABumpOfDenormalsAndOneOfTheLargestNumbers) {
  Field tiny(40, 0.0F), huge(40, 0.0F);
  for (std::size_t i = 10; i < 13; ++i) {
    tiny[i] = std::numeric_limits<float>::denorm_min() * static_cast<float>(i);
    huge[i] = std::numeric_limits<float>::max();
  }
  EXPECT_TRUE(localized(tiny));
  EXPECT_TRUE(localized(huge));
}

TEST(Localized, WorksOnLongRings) {  // grids and chirps of the transform
  for (const int n : {401, 1009, 2048, 4096}) {
    EXPECT_TRUE(localized(bump(n, 17, 3))) << n;
    EXPECT_TRUE(localized(bump(n, 17, n / 15.0))) << n;
    EXPECT_FALSE(localized(test::normal_rows({.seed = 4}, n, 1))) << n;
  }
}

TEST(Localized, RefusesFieldsOfAnotherSize) {
  EXPECT_THROW(Localization(40).localized(Field(39)), std::invalid_argument);
  EXPECT_THROW(Localization(40).evidence(Field(41)), std::invalid_argument);
  EXPECT_THROW(Localization(40, 6), std::invalid_argument);
}

// The level is a theorem: of fields whose phases are drawn, at most 1 % count. Of M independent ones at most
// 0.01 M + 4 √(0.01·0.99 M) do, but once in 30,000 times.
TEST(Localized, KeepsItsLevelOnFieldsWithRandomPhases) {
  constexpr std::uint32_t kFields = 2000;
  const double most = 0.01 * kFields + 4 * std::sqrt(0.01 * 0.99 * kFields);
  const Field smooth = field(41, [](double x) { return bell(std::remainder(x - 20, 41.0), 2) - 0.1; });
  for (const Field& w : {bump(40, 12, 1), bump(40, 12, 3), smooth, bump(100, 50, 5), one_site(64, 9)}) {
    const Localization criterion(static_cast<std::int64_t>(w.size()));
    ASSERT_TRUE(criterion.localized(w));
    int counted = 0;
    for (std::uint32_t i = 0; i < kFields; ++i)
      counted += criterion.localized(phase_shuffled(w, 0, i)) ? 1 : 0;
    EXPECT_LE(counted, most) << w.size();
  }
}

TEST(PhaseShuffled, KeepsThePowerAndNothingElse) {
  const Field w = bump(40, 12, 2);
  const Field shuffled = phase_shuffled(w, 0, 7);
  const auto powers = [](const Field& f) {
    std::vector<std::complex<double>> values(f.begin(), f.end());
    math::LatticeFourier(40).sum(values);
    std::vector<double> squares;
    for (const auto& value : values) squares.push_back(std::norm(value));
    return squares;
  };
  const auto before = powers(w), after = powers(shuffled);
  for (std::size_t k = 0; k < before.size(); ++k) EXPECT_NEAR(after[k], before[k], 1e-5);
  EXPECT_NE(phase_shuffled(w, 0, 8), shuffled);
}

}  // namespace
}  // namespace sluice::theory
