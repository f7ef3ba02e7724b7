#include "sluice/figure/recipes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>

#include "sample_run.hpp"
#include "sluice/figure/sweep_view.hpp"
#include "svg_reader.hpp"

namespace sluice::figure {
namespace {

using testing::nan_d;
using testing::SampleRun;
using testing::says;

std::vector<Figure> all_figures(const SampleRun& run) {
  const std::vector<ComparedRun> compared{{"gain = 3", run.view(), 0.9, -1.6},
                                          {"gain = 1", run.view(), 0, nan_d}};
  const RunView view = run.view();
  const auto units = static_cast<std::size_t>(run.units);
  const std::vector<double> numbers(units, 1.5);
  std::vector<float> power;  // NaN where the weights are, as the probe's
  for (std::size_t i = 0; i < view.times() * units; ++i)
    for (std::int64_t j = 0; j <= run.sites / 2; ++j)
      power.push_back(run.weights.empty() ? 0.5F : run.weights[0] * 0 + 0.5F);
  std::vector<float> bias, ends;  // likewise; two populations
  for (std::size_t i = 0; i < view.times() * units; ++i)
    bias.push_back((i % 2 == 0 ? -1.0F : 1.0F) + (run.weights.empty() ? 0 : run.weights[0] * 0));
  for (std::size_t k = 0; k < view.shown_units(); ++k) ends.push_back(bias[k] + 2);
  return {
      receptive_fields(view),
      evolution(view),
      learning(view),
      comparison(compared),
      unit_map(view),
      time_map(view),
      spectra(view, {power}),
      sign_flipping(view, {run.ipr, run.ipr}),
      biases(view, {bias, ends, ends}),
      unit_curves(view, std::vector<UnitNumbers>{{"one", bias}, {"another", bias}}),
      gabor_fits(view, {numbers, numbers, numbers, [](std::size_t, double site) { return std::sin(site); }})};
}

void expect_drawable(const SampleRun& run) {
  for (const Figure& figure : all_figures(run))
    for (const Format format : {Format::svg, Format::pdf, Format::png})
      EXPECT_FALSE(render(figure, format, 50).empty()) << figure.name;
}

TEST(Recipes, DrawAnOrdinaryRunTheSameWayTwice) {
  const SampleRun run(20, 40, 11);
  const auto once = all_figures(run), again = all_figures(run);
  for (std::size_t i = 0; i < once.size(); ++i) {
    EXPECT_EQ(render(once[i], Format::svg), render(again[i], Format::svg)) << once[i].name;
    EXPECT_FALSE(says(once[i], "no finite data")) << once[i].name;
    EXPECT_LE(once[i].width_mm, 180) << once[i].name;
    EXPECT_FALSE(once[i].caption.empty());
  }
}

TEST(Recipes, SpectraSayWhichFrequenciesTheyShow) {
  const SampleRun run(2, 40, 1);
  const auto caption = [&](std::size_t frequency) {  // all power in one of 21
    std::vector<float> power(2 * 21);
    for (std::size_t k = 0; k < 2; ++k) power[k * 21 + frequency] = 1;
    return spectra(run.view(), {power}).caption;
  };
  EXPECT_NE(caption(0).find("the lowest 7 of 21: "), std::string::npos) << "a third";
  EXPECT_NE(caption(9).find("the lowest 11 of 21: "), std::string::npos) << "0 to 9, and one more";
  EXPECT_NE(caption(9).find("and one more, at least a third"), std::string::npos) << caption(9);
  EXPECT_EQ(caption(20).find("the lowest"), std::string::npos) << "all";
}

TEST(Recipes, CurveSaysThatBarsAreSmallerThanItsDots) {
  const auto says_so = [](double mm) {  // of a bar to both sides, on an axis from 0 to 1 of 51 mm
    CurveView view{.x_label = "x", .y_label = "y", .places = {{1, "1"}, {2, "2"}}, .caption = "A curve."};
    const double error = mm / 51;
    view.lines = {{.label = "", .dots = {{0, 0, 0, 0}, {1, 0.5 - error, 0.5, 0.5 + error}}}};
    view.lines.front().singles = {{1, 1, 1, 1}};
    return curve(view).caption.find("smaller than the dots") != std::string::npos;
  };
  EXPECT_TRUE(says_so(0.4));
  EXPECT_FALSE(says_so(0.6)) << "it reaches beyond the dot";
  EXPECT_FALSE(says_so(0)) << "no bar";
}

TEST(Recipes, AFigureOutlivesItsRun) {
  std::optional<SampleRun> run(std::in_place, 20, 40, 11);
  const auto figures = all_figures(*run);
  std::vector<std::string> alive;
  alive.reserve(figures.size());
  for (const Figure& figure : figures) alive.push_back(render(figure, Format::svg));
  run->fill(nan_d);  // poison, then free
  run.reset();
  for (std::size_t i = 0; i < figures.size(); ++i)
    EXPECT_EQ(render(figures[i], Format::svg), alive[i]) << figures[i].name;
}

TEST(Recipes, DrawTheSmallestRuns) {
  for (const std::int64_t units : {1, 2, 3, 17})
    for (const std::int64_t sites : {1, 2, 40})
      for (const std::int64_t times : {1, 2, 9}) {
        SCOPED_TRACE(::testing::Message() << units << " units, " << sites << " sites, " << times << " times");
        expect_drawable(SampleRun(units, sites, times));
      }
}

TEST(Recipes, DrawConstantAndExtremeData) {
  for (const double value : {0.0, 1.0, -1.0, 1e-30, 1e30, 1e38}) {
    SCOPED_TRACE(value);
    SampleRun run(5, 8, 4);
    run.fill(value);
    expect_drawable(run);
  }
}

TEST(Recipes, SayWhenThereIsNothingToDraw) {
  SampleRun run(5, 40, 4);
  run.fill(nan_d);
  expect_drawable(run);
  for (const Figure& figure : all_figures(run)) EXPECT_TRUE(says(figure, "no finite data")) << figure.name;
  for (const SampleRun& empty : {SampleRun(5, 40, 0), SampleRun(0, 40, 3), SampleRun(5, 0, 3)}) {
    expect_drawable(empty);
    EXPECT_TRUE(says(receptive_fields(empty.view()), "no finite data"));
    EXPECT_TRUE(says(evolution(empty.view()), "no finite data"));
  }
}

TEST(Recipes, DrawARunThatDivergedHalfWay) {
  SampleRun run(5, 8, 10);
  const auto spoil_second_half = [](auto& values) {
    const std::size_t half = values.size() / 2;
    std::fill(values.begin() + static_cast<std::ptrdiff_t>(half), values.end(), testing::nan_f);
  };
  spoil_second_half(run.weights);
  spoil_second_half(run.ipr);
  spoil_second_half(run.loss);
  run.loss[4] = 1e305;
  expect_drawable(run);
  EXPECT_TRUE(says(receptive_fields(run.view()), "no finite data"));
  EXPECT_FALSE(says(learning(run.view()), "no finite data")) << "the first half is still worth seeing";
}

TEST(Recipes, RefuseArraysThatDoNotFit) {
  SampleRun run(3, 8, 4);
  run.weights.pop_back();
  for (const auto& recipe : {receptive_fields, evolution, learning})
    EXPECT_THROW(recipe(run.view()), std::invalid_argument);
  try {
    receptive_fields(run.view("gaussian"));
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(), "run gaussian: weights has 95 numbers, expected 96");
  }
}

TEST(ReceptiveFields, ShowAllUpToAHundredAndThenSaySo) {
  EXPECT_NE(receptive_fields(SampleRun(100, 8, 1).view()).caption.find("all 100 units"), std::string::npos);
  const Figure many = receptive_fields(SampleRun(1234, 8, 1).view());
  EXPECT_NE(many.caption.find("100 of 1,234 units, evenly chosen"), std::string::npos) << many.caption;
}

TEST(Learning, LeavesOutWhatWasNotWatched) {
  SampleRun run(3, 8, 4);
  EXPECT_TRUE(says(learning(run.view()), "accuracy", {.upward = true}));
  run.accuracy.clear();
  const Figure figure = learning(run.view());
  EXPECT_FALSE(says(figure, "accuracy", {.upward = true}));
  EXPECT_TRUE(says(figure, "training step"));
  EXPECT_EQ(figure.caption.find("Accuracy"), std::string::npos);
}

TEST(Learning, DrawsLocalizedUnitsAndTheOthersApart) {
  const SampleRun run(4, 8, 3);
  RunView view = run.view();
  EXPECT_TRUE(says(learning(view), "mean", {.size_pt = 6.5}));
  const std::vector<std::uint8_t> flags{1, 0, 1, 1};  // at the end
  view.localized = flags;
  const Figure figure = learning(view);
  EXPECT_TRUE(says(figure, "localized 75 %", {.size_pt = 6.5}));
  EXPECT_TRUE(says(figure, "others 25 %", {.size_pt = 6.5}));
  EXPECT_NE(figure.caption.find("localized at the end and (dashed) of the others"), std::string::npos);
  const std::vector<ComparedRun> runs{{"gain = 3", view, 0.75, -1.2}};
  EXPECT_TRUE(says(comparison(runs), "gain = 3", {.size_pt = 6.5}));
  EXPECT_FALSE(says(comparison(runs), "others", {.size_pt = 6.5}))
      << "dashed; a name for each would push the names of references away";
  view.localized = std::span(flags).first(3);
  EXPECT_THROW(learning(view), std::invalid_argument);
}

TEST(Comparison, TakesOneToSixRuns) {
  const SampleRun run(20, 8, 4);
  for (std::size_t count = 1; count <= 6; ++count) {
    const std::vector<ComparedRun> runs(count, {"gain = 3", run.view(), 0.5, -1.2});
    const Figure figure = comparison(runs);
    EXPECT_TRUE(says(figure, "gain = 3", {.size_pt = 6.5})) << count;
    EXPECT_EQ(figure.width_mm, 180);
  }
  EXPECT_THROW(comparison({}), std::invalid_argument);
  EXPECT_THROW(comparison(std::vector<ComparedRun>(7, {"", run.view(), 0, 0})), std::invalid_argument);
}

TEST(Comparison, MixesRunsOfDifferentSize) {
  const SampleRun small(2, 4, 1), large(30, 40, 8);
  const std::vector<ComparedRun> runs{{"small", small.view(), 0, nan_d}, {"large", large.view(), 1, 0}};
  EXPECT_FALSE(says(comparison(runs), "random 3/n", {.size_pt = 6.5}))
      << "n differs, so there is no common reference";
  EXPECT_TRUE(says(comparison({&runs[1], 1}), "random 3/n", {.size_pt = 6.5}));
}

TEST(Comparison, SurvivesAnyLabel) {
  const SampleRun run(4, 8, 2);
  const std::vector<ComparedRun> runs{
      {std::string(500, 'W'), run.view(), 0, 0}, {"\xff\xfe\n", run.view(), 0, 0}, {"", run.view(), 0, 0}};
  EXPECT_FALSE(render(comparison(runs), Format::svg).empty());
}

}  // namespace
}  // namespace sluice::figure
