#include "sluice/task/digits.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>

#include "sluice/file/errors.hpp"
#include "sluice/file/sha256.hpp"
#include "sluice/spec/document.hpp"
#include "sluice/spec/write.hpp"
#include "test/support/close.hpp"
#include "test/support/environment.hpp"
#include "test/support/estimate.hpp"
#include "test/support/idx_files.hpp"
#include "test/support/temp_folder.hpp"

namespace sluice::task {
namespace {

constexpr std::size_t kTrain = 20'000;
constexpr std::size_t kTest = 5'000;

/// Image r is [r/256, r mod 256, 7·r mod 251], so that a row of a set tells where it comes from; its label is r mod 10.
std::string images(std::size_t count) {
  std::string pixels;
  for (std::size_t r = 0; r < count; ++r) {
    for (const std::size_t byte : {r / 256, r % 256, 7 * r % 251}) pixels += static_cast<char>(byte);
  }
  return test::idx_images(1, 3, pixels);
}
std::string labels(std::size_t count) {
  std::string bytes;
  for (std::size_t r = 0; r < count; ++r) bytes += static_cast<char>(r % 10);
  return test::idx_labels(bytes);
}

test::FourFiles four_files() { return {images(kTrain), labels(kTrain), images(kTest), labels(kTest)}; }

struct Folder {
  test::TempFolder folder;
  DigitsOptions options;

