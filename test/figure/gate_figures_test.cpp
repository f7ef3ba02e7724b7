// The figures of gates: sign flipping, the structure behind one gate, frozen gates.
#include <gtest/gtest.h>

#include <cmath>

#include "sample_run.hpp"
#include "sluice/figure/freeze_view.hpp"
#include "sluice/figure/recipes.hpp"
#include "svg_reader.hpp"

namespace sluice::figure {
namespace {

using testing::nan_d;
using testing::nan_f;
using testing::SampleRun;
using testing::says;

/// p falls tenfold from one end of training to the other; no p at the first time.
std::vector<float> falling(const SampleRun& run) {
  std::vector<float> flips;
  for (std::size_t t = 0; t < run.step.size(); ++t)
    for (std::int64_t k = 0; k < run.units; ++k)
      flips.push_back(
          t == 0 ? nan_f
                 : static_cast<float>(0.01 * std::pow(0.1, static_cast<double>(t) /
                                                               static_cast<double>(run.step.size() - 1))));
  return flips;
}

TEST(SignFlipping, SaysHowOftenEarlyAndLate) {
  const SampleRun run(3, 40, 101);
  const std::vector<float> flips = falling(run);
  const Figure figure = sign_flipping(run.view(), {flips, flips});
  // 0.01·10^(−t/100): means over t = 1 … 10 and t = 90 … 100.
  EXPECT_NE(figure.caption.find("0.88 % in the first tenth of training, 0.11 % in the last"),
            std::string::npos)
      << figure.caption;
  EXPECT_NE(figure.caption.find("another than 50 steps"), std::string::npos) << figure.caption;
  EXPECT_TRUE(says(figure, "unit 2", {.size_pt = 6}));
  EXPECT_TRUE(says(figure, "κ", {.upward = true}));
}

TEST(SignFlipping, ShowsTwelveUnitsAtMostAndNoKurtosisThatWasNotWatched) {
  const SampleRun many(40, 8, 5);
  const std::vector<float> flips = falling(many);
  const Figure figure = sign_flipping(many.view(), {flips, {}});
  EXPECT_NE(figure.caption.find("Of 12 of 40 units"), std::string::npos) << figure.caption;
  EXPECT_FALSE(says(figure, "κ", {.upward = true}));
}

GateStructureView structure(double value) {
  GateStructureView view{.title = "sample", .gate = {0, 1, 0, 0}};
  view.covariance = std::vector<double>(16, value);
  view.inverse = std::vector<double>(16, -value);
  view.cases = {{"gain 1", std::vector<double>(4, value), std::vector<double>(4, value), 0.41},
                {"gain ∞", std::vector<double>(4, value), {value, 2 * value, value, value}, 0.82}};
  view.own = 1;
  return view;
}

TEST(GateStructureFigure, NamesItsCasesAndTheirIprs) {
  const Figure figure = gate_structure(structure(0.5));
  EXPECT_TRUE(says(figure, "gain ∞", {.size_pt = 6.5}));
  EXPECT_TRUE(says(figure, "w(∞)", {.size_pt = 6.5}));
  EXPECT_NE(figure.caption.find("0.41 (gain 1), 0.82 (gain ∞)"), std::string::npos) << figure.caption;
  EXPECT_NE(figure.caption.find("−0.50 on the diagonal"), std::string::npos) << figure.caption;
  EXPECT_LE(figure.width_mm, 180);
}

TEST(GateStructureFigure, DrawsWhatIsZeroHugeOrMissing) {
  for (const double value : {0.0, 1e300, -1e-300, nan_d})
    for (const Format format : {Format::svg, Format::pdf, Format::png})
      EXPECT_FALSE(render(gate_structure(structure(value)), format, 50).empty()) << value;
  EXPECT_TRUE(says(gate_structure(structure(nan_d)), "no finite data"));
}

TEST(Freezing, NamesEveryConditionOnce) {
  const FrozenCurves one{"gain = 3", 0, {0, 10, 100}, {0.9, 0.2, nan_d}, {0.5, 0.1, 0}, {0.3, 0.1, 0}};
  FrozenCurves other = one;
  other.condition = "gain = 0.01";
  other.category = 1;
  const Figure figure = freezing(std::vector{one, one, other});
  EXPECT_TRUE(says(figure, "gain = 3", {.size_pt = 6.5}));
  EXPECT_TRUE(says(figure, "gain = 0.01", {.size_pt = 6.5}));
  EXPECT_FALSE(says(figure, "no finite data"));
  const FrozenCurves nothing{"at rest", 0, {0, 1}, {nan_d, nan_d}, {0, 0}, {0, 0}};
  EXPECT_TRUE(says(freezing(std::vector{nothing}), "no finite data"));
  for (const Format format : {Format::svg, Format::pdf, Format::png})
    EXPECT_FALSE(render(figure, format, 50).empty());
}

TEST(PairCovarianceFigure, SaysHowFarThePrintedFormIsOff) {
  PairCovarianceView view{.title = "sample",
                          .sites = 2,
                          .corrected = {0.5, 0.25, 0.25, 0.5},
                          .printed = {nan_d, nan_d, 0.375, 0.5}};
  EXPECT_NE(pair_covariance(view).caption.find("off by up to 0.125"), std::string::npos);
  view.corrected.assign(4, nan_d);
  view.printed = view.corrected;
  EXPECT_TRUE(says(pair_covariance(view), "no finite data"));
}

}  // namespace
}  // namespace sluice::figure
