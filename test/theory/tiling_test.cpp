// Fields that are copies of each other, and fields that are not.
#include "sluice/theory/tiling.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "sluice/theory/shapes.hpp"

namespace sluice::theory {
namespace {

constexpr std::int64_t n = 24;

/// A Gabor that no turn or reflection maps to itself.
std::vector<double> shape() {
  const Vector even = gabor(n, 3, 7);
  std::vector<double> field;
  for (std::size_t i = 0; i < n; ++i) field.push_back(even[i] + 0.4 * even[(i + 2) % n]);
  return field;
}
std::vector<double> moved(const std::vector<double>& field, std::size_t shift, double factor) {
  std::vector<double> out(field.size());
  for (std::size_t i = 0; i < field.size(); ++i) out[(i + shift) % field.size()] = factor * field[i];
  return out;
}

TEST(Tiling, FindsShiftAndSignOfACopy) {
  const std::vector<double> filter = shape();
  for (const std::size_t shift : {0U, 5U, 23U})
    for (const double factor : {0.3, -2.0}) {
      const Placement place = placement(moved(filter, shift, factor), filter);
      EXPECT_EQ(place.shift, static_cast<std::int64_t>(shift));
      EXPECT_EQ(place.sign, factor < 0 ? -1 : 1);
      EXPECT_NEAR(place.similarity, 1, 1e-12);
    }
}

TEST(Tiling, OfCopiesIsOneFilter) {
  std::vector<double> fields;
  for (std::size_t k = 0; k < 12; ++k) {
    const std::vector<double> copy = moved(shape(), 2 * k, k % 3 == 0 ? -1.5 : 1);
    fields.insert(fields.end(), copy.begin(), copy.end());
  }
  const Tiling tiling = tile(fields, n);
  EXPECT_NEAR(tiling.similarity, 1, 1e-12);
  EXPECT_NEAR(tiling.filters, 1, 1e-12);
  EXPECT_NEAR(tiling.coverage, 1, 1e-12);  // twelve positions of twelve units
  EXPECT_EQ(*std::ranges::max_element(tiling.filter, {}, [](double w) { return std::abs(w); }),
            tiling.filter[0]);
  EXPECT_GT(tiling.filter[0], 0);
  for (std::size_t k = 0; k < 12; ++k) {  // every unit is what its placement says
    const Placement& place = tiling.placements[k];
    const double factor = place.sign * (k % 3 == 0 ? 1.5 : 1);
    for (std::size_t i = 0; i < n; ++i)
      EXPECT_NEAR(fields[k * n + (i + static_cast<std::size_t>(place.shift)) % n] / factor,
                  tiling.filter[i] * 12 / 14, 1e-12);
  }
  double square = 0, own = 0;
  for (const double w : tiling.filter) square += w * w;
  for (const double w : shape()) own += w * w;
  EXPECT_NEAR(std::sqrt(square), std::sqrt(own) * (4 * 1.5 + 8) / 12,
              1e-12);  // as long as units are in the mean
}

TEST(Tiling, AtOnePlaceCoversOne) {
  std::vector<double> fields;
  for (int k = 0; k < 6; ++k) {
    const std::vector<double> copy = moved(shape(), 3, 1);
    fields.insert(fields.end(), copy.begin(), copy.end());
  }
  EXPECT_NEAR(tile(fields, n).coverage, 1.0 / 6, 1e-12);
}

/// Independent normals share no filter: the best of 48 shifts and signs of two unit vectors in 24 dimensions is about 0.5, so that
/// Σλ² ≈ K + K²/4 at most, and filters at least K/(1 + K/4) ≈ 4 of 20; copies have 1.
TEST(Tiling, OfNoiseIsManyFilters) {
  std::mt19937 engine(7);
  std::normal_distribution<double> normal;
  std::vector<double> fields(20 * n);
  for (double& w : fields) w = normal(engine);
  const Tiling tiling = tile(fields, n);
  EXPECT_GT(tiling.filters, 3.3);
  EXPECT_LT(tiling.similarity, 0.8);
}

}  // namespace
}  // namespace sluice::theory