  Folder() {
    four_files().write(folder.path());
    options.path = folder.path().string();
  }
};

/// The rows of the file that a set holds, from their pixels.
std::vector<std::size_t> origins(const LabelledSet& set) {
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < set.x.size(); i += 3) {
    rows.push_back(
        static_cast<std::size_t>(std::lround(set.x[i] * 255) * 256 + std::lround(set.x[i + 1] * 255)));
  }
  return rows;
}

std::string error_of(const std::function<void()>& act) {
  try {
    act();
  } catch (const InputError& error) {
    return error.what();
  }
  return "nothing wrong";
}

TEST(Digits, StandardIsTheFilesInTheirOrder) {
  const Folder files;
  const auto [train, test] = load_digits(files.options);
  EXPECT_EQ(train.count, static_cast<std::int64_t>(kTrain));
  EXPECT_EQ(test.count, static_cast<std::int64_t>(kTest));
  for (const LabelledSet* set : {&train, &test}) {
    EXPECT_EQ(set->inputs, 3);
    EXPECT_EQ(set->classes, 10);
    ASSERT_EQ(set->x.size(), static_cast<std::size_t>(set->count * 3));
    ASSERT_EQ(set->label.size(), static_cast<std::size_t>(set->count));
    for (std::size_t r = 0; r < set->label.size(); ++r) {
      ASSERT_EQ(set->label[r], static_cast<std::int32_t>(r % 10));
      ASSERT_EQ(set->x[3 * r + 2], static_cast<float>(7 * r % 251) / 255) << "a pixel is its byte over 255";
    }
  }
}

TEST(Digits, PackedFilesGiveTheSameSets) {
  const Folder plain;
  const test::TempFolder packed;
  const test::FourFiles files = four_files();
  test::FourFiles{test::gzipped(files.train_images), test::gzipped(files.train_labels),
                  test::gzipped(files.test_images), test::gzipped(files.test_labels)}
      .write(packed.path(), ".gz");
  DigitsOptions options;
  options.path = packed.path().string();
  EXPECT_EQ(load_digits(options).train.x, load_digits(plain.options).train.x);
  EXPECT_EQ(load_digits(options).test.label, load_digits(plain.options).test.label);
}

TEST(Digits, RandomLabelsAreUniformAndKnowNothingOfTheImage) {
  Folder files;
  const Digits standard = load_digits(files.options);
  files.options.variant = "random-labels";
  files.options.seed = 5;
  const Digits random = load_digits(files.options);
  EXPECT_EQ(random.train.x, standard.train.x);
  EXPECT_EQ(random.test.x, standard.test.x);
  for (const auto& [set, truth] :
       {std::pair(&random.train, &standard.train), std::pair(&random.test, &standard.test)}) {
    const auto n = static_cast<double>(set->count);
    const double error = std::sqrt(0.1 * 0.9 / n);
    double agree = 0;
    double repeats = 0;  // neighbours with the same label
    for (std::size_t r = 0; r < set->label.size(); ++r) {
      ASSERT_TRUE(set->label[r] >= 0 && set->label[r] < 10);
      agree += set->label[r] == truth->label[r] ? 1 : 0;
      repeats += r > 0 && set->label[r] == set->label[r - 1] ? 1 : 0;
    }
    EXPECT_TRUE(test::close(agree / n, 0.1, test::sampling(error)));
    EXPECT_TRUE(test::close(repeats / (n - 1), 0.1, test::sampling(error)));
    for (int digit = 0; digit < 10; ++digit) {
      const auto count = static_cast<double>(std::ranges::count(set->label, digit));
      EXPECT_TRUE(test::close(count / n, 0.1, test::sampling(error))) << digit;
    }
  }
  const std::vector<std::int32_t> head(random.train.label.begin(), random.train.label.begin() + kTest);
  EXPECT_NE(head, random.test.label) << "training and test labels are drawn apart";
  files.options.seed = 6;
  EXPECT_NE(load_digits(files.options).train.label, random.train.label);
}

TEST(Digits, AnImageKeepsItsRandomLabelInASubset) {
  Folder files;
  files.options.variant = "random-labels";
  const LabelledSet all = load_digits(files.options).train;
  files.options.samples = 1000;
  const LabelledSet some = load_digits(files.options).train;
  const std::vector<std::size_t> rows = origins(some);
  for (std::size_t i = 0; i < rows.size(); ++i) ASSERT_EQ(some.label[i], all.label[rows[i]]);
}

TEST(Digits, RandomPixelsAreNormalWithTheMomentsOfTheTrainingImages) {
  Folder files;
  const Digits standard = load_digits(files.options);
  test::Estimate pixel;
  for (const float x : standard.train.x) pixel.add(x);
  const double mean = pixel.mean();
  const double sd = pixel.standard_error() * std::sqrt(static_cast<double>(standard.train.x.size()));
  files.options.variant = "random-pixels";
  files.options.seed = 2;
  const Digits random = load_digits(files.options);
  EXPECT_EQ(random.train.label, standard.train.label);
  EXPECT_EQ(random.test.label, standard.test.label);
  for (const LabelledSet* set : {&random.train, &random.test}) {
    test::Estimate first;
    test::Estimate second;
    test::Estimate third;
    test::Estimate fourth;
    test::Estimate neighbours;
    for (std::size_t i = 0; i < set->x.size(); ++i) {
      const double z = (static_cast<double>(set->x[i]) - mean) / sd;
      first.add(z);
      second.add(z * z);
      third.add(z * z * z);
      fourth.add(z * z * z * z);
      if (i > 0) neighbours.add(z * (static_cast<double>(set->x[i - 1]) - mean) / sd);
    }
    EXPECT_TRUE(test::close(first.mean(), 0, test::sampling(first.standard_error())));
    EXPECT_TRUE(test::close(second.mean(), 1, test::sampling(second.standard_error())));
    EXPECT_TRUE(test::close(third.mean(), 0, test::sampling(third.standard_error())));
    EXPECT_TRUE(test::close(fourth.mean(), 3, test::sampling(fourth.standard_error())));
    EXPECT_TRUE(test::close(neighbours.mean(), 0, test::sampling(neighbours.standard_error())));
  }
  const std::vector<float> head(random.train.x.begin(), random.train.x.begin() + 3 * kTest);
  EXPECT_NE(head, random.test.x) << "training and test pixels are drawn apart";
}

TEST(Digits, BinaryKeepsTwoDigitsAndNumbersThemInTheGivenOrder) {
  Folder files;
  files.options.variant = "binary";
  for (const std::array<double, 2> digits : {std::array<double, 2>{4, 7}, std::array<double, 2>{7, 4}}) {
    files.options.classes = digits;
    const auto [train, test] = load_digits(files.options);
    EXPECT_EQ(train.count, 4000);
    EXPECT_EQ(test.count, 1000);
    EXPECT_EQ(train.classes, 2);
    const std::vector<std::size_t> rows = origins(train);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const auto digit = static_cast<double>(rows[i] % 10);
      ASSERT_EQ(digit, digits.at(static_cast<std::size_t>(train.label[i]))) << rows[i];
      ASSERT_EQ(sign_target(train.label[i]), digit == digits[0] ? -1 : 1);
    }
  }
}

