#include "sluice/task/cifar10.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "sluice/file/errors.hpp"
#include "sluice/file/json_labels.hpp"
#include "sluice/file/png.hpp"
#include "sluice/task/dataset.hpp"

namespace sluice::task {
namespace of_cifar10 {
namespace {

constexpr std::int64_t kSide = 32;
constexpr std::int64_t kColors = 3;
constexpr std::int64_t kMostCrop = 8;
constexpr std::size_t kTrainingBatches = 5;  // the first files; then their labels, the test batch, its labels

constexpr std::array<spec::Choice, 2> kStandards{{
    {"none", "pixels in [0, 1]"},
    {"channel", "minus the mean of the channel, over its standard deviation, of all training images"},
}};

/// Pixels of three bytes become three planes.
void append_planes(const file::RgbImage& rows, std::vector<std::uint8_t>& to) {
  const auto pixels = static_cast<std::size_t>(rows.columns);
  std::size_t at = to.size();
  to.resize(at + rows.pixels.size());
  for (std::size_t image = 0; image < rows.pixels.size(); image += kColors * pixels)
    for (std::size_t color = 0; color < kColors; ++color)
      for (std::size_t i = 0; i < pixels; ++i) to[at++] = rows.pixels[image + kColors * i + color];
}

void standardize(LabelledSet& set, std::span<const PixelLaw> laws) {
  set.each_channel([&](std::size_t channel, std::span<float> plane) {
    const auto mean = static_cast<float>(laws[channel].mean);
    const auto deviation = static_cast<float>(laws[channel].deviation);
    for (float& x : plane) x = (x - mean) / deviation;
  });
}

}  // namespace
}  // namespace of_cifar10

void Cifar10Options::describe(spec::Keys& keys) {
  using namespace of_cifar10;
  images.describe_variant(keys);
  images.describe_samples(keys, "training images, the first of a shuffled order");
  images.describe_test_samples(keys);
  keys.choice("standardize", standardize, kStandards, "how pixels become inputs");
  keys.flag("flips", flips, "training batches mirror an image, left and right, with probability ½");
  keys.integer("crop", crop, spec::integers(0, kMostCrop),
               "training batches move an image by up to so many pixels each way, zeros coming in");
  images.describe_files(keys);
}

ImageBytes read_image_rows(std::span<const std::filesystem::path> images, const std::filesystem::path& labels,
                           std::int64_t side) {
  ImageBytes all{.channels = of_cifar10::kColors, .rows = side, .columns = side, .pixels = {}, .labels = {}};
  std::int64_t count = 0;
  for (const std::filesystem::path& path : images) {
    const file::RgbImage rows = file::read_rgb_png(path, {.columns = side * side});
    of_cifar10::append_planes(rows, all.pixels);
    count += rows.rows;
  }
  all.labels = file::read_json_labels(labels, ImageOptions::kClasses);
  if (count != static_cast<std::int64_t>(all.labels.size())) {
    throw InputError(fmt::format("{}: {} labels, expected {}, one for each row of {}{}", labels.string(),
                                 all.labels.size(), count, images.front().string(),
                                 images.size() > 1 ? " and those that follow it" : ""));
  }
  return all;
}

ImageSets load_cifar10(const Cifar10Options& options) {
  using namespace of_cifar10;
  const std::vector<std::filesystem::path> paths = options.images.checked_files();
  const ImageBytes train =
      read_image_rows(std::span(paths).first(kTrainingBatches), paths[kTrainingBatches], kSide);
  const ImageBytes test =
      read_image_rows(std::span(paths).subspan(kTrainingBatches + 1, 1), paths[kTrainingBatches + 2], kSide);
  ImageSets sets = image_sets(train, test, options.images);
  if (options.standardize == "channel") {
    const std::vector<PixelLaw> laws = pixel_laws(train);
    for (const PixelLaw& law : laws)
      if (law.deviation == 0)
        throw InputError(
            fmt::format("{}: task.standardize = \"channel\": expected channels of more than one value",
                        options.images.folder().string()));
    standardize(sets.train, laws);
    standardize(sets.test, laws);
  }
  return sets;
}

std::unique_ptr<Task> Cifar10Options::make() const {
  using namespace of_cifar10;
  ImageSets sets = load_cifar10(*this);
  const Layout layout{Layout::Kind::image, kSide, kSide, kColors};
  FiniteSet training = finite_set(std::move(sets.train));
  training.augmentation = {.layout = layout, .flips = flips, .crop = crop};
  return std::make_unique<LoadedSet>(std::move(training), finite_set(std::move(sets.test)), layout);
}

}  // namespace sluice::task
