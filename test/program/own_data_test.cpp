/// Data and weights of one's own, as a user has them: images of any shape, classes of any number, from an npz file to a page.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <random>

#include "sluice/file/atomic_file.hpp"
#include "sluice/file/npz.hpp"
#include "test/support/process.hpp"

namespace sluice {
namespace {

/// Stripes of `classes` directions on noise, [120, 6, 10]; as bytes would be read.
void write_stripes(const std::filesystem::path& path, std::int64_t classes, double label_step = 1,
                   bool flat = false) {
  std::mt19937 engine(4);
  std::normal_distribution<double> normal;
  std::vector<float> x;
  std::vector<std::int64_t> y;
  std::vector<double> real;
  for (std::int64_t row = 0; row < 120; ++row) {
    const std::int64_t c = row % classes;
    const double phase = normal(engine) * 3,
                 angle = M_PI * static_cast<double>(c) / static_cast<double>(classes);
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j < 10; ++j)
        x.push_back(static_cast<float>(std::cos(1.3 * (std::cos(angle) * j + std::sin(angle) * i) + phase) +
                                       0.2 * normal(engine)));
    y.push_back(10 * c);
    real.push_back(label_step * static_cast<double>(c) + 0.5);
  }
  file::write_npz(path,
                  {{"x", {flat ? file::Shape{120, 60} : file::Shape{120, 6, 10}, x}},
                   {"y", {{120}, y}},
                   {"real", {{120}, real}}},
                  file::Packing::stored);
}

std::string spec_of(const std::string& task, const std::string& network, const std::string& dynamics = "") {
  return "[task]\nkind = \"dataset\"\npath = \"d.npz\"\n" + task + "\n[network]\n" + network +
         "\n[dynamics]\nkind = \"adam\"\nsteps = 20\nbatch = 40\n" + dynamics + "\n[probe]\nevery = 5\n";
}
const std::string kTwoLayer = "kind = \"two-layer\"\nhidden = 5";
const std::string kDeep = "kind = \"deep-gated\"\nwidth = 8\ndepth = 2";

test::Said run(const test::TempFolder& folder, const std::string& spec, std::vector<std::string> more = {}) {
  file::write_atomically(folder / "s.toml", spec);
  std::vector<std::string> words{"run", "s.toml", "--out", "r", "--quiet"};
  words.insert(words.end(), more.begin(), more.end());
  return test::sluice(words, folder.path());
}

nlohmann::json run_json(const test::TempFolder& folder) {
  return nlohmann::json::parse(file::read_text(folder / "r/run.json"));
}

std::size_t images_in(const std::filesystem::path& svg) {
  const std::string text = file::read_text(svg);
  std::size_t count = 0;
  for (std::size_t at = text.find("<image"); at != std::string::npos; at = text.find("<image", at + 1))
    ++count;
  return count;
}

TEST(OwnData, ImagesAreImagesToTheEnd) {
  const test::TempFolder folder;
  write_stripes(folder / "d.npz", 2);
  const test::Said said = run(folder, spec_of("", kTwoLayer));
  ASSERT_EQ(said.code, 0) << said.err;
  EXPECT_EQ(run_json(folder)["inputs"], (nlohmann::json{{"kind", "image"}, {"rows", 6}, {"columns", 10}}));
  EXPECT_FALSE(run_json(folder).contains("localized_share"));
  const file::NamedArrays record = file::read_npz(folder / "r/record.npz");
  EXPECT_EQ(file::find(record, "weights")->shape, (file::Shape{5, 5, 60}));  // the contract

  for (const auto& [name, images] :
       std::vector<std::pair<std::string, std::size_t>>{{"receptive_fields", 6},
                                                        {"evolution", 4 * 5 + 1},
                                                        {"unit_map", 6},
                                                        {"gabor_fits", 6},
                                                        {"spectra", 2 * 6 + 4}}) {
    const test::Said drawn = test::sluice({"figure", "r", name}, folder.path());
    ASSERT_EQ(drawn.code, 0) << drawn.err;
    EXPECT_EQ(images_in(folder / ("r/figures/" + name + ".svg")), images) << name;
  }
  for (const char* name : {"kinds", "time_map"}) {
    const test::Said refused = test::sluice({"figure", "r", name}, folder.path());
    EXPECT_EQ(refused.code, 2) << name;
    EXPECT_NE(refused.err.find("needs sites on a ring, task.dim = 1, found those of an image"),
              std::string::npos)
        << refused.err;
  }
  const test::Said measured = test::sluice({"probe", "r"}, folder.path());
  ASSERT_EQ(measured.code, 0) << measured.err;
  const file::NamedArrays probes = file::read_npz(folder / "r/probes.npz");
  EXPECT_EQ(file::find(probes, "power2")->shape, (file::Shape{5, 5, 6, 6}));
  EXPECT_EQ(file::find(probes, "gabor2_width_long_error")->shape, (file::Shape{5, 5}));
  for (const char* of_a_ring : {"gabor_width", "position", "power", "class", "localized"})
    EXPECT_EQ(file::find(probes, of_a_ring), nullptr) << of_a_ring;
  for (const char* name : {"gabor_width", "class", "position"}) {
    const test::Said refused = test::sluice({"probe", "r", name}, folder.path());
    EXPECT_EQ(refused.code, 2) << name;
    EXPECT_EQ(std::ranges::count(refused.err, '\n'), 1) << refused.err;
  }
  // Watched while it runs it is the same.
  ASSERT_EQ(run(folder,
                spec_of("", kTwoLayer) + "watch = [\"weights\", \"gabor2_x\", \"power2\", \"position_y\"]\n",
                {"--overwrite"})
                .code,
            0);
  const file::NamedArrays live = file::read_npz(folder / "r/record.npz");
  for (const char* name : {"gabor2_x", "power2", "position_y"})
    EXPECT_EQ(*file::find(live, name), *file::find(probes, name)) << name;
  EXPECT_EQ(run_json(folder)["axes"]["power2"], (nlohmann::json{"step", "unit", "wave_y", "wave_x"}));
  const test::Said picture = test::sluice({"sample", "s.toml", "--out", "samples.svg"}, folder.path());
  ASSERT_EQ(picture.code, 0) << picture.err;
  EXPECT_EQ(images_in(folder / "samples.svg"), 9U);
}

// The same rows without their shape are a ring, as they always were; with it they are the same images.
TEST(OwnData, AShapeMakesFlatRowsImages) {
  const test::TempFolder folder;
  write_stripes(folder / "d.npz", 2, 1, true);
  ASSERT_EQ(run(folder, spec_of("", kTwoLayer)).code, 0);
  EXPECT_EQ(run_json(folder)["inputs"]["kind"], "ring");
  const std::string ring = file::read_text(folder / "r/record.npz");
  ASSERT_EQ(run(folder, spec_of("shape = [6, 10]", kTwoLayer), {"--overwrite"}).code, 0);
  EXPECT_EQ(run_json(folder)["inputs"]["kind"], "image");
  const std::string image = file::read_text(folder / "r/record.npz");
  EXPECT_EQ(image, ring);  // training does not care
  write_stripes(folder / "d.npz", 2);
  ASSERT_EQ(run(folder, spec_of("", kTwoLayer), {"--overwrite"}).code, 0);
  EXPECT_EQ(file::read_text(folder / "r/record.npz"), image);
}

TEST(OwnData, HasAsManyClassesAsItHas) {
  const test::TempFolder folder;
  write_stripes(folder / "d.npz", 3);
  const test::Said said = run(folder, spec_of("test = 0.25", kDeep, "loss = \"cross-entropy\"\nrate = 0.05"));
  ASSERT_EQ(said.code, 0) << said.err;
  const file::NamedArrays record = file::read_npz(folder / "r/record.npz");
  EXPECT_EQ(file::find(record, "layer2")->shape.front(), 3);
  EXPECT_LT(file::find(record, "train_loss")->as<double>().back(),
            std::log(3.0));                                          // less than a guess among three
  EXPECT_GT(run_json(folder)["train_accuracy"].get<double>(), 0.5);  // of three
}

TEST(OwnData, LabelsThatDoNotFitAreOneLine) {
  const test::TempFolder folder;
  write_stripes(folder / "d.npz", 3);
  struct Case {
    std::string spec, says;
  };
  const std::string entropy = "loss = \"cross-entropy\"";
  for (const Case& each :
       {Case{spec_of("", kTwoLayer),
             "network.kind = \"two-layer\": expected \"deep-gated\" for the 3 classes of the task"},
        Case{spec_of("y = \"real\"", kTwoLayer, entropy),
             "d.npz: real: expected labels of 0 and 1 for dynamics.loss = \"cross-entropy\", found 3 "
             "different values from 0.5 to 2.5; "
             "classes are integers, or task.target = \"class\""},
        Case{spec_of("layout = \"torus\"", kDeep),
             "task.layout = \"torus\": expected as many rows as columns"},
        Case{spec_of("layout = \"disc\"", kDeep), "task.layout"}}) {
    const test::Said said = run(folder, each.spec);
    EXPECT_EQ(said.code, 2) << each.says;
    EXPECT_EQ(std::ranges::count(said.err, '\n'), 1) << said.err;
    EXPECT_NE(said.err.find(each.says), std::string::npos) << said.err;
    EXPECT_FALSE(std::filesystem::exists(folder / "r"));
  }
  // What the line says works.
  EXPECT_EQ(run(folder, spec_of("y = \"real\"\ntarget = \"class\"", kDeep, entropy)).code, 0);
  EXPECT_EQ(run(folder, spec_of("target = \"number\"", kTwoLayer), {"--overwrite"}).code, 0);
  write_stripes(folder / "d.npz", 2);
  const test::Said two = run(folder, spec_of("", kTwoLayer, entropy), {"--overwrite"});
  EXPECT_NE(two.err.find("found 2 different values from 0 to 10; task.target = \"class\" makes them 0 and 1"),
            std::string::npos)
      << two.err;
  EXPECT_EQ(run(folder, spec_of("target = \"class\"", kTwoLayer, entropy), {"--overwrite"}).code, 0);
}

/// "link/.." is where the link leads, for what is read and for what is written.
TEST(OwnData, ALinkIsFollowedBeforeTheFolderAboveIt) {
  const test::TempFolder folder;
  std::filesystem::create_directories(folder / "a/b");
  std::filesystem::create_directory_symlink("a/b", folder / "link");
  write_stripes(folder / "a/d.npz", 2);
  file::write_atomically(folder / "d.npz", "another file");
  std::string spec = spec_of("", kTwoLayer);
  spec.replace(spec.find("d.npz"), 5, "link/../d.npz");
  file::write_atomically(folder / "s.toml", spec);
  const test::Said said = test::sluice({"run", "s.toml", "--out", "link/../zz", "--quiet"}, folder.path());
  ASSERT_EQ(said.code, 0) << said.err;
  EXPECT_TRUE(std::filesystem::exists(folder / "a/zz/record.npz"));
  EXPECT_FALSE(std::filesystem::exists(folder / "zz"));
  const std::string resolved = file::read_text(folder / "a/zz/spec.toml");
  EXPECT_NE(resolved.find((folder / "link/../d.npz").string()), std::string::npos) << resolved;
  // Its spec leads there from anywhere.
  const test::Said again =
      test::sluice({"run", "link/../zz/spec.toml", "--out", "again", "--quiet"}, folder.path());
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_EQ(file::read_text(folder / "again/record.npz"), file::read_text(folder / "a/zz/record.npz"));
  const test::Said finished =
      test::sluice({"run", "s.toml", "--out", "link/../zz", "--resume", "--quiet"}, folder.path());
  EXPECT_EQ(finished.code, 0) << finished.err;
}

TEST(OwnWeights, InAPlaneAreMeasuredAndDrawn) {
  const test::TempFolder folder;
  std::vector<double> w;  // [3, 12, 16]: vertical stripes under a blob at (8, 5)
  for (int k = 0; k < 3; ++k)
    for (int i = 0; i < 12; ++i)
      for (int j = 0; j < 16; ++j)
        w.push_back(std::exp(-(std::pow((j - 8) / 2.5, 2) + std::pow((i - 5) / 1.5, 2)) / 2) *
                    std::cos(1.2 * (j - 8) + k));
  file::write_npz(
      folder / "w.npz",
      {{"W", {{3, 12, 16}, w}}, {"film", {{1, 3, 12, 16}, w}}, {"n", {{2}, std::vector<double>(2)}}},
      file::Packing::stored);
  for (const std::vector<std::string>& form :
       {std::vector<std::string>{"--weights", "W", "--layout", "image"}, {"--weights", "film"}}) {
    std::vector<std::string> words{"probe",      "w.npz", "gabor2_x", "gabor2_y", "gabor2_frequency_x",
                                   "--overwrite"};
    words.insert(words.end(), form.begin(), form.end());
    const test::Said said = test::sluice(words, folder.path());
    ASSERT_EQ(said.code, 0) << said.err;
    const file::NamedArrays probes = file::read_npz(folder / "w.probes.npz");
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_NEAR(file::find(probes, "gabor2_x")->as<float>()[k], 8, 0.01);
      EXPECT_NEAR(file::find(probes, "gabor2_y")->as<float>()[k], 5, 0.01);
      EXPECT_NEAR(file::find(probes, "gabor2_frequency_x")->as<float>()[k], 1.2 / (2 * M_PI), 0.001);
    }
    words = {"figure", "w.npz", "receptive_fields", "--out", "w.svg", "--overwrite"};
    words.insert(words.end(), form.begin(), form.end());
    ASSERT_EQ(test::sluice(words, folder.path()).code, 0);
    EXPECT_EQ(images_in(folder / "w.svg"), 4U);
  }
  const test::Said refused =
      test::sluice({"probe", "w.npz", "--weights", "W", "--layout", "torus"}, folder.path());
  EXPECT_EQ(refused.code, 2);
  EXPECT_NE(
      refused.err.find("W: expected float32 or float64 weights [T, K, h, h] or [K, h, h], found [3, 12, 16]"),
      std::string::npos)
      << refused.err;
}

}  // namespace
}  // namespace sluice
