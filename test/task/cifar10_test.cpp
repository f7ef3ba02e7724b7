#include "sluice/task/cifar10.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

#include "sluice/data/missing.hpp"
#include "sluice/file/errors.hpp"
#include "sluice/spec/document.hpp"
#include "test/support/close.hpp"
#include "test/support/environment.hpp"
#include "test/support/estimate.hpp"
#include "test/support/photographs.hpp"
#include "test/support/temp_folder.hpp"

namespace sluice::task {
namespace of_cifar10_test {
namespace {

constexpr std::uint32_t kBatch = 40, kTrain = 5 * kBatch, kTest = 50;
constexpr std::size_t kInputs = 3072;

struct Folder {
  test::TempFolder folder;
  Cifar10Options options;

  Folder() {
    test::write_photographs(folder.path(), kBatch, kTest);
    options.images.path = folder.path().string();
  }
  std::string error() const {
    return error_of([this] { load_cifar10(options); });
  }
  static std::string error_of(const std::function<void()>& act) {
    try {
      act();
    } catch (const InputError& error) {
      EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << error.what();
      return error.what();
    }
    return "nothing wrong";
  }
  std::string file(const char* name) const { return (folder / name).string(); }
  void write(const char* name, const std::string& bytes) const {
    file::write_atomically(folder / name, bytes);
  }
};

/// The rows of the files that a set holds, from their pixels.
std::vector<std::uint32_t> origins(const LabelledSet& set, bool test, std::uint32_t count) {
  std::vector<std::uint32_t> rows;
  for (std::size_t at = 0; at < set.x.size(); at += kInputs) {
    std::uint32_t found = count;
    for (std::uint32_t r = 0; r < count && found == count; ++r) {
      bool same = true;
      for (std::uint32_t x = 0; x < 32 && same; ++x)
        same = set.x[at + 31 * 32 + x] == static_cast<float>(test::photograph_byte(r, 0, 31, x, test)) / 255;
      if (same) found = r;
    }
    rows.push_back(found);
  }
  return rows;
}

TEST(Cifar10, IsChannelByChannelRowByRowInTheOrderOfTheFiles) {
  const Folder files;
  const ImageSets sets = load_cifar10(files.options);
  for (const auto& [set, test] : {std::pair(&sets.train, false), std::pair(&sets.test, true)}) {
    const std::uint32_t count = test ? kTest : kTrain;
    ASSERT_EQ(set->count, count);
    EXPECT_EQ(set->inputs, 3072);
    EXPECT_EQ(set->channels, 3);
    EXPECT_EQ(set->rows, 32);
    EXPECT_EQ(set->classes, 10);
    ASSERT_EQ(set->x.size(), count * kInputs);
    for (std::uint32_t r = 0; r < count; ++r) {
      ASSERT_EQ(set->label[r], static_cast<std::int32_t>(r % 10));
      for (std::uint32_t c = 0; c < 3; ++c)
        for (std::uint32_t y = 0; y < 32; ++y)
          for (std::uint32_t x = 0; x < 32; ++x)
            ASSERT_EQ(set->x[r * kInputs + (c * 32 + y) * 32 + x],
                      static_cast<float>(test::photograph_byte(r, c, y, x, test)) / 255);
    }
  }
}

TEST(Cifar10, MakesATaskOfTenClassesOnImagesInColour) {
  Folder files;
  files.options.flips = true;
  files.options.crop = 3;
  const auto task = files.options.make();
  EXPECT_EQ(task->inputs(), 3072);
  EXPECT_EQ(task->outputs(), 10);
  EXPECT_EQ(task->layout(), (Layout{Layout::Kind::image, 32, 32, 3}));
  EXPECT_EQ(task->training_set()->classes, 10);
  EXPECT_EQ(task->training_set()->y[7], 7);
  const Augmentation& how = task->training_set()->augmentation;
  EXPECT_TRUE(how.flips);
  EXPECT_EQ(how.crop, 3);
  EXPECT_EQ(how.layout, task->layout());
  EXPECT_FALSE(task->test_set()->augmentation.changes()) << "the test set is never touched";
  EXPECT_FALSE(Folder().options.make()->training_set()->augmentation.changes());
}

TEST(Cifar10, StandardizesByTheChannelsOfAllTrainingImages) {
  Folder files;
  const ImageSets plain = load_cifar10(files.options);
  files.options.standardize = "channel";
  const ImageSets all = load_cifar10(files.options);
  for (std::size_t c = 0; c < 3; ++c) {
    double sum = 0, squares = 0;
    for (std::size_t r = 0; r < kTrain; ++r)
      for (std::size_t i = 0; i < 1024; ++i) {
        const double x = plain.train.x[r * kInputs + c * 1024 + i];
        sum += x;
        squares += x * x;
      }
    const double count = kTrain * 1024.0, mean = sum / count,
                 deviation = std::sqrt(squares / count - mean * mean);
    for (const auto& [set, from] : {std::pair(&all.train, &plain.train), std::pair(&all.test, &plain.test)})
      for (std::size_t at = c * 1024; at < set->x.size(); at += kInputs)
        for (std::size_t i = 0; i < 1024; ++i)
          ASSERT_TRUE(test::close(set->x[at + i], (from->x[at + i] - mean) / deviation,
                                  test::absolute(2e-6, "arithmetic of floats, numbers up to 3")));
  }
  // Fewer images, of two classes: the means are still those of all.
  files.options.images.samples = 10;
  files.options.images.variant = "binary";
  const ImageSets some = load_cifar10(files.options);
  files.options.standardize = "none";
  const ImageSets some_plain = load_cifar10(files.options);
  const auto at = std::ranges::find(plain.train.x, some_plain.train.x[5]) - plain.train.x.begin();
  ASSERT_LT(at, 1024);  // of the first channel of the first image
  EXPECT_EQ(some.train.x[5], all.train.x[static_cast<std::size_t>(at)]);
}

TEST(Cifar10, AChannelOfOneValueCannotBeStandardized) {
  Folder files;
  std::string pixels;
  for (int i = 0; i < 1024 * static_cast<int>(kBatch); ++i)
    pixels += {static_cast<char>(i % 251), 'g', static_cast<char>(i % 17)};
  for (const char* name :
       {"data_batch_1.png", "data_batch_2.png", "data_batch_3.png", "data_batch_4.png", "data_batch_5.png"})
    files.write(name, test::rgb_png(1024, pixels));
  EXPECT_EQ(files.error(), "nothing wrong");
  files.options.standardize = "channel";
  EXPECT_EQ(files.error(), files.options.images.path +
                               ": task.standardize = \"channel\": expected channels of more than one value");
}

TEST(Cifar10, BinaryIsTwoClasses) {
  Folder files;
  files.options.images.variant = "binary";
  files.options.images.classes = {7, 2};
  const ImageSets sets = load_cifar10(files.options);
  EXPECT_EQ(sets.train.count, kTrain / 5);
  EXPECT_EQ(sets.test.count, kTest / 5);
  const std::vector<std::uint32_t> rows = origins(sets.train, false, kTrain);
  for (std::size_t i = 0; i < rows.size(); ++i) ASSERT_EQ(sets.train.label[i], rows[i] % 10 == 7 ? 0 : 1);
  const auto task = files.options.make();
  EXPECT_EQ(task->outputs(), 1);
  EXPECT_EQ(task->training_set()->y[0], rows[0] % 10 == 7 ? -1.0F : 1.0F);
}

TEST(Cifar10, SamplesAreTheFirstOfAShuffledOrderInBothSets) {
  Folder files;
  files.options.images.samples = 60;
  files.options.images.test_samples = 20;
  const ImageSets some = load_cifar10(files.options);
  const std::vector<std::uint32_t> train = origins(some.train, false, kTrain),
                                   test = origins(some.test, true, kTest);
  EXPECT_EQ(std::set<std::uint32_t>(train.begin(), train.end()).size(), 60U);
  EXPECT_EQ(std::set<std::uint32_t>(test.begin(), test.end()).size(), 20U);
  EXPECT_FALSE(std::ranges::is_sorted(train));
  EXPECT_FALSE(std::ranges::is_sorted(test));
  for (std::size_t i = 0; i < test.size(); ++i)
    ASSERT_EQ(some.test.label[i], static_cast<std::int32_t>(test[i] % 10));
  files.options.images.samples = 30;
  files.options.images.test_samples = 10;
  const ImageSets fewer = load_cifar10(files.options);
  EXPECT_TRUE(std::ranges::equal(fewer.train.x, std::span(some.train.x).first(30 * kInputs)));
  EXPECT_TRUE(std::ranges::equal(fewer.test.x, std::span(some.test.x).first(10 * kInputs)));
  files.options.images.seed = 1;
  EXPECT_NE(load_cifar10(files.options).train.x, fewer.train.x);
  EXPECT_NE(load_cifar10(files.options).test.x, fewer.test.x);
  files.options.images.test_samples = 51;
  EXPECT_EQ(files.error(),
            files.options.images.path + ": task.test_samples = 51: expected at most 50, all test images");
}

TEST(Cifar10, RandomPixelsHaveTheMomentsOfTheirChannel) {
  Folder files;
  const ImageSets standard = load_cifar10(files.options);
  files.options.images.variant = "random-pixels";
  const ImageSets random = load_cifar10(files.options);
  EXPECT_EQ(random.train.label, standard.train.label);
  for (std::size_t c = 0; c < 3; ++c) {
    test::Estimate truth, first, second;
    const auto each = [c](const LabelledSet& set, const std::function<void(double)>& use) {
      for (std::size_t at = c * 1024; at < set.x.size(); at += kInputs)
        for (std::size_t i = 0; i < 1024; ++i) use(set.x[at + i]);
    };
    each(standard.train, [&](double x) { truth.add(x); });
    const double deviation = truth.standard_error() * std::sqrt(kTrain * 1024.0);
    each(random.train, [&](double x) {
      const double z = (x - truth.mean()) / deviation;
      first.add(z);
      second.add(z * z);
    });
    EXPECT_TRUE(test::close(first.mean(), 0, test::sampling(first.standard_error()))) << c;
    EXPECT_TRUE(test::close(second.mean(), 1, test::sampling(second.standard_error()))) << c;
  }
}

TEST(Cifar10, RandomLabelsAreOthers) {
  Folder files;
  const ImageSets standard = load_cifar10(files.options);
  files.options.images.variant = "random-labels";
  const ImageSets random = load_cifar10(files.options);
  EXPECT_EQ(random.train.x, standard.train.x);
  EXPECT_NE(random.train.label, standard.train.label);
  EXPECT_TRUE(
      std::ranges::all_of(random.train.label, [](std::int32_t label) { return label >= 0 && label < 10; }));
}

Cifar10Options read(const std::string& text) {
  Cifar10Options options;
  spec::Document::from_text(text, "s.toml").read([&](spec::Keys& keys) {
    keys.section("task", "", [&](spec::Keys& inner) { options.describe(inner); });
  });
  return options;
}

TEST(Cifar10, KeysAreReadAndChecked) {
  const Cifar10Options options = read(
      "[task]\nsamples = 100\ntest_samples = 50\nstandardize = \"channel\"\nflips = true\ncrop = 4\nseed = "
      "9\n");
  EXPECT_EQ(options.images.samples, 100);
  EXPECT_EQ(options.images.test_samples, 50);
  EXPECT_EQ(options.standardize, "channel");
  EXPECT_TRUE(options.flips);
  EXPECT_EQ(options.crop, 4);
  EXPECT_EQ(options.images.seed, 9);
  const Cifar10Options by_default = read("[task]\n");
  EXPECT_EQ(by_default.standardize, "none");
  EXPECT_FALSE(by_default.flips);
  EXPECT_EQ(by_default.crop, 0);
  EXPECT_EQ(by_default.images.test_samples, ImageOptions::kAllSamples);
  for (const char* wrong : {"crop = 9", "crop = -1", "flips = 1", "standardize = \"pixel\"",
                            "test_samples = 0", "classes = [3, 5]", "checksum = \"00000000\""})
    EXPECT_THROW(read(std::string("[task]\n") + wrong + "\n"), InputError) << wrong;
}

// What is wrong with a file is said in one line that names it.
TEST(Cifar10, AMissingBatchIsNamed) {
  const Folder files;
  std::filesystem::remove(files.folder / "data_batch_3.png");
  EXPECT_EQ(files.error(), "cifar10: no data_batch_3.png in " + files.options.images.path +
                               ": fetch the data set, or give task.path");
}

TEST(Cifar10, AnEmptyFolderHasNoFiles) {
  const test::TempFolder empty;
  const test::Environment cache("XDG_CACHE_HOME", empty.path().string());
  EXPECT_EQ(Folder::error_of([] { load_cifar10({}); }), "cifar10: no files in " +
                                                            (empty / "sluice/cifar10").string() +
                                                            ": fetch the data set, or give task.path");
}

TEST(Cifar10, TheCacheHoldsTheTrueSetOrNothingThatIsRead) {
  const test::TempFolder folder;
  const test::Environment cache("XDG_CACHE_HOME", folder.path().string());
  test::write_photographs(folder / "sluice/cifar10");
  try {
    load_cifar10({});
    FAIL();
  } catch (const data::Missing& error) {
    EXPECT_EQ(error.set, "cifar10");
    const std::string text = error.what();
    EXPECT_TRUE(text.starts_with((folder / "sluice/cifar10/data_batch_1.png").string() + ": SHA-256 "))
        << text;
    EXPECT_TRUE(text.ends_with(
        ": move it away and fetch the data set; other images are read from a folder of their own, task.path"))
        << text;
  }
}

TEST(Cifar10, AFolderInPlaceOfABatchIsNamed) {
  const Folder files;
  std::filesystem::remove(files.folder / "data_batch_3.png");
  std::filesystem::create_directory(files.folder / "data_batch_3.png");
  EXPECT_EQ(files.error(), files.file("data_batch_3.png") + ": expected a file, found a folder");
}

TEST(Cifar10, AFolderInPlaceOfLabelsIsNamed) {
  const Folder files;
  std::filesystem::remove(files.folder / "test_lables.json");
  std::filesystem::create_directory(files.folder / "test_lables.json");
  EXPECT_EQ(files.error(), files.file("test_lables.json") + ": expected a file, found a folder");
}

TEST(Cifar10, ABatchOfAnotherWidthIsNamed) {
  const Folder files;
  files.write("data_batch_2.png", test::photographs(0, kBatch, 28, false));
  EXPECT_EQ(files.error(), files.file("data_batch_2.png") +
                               ": 784 columns and 40 rows, expected 1024 columns and any number of rows");
}

TEST(Cifar10, ATruncatedBatchIsNamed) {
  const Folder files;
  const std::string bytes = test::photographs(0, kTest, 32, true);
  files.write("test_batch.png", bytes.substr(0, bytes.size() / 2));
  EXPECT_EQ(files.error(), files.file("test_batch.png") + ": damaged PNG: truncated");
}

TEST(Cifar10, ATextInPlaceOfABatchIsNamed) {
  const Folder files;
  files.write("data_batch_5.png", "<html>404</html>");
  EXPECT_EQ(files.error(), files.file("data_batch_5.png") + ": expected a PNG, found another beginning");
}

TEST(Cifar10, TooFewLabelsAreNamed) {
  const Folder files;
  files.write("train_lables.json", test::label_list(kTrain - 1));
  EXPECT_EQ(files.error(), files.file("train_lables.json") +
                               ": 199 labels, expected 200, one for each row of " +
                               files.file("data_batch_1.png") + " and those that follow it");
}

TEST(Cifar10, TooManyLabelsAreNamed) {
  const Folder files;
  files.write("test_lables.json", test::label_list(kTest + 1));
  EXPECT_EQ(files.error(), files.file("test_lables.json") + ": 51 labels, expected 50, one for each row of " +
                               files.file("test_batch.png"));
}

TEST(Cifar10, ABatchWithOneRowLessIsFoundByItsLabels) {
  const Folder files;
  files.write("data_batch_4.png", test::photographs(0, kBatch - 1, 32, false));
  EXPECT_EQ(files.error(), files.file("train_lables.json") +
                               ": 200 labels, expected 199, one for each row of " +
                               files.file("data_batch_1.png") + " and those that follow it");
}

TEST(Cifar10, AWrongLabelIsNamed) {
  const Folder files;
  files.write("test_lables.json", "[0, 1, 12]");
  EXPECT_EQ(files.error(),
            files.file("test_lables.json") + ": label 12 in row 2, expected integers from 0 to 9");
  files.write("test_lables.json", "labels");
  EXPECT_EQ(files.error(),
            files.file("test_lables.json") + ": not JSON, expected a list of integers from 0 to 9");
}

TEST(Cifar10, AChecksumKeepsToTheImagesARunBeganWith) {
  Folder files;
  files.options.resolve("");
  EXPECT_EQ(files.options.images.checksum.size(), 8U);
  EXPECT_EQ(files.error(), "nothing wrong");
  files.write("test_batch.png", test::photographs(1, kTest, 32, true));
  EXPECT_TRUE(files.error().ends_with(", expected " + files.options.images.checksum +
                                      " (task.checksum): a file has changed"))
      << files.error();
}

// The sizes are whatever they are: two images of 2 × 2 by hand.
TEST(ImageRows, BecomePlanes) {
  const test::TempFolder folder;
  file::write_atomically(folder / "a.png", test::rgb_png(4, "rgbRGBstuSTU"));
  file::write_atomically(folder / "b.png", test::rgb_png(4, "123456789xyz"));
  file::write_atomically(folder / "l.json", "[4, 0]");
  const std::vector<std::filesystem::path> images{folder / "a.png", folder / "b.png"};
  const ImageBytes all = read_image_rows(images, folder / "l.json", 2);
  EXPECT_EQ(std::string(all.pixels.begin(), all.pixels.end()), "rRsSgGtTbBuU147x258y369z");
  EXPECT_EQ(all.labels, (std::vector<std::uint8_t>{4, 0}));
  EXPECT_EQ(all.inputs(), 12);
  const std::vector<PixelLaw> laws = pixel_laws(all);
  ASSERT_EQ(laws.size(), 3U);
  EXPECT_NEAR(laws[0].mean, ('r' + 'R' + 's' + 'S' + '1' + '4' + '7' + 'x') / 8.0 / 255, 1e-12);
}

}  // namespace
}  // namespace of_cifar10_test
}  // namespace sluice::task
