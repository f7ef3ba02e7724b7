#include "sluice/task/image_set.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>
#include <utility>

#include "sluice/data/data_store.hpp"
#include "sluice/data/missing.hpp"
#include "sluice/file/cache_folder.hpp"
#include "sluice/file/checksum.hpp"
#include "sluice/file/errors.hpp"
#include "sluice/file/system.hpp"
#include "sluice/math/kernels.hpp"
#include "sluice/math/permutation.hpp"
#include "sluice/math/random.hpp"

namespace sluice::task {
namespace of_image_set {
namespace {

namespace fs = std::filesystem;

constexpr std::array<spec::Choice, 4> kVariants{{
    {"standard", "the images and their labels"},
    {"random-labels", "uniform labels"},
    {"random-pixels", "normal pixels with the mean and variance of the data"},
    {"binary", "two classes, task.classes"},
}};
constexpr std::array<spec::Choice, 1> kAll{{{"all", "every image"}}};

/// Which of the two sets a random number is for: the step of its address, the epoch of its order.
enum class Part : std::uint8_t { train = 0, test = 1 };

using Rows = std::vector<std::int64_t>;

math::Address address(const ImageOptions& options, math::Purpose purpose, Part part, std::int64_t row = 0) {
  return {.seed = static_cast<std::uint64_t>(options.seed),
          .purpose = purpose,
          .step = static_cast<std::uint64_t>(part),
          .row = static_cast<std::uint32_t>(row)};
}

void describe_count(spec::Keys& keys, std::string_view name, std::int64_t& count, std::string_view meaning) {
  spec::WordOrNumber rows = static_cast<double>(count);
  if (count == ImageOptions::kAllSamples) rows = std::string(kAll[0].name);
  keys.word_or_number(name, rows, kAll, spec::integers(1, std::numeric_limits<std::int32_t>::max()), meaning);
  const auto* number = std::get_if<double>(&rows);
  count = number != nullptr ? static_cast<std::int64_t>(*number) : ImageOptions::kAllSamples;
}

fs::path require_file(const data::DataSet& set, const fs::path& folder, const data::DataFile& file) {
  fs::path path = data::find_in(folder, file);
  if (!path.empty()) return path;
  const bool none = std::ranges::all_of(
      set.files, [&](const data::DataFile& f) { return data::find_in(folder, f).empty(); });
  throw data::Missing(std::string(set.name),
                      fmt::format("{}: no {} in {}: fetch the data set, or give task.path", set.name,
                                  none ? "files" : file.name, folder.string()));
}

std::vector<fs::path> files_in(const data::DataSet& set, const fs::path& folder) {
  std::vector<fs::path> paths;
  for (const data::DataFile& file : set.files) paths.push_back(require_file(set, folder, file));
  return paths;
}

/// The cache holds the set or nothing that can be used.
void require_true_set(const data::DataSet& set, std::span<const fs::path> paths) {
  for (std::size_t i = 0; i < paths.size(); ++i) {
    if (const auto wrong = data::wrong_content(paths[i], set.files[i])) {
      throw data::Missing(
          std::string(set.name),
          fmt::format("{}: move it away and fetch the data set; other images are read from a folder of their "
                      "own, task.path",
                      *wrong));
    }
  }
}

/// The rows of the file that belong to the set, in the order of the file.
Rows rows_of(const ImageBytes& all, const ImageOptions& options) {
  Rows rows(all.labels.size());
  std::iota(rows.begin(), rows.end(), 0);
  if (options.variant != "binary") return rows;
  std::erase_if(rows, [&](std::int64_t row) {
    const double label = all.labels[static_cast<std::size_t>(row)];
    return label != options.classes[0] && label != options.classes[1];
  });
  return rows;
}

/// The first so many of a shuffled order.
Rows some_of(const Rows& rows, const ImageOptions& options, Part part) {
  const bool training = part == Part::train;
  const std::int64_t count = training ? options.samples : options.test_samples;
  if (count == ImageOptions::kAllSamples) return rows;
  if (count > static_cast<std::int64_t>(rows.size())) {
    throw InputError(fmt::format("{}: task.{} = {}: expected at most {}, all {} images",
                                 options.folder().string(), training ? "samples" : "test_samples", count,
                                 rows.size(), training ? "training" : "test"));
  }
  const math::Permutation order(rows.size(), static_cast<std::uint64_t>(options.seed),
                                static_cast<std::uint64_t>(part));
  Rows some(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < some.size(); ++i) some[i] = rows[order(i)];
  return some;
}

LabelledSet chosen(const ImageBytes& all, const Rows& rows) {
  LabelledSet set{.count = static_cast<std::int64_t>(rows.size()),
                  .inputs = all.inputs(),
                  .channels = all.channels,
                  .rows = all.rows,
                  .classes = ImageOptions::kClasses};
  set.x.resize(static_cast<std::size_t>(set.count * set.inputs));
  set.label.reserve(rows.size());
  float* to = set.x.data();
  for (const std::int64_t row : rows) {
    const std::uint8_t* image = all.pixels.data() + row * set.inputs;
    to = std::transform(image, image + set.inputs, to,
                        [](std::uint8_t pixel) { return static_cast<float>(pixel) / 255; });
    set.label.push_back(all.labels[static_cast<std::size_t>(row)]);
  }
  return set;
}

void number_two_classes(LabelledSet& set, const std::array<double, 2>& classes) {
  set.classes = 2;
  for (std::int32_t& label : set.label) label = label == classes[0] ? 0 : 1;
}

void randomise_labels(LabelledSet& set, const Rows& rows, const ImageOptions& options, Part part) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    math::RowNumbers numbers(address(options, math::Purpose::random_labels, part, rows[i]), 0);
    set.label[i] = static_cast<std::int32_t>(numbers.below(ImageOptions::kClasses));
  }
}

void randomise_pixels(LabelledSet& set, std::span<const PixelLaw> laws, const ImageOptions& options,
                      Part part) {
  math::LanesBuffer<float> buffer(set.inputs, math::kBlockSamples);
  for (std::int64_t row = 0; row < set.count; row += math::kBlockSamples) {
    const math::Lanes block = buffer.lanes(std::min(math::kBlockSamples, set.count - row));
    math::fill_normals(address(options, math::Purpose::random_pixels, part, row), block);
    math::transpose(block, set.x.data() + row * set.inputs, set.inputs);
  }
  set.each_channel([&](std::size_t channel, std::span<float> plane) {
    for (float& x : plane)
      x = static_cast<float>(laws[channel].mean + laws[channel].deviation * static_cast<double>(x));
  });
}

}  // namespace
}  // namespace of_image_set

