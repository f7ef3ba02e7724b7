#include "sluice/task/digits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "sluice/data/missing.hpp"
#include "sluice/data/mnist_files.hpp"
#include "sluice/file/cache_folder.hpp"
#include "sluice/file/checksum.hpp"
#include "sluice/file/errors.hpp"
#include "sluice/file/idx.hpp"
#include "sluice/math/kernels.hpp"
#include "sluice/math/permutation.hpp"
#include "sluice/math/random.hpp"

namespace sluice::task {
namespace {

constexpr int kDigits = 10;
constexpr std::array<spec::Choice, 4> kVariants{{
    {"standard", "the images and their labels"},
    {"random-labels", "uniform labels"},
    {"random-pixels", "normal pixels with the mean and variance of the data"},
    {"binary", "two digits, task.classes"},
}};
constexpr std::array<spec::Choice, 1> kAll{{{"all", "every image"}}};

/// Which of the two sets a random number is for: the step of its address.
enum class Part : std::uint8_t { train = 0, test = 1 };

using Rows = std::vector<std::int64_t>;

math::Address address(const DigitsOptions& options, math::Purpose purpose, Part part, std::int64_t row = 0) {
  return {.seed = static_cast<std::uint64_t>(options.seed),
          .purpose = purpose,
          .step = static_cast<std::uint64_t>(part),
          .row = static_cast<std::uint32_t>(row)};
}

std::filesystem::path folder_of(const DigitsOptions& options) {
  return options.path.empty() ? file::cache_folder() / "mnist" : std::filesystem::path(options.path);
}

std::filesystem::path require_file(const std::filesystem::path& folder, const data::DataFile& file) {
  std::filesystem::path path = data::find_in(folder, file);
  if (!path.empty()) return path;
  const bool none = std::ranges::all_of(
      data::kMnistFiles, [&](const data::DataFile& f) { return data::find_in(folder, f).empty(); });
  throw data::Missing("mnist", fmt::format("mnist: no {} in {}: fetch the data set, or give task.path",
                                           none ? "files" : file.name, folder.string()));
}

using Paths = std::array<std::filesystem::path, data::kMnistFiles.size()>;

Paths files_in(const std::filesystem::path& folder) {
  Paths paths;
  std::ranges::transform(data::kMnistFiles, paths.begin(),
                         [&](const data::DataFile& file) { return require_file(folder, file); });
  return paths;
}

/// The cache holds MNIST or nothing that can be used.
void require_mnist(const Paths& paths) {
  for (std::size_t i = 0; i < paths.size(); ++i) {
    if (const auto wrong = data::wrong_content(paths.at(i), data::kMnistFiles.at(i))) {
      throw data::Missing(
          "mnist",
          fmt::format("{}: fetch the data set; other images are read from a folder of their own, task.path",
                      *wrong));
    }
  }
}

void require_checksum(const Paths& paths, const DigitsOptions& options) {
  if (options.checksum.empty()) return;
  const std::string found = file::checksum_of_contents(paths);
  if (found == options.checksum) return;
  throw InputError(
      fmt::format("{}: the checksum of its four files is {}, expected {} (task.checksum): a file has changed",
                  options.path, found, options.checksum));
}

/// The rows of the file that belong to the set, in the order of the file.
Rows rows_of(const file::LabelledImages& all, const DigitsOptions& options) {
  Rows rows(all.labels.size());
  std::iota(rows.begin(), rows.end(), 0);
  if (options.variant != "binary") return rows;
  std::erase_if(rows, [&](std::int64_t row) {
    const double digit = all.labels[static_cast<std::size_t>(row)];
    return digit != options.classes[0] && digit != options.classes[1];
  });
  return rows;
}

/// The first `samples` of a shuffled order.
Rows some_of(const Rows& rows, const DigitsOptions& options) {
  if (options.samples == DigitsOptions::kAllSamples) return rows;
  if (options.samples > static_cast<std::int64_t>(rows.size())) {
    throw InputError(fmt::format("{}: task.samples = {}: expected at most {}, all training images",
                                 folder_of(options).string(), options.samples, rows.size()));
  }
  const math::Permutation order(rows.size(), static_cast<std::uint64_t>(options.seed), 0);
  Rows some(static_cast<std::size_t>(options.samples));
  for (std::size_t i = 0; i < some.size(); ++i) some[i] = rows[order(i)];
  return some;
}

LabelledSet chosen(const file::LabelledImages& all, const Rows& rows) {
  LabelledSet set{.count = static_cast<std::int64_t>(rows.size()),
                  .inputs = all.images.rows * all.images.columns,
                  .rows = all.images.rows,
                  .classes = kDigits};
  set.x.reserve(static_cast<std::size_t>(set.count * set.inputs));
  set.label.reserve(rows.size());
  for (const std::int64_t row : rows) {
    const std::uint8_t* image = all.images.pixels.data() + row * set.inputs;
    std::transform(image, image + set.inputs, std::back_inserter(set.x),
                   [](std::uint8_t pixel) { return static_cast<float>(pixel) / 255; });
    set.label.push_back(all.labels[static_cast<std::size_t>(row)]);
  }
  return set;
}

void number_two_classes(LabelledSet& set, const std::array<double, 2>& digits) {
  set.classes = 2;
  for (std::int32_t& label : set.label) label = label == digits[0] ? 0 : 1;
}

void randomise_labels(LabelledSet& set, const Rows& rows, const DigitsOptions& options, Part part) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    math::RowNumbers numbers(address(options, math::Purpose::random_labels, part, rows[i]), 0);
    set.label[i] = static_cast<std::int32_t>(numbers.below(kDigits));
  }
}

