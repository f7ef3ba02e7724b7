/// Figures over columns of the index: grids and curves of any folder of runs, theory's boundaries over them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "sluice/file/errors.hpp"
#include "sluice/lab/boundary.hpp"
#include "sluice/lab/run_figures.hpp"
#include "test/figure/svg_reader.hpp"
#include "test/support/run_folders.hpp"
#include "test/support/temp_folder.hpp"

namespace sluice::lab {
namespace {

using figure::testing::says;
using figure::testing::Written;
using test::write_run;

constexpr double kPoint = 25.4 / 72;

/// On twelve sites, so that theory is quick.
std::string lengths(const std::string& xi) { return fmt::format("n = 12\nxi = {}\n", xi); }

const std::string kTrained = "[dynamics]\nkind = \"sgd\"\n";  // what a spec cannot be read without

/// The one text of a figure; one with another size than this has other texts of it.
Written the_text(const figure::Figure& figure, const std::string& text, const std::string& size = "6.5") {
  for (const Written& each : figure::testing::texts(figure::render(figure, figure::Format::svg)))
    if (each.text == text && each.size == size) return each;
  ADD_FAILURE() << text << " in " << size << " pt is not there";
  return {};
}

std::string complaint_of(const std::filesystem::path& folder, const std::string& name,
                         const FigureRequest& request) {
  try {
    draw_figure({folder}, name, request);
  } catch (const InputError& error) {
    return error.what();
  }
  return "nothing was wrong";
}

/// Two sweeps below one folder, which share a cell: localized shares of 10, 30 and 80 % at gain 0.1, ξ = (2, 1).
class TwoSweeps : public testing::Test {
 protected:
  TwoSweeps() {
    add("a/gain=0.1,seed=1", 0.1, 1, 0.1, "[2.0, 1.0]");
    add("a/gain=0.1,seed=2", 0.1, 2, 0.3, "[2.0, 1.0]");
    add("a/gain=20,seed=1", 20, 1, 0.97, "[2.0, 1.0]");
    add("b/one", 0.1, 3, 0.8, "[2.0, 1.0]");
    add("b/two", 1, 3, 0.52, "[1.25, 1.0]");
    add("b/bad", 1, 4, 0.5, "[1.25, 1.0]", "diverged");
  }
  void add(const std::string& name, double gain, int seed, double localized, const std::string& xi,
           const std::string& status = "finished") const {
    write_run(folder / name, {.gain = gain,
                              .seed = seed,
                              .status = status,
                              .localized = localized,
                              .more_keys = kTrained,
                              .task = lengths(xi)});
  }
  figure::Figure map(const std::string& where = "", std::vector<std::string> boundaries = {}) const {
    return draw_figure(
        {folder.path()}, "phase_diagram",
        {.where = where, .phase = {.x = "task.gain", .y = "xi", .z = "localized", .boundaries = boundaries}});
  }

