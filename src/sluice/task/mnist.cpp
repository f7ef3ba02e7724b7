#include "sluice/task/mnist.hpp"

#include <utility>

#include "sluice/task/dataset.hpp"

namespace sluice::task {

std::unique_ptr<Task> MnistOptions::make() const {
  Digits sets = load_digits(digits);
  const Layout layout{Layout::Kind::image, sets.train.rows, sets.train.inputs / sets.train.rows};
  return std::make_unique<LoadedSet>(finite_set(std::move(sets.train)), finite_set(std::move(sets.test)),
                                     layout);
}

}  // namespace sluice::task
