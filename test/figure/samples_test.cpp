#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "sluice/figure/covariance_panel.hpp"
#include "sluice/figure/recipes.hpp"
#include "svg_reader.hpp"
#include "test/support/close.hpp"
#include "test/support/normals.hpp"

namespace sluice::figure {
namespace {

using testing::says;

/// Two classes of white noise on n sites, the second with a mean.
struct Noise {
  std::int64_t n;
  std::array<std::vector<float>, 2> x;
  std::array<std::vector<double>, 2> covariance;

  Noise(std::int64_t sites, std::int64_t rows) : n(sites) {
    for (std::size_t c = 0; c < 2; ++c) {
      x[c] = test::normal_rows({.seed = 7 + c}, n, rows);
      covariance[c].assign(static_cast<std::size_t>(n), 0);
      covariance[c][0] = 1;
    }
    for (float& value : x[1]) value += 3;
  }
  SamplesView view() const {
    return {
        "noise",
        "n = some",
        n,
        0,
        {ClassView{"first class, y = 1", x[0], covariance[0], 0, 0},
         ClassView{"second class, y = 0", x[1], covariance[1], 3, std::numeric_limits<double>::infinity()}}};
  }
};

TEST(MeasuredCovariance, IsThatOfThreeSamplesByHand) {
  // Sites 0 and 1 of three samples; means 1 and 0, deviations (−1,1), (0,−2), (1,1).
  const std::vector<float> x{0, 1, 1, -2, 2, 1};
  const std::vector<std::size_t> distances{0, 1};
  const MeasuredCovariance measured = measure_covariance(x, 2, 2, distances);
  EXPECT_EQ(measured.distance, (std::vector<double>{0, 1}));
  EXPECT_NEAR(measured.covariance[0], (1 + 2 + 1) / 2.0, 1e-12);
  EXPECT_NEAR(measured.covariance[1], (-1 + 0 + 1) / 2.0, 1e-12);
  EXPECT_NEAR(measured.standard_error[1], std::sqrt(1.0 / 3), 1e-12);  // of −1, 0, 1
}

TEST(MeasuredCovariance, OfATorusIsTakenAlongItsRows) {
  // Two rows of two sites; the same deviations as above in the first, nothing in the second.
  const std::vector<float> x{0, 1, 5, 5, 1, -2, 5, 5, 2, 1, 5, 5};
  const std::vector<std::size_t> distances{0, 1};
  const MeasuredCovariance measured = measure_covariance(x, 4, 2, distances);
  EXPECT_NEAR(measured.covariance[0], (1 + 2 + 1) / 4.0, 1e-12);
  EXPECT_NEAR(measured.standard_error[1], std::sqrt(1.0 / 3) / 2, 1e-12);
}

TEST(MeasuredCovariance, AgreesWithTheLawWithinItsErrors) {
  const Noise noise(8, 20'000);
  const std::vector<std::size_t> distances{0, 1, 4};
  for (std::size_t c = 0; c < 2; ++c) {
    const MeasuredCovariance measured = measure_covariance(noise.x[c], 8, 8, distances);
    // A sample's mean of eight squares has variance 2/8; of eight products of neighbours 1/8; at half the ring every
    // product comes twice: 2/8.
    const std::vector<double> variance{2.0 / 8, 1.0 / 8, 2.0 / 8};
    for (std::size_t j = 0; j < distances.size(); ++j) {
      const double error = std::sqrt(variance[j] / 20'000);
      EXPECT_TRUE(test::close(measured.covariance[j], j == 0 ? 1 : 0, test::sampling(error)));
      EXPECT_TRUE(test::close(measured.standard_error[j], error,
                              test::relative(4 * std::sqrt(9.0 / (4 * 20'000)),
                                             "four standard errors of a spread, kurtosis below 10")));
    }
  }
}

TEST(Samples, SayWhatTheyAre) {
  const Noise noise(40, 20);
  const Figure figure = samples(noise.view());
  EXPECT_LE(figure.width_mm, 180);
  EXPECT_TRUE(says(figure, "noise", {.size_pt = 8, .bold = true}));
  EXPECT_TRUE(says(figure, "first class, y = 1", {.size_pt = 7, .bold = true}));
  EXPECT_TRUE(says(figure, "second class, y = 0", {.size_pt = 7, .bold = true}));
  EXPECT_TRUE(says(figure, "excess kurtosis ∞", {.size_pt = 6.5}));
  EXPECT_TRUE(says(figure, "ring distance d"));
  EXPECT_TRUE(says(figure, "site i"));
  EXPECT_TRUE(says(figure, "density", {.upward = true}));
  EXPECT_FALSE(says(figure, "no finite data"));
  EXPECT_NE(figure.caption.find("Stated excess kurtosis: 0.00 and ∞."), std::string::npos) << figure.caption;
  EXPECT_NE(figure.caption.find("measured on 20 and 20 samples"), std::string::npos) << figure.caption;
}

TEST(Samples, TwoValuedDataShowProbabilities) {
  Noise noise(8, 20);
  for (auto& x : noise.x)
    for (float& value : x) value = value > 1 ? 1.0F : 0.0F;
  EXPECT_TRUE(says(samples(noise.view()), "probability", {.upward = true}));
  EXPECT_FALSE(says(samples(noise.view()), "density", {.upward = true}));
}

TEST(Samples, AreDrawnTheSameWayTwiceAndOutliveTheirData) {
  std::optional<Noise> noise(std::in_place, 40, 20);
  const Figure figure = samples(noise->view());
  const std::string once = render(figure, Format::svg);
  for (auto& x : noise->x) x.assign(x.size(), std::nanf(""));  // poison, then free
  noise.reset();
  EXPECT_EQ(render(figure, Format::svg), once);
}

TEST(Samples, DrawTheSmallestAndTheStrangest) {
  for (const std::int64_t sites : {1, 2, 3, 4096})
    for (const std::int64_t rows : {0, 1, 2, 5})
      EXPECT_FALSE(render(samples(Noise(sites, rows).view()), Format::svg).empty()) << sites << " " << rows;
  for (const float value : {0.0F, 1e30F, 1e-30F, std::nanf("")}) {
    Noise noise(8, 6);
    for (auto& x : noise.x) x.assign(x.size(), value);
    EXPECT_FALSE(render(samples(noise.view()), Format::png, 50).empty()) << value;
    EXPECT_EQ(says(samples(noise.view()), "no finite data"), std::isnan(value)) << value;
  }
}

TEST(Samples, SayWhenARingIsTooLongToShow) {
  EXPECT_EQ(samples(Noise(160, 5).view()).caption.find("their first"), std::string::npos);
  EXPECT_NE(samples(Noise(161, 5).view()).caption.find("each class (their first 160 sites)"),
            std::string::npos);
}

/// The pixels of the n-th image that a figure draws, as PNG.
std::string drawn_image(const Figure& figure, std::size_t n) {
  const auto images = testing::all_between(render(figure, Format::svg), "base64,", '"');
  return images.size() > n ? images[n] : "";
}

// Numbers in [0, 1] are the colours themselves; others are shown between the least and the largest of them.
TEST(Samples, OfImagesInThreeColoursAreTheImages) {
  const std::vector<float> x{0.25F, 0.5F, 0.75F, 1, 0, 0.5F, 0, 0.5F, 1, 1, 0.25F, 0.5F};  // 2 × 2 pixels
  std::vector<float> moved = x;
  for (float& value : moved) value = 8 * value - 3;
  const std::vector<double> covariance(12);
  const auto figure_of = [&](const std::vector<float>& sample) {
    return samples(
        {.kind = "photographs",
         .parameters = "",
         .sites = 12,
         .columns = 2,
         .classes = {ClassView{"a", sample, covariance, 0, 0}, ClassView{"b", sample, covariance, 0, 0}},
         .closed = false,
         .channels = 3});
  };
  EXPECT_TRUE(says(figure_of(x), "red, green, blue: Xᵢ from 0 to 1", {.size_pt = 6.5}));
  EXPECT_TRUE(says(figure_of(moved), "red, green, blue: Xᵢ from −3 to 5", {.size_pt = 6.5}));
  EXPECT_EQ(drawn_image(figure_of(moved), 0), drawn_image(figure_of(x), 0));
  EXPECT_NE(figure_of(x).caption.find("along a row of the image, of pixels of one colour"),
            std::string::npos);
  // The pixels of a picture by hand.
  const Figure by_hand{
      "by_hand", "", 10, 10, [](Canvas& canvas) {
        const std::vector<Color> pixels{{0.25, 0, 1}, {0.5, 0.5, 1}, {0.75, 0, 0.25}, {1, 0.5, 0.5}};
        canvas.image({0, 0, 10, 10}, pixels, 2);
      }};
  ASSERT_NE(drawn_image(by_hand, 0), "");
  EXPECT_EQ(drawn_image(figure_of(x), 0), drawn_image(by_hand, 0));
}

TEST(Samples, OfATorusAreImages) {
  const Noise noise(36, 5);
  SamplesView view = noise.view();
  view.columns = 6;
  const Figure figure = samples(view);
  EXPECT_NE(render(figure, Format::svg).find("<image"), std::string::npos);
  EXPECT_NE(figure.caption.find("distance along a row of the torus"), std::string::npos) << figure.caption;
  EXPECT_EQ(render(samples(noise.view()), Format::svg).find("<image"), std::string::npos);
}

TEST(Samples, RefuseHalfASample) {
  Noise noise(8, 6);
  noise.x[1].pop_back();
  EXPECT_THROW(samples(noise.view()), std::invalid_argument);
}

}  // namespace
}  // namespace sluice::figure
