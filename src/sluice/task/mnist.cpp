#include "sluice/task/mnist.hpp"

#include <algorithm>
#include <utility>

#include "sluice/task/dataset.hpp"

namespace sluice::task {
namespace {

FiniteSet finite_set(LabelledSet set) {
  const bool signs = set.classes == 2;
  FiniteSet finite{.inputs = set.inputs, .x = std::move(set.x), .y = std::vector<float>(set.label.size())};
  if (!signs) finite.classes = set.classes;
  std::ranges::transform(set.label, finite.y.begin(), [signs](std::int32_t label) {
    return signs ? sign_target(label) : static_cast<float>(label);
  });
  return finite;
}

}  // namespace

std::unique_ptr<Task> MnistOptions::make() const {
  Digits sets = load_digits(digits);
  const Layout layout{Layout::Kind::image, sets.train.rows, sets.train.inputs / sets.train.rows};
  return std::make_unique<LoadedSet>(finite_set(std::move(sets.train)), finite_set(std::move(sets.test)),
                                     layout);
}

}  // namespace sluice::task
