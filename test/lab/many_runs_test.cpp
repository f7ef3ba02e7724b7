/// Many runs: which stand for all, their colours, a number against a key, the long table.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <sstream>

#include "sluice/file/atomic_file.hpp"
#include "sluice/file/errors.hpp"
#include "sluice/lab/conditions.hpp"
#include "sluice/lab/run_figures.hpp"
#include "sluice/lab/sweep.hpp"
#include "test/figure/svg_reader.hpp"
#include "test/support/temp_folder.hpp"

namespace sluice::lab {
namespace {

using test::TempFolder;

/// Every combination, the last key fastest.
std::vector<Settings> grid(const std::vector<std::pair<std::string, std::vector<std::string>>>& axes) {
  std::vector<Settings> all{{}};
  for (const auto& [name, values] : axes) {
    std::vector<Settings> longer;
    for (const Settings& each : all)
      for (const std::string& value : values) {
        longer.push_back(each);
        longer.back().push_back({name, value});
      }
    all = longer;
  }
  return all;
}

std::set<std::string> values_in(const std::vector<Settings>& runs, const std::vector<std::size_t>& chosen,
                                const std::string& key) {
  std::set<std::string> values;
  for (const std::size_t i : chosen)
    for (const Setting& setting : runs[i])
      if (setting.name == key) values.insert(setting.value);
  return values;
}

TEST(Representatives, AreOneSeedOfEachConditionWhereNotAllFit) {
  const auto runs = grid({{"gain", {"0.1", "1", "10"}}, {"seed", {"1", "2", "3", "4", "5"}}});
  EXPECT_EQ(representatives(runs, 6), (std::vector<std::size_t>{0, 5, 10}));
  EXPECT_EQ(representatives(runs, 15).size(), 15U) << "all fit";
  const auto seeds_first = grid({{"seed", {"1", "2", "3"}}, {"gain", {"1", "2", "3"}}});
  EXPECT_EQ(values_in(seeds_first, representatives(seeds_first, 6), "gain").size(), 3U);
}

TEST(Representatives, GoThroughTheValuesOfEveryKey) {
  const auto runs =
      grid({{"gain", {"1", "2", "3", "4", "5"}}, {"xi", {"a", "b", "c", "d"}}, {"seed", {"1", "2"}}});
  const std::vector<std::size_t> chosen = representatives(runs, 6);
  EXPECT_LE(chosen.size(), 6U);
  EXPECT_EQ(values_in(runs, chosen, "gain").size(), 5U);
  EXPECT_EQ(values_in(runs, chosen, "xi").size(), 4U);
  const auto many = grid({{"gain", {"1", "2", "3", "4", "5", "6", "7", "8", "9"}}});
  const auto few = values_in(many, representatives(many, 6), "gain");
  EXPECT_EQ(few.size(), 6U);
  EXPECT_TRUE(few.contains("1") && few.contains("9")) << "first and last";
}

TEST(Colours, RiseWithTheValuesOfOneNumericKeyWhateverTheirOrder) {
  const Conditions conditions(grid({{"gain", {"10", "0.1", "inf"}}, {"seed", {"1", "2"}}}));
  ASSERT_EQ(conditions.all.size(), 3U);
  const std::vector<figure::Color> colors = colors_of(conditions);
  EXPECT_LT(figure::luminance(colors[1]), figure::luminance(colors[0]));
  EXPECT_LT(figure::luminance(colors[0]), figure::luminance(colors[2]));
  EXPECT_EQ(conditions.of_run, (std::vector<std::size_t>{0, 0, 1, 1, 2, 2})) << "a colour for both seeds";
  const std::vector<figure::Color> words = colors_of(Conditions(grid({{"law", {"bump", "wave"}}})));
  EXPECT_EQ(words[1].red, figure::category(1).red) << "words have no order";
}

Source tiny() {
  return {.name_or_file = "localization",
          .assignments = {"task.n=12", "network.hidden=5", "dynamics.steps=20", "dynamics.batch=100",
                          "probe.every=10", "probe.samples=200"}};
}

using Rows = std::vector<std::map<std::string, std::string>>;

/// A csv by the names of its columns; cells may be quoted, quotes in them are not expected.
Rows read_csv(const std::filesystem::path& path) {
  const auto cells_of = [](const std::string& line) {
    std::vector<std::string> cells(1);
    bool quoted = false;
    for (const char c : line) {
      if (c == '"') {
        quoted = !quoted;
      } else if (c == ',' && !quoted) {
        cells.emplace_back();
      } else {
        cells.back() += c;
      }
    }
    return cells;
  };
  std::istringstream lines(file::read_text(path));
  std::string line;
  std::getline(lines, line);
  const std::vector<std::string> names = cells_of(line);
  Rows rows;
  while (std::getline(lines, line)) {
    const std::vector<std::string> cells = cells_of(line);
    EXPECT_EQ(cells.size(), names.size()) << line;
    std::map<std::string, std::string>& row = rows.emplace_back();
    for (std::size_t i = 0; i < std::min(cells.size(), names.size()); ++i) row[names[i]] = cells[i];
  }
  return rows;
}

class Grid : public testing::Test {
 public:
  static void SetUpTestSuite() {
    folder_ = std::make_unique<TempFolder>();
    sweep(tiny(), {parse_axis("task.gain=0.1,3,inf"), parse_axis("seed=1,2,3")}, {.out = path()}, {});
  }
  static void TearDownTestSuite() { folder_.reset(); }
  static std::filesystem::path path() { return *folder_ / "s"; }

