/// A finite set of samples with class indices, in memory: what a network with one output per class learns from.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace sluice::task {

struct LabelledSet {
  std::int64_t count = 0;
  std::int64_t inputs = 0;
  std::int64_t channels = 1;  ///< planes of an image
  std::int64_t rows = 1;      ///< of an image; inputs = channels × rows × columns
  std::int64_t classes = 0;
  std::vector<float> x = {};             ///< [count, inputs]
  std::vector<std::int32_t> label = {};  ///< [count], 0, …, classes − 1

  /// Calls with (channel, its pixels) for every plane of every image.
  template <class Use>
  void each_channel(const Use& use) {
    const auto plane = static_cast<std::size_t>(inputs / channels);
    for (std::size_t at = 0, k = 0; at < x.size(); at += plane, ++k)
      use(k % static_cast<std::size_t>(channels), std::span(x).subspan(at, plane));
  }
};

/// The target of a set of two classes under the squared loss: −1 for the first, +1 for the second.
constexpr float sign_target(std::int32_t label) { return label == 0 ? -1.0F : 1.0F; }

}  // namespace sluice::task
