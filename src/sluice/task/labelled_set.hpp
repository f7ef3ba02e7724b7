/// A finite set of samples with class indices, in memory: what a network with one output per class learns from.
#pragma once

#include <cstdint>
#include <vector>

namespace sluice::task {

struct LabelledSet {
  std::int64_t count = 0;
  std::int64_t inputs = 0;
  std::int64_t rows = 1;  ///< of an image; inputs = rows × columns
  std::int64_t classes = 0;
  std::vector<float> x;             ///< [count, inputs]
  std::vector<std::int32_t> label;  ///< [count], 0, …, classes − 1
};

/// The target of a set of two classes under the squared loss: −1 for the first, +1 for the second.
constexpr float sign_target(std::int32_t label) { return label == 0 ? -1.0F : 1.0F; }

}  // namespace sluice::task