 private:
  static inline std::unique_ptr<TempFolder> folder_;
};

TEST_F(Grid, LongTableIsTheMetricsOfEveryRunBelowEachOther) {
  const Rows all = read_csv(path() / "sweep.csv");
  ASSERT_EQ(all.size(), 27U) << "nine runs at three probe times";
  std::size_t at = 0;
  for (const char* name : {"gain=0.1,seed=1", "gain=0.1,seed=2", "gain=0.1,seed=3", "gain=3,seed=1",
                           "gain=3,seed=2", "gain=3,seed=3", "gain=inf,seed=1"}) {
    for (const auto& row : read_csv(path() / name / "metrics.csv")) {
      EXPECT_EQ(all[at].at("run"), name);
      EXPECT_EQ("gain=" + all[at].at("gain") + ",seed=" + all[at].at("seed"), name);
      for (const auto& [column, cell] : row) EXPECT_EQ(all[at].at(column), cell) << name << " " << column;
      ++at;
    }
  }
  EXPECT_NE(file::read_text(path() / ".sluice-manifest").find("sweep.csv"), std::string::npos);
}

TEST_F(Grid, PageBeginsWithTheCurve) {
  const std::string page = file::read_text(path() / "report.html");
  const std::size_t curve = page.find("aria-label=\"curve\"");
  ASSERT_NE(curve, page.npos);
  EXPECT_LT(curve, page.find("<table>"));
  EXPECT_LT(curve, page.find("aria-label=\"comparison\""));
  EXPECT_NE(page.find("mean over 3 seeds"), page.npos);
  EXPECT_TRUE(std::filesystem::exists(path() / "figures/curve.pdf"));
}

TEST_F(Grid, CurveSaysWhatItsBarsAreAndRefusesUnknownNames) {
  using Bars = CurveRequest::Bars;
  for (const auto& [bars, words] : {std::pair{Bars::error, "standard error"},
                                    {Bars::deviation, "standard deviation"},
                                    {Bars::range, "from the least to the largest"},
                                    {Bars::none, "No bars"}})
    EXPECT_NE(draw_figure({path()}, "curve", {.curve = {.bars = bars}}).caption.find(words),
              std::string::npos);
  const figure::Figure named =
      draw_figure({path()}, "curve", {.curve = {.x = "task.gain", .y = "localized"}});
  EXPECT_TRUE(figure::testing::says(named, "localized  (%)", {.upward = true}));
  EXPECT_TRUE(figure::testing::says(named, "∞", {.size_pt = 6.5})) << "a place of its own";
  for (const CurveRequest& wrong :
       {CurveRequest{.x = "rate"}, CurveRequest{.x = "network.gain"}, CurveRequest{.y = "nothing"}})
    EXPECT_THROW(draw_figure({path()}, "curve", {.curve = wrong}), InputError);
  try {
    draw_figure({path()}, "curve", {.curve = {.y = "nothing"}});
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("ipr_mean_end"), std::string::npos) << error.what();
  }
}

/// Over gain and rate, of which the largest makes every run diverge, and over seeds.
class Diverging : public testing::Test {
 public:
  static void SetUpTestSuite() {
    folder_ = std::make_unique<TempFolder>();
    sweep(tiny(),
          {parse_axis("dynamics.rate=1e30,0.01,0.1"), parse_axis("task.gain=0.1,3"), parse_axis("seed=1,2")},
          {.out = path()}, {});
  }
  static void TearDownTestSuite() { folder_.reset(); }
  static std::filesystem::path path() { return *folder_ / "s"; }
  static std::string caption(const std::string& name, const std::vector<std::string>& runs = {}) {
    return draw_figure({path()}, name, {.runs = runs}).caption;
  }

 private:
  static inline std::unique_ptr<TempFolder> folder_;
};

TEST_F(Diverging, RunsAreNoResultsAndCaptionsSayHowMany) {
  for (const char* name : {"curve", "phase_diagram", "seeds", "comparison", "learning"})
    EXPECT_NE(caption(name).find(" 4 of 12 runs diverged and are left out."), std::string::npos)
        << caption(name);
  EXPECT_NE(caption("seeds", {"rate=0.1*", "rate=1e30,gain=3,seed=1"})
                .find(" 1 of 5 runs diverged and is left out."),
            std::string::npos);
  EXPECT_EQ(caption("seeds", {"rate=0.1*"}).find("left out"), std::string::npos);
  const std::string page = file::read_text(path() / "report.html");
  EXPECT_NE(page.find("4 of 12 runs diverged and are left out."), page.npos);
  const figure::Figure curve = draw_figure({path()}, "curve", {.curve = {.x = "rate"}});
  EXPECT_FALSE(figure::testing::says(curve, "1e30", {.size_pt = 6.5}));
  const std::vector<std::string> none = figures_of({path()}, {.runs = {"rate=1e30*"}});
  EXPECT_TRUE(none.empty()) << none.front();
  try {
    caption("seeds", {"rate=1e30*"});
    ADD_FAILURE() << "there is nothing to draw";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("needs a run that finished; 4 of 4 runs diverged"),
              std::string::npos)
        << error.what();
  }
}