TEST(Digits, SamplesAreTheFirstOfAShuffledOrder) {
  Folder files;
  files.options.samples = 500;
  files.options.seed = 3;
  const Digits some = load_digits(files.options);
  EXPECT_EQ(some.train.count, 500);
  EXPECT_EQ(some.test.count, static_cast<std::int64_t>(kTest)) << "the test set stays whole";
  const std::vector<std::size_t> rows = origins(some.train);
  EXPECT_EQ(std::set<std::size_t>(rows.begin(), rows.end()).size(), 500U) << "no image twice";
  for (std::size_t i = 0; i < rows.size(); ++i)
    ASSERT_EQ(some.train.label[i], static_cast<std::int32_t>(rows[i] % 10));
  // Uniform over the file: the mean row of a draw without replacement.
  test::Estimate row;
  for (const std::size_t r : rows) row.add(static_cast<double>(r));
  EXPECT_TRUE(test::close(row.mean(), (kTrain - 1) / 2.0, test::sampling(row.standard_error())));

  EXPECT_EQ(load_digits(files.options).train.x, some.train.x);
  files.options.samples = 200;
  const LabelledSet fewer = load_digits(files.options).train;
  EXPECT_TRUE(std::equal(fewer.x.begin(), fewer.x.end(), some.train.x.begin()))
      << "fewer are the first of more";
  files.options.seed = 4;
  EXPECT_NE(load_digits(files.options).train.x, fewer.x);
}

TEST(Digits, SaysWhatIsMissing) {
  const test::TempFolder folder;
  DigitsOptions options;
  options.path = folder.path().string();
  const std::string what_to_do = " in " + folder.path().string() + ": fetch the data set, or give task.path";
  EXPECT_EQ(error_of([&] { load_digits(options); }), "mnist: no files" + what_to_do);
  four_files().write(folder.path());
  std::filesystem::remove(folder / "t10k-labels-idx1-ubyte");
  EXPECT_EQ(error_of([&] { load_digits(options); }), "mnist: no t10k-labels-idx1-ubyte" + what_to_do);
}

TEST(Digits, LooksInTheCacheFolderByDefault) {
  const test::TempFolder folder;
  const test::Environment cache("XDG_CACHE_HOME", folder.path().string());
  EXPECT_EQ(error_of([] { load_digits({}); }), "mnist: no files in " + (folder / "sluice/mnist").string() +
                                                   ": fetch the data set, or give task.path");
}

TEST(Digits, TheCacheFolderHoldsMnistOrNothingThatIsRead) {
  const test::TempFolder folder;
  const test::Environment cache("XDG_CACHE_HOME", folder.path().string());
  const test::FourFiles files = four_files();
  files.write(folder / "sluice/mnist");
  const std::string found = file::sha256(
      {reinterpret_cast<const std::uint8_t*>(files.train_images.data()), files.train_images.size()});
  EXPECT_EQ(error_of([] { load_digits({}); }),
            (folder / "sluice/mnist/train-images-idx3-ubyte").string() + ": SHA-256 " + found +
                ", expected ba891046e6505d7aadcbbe25680a0738ad16aec93bde7f9b65e87a2fc25776db: move it away "
                "and fetch the data set; other images are read from a folder of their own, task.path");
  DigitsOptions options;
  options.path = (folder / "sluice/mnist").string();
  EXPECT_EQ(load_digits(options).train.count, static_cast<std::int64_t>(kTrain));
}

