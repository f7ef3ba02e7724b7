#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "sluice/figure/canvas.hpp"
#include "sluice/figure/figure.hpp"

namespace sluice::figure {
namespace {

Figure sample(double width_mm = 50, double height_mm = 20) {
  return {"sample", "A caption.", width_mm, height_mm, [](Canvas& canvas) {
            canvas.line(std::vector<Point>{{1, 1}, {20, 10}}, {});
            canvas.text({10, 10}, "Σw⁴ ½⟨(ŷ−y)²⟩", {});
          }};
}

unsigned big_endian(const std::string& bytes, std::size_t at) {
  unsigned value = 0;
  for (std::size_t i = 0; i < 4; ++i) value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
  return value;
}

TEST(Render, StartsWithTheMagicBytesOfItsFormat) {
  EXPECT_EQ(render(sample(), Format::png).substr(0, 8), "\x89PNG\r\n\x1a\n");
  EXPECT_EQ(render(sample(), Format::pdf).substr(0, 5), "%PDF-");
  const std::string svg = render(sample(), Format::svg);
  EXPECT_TRUE(svg.starts_with("<?xml"));
  EXPECT_NE(svg.find("<svg"), svg.npos);
  EXPECT_TRUE(svg.ends_with("</svg>\n"));
}

TEST(Render, PixelsFollowFromMillimetresAndDpi) {
  for (const double dpi : {72.0, 200.0, 301.5}) {
    const std::string png = render(sample(180, 53), Format::png, dpi);
    EXPECT_EQ(big_endian(png, 16), std::lround(180 / 25.4 * dpi));
    EXPECT_EQ(big_endian(png, 20), std::lround(53 / 25.4 * dpi));
  }
}

TEST(Render, VectorFormatsKeepTheSizeInPoints) {
  const Figure figure = sample(25.4, 50.8);
  EXPECT_NE(render(figure, Format::svg).find("width=\"72pt\" height=\"144pt\" viewBox=\"0 0 72 144\""),
            std::string::npos);
  EXPECT_NE(render(figure, Format::pdf).find("/MediaBox [ 0 0 72 144 ]"), std::string::npos);
}

TEST(Render, TheSameFigureGivesTheSameBytes) {
  for (const Format format : {Format::svg, Format::pdf, Format::png})
    EXPECT_EQ(render(sample(), format), render(sample(), format));
  EXPECT_NE(render(sample(), Format::svg), render(sample(51), Format::svg)) << "the comparison has no power";
}

TEST(Render, RefusesWhatIsNotASize) {
  for (const double bad : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN(), 1e300}) {
    EXPECT_THROW(render(sample(bad, 10), Format::svg), std::invalid_argument);
    EXPECT_THROW(render(sample(10, 10), Format::png, bad), std::invalid_argument);
  }
  EXPECT_THROW(render(sample(1000, 1000), Format::png, 10000), std::runtime_error)
      << "more pixels than cairo has";
}

TEST(Render, AnExceptionWhileDrawingReachesTheCaller) {
  for (const Format format : {Format::svg, Format::pdf, Format::png})
    EXPECT_THROW(render({"", "", 10, 10, [](Canvas&) { throw std::logic_error("mine"); }}, format),
                 std::logic_error);
}

TEST(Canvas, SurvivesMalformedTextAndMissingPoints) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Figure figure{"", "", 40, 10, [&](Canvas& canvas) {
                        canvas.text({1, 5}, std::string_view("a\0b\xff\xc3\n", 6), {});
                        canvas.line(std::vector<Point>{{nan, 1}, {1, 1}, {nan, nan}, {2, 2}, {3, 3}}, {});
                        canvas.line({}, {});
                        canvas.polygon(std::vector<Point>{{nan, nan}}, ink);
                        canvas.disc({nan, 1}, 1, ink);
                      }};
  EXPECT_NO_THROW(render(figure, Format::svg));
}

TEST(Canvas, FittedTextStaysWithinItsWidth) {
  double natural = 0, fits = 0;
  render({"", "", 40, 10,
          [&](Canvas& canvas) {
            natural = canvas.text_width("a label that is much too long for its column", {});
            fits = canvas.text_width("short", {});
          }},
         Format::svg);
  EXPECT_GT(natural, 40);
  EXPECT_LT(fits, 10);
  // Nothing may be drawn right of 25 mm: the right half of the picture is as white as an empty one.
  const auto right_half = [](const std::string& text) {
    return render({"", "", 60, 10,
                   [&](Canvas& canvas) {
                     canvas.fitted_text({5, 5}, text, {}, 20);
                     canvas.box({0, 0, 25, 10}, {1, 1, 1});
                   }},
                  Format::png);
  };
  EXPECT_EQ(right_half("a label that is much too long for its column, also at five points"), right_half(""));
}

}  // namespace
}  // namespace sluice::figure
