/// numpy is the judge: it loads what we write, and we load what it writes.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <string>

#include "sluice/file/npz.hpp"
#include "test/support/temp_folder.hpp"

namespace sluice::file {
namespace {

int python(const std::string& arguments) {
  return std::system(
      (std::string(SYSTEM_PYTHON) + " " + TEST_FOLDER + "/file/numpy_check.py " + arguments).c_str());
}

TEST(Numpy, LoadsWhatWeWrite) {
  const test::TempFolder folder;
  std::vector<float> weights(2 * 3 * 4);
  for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = 0.5F * static_cast<float>(i) - 3;
  const NamedArrays arrays{
      {"weights", {{2, 3, 4}, weights}},
      {"loss", {{3}, std::vector<double>{0.1, 1e-300, INFINITY}}},
      {"step", {{2}, std::vector<std::int64_t>{0, std::int64_t{1} << 40}}},
      {"scalar", {{}, std::vector<double>{7.25}}},
      {"empty", {{0, 5}, std::vector<float>{}}},
  };
  write_npz(folder / "stored.npz", arrays, Packing::stored);
  write_npz(folder / "compressed.npz", arrays, Packing::compressed);
  write_npz(folder / "zip64.npz", arrays, Packing::compressed, IfTaken::replace, 300);
  write_npz(folder / "zip64all.npz", arrays, Packing::stored, IfTaken::replace, 0);
  for (const char* name : {"stored.npz", "compressed.npz", "zip64.npz", "zip64all.npz"}) {
    EXPECT_EQ(python("verify " + (folder / name).string()), 0) << name;
  }
}

TEST(Numpy, LoadsTheTextsThatWeWrite) {
  const test::TempFolder folder;
  const NamedTexts texts{{"word",
                          {"relu", "", "‖e(t)‖ 𝒩",
                           "a\xff"
                           "b"}},
                         {"none", {}}};
  for (const Packing packing : {Packing::stored, Packing::compressed}) {
    write_npz(folder / "texts.npz", {{"n", {{1}, std::vector<std::int64_t>{3}}}}, texts, packing);
    EXPECT_EQ(python("texts " + (folder / "texts.npz").string()), 0);
  }
}

TEST(Numpy, WritesWhatWeLoad) {
  const test::TempFolder folder;
  ASSERT_EQ(python("write " + folder.path().string()), 0);
  std::vector<float> ramp(24);
  for (std::size_t i = 0; i < 24; ++i) ramp[i] = 0.5F * static_cast<float>(i);
  for (const char* name : {"plain.npz", "compressed.npz"}) {
    const NamedArrays arrays = read_npz(folder / name);
    ASSERT_EQ(arrays.size(), 9U) << name;
    EXPECT_EQ(*find(arrays, "f4"), (Array{{2, 3, 4}, ramp}));
    EXPECT_EQ(*find(arrays, "fortran"), (Array{{2, 3, 4}, ramp})) << "Fortran order is converted";
    EXPECT_EQ(*find(arrays, "f8"), (Array{{3}, std::vector<double>{0.1, -2.5, 1e300}}));
    EXPECT_EQ(*find(arrays, "i8"), (Array{{2}, std::vector<std::int64_t>{-1, std::int64_t{1} << 50}}));
    EXPECT_EQ(*find(arrays, "scalar"), (Array{{}, std::vector<double>{7.25}}));
    EXPECT_EQ(*find(arrays, "empty"), (Array{{0, 5}, std::vector<float>{}}));
    EXPECT_EQ(*find(arrays, "i4"), (Array{{3}, std::vector<std::int64_t>{-7, 0, 7}}));
    EXPECT_EQ(*find(arrays, "flags"), (Array{{2}, std::vector<std::int64_t>{1, 0}}));
    EXPECT_EQ(*find(arrays, "f2"), (Array{{4}, std::vector<float>{1.5F, -0.25F, 65504.0F, 5.9604645e-08F}}));
  }
  EXPECT_EQ(read_npz(folder / "single.npy")[0].second, (Array{{2, 3, 4}, ramp}));
}

}  // namespace
}  // namespace sluice::file