void ImageOptions::describe_variant(spec::Keys& keys) {
  keys.choice("variant", variant, of_image_set::kVariants, "what is made of the images");
  if (variant != "binary") return;
  keys.pair("classes", classes, spec::integers(0, kClasses - 1),
            "the two classes: target −1 for the first, +1 for the second");
  keys.require(classes[0] != classes[1], "classes", "two different classes");
}

void ImageOptions::describe_samples(spec::Keys& keys, std::string_view meaning) {
  of_image_set::describe_count(keys, "samples", samples, meaning);
}

void ImageOptions::describe_test_samples(spec::Keys& keys) {
  of_image_set::describe_count(keys, "test_samples", test_samples,
                               "test images, the first of a shuffled order");
}

void ImageOptions::describe_files(spec::Keys& keys) {
  keys.text("path", path,
            "folder of the set's files, relative to the spec; empty: where data sets are fetched to");
  if (!path.empty()) keys.text("checksum", checksum, "CRC-32 of what is there; empty: any");
  keys.integer("seed", seed, spec::integers(0, std::numeric_limits<std::int64_t>::max()),
               "fixes the order, random labels and random pixels, whatever the run's seed");
}

void ImageOptions::resolve(const std::filesystem::path& spec_folder) {
  if (path.empty()) return;
  path = file::normal_path(std::filesystem::absolute(spec_folder / path)).string();
  if (checksum.empty())
    checksum =
        file::checksum_of_contents(of_image_set::files_in(data::find_data_set(std::string(set)), path));
}

std::filesystem::path ImageOptions::folder() const {
  return path.empty() ? file::cache_folder() / set : std::filesystem::path(path);
}

std::vector<std::filesystem::path> ImageOptions::checked_files() const {
  const data::DataSet& of = data::find_data_set(std::string(set));
  std::vector<std::filesystem::path> paths = of_image_set::files_in(of, folder());
  if (path.empty()) {
    of_image_set::require_true_set(of, paths);
  } else if (!checksum.empty()) {
    if (const std::string found = file::checksum_of_contents(paths); found != checksum)
      throw InputError(
          fmt::format("{}: the checksum of its files is {}, expected {} (task.checksum): a file has changed",
                      path, found, checksum));
  }
  return paths;
}

std::vector<PixelLaw> pixel_laws(const ImageBytes& images) {
  std::vector<PixelLaw> laws;
  const auto plane = static_cast<std::size_t>(images.rows * images.columns);
  const auto image = static_cast<std::size_t>(images.inputs());
  for (std::size_t first = 0; first < image; first += plane) {
    std::uint64_t sum = 0;
    std::uint64_t squares = 0;
    for (std::size_t at = first; at < images.pixels.size(); at += image) {
      for (const std::uint64_t pixel : std::span(images.pixels).subspan(at, plane)) {
        sum += pixel;
        squares += pixel * pixel;
      }
    }
    const auto count = static_cast<double>(images.labels.size() * plane);
    const double mean = static_cast<double>(sum) / count;
    laws.push_back(
        {mean / 255, std::sqrt(std::max(0.0, static_cast<double>(squares) / count - mean * mean)) / 255});
  }
  return laws;
}

ImageSets image_sets(const ImageBytes& train, const ImageBytes& test, const ImageOptions& options) {
  using namespace of_image_set;
  const Rows train_rows = some_of(rows_of(train, options), options, Part::train);
  const Rows test_rows = some_of(rows_of(test, options), options, Part::test);
  if (train_rows.empty() || test_rows.empty()) {
    throw InputError(fmt::format("{}: task.classes = [{}, {}]: no images of these classes",
                                 options.folder().string(), options.classes[0], options.classes[1]));
  }
  ImageSets sets{chosen(train, train_rows), chosen(test, test_rows)};
  if (options.variant == "binary") {
    number_two_classes(sets.train, options.classes);
    number_two_classes(sets.test, options.classes);
  } else if (options.variant == "random-labels") {
    randomise_labels(sets.train, train_rows, options, Part::train);
    randomise_labels(sets.test, test_rows, options, Part::test);
  } else if (options.variant == "random-pixels") {
    const std::vector<PixelLaw> laws = pixel_laws(train);
    randomise_pixels(sets.train, laws, options, Part::train);
    randomise_pixels(sets.test, laws, options, Part::test);
  }
  return sets;
}

FiniteSet finite_set(LabelledSet set) {
  const bool signs = set.classes == 2;
  FiniteSet finite{.inputs = set.inputs, .x = std::move(set.x), .y = std::vector<float>(set.label.size())};
  if (!signs) finite.classes = set.classes;
  std::ranges::transform(set.label, finite.y.begin(), [signs](std::int32_t label) {
    return signs ? sign_target(label) : static_cast<float>(label);
  });
  return finite;
}

}  // namespace sluice::task
