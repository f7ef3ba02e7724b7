#include "sluice/flow/class_covariance.hpp"

#include <cmath>

namespace sluice::flow {

Covariance class_covariance(const task::Task& task, int which_class) {
  const std::vector<double> row = task.moments(which_class).covariance;
  if (task.dimensions() == 1) return Covariance::circulant(row);
  const auto side = static_cast<std::size_t>(std::lround(std::sqrt(static_cast<double>(row.size()))));
  std::vector<double> matrix;
  matrix.reserve(row.size() * row.size());
  for (std::size_t i = 0; i < row.size(); ++i) {
    for (std::size_t j = 0; j < row.size(); ++j) {
      const std::size_t down = (j / side + side - i / side) % side;
      const std::size_t along = (j % side + side - i % side) % side;
      matrix.push_back(row[down * side + along]);
    }
  }
  return Covariance::dense(matrix);
}

}  // namespace sluice::flow
