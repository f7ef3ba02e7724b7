/// What tasks made of labelled images share (mnist, cifar10): their keys, which images a set holds, and what is made of them to
/// see whether a network learns or memorises. Pixels are bytes/255, in [0, 1], plane by plane and row by row.
///   variant = "standard"        the images and their labels 0 to 9
///   variant = "random-labels"   the same images; every label, of either set, is uniform on 0 … 9. An image has its label
///                               whatever `samples` is
///   variant = "random-pixels"   the same labels; every pixel, of either set, is an independent normal with the mean and
///                               the variance of all pixels of its channel in the training images. Zhang et al. 2016
///                               (arXiv:1611.03530) call this law "Gaussian"; their "random pixels" permutes the pixels
///                               of every image by itself, which keeps its histogram
///   variant = "binary"          the images of two classes: label 0 and target −1 for the first of `classes`, label 1 and
///                               target +1 for the second
/// Without a path the files are those of the data set, of the pinned SHA-256, or refused. With a path they may be other images
/// of the same format: the spec then holds their checksum, so that a run goes on with what it began.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "sluice/spec/keys.hpp"
#include "sluice/task/labelled_set.hpp"
#include "sluice/task/task.hpp"

namespace sluice::task {

struct ImageOptions {
  static constexpr std::int64_t kAllSamples = 0;
  static constexpr int kClasses = 10;

  std::string_view set = "mnist";          // the data set, of data/data_store.hpp
  std::array<double, 2> classes = {4, 7};  // of the variant "binary"
  std::string variant = "standard";
  std::int64_t samples = kAllSamples;       // for training, the first of a shuffled order
  std::int64_t test_samples = kAllSamples;  // the same of the test set
  std::string path;                         // folder of the files; empty: that of the set in the cache folder
  std::string checksum;                     // of what the files at `path` hold; empty: any
  std::int64_t seed = 0;                    // fixes the order, random labels and random pixels

  /// The keys in three parts, so that a kind can put its own between them.
  void describe_variant(spec::Keys& keys);
  void describe_samples(spec::Keys& keys, std::string_view meaning);
  void describe_test_samples(spec::Keys& keys);
  void describe_files(spec::Keys& keys);
  /// A path of its own becomes absolute, a relative one is taken from `folder`, the spec's; a checksum that is not stated
  /// becomes that of the files. One that is stated is compared when they are loaded: what was measured can be looked at
  /// where its images are no more.
  void resolve(const std::filesystem::path& folder);

  std::filesystem::path folder() const;
  /// The files, in the order of the data set; those of the cache must be the set's own, those of a path have its checksum.
  /// Throws data::Missing or InputError.
  std::vector<std::filesystem::path> checked_files() const;
};

/// Labelled images as files have them.
struct ImageBytes {
  std::int64_t channels = 1;
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::vector<std::uint8_t> pixels;  ///< [count, channels, rows, columns]
  std::vector<std::uint8_t> labels;  ///< [count]

  std::int64_t inputs() const { return channels * rows * columns; }
};

/// Mean and standard deviation of the pixels of a channel, in units of 255.
struct PixelLaw {
  double mean = 0;
  double deviation = 0;
};
/// Of every channel.
std::vector<PixelLaw> pixel_laws(const ImageBytes& images);

struct ImageSets {
  LabelledSet train;
  LabelledSet test;
};

/// What the options make of the images. Throws InputError naming the folder and the key.
ImageSets image_sets(const ImageBytes& train, const ImageBytes& test, const ImageOptions& options);

/// The set as a task has it: the numbers of its classes as labels, or the targets −1 and +1 of two.
FiniteSet finite_set(LabelledSet set);

}  // namespace sluice::task
