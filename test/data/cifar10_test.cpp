/// The true CIFAR-10, where `make test-data` put it: the cache folder of the environment.
#include "sluice/task/cifar10.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "sluice/data/cifar10_files.hpp"
#include "sluice/file/atomic_file.hpp"
#include "sluice/file/cache_folder.hpp"
#include "sluice/file/sha256.hpp"
#include "test/support/close.hpp"
#include "test/support/fake_npm.hpp"
#include "test/support/process.hpp"

namespace sluice {
namespace {

std::filesystem::path in_cache(std::size_t file) {
  return file::cache_folder() / "cifar10" / data::kCifar10Files.at(file).name;
}

task::ImageBytes bytes_of(bool test) {
  std::vector<std::filesystem::path> images;
  for (std::size_t file = test ? 6 : 0; file < (test ? 7 : 5); ++file) images.push_back(in_cache(file));
  return task::read_image_rows(images, in_cache(test ? 7 : 5), 32);
}

TEST(TrueCifar10, IsFetchedOnce) {
  const test::TempFolder folder;
  const test::FakeNpm npm("exit 1");
  const test::Said said = test::sluice({"data", "get", "cifar10"}, folder.path());
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_EQ(said.out, "cifar10: already in " + (file::cache_folder() / "cifar10").string() + "\n");
  EXPECT_EQ(npm.calls(), "");
}

// Every pixel of every image, channel by channel: what forty lines on zlib alone, without libpng, made of the same files.
TEST(TrueCifar10, HasThePixelsThatAnotherDecoderFinds) {
  EXPECT_EQ(file::sha256(bytes_of(false).pixels),
            "9d5c2eddadb0deff02c14c350c0385aab7b1d5ff1edfeb4997c8dc8644960111");
  EXPECT_EQ(file::sha256(bytes_of(true).pixels),
            "177777c33ba79825320efa646ad04a94bdc3c80e4ebe3bd21724f8cdfd4b9d56");
}

// Numbers that everybody who has used CIFAR-10 knows.
TEST(TrueCifar10, IsCifar10) {
  const task::ImageSets sets = task::load_cifar10({});
  for (const auto& [set, each] : {std::pair(&sets.train, 5000), std::pair(&sets.test, 1000)}) {
    EXPECT_EQ(set->count, 10 * each);
    EXPECT_EQ(set->inputs, 3072);
    std::array<int, 10> histogram{};
    for (const std::int32_t label : set->label) ++histogram.at(static_cast<std::size_t>(label));
    for (const int count : histogram) EXPECT_EQ(count, each);
  }
  // The first image, a frog: its first pixels in red, green and blue.
  EXPECT_EQ(sets.train.label[0], 6);
  for (const auto& [site, byte] : {std::pair(0, 59), {1, 43}, {1024, 62}, {1025, 46}, {2048, 63}, {2049, 45}})
    EXPECT_EQ(sets.train.x[static_cast<std::size_t>(site)], static_cast<float>(byte) / 255);
  EXPECT_EQ(sets.test.label[0], 3);  // a cat
}

TEST(TrueCifar10, HasTheStatedMeansAndDeviationsOfItsChannels) {
  const std::vector<task::PixelLaw> laws = task::pixel_laws(bytes_of(false));
  ASSERT_EQ(laws.size(), 3U);
  constexpr std::array kMeans{0.4914, 0.4822, 0.4465},
      kDeviations{0.2470, 0.2435, 0.2616};  // task/cifar10.hpp
  for (std::size_t c = 0; c < 3; ++c) {
    EXPECT_TRUE(test::close(laws[c].mean, kMeans.at(c), test::absolute(5e-5, "four digits are known")));
    EXPECT_TRUE(
        test::close(laws[c].deviation, kDeviations.at(c), test::absolute(5e-5, "four digits are known")));
  }
  task::Cifar10Options options;
  options.standardize = "channel";
  const task::LabelledSet train = task::load_cifar10(options).train;
  for (std::size_t c = 0; c < 3; ++c) {
    double sum = 0, squares = 0;
    for (std::size_t at = c * 1024; at < train.x.size(); at += 3072)
      for (std::size_t i = 0; i < 1024; ++i) {
        const double x = train.x[at + i];
        sum += x;
        squares += x * x;
      }
    const double count = 50'000.0 * 1024;
    EXPECT_TRUE(test::close(sum / count, 0, test::absolute(1e-6, "rounding of floats")));
    EXPECT_TRUE(test::close(squares / count, 1, test::absolute(1e-6, "rounding of floats")));
  }
}

TEST(TrueCifar10, CatsAndDogsAreFound) {
  task::Cifar10Options options;
  options.images.variant = "binary";
  const auto task = options.make();
  EXPECT_EQ(task->training_set()->size(), 10'000);
  EXPECT_EQ(task->test_set()->size(), 2'000);
}

// A third of an epoch of a small network is worth more than a guess among ten.
TEST(TrueCifar10, IsLearned) {
  const test::TempFolder folder;
  file::write_atomically(
      folder / "s.toml",
      "[task]\nkind = \"cifar10\"\nsamples = 10000\ntest_samples = 2000\nstandardize = \"channel\"\n"
      "flips = true\ncrop = 4\n[network]\nkind = \"deep-gated\"\nwidth = 64\ndepth = 3\n"
      "[dynamics]\nkind = \"momentum\"\nloss = \"cross-entropy\"\nrate = 0.01\nbatch = 128\n"
      "steps = 150\n[probe]\nevery = 150\n");
  const test::Said said = test::sluice({"run", "s.toml", "--out", "r", "--json"}, folder.path());
  ASSERT_EQ(said.code, 0) << said.err;
  EXPECT_GT(nlohmann::json::parse(said.out)["accuracy"].get<double>(), 0.25) << said.out;
}

}  // namespace
}  // namespace sluice
