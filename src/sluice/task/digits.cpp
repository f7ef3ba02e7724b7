#include "sluice/task/digits.hpp"

#include <fmt/format.h>

#include <utility>

#include "sluice/file/errors.hpp"
#include "sluice/file/idx.hpp"

namespace sluice::task {
namespace of_digits {
namespace {

ImageBytes read(const std::filesystem::path& images, const std::filesystem::path& labels) {
  file::LabelledImages both = file::read_labelled_images(images, labels, ImageOptions::kClasses);
  return {.rows = both.images.rows,
          .columns = both.images.columns,
          .pixels = std::move(both.images.pixels),
          .labels = std::move(both.labels)};
}

}  // namespace
}  // namespace of_digits

void DigitsOptions::describe(spec::Keys& keys) {
  describe_variant(keys);
  describe_samples(keys, "training images, the first of a shuffled order; the test set stays whole");
  describe_files(keys);
}

Digits load_digits(const DigitsOptions& options) {
  const std::vector<std::filesystem::path> paths = options.checked_files();
  const ImageBytes train = of_digits::read(paths[0], paths[1]);
  const ImageBytes test = of_digits::read(paths[2], paths[3]);
  if (test.rows != train.rows || test.columns != train.columns) {
    throw InputError(fmt::format("{}: images of {} × {} pixels, expected {} × {} as in {}", paths[2].string(),
                                 test.rows, test.columns, train.rows, train.columns, paths[0].string()));
  }
  return image_sets(train, test, options);
}

}  // namespace sluice::task
