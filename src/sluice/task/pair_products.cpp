#include "sluice/task/pair_products.hpp"

#include <algorithm>

namespace sluice::task {
namespace {

/// Lengths at which a shift leaves the row or the column, or goes around.
std::size_t reach(std::size_t length, std::size_t shift, bool closed) {
  return closed ? length : length - shift;
}

}  // namespace

void PairProducts::add(std::span<const double> x, double over, std::span<double> sums) const {
  const bool closed = layout_.kind != Layout::Kind::image;
  const auto planes = static_cast<std::size_t>(layout_.channels);
  const std::size_t rows = layout_.drawn_as_image() ? static_cast<std::size_t>(layout_.rows) : 1;
  const std::size_t columns = x.size() / (planes * rows);
  std::vector<double> twice(2 * x.size());  // every row twice, so that j + d₂ needs no wrapping
  for (std::size_t i = 0; i < planes * rows; ++i) {
    const auto row = x.subspan(i * columns, columns);
    const auto to = twice.begin() + static_cast<std::ptrdiff_t>(2 * i * columns);
    std::ranges::copy(row, std::ranges::copy(row, to).out);
  }
  std::vector<double> products(columns);  // by d₂, all of them at once: each has its own order of additions
  for (std::size_t apart = 0; apart < planes; ++apart) {
    for (std::size_t down = 0; down < rows; ++down) {
      const std::size_t i_end = reach(rows, down, closed);
      std::ranges::fill(products, 0.0);
      for (std::size_t plane = 0; plane + apart < planes; ++plane) {
        for (std::size_t i = 0; i < i_end; ++i) {
          const double* from = twice.data() + 2 * (plane * rows + i) * columns;
          const double* to = twice.data() + 2 * ((plane + apart) * rows + (i + down) % rows) * columns;
          for (std::size_t j = 0; j < columns; ++j) {
            const double one = from[j];
            const double* other = to + j;
            const std::size_t end = reach(columns, j, closed);
            for (std::size_t across = 0; across < end; ++across) products[across] += one * other[across];
          }
        }
      }
      for (std::size_t across = 0; across < columns; ++across) {
        const std::size_t there = (planes - apart) * i_end * reach(columns, across, closed);
        const double pairs = closed ? 1 : static_cast<double>(x.size()) / static_cast<double>(there);
        sums[(apart * rows + down) * columns + across] += pairs * products[across] / over;
      }
    }
  }
}

}  // namespace sluice::task
