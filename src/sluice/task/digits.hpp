/// The handwritten digits of task.kind = "mnist": 60,000 training and 10,000 test images of 28 × 28 pixels, variants and keys
/// those of task/image_set.hpp. Random pixels have the mean 0.1307 and the variance 0.3081². Images at a path may have another
/// size, and their labels are below 10.
#pragma once

#include "sluice/task/image_set.hpp"

namespace sluice::task {

struct DigitsOptions : ImageOptions {
  void describe(spec::Keys& keys);
};

using Digits = ImageSets;

/// Reads the files and makes the two sets. Throws InputError naming the folder, the file or the key.
Digits load_digits(const DigitsOptions& options);

}  // namespace sluice::task