  test::TempFolder folder;
};

TEST_F(TwoSweeps, AreCountedTogetherMeanAndDeviationInEveryCell) {
  const figure::Figure drawn = map();
  EXPECT_EQ(the_text(drawn, "40").x, the_text(drawn, "0.1").x) << "(10 + 30 + 80)/3";
  EXPECT_EQ(the_text(drawn, "±36", "5").x, the_text(drawn, "0.1").x) << "√((30² + 10² + 40²)/2)";
  EXPECT_TRUE(says(drawn, "97", {.size_pt = 6.5}));
  EXPECT_FALSE(says(drawn, "±0", {.size_pt = 5})) << "a single run has no spread";
  EXPECT_TRUE(says(drawn, "localized  (%)"));
  EXPECT_NE(drawn.caption.find("means over 1 to 3 runs each, which differ in seed; "), std::string::npos)
      << drawn.caption;
  EXPECT_NE(drawn.caption.find("1 of 6 runs diverged and is left out."), std::string::npos) << drawn.caption;
  EXPECT_LT(the_text(drawn, "0.1").x, the_text(drawn, "1").x);
  EXPECT_LT(the_text(drawn, "1").x, the_text(drawn, "20").x) << "as numbers, not as they come";
  EXPECT_GT(the_text(drawn, "1.25, 1").y, the_text(drawn, "2, 1").y) << "lists of numbers rise, too";
  const figure::Figure two = map("seed < 3");
  EXPECT_TRUE(says(two, "20", {.size_pt = 6.5})) << "of 10 and 30";
  EXPECT_FALSE(says(two, "52", {.size_pt = 6.5}));
}

TEST_F(TwoSweeps, CaptionsNameWhatElseVaried) {
  const figure::Figure drawn =
      draw_figure({folder.path()}, "phase_diagram", {.phase = {.x = "gain", .y = "network.kind"}});
  EXPECT_NE(drawn.caption.find("which differ in seed;"), std::string::npos) << drawn.caption;
  write_run(folder / "c", {.gain = 20, .seed = 1, .task = lengths("[4.0, 1.0]")});
  const figure::Figure more =
      draw_figure({folder.path()}, "phase_diagram", {.phase = {.x = "gain", .y = "network.kind"}});
  EXPECT_NE(more.caption.find("which differ in seed and xi;"), std::string::npos) << more.caption;
}

TEST_F(TwoSweeps, WhatCannotBeDrawnIsOneLine) {
  const auto phase = [&](const PhaseRequest& request) {
    return complaint_of(folder.path(), "phase_diagram", {.phase = request});
  };
  EXPECT_EQ(phase({.x = "gian", .y = "xi"}), "no column 'gian'; did you mean 'gain'?");
  EXPECT_EQ(phase({.x = "gain", .y = "gain"}), "phase_diagram: gain: expected two different columns");
  EXPECT_EQ(phase({.x = "gain", .y = "xi", .z = "status"}),
            "phase_diagram: status: no run has a number there");
  EXPECT_NE(
      phase({.x = "gain", .y = "xi", .boundaries = {"flatt"}}).find("no such boundary; did you mean 'flat'?"),
      std::string::npos);
  EXPECT_EQ(phase({.x = "seed", .y = "xi", .boundaries = {"flat"}}),
            "xi: a boundary is known along task.gain alone");
  EXPECT_EQ(phase({.x = "gain", .y = "network.kind", .boundaries = {"flat"}}),
            "boundary flat: runs at network.kind = two-layer differ in task.xi: choose those that share it");
  for (int i = 0; i < 25; ++i) write_run(folder / fmt::format("many/{}", i), {.gain = 2.0 + i});
  EXPECT_EQ(phase({.x = "gain", .y = "xi"}),
            "phase_diagram: gain has 27 different values; expected at most 24");
}

TEST_F(TwoSweeps, RunsThatTheoryDoesNotKnowHaveNoBoundary) {
  const auto flat = [&] {
    return complaint_of(folder.path(), "phase_diagram",
                        {.phase = {.x = "gain", .y = "xi", .boundaries = {"flat"}}});
  };
  write_run(folder / "e",
            {.gain = 3, .more_keys = "activation = \"erf\"\n" + kTrained, .task = lengths("[5.0, 1.0]")});
  EXPECT_EQ(flat(),
            "boundary flat: runs at xi = [5,1] have erf: expected ReLU units, network.kind = two-layer");
  write_run(folder / "e",
            {.gain = 3, .more_keys = kTrained, .task = lengths("[5.0, 1.0]") + "labels = [1.0, -1.0]\n"});
  EXPECT_EQ(flat(), "boundary flat: task.labels: expected [1, 0]");
}

TEST(PlaceAmong, IsTheMiddleOfACellAndGoesWithTheLogarithmOverDecades) {
  const std::vector<double> decades{0.1, 1, 100}, near{1, 2, 4};
  EXPECT_DOUBLE_EQ(place_among(decades, 0.1), 0.5);
  EXPECT_DOUBLE_EQ(place_among(decades, 10), 2);
  EXPECT_DOUBLE_EQ(place_among(decades, std::sqrt(0.1)), 1);
  EXPECT_DOUBLE_EQ(place_among(near, 3), 2);
  EXPECT_DOUBLE_EQ(place_among(near, 0.5), 0) << "half a cell further";
  EXPECT_TRUE(std::isnan(place_among(near, 0.4)));
  EXPECT_TRUE(std::isnan(place_among(near, 5.1)));
  EXPECT_TRUE(std::isnan(place_among({1}, 1))) << "one value has no scale";
}

/// Where the red line of a phase diagram is at the height of a text, in mm.
double line_beside(const figure::Figure& figure, const Written& row) {
  const std::string svg = figure::render(figure, figure::Format::svg);
  for (std::size_t at = svg.find("<path d=\"M"); at != svg.npos; at = svg.find("<path d=\"M", at + 1)) {
    const std::string element = svg.substr(at, svg.find("/>", at) - at);
    if (element.find("stroke=\"#cc1452\" stroke-width=\"1.3\"") == std::string::npos) continue;
    const std::string path = figure::testing::all_between(element, "d=\"M", '"').front();
    for (std::size_t begin = 0; begin != std::string::npos; begin = path.find('L', begin + 1)) {
      double x = 0, y = 0;
      const std::string here = path.substr(begin == 0 ? 0 : begin + 1);
      if (std::sscanf(here.c_str(), "%lf %lf", &x, &y) == 2 && std::abs(y - row.y) < 4) return x * kPoint;
    }
  }
  return NAN;
}

TEST_F(TwoSweeps, BoundaryStandsWhereTheGainIsCritical) {
  const figure::Figure drawn = map("", {"flat"});
  math::Workers workers(2);
  const auto expected = [&](double first_xi) {
    task::NlgpOptions task;
    task.n = 12;
    task.xi = {first_xi, 1};
    const theory::CriticalGain critical = theory::flat_loses_stability(task, 1, workers);
    EXPECT_NE(drawn.caption.find(fmt::format("{} at [{:g},1]", to_text(critical), first_xi)),
              std::string::npos)
        << drawn.caption;
    return 16 + 13 * (0.5 + std::log(critical.gain / 0.1) / std::log(10.0));  // between 0.1 and 1
  };
  EXPECT_NEAR(line_beside(drawn, the_text(drawn, "2, 1")), expected(2), 1e-3);
  EXPECT_NEAR(line_beside(drawn, the_text(drawn, "1.25, 1")), expected(1.25), 1e-3);
  EXPECT_TRUE(says(drawn, "flat field unstable", {.size_pt = 6.5}));
}

TEST_F(TwoSweeps, CurveHasItsBoundaryUpright) {
  const figure::Figure drawn = draw_figure(
      {folder.path()}, "curve",
      {.where = "xi = \"[2.0, 1.0]\"", .curve = {.x = "gain", .y = "localized", .boundaries = {"flat"}}});
  math::Workers workers(2);
  task::NlgpOptions task;
  task.n = 12;
  const theory::CriticalGain critical = theory::flat_loses_stability(task, 1, workers);
  const double low = the_text(drawn, "0.1").x, high = the_text(drawn, "20").x;
  const double wanted = low + (high - low) * std::log(critical.gain / 0.1) / std::log(200.0);
  const std::string svg = figure::render(drawn, figure::Format::svg);
  const std::size_t dash = svg.find("stroke-dasharray");
  ASSERT_NE(dash, svg.npos);
  const std::size_t begin = svg.rfind("<path d=\"M", dash) + 10;
  EXPECT_NEAR(std::stod(svg.substr(begin)), wanted, 0.01) << "points";
  EXPECT_NE(drawn.caption.find(to_text(critical)), std::string::npos) << drawn.caption;
}

// Two families over different keys: a dot at the mean of both numbers, a line for each kind.
/// Shares of 20, 40 and 70 % at gains 1, 2, 3, two seeds that lie 4 % apart at each: one half at 2 + 1/3, ± √((2/3)² + (1/3)²)·2/30.
TEST(HalfLocalized, IsSaidOfACurveAndDrawnBesideABoundary) {
  const test::TempFolder folder;
  for (const auto& [gain, share] : {std::pair{1, 0.2}, {2, 0.4}, {3, 0.7}})
    for (const int seed : {1, 2})
      write_run(folder / fmt::format("gain={},seed={}", gain, seed),
                {.gain = static_cast<double>(gain),
                 .seed = seed,
                 .localized = share + 0.02 * (2 * seed - 3),
                 .more_keys = kTrained,
                 .task = lengths("[2.0, 1.0]"),
                 .more_numbers = fmt::format("\"excess_kurtosis\": {}, ", -0.3 * gain)});
  const figure::Figure curve =
      draw_figure({folder.path()}, "curve", {.curve = {.x = "gain", .y = "localized"}});
  EXPECT_NE(
      curve.caption.find("Half of the units are localized at gain = 2.33 ± 0.05 (between 2 and 3), excess "
                         "kurtosis -0.7 ± 0.01;"),
      std::string::npos)
      << curve.caption;
  const figure::Figure map =
      draw_figure({folder.path()}, "phase_diagram",
                  {.phase = {.x = "gain", .y = "xi", .z = "localized", .boundaries = {"flat"}}});
  EXPECT_NE(
      map.caption.find("Dots: one half, measured: interpolated between cells, standard errors over runs: "
                       "2.33 ± 0.05 at [2,1]."),
      std::string::npos)
      << map.caption;
  const double middle = the_text(map, "2").x, next = the_text(map, "3").x;
  const auto discs =
      figure::testing::all_between(figure::render(map, figure::Format::svg), "<circle cx=\"", '"');
  ASSERT_EQ(discs.size(), 2U) << "a dot and what is white around it";
  EXPECT_NEAR(std::stod(discs.back()), middle + (next - middle) / 3, 0.02)
      << "a third of a cell beyond that of gain 2";
}

TEST(CurveOfNumbers, DotsStandAtTheirMeansAndKindsOfRunsAreLines) {
  const test::TempFolder folder;
  const auto add = [&](const std::string& name, const std::string& kind, const std::string& task, int seed,
                       double x, double y) {
    write_run(folder / name, {.seed = seed,
                              .localized = y,
                              .kind = kind,
                              .task = task,
                              .more_numbers = fmt::format("\"excess_kurtosis\": {}, ", x)});
  };
  for (const int seed : {1, 2}) {
    const double away = seed == 1 ? -0.1 : 0.1;
    add(fmt::format("a{}", seed), "nlgp", "scale = 1.0\n", seed, -1 + away, 0.25);
    add(fmt::format("b{}", seed), "nlgp", "scale = 2.0\n", seed, 1, 0.5 + away);
    add(fmt::format("c{}", seed), "norta", "order = 4.0\n", seed, 0, 0.75);
    add(fmt::format("d{}", seed), "norta", "order = 5.0\n", seed, 0.5, 1);
  }
  const figure::Figure drawn =
      draw_figure({folder.path()}, "curve", {.curve = {.x = "excess_kurtosis", .y = "localized"}});
  EXPECT_TRUE(says(drawn, "task.kind = nlgp", {.size_pt = 6.5}));
  EXPECT_TRUE(says(drawn, "task.kind = norta", {.size_pt = 6.5}));
  EXPECT_NE(drawn.caption.find("One line for each task.kind."), std::string::npos) << drawn.caption;
  EXPECT_NE(drawn.caption.find("against excess kurtosis: mean over 2 seeds"), std::string::npos)
      << drawn.caption;
  const std::string svg = figure::render(drawn, figure::Format::svg);
  const double radius = 0.5 / kPoint;  // of dots; single runs are smaller
  std::vector<double> dots;
  for (const std::string& circle : figure::testing::all_between(svg, "<circle cx=\"", '/'))
    if (std::abs(std::stod(figure::testing::all_between(circle, " r=\"", '"').front()) - radius) < 1e-3)
      dots.push_back(std::stod(circle));
  ASSERT_EQ(dots.size(), 4U) << "one for each condition";
  std::ranges::sort(dots);  // −1 (of −1.1 and −0.9), 0, 0.5, 1
  EXPECT_NEAR((dots[1] - dots[0]) / (dots[3] - dots[0]), 0.5, 1e-3);
  EXPECT_NEAR((dots[2] - dots[0]) / (dots[3] - dots[0]), 0.75, 1e-3);
}

// The rate that is chosen by the number of units goes with it: one line, not one for every dot.
TEST(CurveOfNumbers, AKeyThatGoesWithXMakesNoLines) {
  const test::TempFolder folder;
  for (const int hidden : {1, 10, 100})
    for (const int seed : {1, 2})
      write_run(
          folder / fmt::format("{}-{}", hidden, seed),
          {.seed = seed, .more_keys = fmt::format("hidden = {}\n[dynamics]\nrate = {}.5\n", hidden, hidden)});
  const figure::Figure drawn = draw_figure({folder.path()}, "curve", {.curve = {.x = "hidden"}});
  EXPECT_EQ(drawn.caption.find("One line for each"), std::string::npos) << drawn.caption;
  EXPECT_NE(drawn.caption.find("mean over 2 seeds"), std::string::npos) << drawn.caption;
}

}  // namespace
}  // namespace sluice::lab
