#include "sluice/lab/basins.hpp"

#include <gtest/gtest.h>

#include "sluice/flow/unit_family.hpp"
#include "test/flow/landscapes.hpp"

namespace sluice::lab {
namespace {

std::vector<double> two(const std::vector<double>& first, std::size_t shift, double sign) {
  std::vector<double> both = first;
  for (std::size_t i = 0; i < first.size(); ++i)
    both.push_back(sign * first[(i + first.size() - shift) % first.size()]);
  return both;
}

TEST(Arrangement, IsReadOffTheFields) {
  const std::vector<double> bump = test::bump(16, 1);
  for (const std::size_t shift : {0, 3, 8, 13}) {
    const Arrangement both = arrangement_of(two(bump, shift, -0.5), 2);
    ASSERT_TRUE(both.apart);
    EXPECT_NEAR(*both.apart, static_cast<double>(std::min<std::size_t>(shift, 16 - shift)), 1e-9);
    EXPECT_TRUE(both.opposite);
    EXPECT_NEAR(both.ipr, arrangement_of(bump, 1).ipr, 1e-12);
  }
  EXPECT_FALSE(arrangement_of(two(bump, 2, 1), 2).opposite);
  EXPECT_FALSE(arrangement_of(two(std::vector<double>(16, 1.0), 0, 1), 2).apart)
      << "flat fields have no centre";
  EXPECT_NEAR(arrangement_of(std::vector<double>(16, 1.0), 1).ipr, 1.0 / 16, 1e-15);
}

// Gaussian data with ξ₁ > ξ₂: the flat field is the one attractor (D.5), of two units the flat pair of opposite signs.
TEST(Basins, OfGaussianDataIsOne) {
  math::Workers workers(2);
  for (const std::int64_t units : {1, 2}) {
    flow::UnitSpec spec;
    spec.task.n = 12;
    spec.task.xi = {2, 1};
    spec.units = units;
    const flow::UnitFamily family(spec, flow::unit_parameter("gain"), "gaussian", {}, workers);
    std::vector<std::vector<double>> starts;
    for (const unsigned seed : {1U, 2U, 3U, 4U})
      starts.push_back(test::random_field(12 * static_cast<std::size_t>(units), seed));
    const std::vector<Basin> basins = basins_of(*family.at(0), units, starts, 1e-4, workers);
    ASSERT_EQ(basins.size(), 1U);
    EXPECT_EQ(basins[0].starts, 4);
    EXPECT_EQ(basins[0].of, 4);
    EXPECT_EQ(basins[0].growing, 0);
    EXPECT_TRUE(basins[0].at_rest);
    EXPECT_NEAR(basins[0].arrangement.ipr, 1.0 / 12, 1e-6);
    EXPECT_EQ(basins[0].arrangement.opposite, units == 2);
  }
}

}  // namespace
}  // namespace sluice::lab