TEST(Digits, RefusesSetsThatDoNotFit) {
  Folder files;
  files.options.samples = 20'001;
  EXPECT_EQ(error_of([&] { load_digits(files.options); }),
            files.options.path + ": task.samples = 20001: expected at most 20000, all training images");
  files.options.samples = DigitsOptions::kAllSamples;
  file::write_atomically(files.folder / "t10k-images-idx3-ubyte",
                         test::idx_images(3, 1, std::string(3 * kTest, '\0')));
  EXPECT_EQ(error_of([&] { load_digits(files.options); }),
            (files.folder / "t10k-images-idx3-ubyte").string() +
                ": images of 3 × 1 pixels, expected 1 × 3 as in " +
                (files.folder / "train-images-idx3-ubyte").string());
  test::FourFiles{images(4), labels(4), images(4), labels(4)}.write(files.folder.path());
  files.options.variant = "binary";
  EXPECT_EQ(error_of([&] { load_digits(files.options); }),
            files.options.path + ": task.classes = [4, 7]: no images of these classes");
}

DigitsOptions read(const std::string& text) {
  DigitsOptions options;
  spec::Document::from_text(text, "s.toml").read([&](spec::Keys& keys) {
    keys.section("task", "", [&](spec::Keys& inner) { options.describe(inner); });
  });
  return options;
}

TEST(Digits, KeysAreReadAndChecked) {
  const DigitsOptions options =
      read("[task]\nvariant = \"binary\"\nclasses = [3, 8]\nsamples = 100\npath = \"d\"\nseed = 9\n");
  EXPECT_EQ(options.variant, "binary");
  EXPECT_EQ(options.classes, (std::array<double, 2>{3, 8}));
  EXPECT_EQ(options.samples, 100);
  EXPECT_EQ(options.path, "d");
  EXPECT_EQ(options.seed, 9);
  EXPECT_EQ(read("[task]\nsamples = \"all\"\n").samples, DigitsOptions::kAllSamples);
  EXPECT_EQ(read("[task]\n").variant, "standard");
  EXPECT_EQ(error_of([] { read("[task]\nvariant = \"binary\"\nclasses = [4, 4]\n"); }),
            "s.toml:3: task.classes = [ 4, 4 ]: expected two different classes");
  EXPECT_THROW(read("[task]\nvariant = \"binary\"\nclasses = [4, 10]\n"), InputError);
  EXPECT_THROW(read("[task]\nclasses = [4, 7]\n"), InputError) << "only for binary";
  EXPECT_THROW(read("[task]\nvariant = \"shuffled\"\n"), InputError);
  EXPECT_THROW(read("[task]\nsamples = 0\n"), InputError);
}

TEST(Digits, APathIsTakenFromTheSpecsFolder) {
  DigitsOptions options;
  options.resolve("/specs");
  EXPECT_EQ(options.path, "") << "the cache stays the cache, whoever runs it";
  EXPECT_EQ(options.checksum, "") << "and its files are pinned";
  const Folder files;
  options.path = "../" + files.folder.path().filename().string();
  options.resolve(files.folder.path());
  EXPECT_EQ(options.path, files.options.path);
}

TEST(Digits, AChecksumKeepsToTheImagesARunBeganWith) {
  Folder files;
  files.options.resolve("");
  const std::string checksum = files.options.checksum;
  // CRC-32 of a sequence of bytes does not know where one file ends: Python's zlib.crc32 of all four in a row.
  EXPECT_EQ(checksum, "e17503d1");
  EXPECT_EQ(load_digits(files.options).train.count, static_cast<std::int64_t>(kTrain));
  std::filesystem::remove(files.folder / "t10k-labels-idx1-ubyte");
  file::write_atomically(files.folder / "t10k-labels-idx1-ubyte.gz", test::gzipped(labels(kTest)));
  EXPECT_NO_THROW(load_digits(files.options)) << "packed or not, it holds the same";

  std::string changed = labels(kTest);
  changed.back() = 0;
  file::write_atomically(files.folder / "t10k-labels-idx1-ubyte.gz", test::gzipped(changed));
  files.options.resolve("");
  EXPECT_EQ(files.options.checksum, checksum) << "what a spec states stays";
  const std::string error = error_of([&] { load_digits(files.options); });
  EXPECT_TRUE(error.starts_with(files.options.path + ": the checksum of its files is ")) << error;
  EXPECT_TRUE(error.ends_with(", expected " + checksum + " (task.checksum): a file has changed")) << error;
}

}  // namespace
}  // namespace sluice::task
