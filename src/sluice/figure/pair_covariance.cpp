#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "sluice/figure/heat_map.hpp"
#include "sluice/figure/plot.hpp"
#include "sluice/figure/recipes.hpp"
#include "sluice/figure/text.hpp"

namespace sluice::figure {
namespace of_pair_covariance {
namespace {

constexpr double pair_width_mm = 180, pair_top_mm = 8, pair_panel_mm = 36, pair_height_mm = 58;
constexpr std::array<double, 3> pair_columns_mm{13, 73, 133};

void draw_pair_map(Canvas& canvas, const Box& box, std::vector<float> values, std::size_t n, double most,
                   const std::string& label) {
  const ColorScale scale{ColorScale::Kind::diverging, most, label};
  draw_heat_map(canvas, box, {n, n, std::move(values)}, scale, pixel_axis("site l", n, box.width),
                pixel_axis("site k", n, box.height));
  draw_color_bar(canvas, {box.right() + 2, box.top}, box.height, scale);
}

}  // namespace
}  // namespace of_pair_covariance

Figure pair_covariance(const PairCovarianceView& view) {
  using namespace of_pair_covariance;
  const std::size_t n = view.sites;
  std::vector<float> corrected(view.corrected.begin(), view.corrected.end()),
      printed(view.printed.begin(), view.printed.end()), difference(n * n);
  double most = 0, off = 0, skew = 0;
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t l = 0; l < n; ++l) {
      const double is = view.corrected[k * n + l], says = view.printed[k * n + l];
      difference[k * n + l] = static_cast<float>(says - is);
      for (const double value : {is, says})
        if (std::isfinite(value)) most = std::max(most, std::abs(value));
      if (std::isfinite(says)) off = std::max(off, std::abs(says - is));
      const double turned = view.printed[l * n + k];
      if (std::isfinite(says - turned)) skew = std::max(skew, std::abs(says - turned));
    }
  }
  return {"pair_covariance",
          fmt::format(
              "Σˣˣ behind the gate 1(xᵢ ≥ 0), {}. a, As it is: ¼(C₀ + C₁), because x xᵀ is even. b, As note "
              "003 prints it (equation 8): off by up to {} (c), and not symmetric, by up to {}; the row k = "
              "i has no value.",
              view.title, fixed(off, 3), fixed(skew, 3)),
          pair_width_mm, pair_height_mm, [=](Canvas& canvas) {
            const auto box = [](std::size_t column) {
              return Box{pair_columns_mm.at(column), pair_top_mm, pair_panel_mm, pair_panel_mm};
            };
            if (n == 0 || most == 0) return say_no_finite_data(canvas, {0, 0, pair_width_mm, pair_height_mm});
            draw_pair_map(canvas, box(0), corrected, n, most, "Σˣˣ");
            draw_pair_map(canvas, box(1), printed, n, most, "printed");
            draw_pair_map(canvas, box(2), difference, n, off > 0 ? off : 1, "b − a");
            for (std::size_t i = 0; i < 3; ++i)
              draw_panel_letter(canvas, {pair_columns_mm.at(i) - 11, 2},
                                std::string(1, static_cast<char>('a' + i)));
          }};
}

}  // namespace sluice::figure
