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
  const bool plane = layout_.drawn_as_image();
  const std::size_t rows = plane ? static_cast<std::size_t>(layout_.rows) : 1;
  const std::size_t columns = x.size() / rows;
  std::vector<double> twice(2 * x.size());  // every row twice, so that j + d₂ needs no wrapping
  for (std::size_t i = 0; i < rows; ++i) {
    const auto row = x.subspan(i * columns, columns);
    const auto to = twice.begin() + static_cast<std::ptrdiff_t>(2 * i * columns);
    std::ranges::copy(row, std::ranges::copy(row, to).out);
  }
  for (std::size_t down = 0; down < rows; ++down) {
    for (std::size_t across = 0; across < columns; ++across) {
      const std::size_t i_end = reach(rows, down, closed), j_end = reach(columns, across, closed);
      double sum = 0;
      for (std::size_t i = 0; i < i_end; ++i) {
        const double* from = twice.data() + 2 * i * columns;
        const double* to = twice.data() + 2 * ((i + down) % rows) * columns + across;
        for (std::size_t j = 0; j < j_end; ++j) sum += from[j] * to[j];
      }
      const double pairs = closed ? 1 : static_cast<double>(x.size()) / static_cast<double>(i_end * j_end);
      sums[down * columns + across] += pairs * sum / over;
    }
  }
}

}  // namespace sluice::task
