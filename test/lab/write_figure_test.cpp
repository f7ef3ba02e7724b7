#include "sluice/lab/write_figure.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "sluice/figure/plot.hpp"
#include "sluice/file/atomic_file.hpp"
#include "test/support/temp_folder.hpp"

namespace sluice::lab {
namespace {

figure::Figure curve(const std::string& name, double slope) {
  return {name, "A line.", 60, 40, [slope](figure::Canvas& canvas) {
            const figure::Plot plot({12, 4, 44, 26}, figure::Axis::snug("x", {0, 1}, 4),
                                    figure::Axis::rounded("y", {0, slope}, 4));
            plot.curve(canvas, std::vector<double>{0, 1}, std::vector<double>{0, slope}, {figure::ink, 1.0});
            plot.draw_axes(canvas);
          }};
}

/// Which thread draws what does not show: every file of four figures has the bytes it has when drawn alone.
TEST(WriteFigures, GivesTheSameFilesOnEveryNumberOfThreads) {
  const test::TempFolder folder;
  std::vector<figure::Figure> figures;
  for (int i = 1; i <= 4; ++i) figures.push_back(curve("line" + std::to_string(i), i));
  math::Workers team(3);
  std::vector<std::string> claimed;
  write_figures(
      figures, folder.path(), [&](const std::vector<std::string>& names) { claimed = names; }, team);
  EXPECT_EQ(claimed.size(), 16U);
  EXPECT_EQ(file::read_text(folder / "figures/line2.txt"), "A line.\n");
  for (const figure::Figure& figure : figures) {
    for (const auto& [format, ending] : {std::pair{figure::Format::svg, ".svg"},
                                         {figure::Format::pdf, ".pdf"},
                                         {figure::Format::png, ".png"}}) {
      const std::string name = "figures/" + figure.name + ending;
      EXPECT_NE(std::ranges::find(claimed, name), claimed.end()) << name;
      EXPECT_EQ(file::read_text(folder / name), figure::render(figure, format)) << name;
    }
  }
}

}  // namespace
}  // namespace sluice::lab
