#include "sluice/task/points.hpp"

#include <array>
#include <limits>

#include "sluice/task/dataset.hpp"

namespace sluice::task {
namespace {

constexpr std::array<spec::Choice, 2> kInputs{
    {{"ones", "x = (1, …, 1) for every point"}, {"uniform", "independent, uniform on [−1, 1]"}}};
constexpr std::array<spec::Choice, 2> kTargets{
    {{"uniform", "independent, uniform on [−1, 1]"}, {"ones", "y = 1 for every point"}}};

}  // namespace

void PointsOptions::describe(spec::Keys& keys) {
  keys.integer("n", n, spec::integers(1, 1'000'000), "inputs of a point");
  keys.integer("samples", samples, spec::integers(1, 10'000'000), "number of points P");
  keys.choice("inputs", inputs, kInputs, "law of x");
  keys.choice("targets", targets, kTargets, "law of y");
  keys.integer("seed", seed, spec::integers(0, std::numeric_limits<std::int64_t>::max()),
               "fixes the points; the experiment's seed fixes the network");
}

std::unique_ptr<Task> PointsOptions::make() const {
  FiniteSet set{.inputs = n, .x = {}, .y = {}};
  const math::Address first{.seed = static_cast<std::uint64_t>(seed), .purpose = math::Purpose::dataset};
  for (std::int64_t s = 0; s < samples; ++s) {
    math::RowNumbers numbers(first, static_cast<std::uint32_t>(s));
    const auto symmetric = [&] { return static_cast<float>(2 * numbers.uniform() - 1); };
    for (std::int64_t i = 0; i < n; ++i) set.x.push_back(inputs == "ones" ? 1.0F : symmetric());
    set.y.push_back(targets == "ones" ? 1.0F : symmetric());
  }
  return std::make_unique<LoadedSet>(std::move(set), FiniteSet{}, Layout{Layout::Kind::plain, 1, n});
}

}  // namespace sluice::task