/// Mean and standard deviation of a pixel, in units of 255.
struct PixelLaw {
  double mean;
  double deviation;
};

PixelLaw law_of(const std::vector<std::uint8_t>& pixels) {
  std::uint64_t sum = 0;
  std::uint64_t squares = 0;
  for (const std::uint64_t pixel : pixels) {
    sum += pixel;
    squares += pixel * pixel;
  }
  const auto count = static_cast<double>(pixels.size());
  const double mean = static_cast<double>(sum) / count;
  return {mean / 255, std::sqrt(std::max(0.0, static_cast<double>(squares) / count - mean * mean)) / 255};
}

void randomise_pixels(LabelledSet& set, const PixelLaw& law, const DigitsOptions& options, Part part) {
  math::LanesBuffer<float> buffer(set.inputs, math::kBlockSamples);
  for (std::int64_t row = 0; row < set.count; row += math::kBlockSamples) {
    const math::Lanes block = buffer.lanes(std::min(math::kBlockSamples, set.count - row));
    math::fill_normals(address(options, math::Purpose::random_pixels, part, row), block);
    math::transpose(block, set.x.data() + row * set.inputs, set.inputs);
  }
  for (float& x : set.x) x = static_cast<float>(law.mean + law.deviation * static_cast<double>(x));
}

}  // namespace

void DigitsOptions::describe(spec::Keys& keys) {
  keys.choice("variant", variant, kVariants, "what is made of the digits");
  if (variant == "binary") {
    keys.pair("classes", classes, spec::integers(0, kDigits - 1),
              "the two digits: target −1 for the first, +1 for the second");
    keys.require(classes[0] != classes[1], "classes", "two different digits");
  }
  spec::WordOrNumber rows = static_cast<double>(samples);
  if (samples == kAllSamples) rows = std::string(kAll[0].name);
  keys.word_or_number("samples", rows, kAll, spec::integers(1, std::numeric_limits<std::int32_t>::max()),
                      "training images, the first of a shuffled order; the test set stays whole");
  const auto* number = std::get_if<double>(&rows);
  samples = number != nullptr ? static_cast<std::int64_t>(*number) : kAllSamples;
  keys.text("path", path,
            "folder of the four files, relative to the spec; empty: where data sets are fetched to");
  if (!path.empty()) keys.text("checksum", checksum, "CRC-32 of what is there; empty: any");
  keys.integer("seed", seed, spec::integers(0, std::numeric_limits<std::int64_t>::max()),
               "fixes the order, random labels and random pixels, whatever the run's seed");
}

void DigitsOptions::resolve(const std::filesystem::path& folder) {
  if (path.empty()) return;
  path = std::filesystem::absolute(folder / path).lexically_normal().string();
  if (checksum.empty()) checksum = file::checksum_of_contents(files_in(path));
}

Digits load_digits(const DigitsOptions& options) {
  const std::filesystem::path folder = folder_of(options);
  const Paths paths = files_in(folder);
  if (options.path.empty()) {
    require_mnist(paths);
  } else {
    require_checksum(paths, options);
  }
  const file::LabelledImages train = file::read_labelled_images(paths[0], paths[1], kDigits);
  const file::LabelledImages test = file::read_labelled_images(paths[2], paths[3], kDigits);
  if (test.images.rows != train.images.rows || test.images.columns != train.images.columns) {
    throw InputError(fmt::format("{}: images of {} × {} pixels, expected {} × {} as in {}", paths[2].string(),
                                 test.images.rows, test.images.columns, train.images.rows,
                                 train.images.columns, paths[0].string()));
  }

  const Rows train_rows = some_of(rows_of(train, options), options);
  const Rows test_rows = rows_of(test, options);
  if (train_rows.empty() || test_rows.empty()) {
    throw InputError(fmt::format("{}: task.classes = [{}, {}]: no images of these digits", folder.string(),
                                 options.classes[0], options.classes[1]));
  }
  Digits digits{chosen(train, train_rows), chosen(test, test_rows)};
  if (options.variant == "binary") {
    number_two_classes(digits.train, options.classes);
    number_two_classes(digits.test, options.classes);
  } else if (options.variant == "random-labels") {
    randomise_labels(digits.train, train_rows, options, Part::train);
    randomise_labels(digits.test, test_rows, options, Part::test);
  } else if (options.variant == "random-pixels") {
    const PixelLaw law = law_of(train.images.pixels);
    randomise_pixels(digits.train, law, options, Part::train);
    randomise_pixels(digits.test, law, options, Part::test);
  }
  return digits;
}

}  // namespace sluice::task
