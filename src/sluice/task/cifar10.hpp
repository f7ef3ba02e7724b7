/// task.kind = "cifar10": 50,000 training and 10,000 test photographs of 32 × 32 pixels in three colours (Krizhevsky 2009), the
/// classes 0 airplane, 1 automobile, 2 bird, 3 cat, 4 deer, 5 dog, 6 frog, 7 horse, 8 ship, 9 truck. Inputs are channel by
/// channel: that of channel c (red, green, blue), row y, column x is the input (32·c + y)·32 + x. Variants, subsets and files as
/// in task/image_set.hpp; labels are class numbers, or −1 and +1 for the variant "binary".
///   standardize = "none"      pixels in [0, 1]
///   standardize = "channel"   (pixel − m_c)/s_c with mean and standard deviation of the channel over all training images:
///                             m = 0.4914, 0.4822, 0.4465 and s = 0.2470, 0.2435, 0.2616
///   flips, crop               of training batches alone (task/task.hpp, Augmentation); pixels that come in are 0, the mean
///                             of the channel when it is standardized. Full batches, kernels and the test set are the
///                             images as they are
#pragma once

#include <memory>
#include <span>
#include <string>

#include "sluice/task/image_set.hpp"
#include "sluice/task/options.hpp"

namespace sluice::task {

struct Cifar10Options final : Options {
  ImageOptions images{.set = "cifar10", .classes = {3, 5}};  // cats and dogs, of the variant "binary"
  std::string standardize = "none";
  bool flips = false;
  std::int64_t crop = 0;

  void describe(spec::Keys& keys) override;
  void resolve(const std::filesystem::path& folder) override { images.resolve(folder); }
  std::unique_ptr<Task> make() const override;
};

/// Reads the files and makes the two sets. Throws InputError naming the folder, the file or the key.
ImageSets load_cifar10(const Cifar10Options& options);

/// PNGs whose rows are images of side × side pixels, one file after the other, and a JSON list of their labels below ten.
/// Throws InputError naming the file.
ImageBytes read_image_rows(std::span<const std::filesystem::path> images, const std::filesystem::path& labels,
                           std::int64_t side);

}  // namespace sluice::task
