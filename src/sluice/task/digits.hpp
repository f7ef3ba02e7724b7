/// task.kind = "mnist": the handwritten digits, and what is made of them to see whether a network learns or memorises.
/// Pixels are bytes/255, in [0, 1], row by row.
///   variant = "standard"        60,000 training and 10,000 test images, labels 0 to 9
///   variant = "random-labels"   the same images; every label, of either set, is uniform on 0 … 9. An image has its label
///                               whatever `samples` is
///   variant = "random-pixels"   the same labels; every pixel, of either set, is an independent normal with the mean and
///                               the variance of all pixels of the training images (0.1307 and 0.3081²). Zhang et al.
///                               2016 (arXiv:1611.03530) call this law "Gaussian"; their "random pixels" permutes the
///                               pixels of every image by itself, which keeps its histogram
///   variant = "binary"          the images of two digits: label 0 and target −1 for the first of `classes`, label 1 and
///                               target +1 for the second
/// Without a path the files are MNIST's, of the pinned SHA-256, or refused. With a path they may be other images of the same
/// format (28 × 28 or not, labels below 10): the spec then holds their checksum, so that a run goes on with what it began.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>

#include "sluice/spec/keys.hpp"
#include "sluice/task/labelled_set.hpp"

namespace sluice::task {

struct DigitsOptions {
  static constexpr std::int64_t kAllSamples = 0;

  std::string variant = "standard";
  std::array<double, 2> classes = {4, 7};  // of the variant "binary"
  std::int64_t samples =
      kAllSamples;        // for training, the first of a shuffled order; the test set stays whole
  std::string path;       // folder of the four files; empty: mnist in the cache folder
  std::string checksum;   // of what the files at `path` hold; empty: any
  std::int64_t seed = 0;  // fixes the order, random labels and random pixels

  void describe(spec::Keys& keys);
  /// A path of its own becomes absolute, a relative one is taken from `folder`, the spec's; a checksum that is not stated
  /// becomes that of the files. One that is stated is compared when they are loaded: what was measured can be looked at
  /// where its images are no more.
  void resolve(const std::filesystem::path& folder);
};

struct Digits {
  LabelledSet train;
  LabelledSet test;
};

/// Reads the files and makes the two sets. Throws InputError naming the folder, the file or the key.
Digits load_digits(const DigitsOptions& options);

}  // namespace sluice::task
