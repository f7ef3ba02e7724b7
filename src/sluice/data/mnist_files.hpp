/// The four files of MNIST (LeCun, Cortes and Burges): 60,000 training and 10,000 test images of 28 × 28 pixels.
#pragma once

#include <array>

#include "sluice/data/data_file.hpp"

namespace sluice::data {

inline constexpr std::array<DataFile, 4> kMnistFiles{{
    {"train-images-idx3-ubyte", 47'040'016,
     "ba891046e6505d7aadcbbe25680a0738ad16aec93bde7f9b65e87a2fc25776db", "data"},
    {"train-labels-idx1-ubyte", 60'008, "65a50cbbf4e906d70832878ad85ccda5333a97f0f4c3dd2ef09a8a9eef7101c5",
     "data"},
    {"t10k-images-idx3-ubyte", 7'840'016, "0fa7898d509279e482958e8ce81c8e77db3f2f8254e26661ceb7762c4d494ce7",
     "data"},
    {"t10k-labels-idx1-ubyte", 10'008, "ff7bcfd416de33731a308c3f266cc351222c34898ecbeaf847f06e48f7ec33f2",
     "data"},
}};

}  // namespace sluice::data
