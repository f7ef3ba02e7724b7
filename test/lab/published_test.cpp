/// Published behaviours, out of the catalog's own experiments with their own seeds (shortened where that is enough).
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "sluice/file/npz.hpp"
#include "sluice/lab/run.hpp"
#include "sluice/math/quantile.hpp"
#include "sluice/probe/ipr.hpp"
#include "test/support/temp_folder.hpp"

namespace sluice::lab {
namespace {

struct Unit {
  double bias, ipr, frequency;
};

/// Σ_k k |ŵ_k|² / Σ_k |ŵ_k|² over the frequencies 0 … n/2 of a receptive field.
double mean_frequency(std::span<const float> w) {
  const auto n = static_cast<double>(w.size());
  double weighted = 0;
  double total = 0;
  for (std::size_t k = 0; k <= w.size() / 2; ++k) {
    double re = 0;
    double im = 0;
    for (std::size_t i = 0; i < w.size(); ++i) {
      const double angle = 2 * M_PI * static_cast<double>(k * i) / n;
      re += w[i] * std::cos(angle);
      im += w[i] * std::sin(angle);
    }
    weighted += static_cast<double>(k) * (re * re + im * im);
    total += re * re + im * im;
  }
  return weighted / total;
}

std::vector<Unit> final_units(const Source& source) {
  const test::TempFolder folder;
  Experiment experiment = load(source);
  run(std::move(experiment), "published", {.out = folder / "r", .threads = 2});
  const file::NamedArrays record = file::read_npz(folder / "r/record.npz");
  const file::Array& weights = *file::find(record, "weights");
  const auto units = static_cast<std::size_t>(weights.shape[1]);
  const auto n = static_cast<std::size_t>(weights.shape[2]);
  const auto last = std::span(weights.as<float>()).last(units * n);
  const auto bias = std::span(file::find(record, "bias")->as<float>()).last(units);
  std::vector<Unit> result;
  for (std::size_t k = 0; k < units; ++k) {
    const auto field = last.subspan(k * n, n);
    result.push_back({bias[k], probe::ipr(field), mean_frequency(field)});
  }
  return result;
}

double median_of(const std::vector<Unit>& units, double Unit::*member) {
  std::vector<double> values;
  for (const Unit& unit : units) values.push_back(unit.*member);
  return math::median(values);
}

// N2.3: b < 0 localized, b > 0 oscillatory, sizes comparable.
TEST(Published, ErfUnitsSplitIntoTwoPopulations) {
  const std::vector<Unit> units = final_units(
      {.name_or_file = "populations", .assignments = {"dynamics.steps=8000", "probe.every=8000"}});
  std::vector<Unit> negative;
  std::vector<Unit> positive;
  for (const Unit& unit : units) (unit.bias < 0 ? negative : positive).push_back(unit);
  EXPECT_GE(negative.size(), units.size() / 4);
  EXPECT_GE(positive.size(), units.size() / 4);
  EXPECT_GT(median_of(negative, &Unit::ipr), 2 * median_of(positive, &Unit::ipr));
  EXPECT_LT(median_of(negative, &Unit::frequency), 6);
  EXPECT_GT(median_of(positive, &Unit::frequency), 12);
}

// N0.c1: localized when ξ1 > ξ2, short-range oscillation otherwise.
TEST(Published, ReluUnitsLocalizeOrOscillateWithTheOrderOfTheLengths) {
  const std::vector<Unit> bumps =
      final_units({.name_or_file = "localization", .assignments = {"probe.every=5000"}});
  const std::vector<Unit> waves =
      final_units({.name_or_file = "oscillation", .assignments = {"probe.every=5000"}});
  EXPECT_GT(median_of(bumps, &Unit::ipr), 2 * median_of(waves, &Unit::ipr));
  EXPECT_LT(median_of(bumps, &Unit::frequency), 6);
  EXPECT_GT(median_of(waves, &Unit::frequency), 12);
}

// N0.c7: without structure beyond the covariance, nothing localizes, also with the covariance of data that do.
TEST(Published, GaussianDataDoNotLocalize) {
  for (const char* control : {"gaussian-control", "clone-control"}) {
    const std::vector<Unit> units =
        final_units({.name_or_file = control, .assignments = {"probe.every=5000"}});
    EXPECT_LT(median_of(units, &Unit::ipr), 0.075) << control << ": below the IPR of random weights";
    for (const Unit& unit : units) EXPECT_LT(unit.ipr, 0.2) << control;
  }
}

}  // namespace
}  // namespace sluice::lab
