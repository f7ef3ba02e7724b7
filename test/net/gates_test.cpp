#include "sluice/net/gates.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "sluice/file/errors.hpp"
#include "sluice/file/npz.hpp"
#include "sluice/net/gated_linear.hpp"
#include "test/support/temp_folder.hpp"

namespace sluice::net {
namespace {

constexpr std::int64_t kSites = 12;

std::vector<float> gate(const std::vector<float>& all, std::size_t k) {
  return {all.begin() + static_cast<std::ptrdiff_t>(k * kSites),
          all.begin() + static_cast<std::ptrdiff_t>((k + 1) * kSites)};
}
std::vector<float> unit(std::size_t site, float value = 1) {
  std::vector<float> e(kSites);
  e[site] = value;
  return e;
}

TEST(GateVectors, BumpsAreSpreadEvenlyFromTheirPlaceOn) {
  const auto v = gate_vectors({.law = "bump", .at = 5}, 4, {.inputs = kSites}, 1);
  for (std::size_t k = 0; k < 4; ++k) EXPECT_EQ(gate(v, k), unit((5 + 3 * k) % kSites));
}

TEST(GateVectors, PairsRepeatsAndTheLinearPathwayStandBehindEachOther) {
  const auto v =
      gate_vectors({.law = "bump", .pairs = true, .repeat = 2, .linear = 1}, 9, {.inputs = kSites}, 1);
  const std::vector<std::vector<float>> expected{unit(0),     unit(0),     unit(0, -1),
                                                 unit(0, -1), unit(6),     unit(6),
                                                 unit(6, -1), unit(6, -1), std::vector<float>(kSites)};
  for (std::size_t k = 0; k < expected.size(); ++k) {
    std::vector<float> found = gate(v, k);
    for (float& value : found) value += 0.0F;  // −0 is 0
    EXPECT_EQ(found, expected[k]) << k;
  }
}

TEST(GateVectors, WavesComeInOrderOfFrequency) {
  const auto v = gate_vectors({.law = "fourier", .frequency = 1}, 3, {.inputs = kSites}, 1);
  for (std::size_t i = 0; i < kSites; ++i) {
    const double turn = 2 * 3.14159265358979 * static_cast<double>(i) / kSites;
    EXPECT_NEAR(gate(v, 0)[i], std::cos(turn), 1e-6);
    EXPECT_NEAR(gate(v, 1)[i], std::sin(turn), 1e-6);
    EXPECT_NEAR(gate(v, 2)[i], std::cos(2 * turn), 1e-6);
  }
}

TEST(GateVectors, AHatIsPositiveInsideNegativeOutsideAndAddsUpToAboutNothing) {
  const auto v = gate(gate_vectors({.law = "hat", .at = 6, .width = 1.2}, 1, {.inputs = kSites}, 1), 0);
  EXPECT_EQ(std::ranges::max_element(v) - v.begin(), 6);
  EXPECT_LT(v[8], 0);
  double sum = 0;
  for (const float value : v) sum += value;
  EXPECT_NEAR(
      sum, 0,
      2e-3);  // ∫(1 − x²)exp(−x²/2) = 0; on sites 1.2 wide the sum is off by e^(−2π²·1.44)·…, below this
}

TEST(GateVectors, FrozenGatesAreTheWeightsOfARunAtAStep) {
  const test::TempFolder folder;
  std::vector<float> weights(3 * 2 * kSites);
  for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = static_cast<float>(i);
  file::write_npz(
      folder / "record.npz",
      {{"step", {{3}, std::vector<std::int64_t>{0, 10, 20}}}, {"weights", {{3, 2, kSites}, weights}}},
      file::Packing::stored);
  GateOptions options{.law = "run", .file = {.path = folder.path().string()}, .step = 10};
  const auto v = gate_vectors(options, 2, {.inputs = kSites}, 1);
  EXPECT_EQ(v, std::vector<float>(weights.begin() + 2 * kSites, weights.begin() + 4 * kSites));
  options.step = 11;
  EXPECT_THROW(gate_vectors(options, 2, {.inputs = kSites}, 1), InputError);
  options.step = -1;
  EXPECT_EQ(gate_vectors(options, 2, {.inputs = kSites}, 1).back(), weights.back());
}

/// 48 lanes of random inputs.
struct Block {
  Block() : buffer(kSites, 48) {
    std::mt19937 engine(3);
    std::normal_distribution<float> normal;
    for (float& value : buffer.lanes(48).all()) value = normal(engine);
  }
  math::LanesBuffer<float> buffer;
};

TEST(Gates, AreOpenOnTheirSideOfTheHyperplaneAndOnIt) {
  Block block;
  const math::Lanes x = block.buffer.lanes(48);
  x.at(0, 7) = 0;  // on the border of e_0
  const auto v = gate_vectors({.law = "bump", .pairs = true, .linear = 1}, 3, {.inputs = kSites}, 1);
  std::vector<float> open(3 * 48);
  Gates(3, kSites, 0, 0).look(v, x, open.data());
  for (std::int64_t r = 0; r < 48; ++r) {
    EXPECT_EQ(open[static_cast<std::size_t>(r)], x.at(0, r) >= 0 ? 1 : 0);
    EXPECT_EQ(open[static_cast<std::size_t>(48 + r)], x.at(0, r) <= 0 ? 1 : 0);
    EXPECT_EQ(open[static_cast<std::size_t>(96 + r)], 1);
  }
}

/// φ(⟨v, x⟩) of half-spaces and their opposites; a unit without a v is always open, whatever φ(0) is.
TEST(Gates, AreWhatWasTypedOfTheirProjection) {
  Block block;
  const math::Lanes x = block.buffer.lanes(48);
  const auto v = gate_vectors({.law = "bump", .pairs = true, .linear = 1}, 3, {.inputs = kSites}, 1);
  std::vector<float> open(3 * 48);
  Gates(3, kSites, 0, 0, GateFunction("0.25 + tanh(2*q)")).look(v, x, open.data());
  for (std::int64_t r = 0; r < 48; ++r) {
    EXPECT_NEAR(open[static_cast<std::size_t>(r)], 0.25 + std::tanh(2 * x.at(0, r)), 1e-6);
    EXPECT_NEAR(open[static_cast<std::size_t>(48 + r)], 0.25 - std::tanh(2 * x.at(0, r)), 1e-6);
    EXPECT_EQ(open[static_cast<std::size_t>(96 + r)], 1);
  }
}

TEST(Gates, CoinsAreAFunctionOfTheInputThatKnowsNothingOfIt) {
  constexpr std::int64_t kUnits = 4, kBlocks = 400;
  const std::vector<float> v(kUnits * kSites);
  const Gates gates(kUnits, kSites, kUnits, 0.3);
  std::mt19937 engine(5);
  std::normal_distribution<float> normal;
  math::LanesBuffer<float> buffer(kSites, 48);
  std::vector<float> open(kUnits * 48), again(kUnits * 48);
  double share = 0, together = 0, with_x = 0;
  for (std::int64_t b = 0; b < kBlocks; ++b) {
    const math::Lanes x = buffer.lanes(48);
    for (float& value : x.all()) value = normal(engine);
    gates.look(v, x, open.data());
    gates.look(v, x, again.data());
    EXPECT_EQ(open, again);
    for (std::size_t r = 0; r < 48; ++r) {
      share += open[r];
      together += open[r] * open[48 + r];
      with_x += open[r] * x.at(0, static_cast<std::int64_t>(r));
    }
  }
  const double count = kBlocks * 48;
  EXPECT_NEAR(share / count, 0.3, 4 * std::sqrt(0.3 * 0.7 / count));
  EXPECT_NEAR(together / count, 0.09, 4 * std::sqrt(0.09 * 0.91 / count));
  EXPECT_NEAR(with_x / count, 0, 4 * std::sqrt(0.3 / count));
}

TEST(GatedLinear, KeepsInItsFolderWhatCameFromFiles) {
  GatedLinearFamily family;
  EXPECT_TRUE(family.kept_start().file.empty());
  family.gate = {.law = "run", .shape = "Phi(q)", .file = {.path = "elsewhere"}, .pairs = true};
  EXPECT_EQ(family.kept_start().file, "start.npz");
  family.start_from_kept(family.kept_start().file);
  EXPECT_EQ(family.gate.law, "file");
  EXPECT_EQ(family.gate.file.array, "gates");
  EXPECT_FALSE(family.gate.pairs);
  EXPECT_EQ(family.gate.shape, "Phi(q)") << "the copy holds v alone";
}

}  // namespace
}  // namespace sluice::net
