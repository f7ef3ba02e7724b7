/// A sample of a finite set as a batch sees it: which row, and how its image is shifted and mirrored (task::Augmentation).
#pragma once

#include <cstdint>

namespace sluice::learn {

struct Visit {
  std::uint32_t row = 0;
  std::int16_t down = 0, across = 0;
  std::uint32_t mirrored = 0;  ///< 0 or 1

  bool operator==(const Visit&) const = default;
};

}  // namespace sluice::learn
