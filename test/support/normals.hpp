/// Normals and samples as plain rows, for tests that look at one sample at a time.
#pragma once

#include <cstdint>
#include <vector>

#include "sluice/math/kernels.hpp"
#include "sluice/math/random.hpp"
#include "sluice/task/task.hpp"

namespace sluice::test {

/// rows × n numbers, row by row.
inline std::vector<float> normal_rows(const math::Address& first, std::int64_t n, std::int64_t rows) {
  math::LanesBuffer<float> buffer(n, rows);
  math::fill_normals(first, buffer.lanes(rows));
  std::vector<float> out(static_cast<std::size_t>(n * rows));
  math::transpose(buffer.lanes(rows), out.data(), n);
  return out;
}

inline std::vector<float> sample_rows(const task::Task& task, const math::Address& first, int which_class,
                                      std::int64_t rows) {
  math::LanesBuffer<float> x(task.inputs(), rows);
  math::LanesBuffer<float> scratch(task.inputs(), rows);
  task.sample(first, which_class, x.lanes(rows), scratch.lanes(rows));
  std::vector<float> out(static_cast<std::size_t>(task.inputs() * rows));
  math::transpose(x.lanes(rows), out.data(), task.inputs());
  return out;
}

}  // namespace sluice::test
