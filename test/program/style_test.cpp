/// Size, type, colours and limits of pictures: the same options for every verb that draws, and for pictures alone.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "sluice/file/atomic_file.hpp"
#include "test/support/process.hpp"

namespace sluice {
namespace {

using Words = std::vector<std::string>;

test::Said say(const test::TempFolder& folder, Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return test::sluice(words, folder.path());
}

const Words kRace{"race", "gated-pair", "--quiet"};

TEST(Style, IsThatOfEveryPicture) {
  const test::TempFolder folder;
  for (const Words& verb :
       {Words{"sample", "localization", "--count", "20"}, Words{"theory", "basis"}, kRace}) {
    const test::Said said =
        say(folder, verb, {"--width", "400pt", "--font", "DejaVu Serif", "--out", verb[0] + ".svg"});
    ASSERT_EQ(said.code, 0) << said.err;
    const std::string svg = file::read_text(folder / (verb[0] + ".svg"));
    EXPECT_NE(svg.find("width=\"400pt\""), std::string::npos) << verb[0] << svg.substr(0, 300);
    EXPECT_NE(svg.find("DejaVu Serif"), std::string::npos) << verb[0];
    EXPECT_EQ(svg.find("DejaVu Sans"), std::string::npos) << verb[0];
  }
}

TEST(Style, LimitsAndPalettesAreHonouredOrRefused) {
  const test::TempFolder folder;
  const Words spectrum{"theory", "spectrum"};
  ASSERT_EQ(say(folder, spectrum, {"--out", "a.svg"}).code, 0);
  const test::Said limited = say(folder, spectrum, {"--xlim", "0,5", "--out", "b.svg"});
  ASSERT_EQ(limited.code, 0) << limited.err;
  EXPECT_NE(file::read_text(folder / "a.svg"), file::read_text(folder / "b.svg"));
  const test::Said grey = say(folder, spectrum, {"--palette", "grey", "--out", "c.svg"});
  ASSERT_EQ(grey.code, 0) << grey.err;
  EXPECT_NE(file::read_text(folder / "a.svg"), file::read_text(folder / "c.svg"));
  const test::Said several = say(folder, {"sample", "pulse"}, {"--xlim", "0,5", "--out", "never.svg"});
  EXPECT_EQ(several.code, 2);
  EXPECT_NE(several.err.find("samples: limits of x are of no use to different axes: "), std::string::npos)
      << several.err;
  EXPECT_FALSE(std::filesystem::exists(folder / "never.svg"));
}

// Before anything is computed: of none of these is there a run, and a search would take its time.
TEST(Style, OfWhatIsNoPictureIsRefusedInOneLine) {
  const test::TempFolder folder;
  const Words wide{"--width", "86"};
  for (const Words& verb :
       {Words{"sample", "pulse"}, Words{"theory", "basis"}, Words{"branch"}, kRace,
        Words{"search", "gated-pair"}, Words{"reduce", "nowhere"}, Words{"freeze", "nowhere"}}) {
    for (const Words& out : {Words{}, Words{"--out", "numbers.json"}, Words{"--out", "page.html"}}) {
      if (verb[0] == "theory" && out == Words{"--out", "page.html"}) continue;  // it has no pages
      Words more = wide;
      more.insert(more.end(), out.begin(), out.end());
      const test::Said said = say(folder, verb, more);
      EXPECT_EQ(said.code, 2) << verb[0];
      EXPECT_EQ(said.err,
                "sluice: --width: an option of pictures; expected --out FILE.svg, .pdf or .png with it\n");
      EXPECT_EQ(said.out, "") << verb[0];
    }
    const test::Said wrong = say(folder, verb, {"--height", "tall", "--out", "never.svg"});
    EXPECT_EQ(wrong.code, 2) << verb[0];
    EXPECT_EQ(wrong.err, "sluice: --height tall: expected millimetres, 86 or 86mm, or points, 244pt\n");
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

}  // namespace
}  // namespace sluice
