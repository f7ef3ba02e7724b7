/// Shifts along a ring or torus: where each takes a site. A shift is named by the site that it takes site 0 to; sites of a torus
/// stand row by row.
#pragma once

#include <cstddef>
#include <vector>

namespace sluice::flow {

class Shifts {
 public:
  /// Of a ring, side = sites; of a torus, side² = sites.
  Shifts(std::size_t sites, std::size_t side) : sites_(sites), side_(side) {}

  std::size_t moved(std::size_t site, std::size_t shift) const {
    const std::size_t along = (site % side_ + shift % side_) % side_;
    return (site / side_ + shift / side_) * side_ % sites_ + along;
  }

  /// At most `most` of them, evenly spread along each axis; the first is none.
  std::vector<std::size_t> spread(std::size_t most) const {
    const std::size_t rows = sites_ / side_;
    std::size_t stride = 1;
    const auto along = [&stride](std::size_t count) { return (count + stride - 1) / stride; };
    while (along(side_) * along(rows) > most) ++stride;
    std::vector<std::size_t> shifts;
    for (std::size_t row = 0; row < rows; row += stride) {
      for (std::size_t i = 0; i < side_; i += stride) shifts.push_back(row * side_ + i);
    }
    return shifts;
  }

 private:
  std::size_t sites_;
  std::size_t side_;
};

}  // namespace sluice::flow