TEST_F(Diverging, UnfinishedRunsAreLeftOutWhereOthersHaveFinished) {
  const TempFolder copied;
  std::filesystem::copy(path(), copied / "s", std::filesystem::copy_options::recursive);
  const auto interrupt = [&](const std::string& run) {
    const std::filesystem::path file = copied / "s" / run / "run.json";
    std::string text = file::read_text(file);
    text.replace(text.find("\"finished\""), 10, "\"interrupted\"");
    file::write_atomically(file, text);
  };
  const auto caption = [&](const std::vector<std::string>& runs) {
    return draw_figure({copied / "s"}, "seeds", {.runs = runs}).caption;
  };
  interrupt("rate=0.1,gain=3,seed=1");
  EXPECT_NE(caption({}).find(" 4 of 12 runs diverged, 1 has not finished; they are left out."),
            std::string::npos);
  EXPECT_NE(caption({"rate=0.1*"}).find(" 1 of 4 runs has not finished and is left out."), std::string::npos);
  interrupt("rate=0.1,gain=3,seed=2");
  EXPECT_EQ(caption({"rate=0.1,gain=3*"}).find("left out"), std::string::npos) << "they are all there is";
  EXPECT_THROW(draw_figure({copied / "s"}, "curve", {.runs = {"rate=0.1,gain=3*"}}), InputError);
}

TEST_F(Diverging, PhaseDiagramLeavesCellsEmptyNotPanelsOut) {
  const TempFolder copied;
  std::filesystem::copy(path(), copied / "s", std::filesystem::copy_options::recursive);
  for (const char* run : {"rate=0.01,gain=0.1,seed=1", "rate=0.01,gain=0.1,seed=2"}) {
    const std::filesystem::path file = copied / "s" / run / "run.json";
    std::string text = file::read_text(file);
    const std::size_t key = text.find("\"ipr_mean_end\"");
    ASSERT_NE(key, text.npos) << text;
    text.replace(key, 14, "\"another_number\"");
    file::write_atomically(file, text);
  }
  const auto cells = [](const std::filesystem::path& folder) {
    const figure::Figure drawn = draw_figure({folder}, "phase_diagram");
    EXPECT_TRUE(figure::testing::says(drawn, "mean IPR"));
    EXPECT_TRUE(figure::testing::says(drawn, "1e30", {.size_pt = 6.5})) << "a column without results";
    const std::string svg = figure::render(drawn, figure::Format::svg);
    const auto written = figure::testing::texts(svg);
    return std::ranges::count_if(
        written, [](const auto& each) { return each.text.starts_with("0.") && each.text.size() == 4; });
  };
  EXPECT_EQ(cells(copied / "s"), cells(path()) - 1);
}

TEST_F(Grid, RunsAreChosenByNameOrPattern) {
  const auto caption = [](const std::vector<std::string>& runs) {
    return draw_figure({path()}, "curve", {.runs = runs}).caption;
  };
  EXPECT_NE(caption({"*seed=1", "*seed=2"}).find("mean over 2 seeds"), std::string::npos);
  EXPECT_NE(caption({"gain=3,seed=?", "gain=inf,seed=1"}).find("1 to 3 seeds"), std::string::npos);
  EXPECT_THROW(caption({"gain=4*"}), InputError);
  EXPECT_THROW(draw_figure({path() / "gain=3,seed=1"}, "learning", {.runs = {"*"}}), InputError);
}

TEST_F(Grid, UnitsAreChosenWhereAFigureShowsSome) {
  const FigureRequest some{.units = {4, 0}};
  const figure::Figure drawn = draw_figure({path() / "gain=3,seed=1"}, "evolution", some);
  EXPECT_NE(drawn.caption.find("asked for"), std::string::npos) << drawn.caption;
  for (const char* name : {"learning", "unit_map"})
    EXPECT_THROW(draw_figure({path() / "gain=3,seed=1"}, name, some), InputError) << name;
  for (const std::vector<std::int64_t>& wrong : {std::vector<std::int64_t>{5}, {-1}, {1, 1}, {0, 1, 2, 3, 4}})
    EXPECT_THROW(draw_figure({path() / "gain=3,seed=1"}, "evolution", {.units = wrong}), InputError);
}

}  // namespace
}  // namespace sluice::lab
