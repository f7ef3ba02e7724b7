#include "sluice/probe/revisit.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "sluice/probe/watcher.hpp"

namespace sluice::probe {
namespace {

struct Recorded {
  std::int64_t times = 5, units = 7, inputs = 20;
  std::vector<std::int64_t> step{0, 10, 20, 30, 35};
  std::vector<float> weights, bias, x;

  Recorded() {
    std::mt19937 engine(4);
    std::normal_distribution<float> normal;
    for (auto* values : {&weights, &bias, &x}) {
      values->resize(static_cast<std::size_t>(values == &weights ? times * units * inputs
                                              : values == &bias  ? times * units
                                                                 : 100 * inputs));
      for (float& value : *values) value = normal(engine);
    }
  }
};

std::vector<const Probe*> measurable(const Trajectory& trajectory) {
  std::vector<const Probe*> all;
  for (const Probe& probe : probes())
    if (lack(probe, trajectory.subject()).empty()) all.push_back(&probe);
  return all;
}

void expect_what_the_watcher_saw(const task::Layout& layout, std::size_t measured) {
  const Recorded recorded;
  const Samples samples(recorded.x, recorded.inputs, {});
  const Trajectory trajectory{.times = recorded.times,
                              .units = recorded.units,
                              .inputs = recorded.inputs,
                              .step = recorded.step,
                              .weights = recorded.weights,
                              .bias = recorded.bias,
                              .samples = &samples,
                              .layout = layout};
  const std::vector<const Probe*> probes = measurable(trajectory);
  EXPECT_EQ(probes.size(), measured);  // all that need no run and no reference
  std::vector<const Probe*> watched_probes{find_probe("step"), find_probe("weights"), find_probe("bias")};
  watched_probes.insert(watched_probes.end(), probes.begin(), probes.end());
  Watcher watcher(watched_probes, trajectory.subject().extents);
  const auto fields = static_cast<std::size_t>(recorded.units * recorded.inputs);
  for (std::size_t t = 0; t < recorded.step.size(); ++t) {
    watcher.watch({.step = recorded.step[t],
                   .units = recorded.units,
                   .inputs = recorded.inputs,
                   .weights = std::span(recorded.weights).subspan(t * fields, fields),
                   .bias = std::span(recorded.bias).subspan(t * 7, 7),
                   .samples = &samples});
    if (t == 2) {  // as a resumed run would
      const file::NamedArrays so_far = watcher.arrays();
      ASSERT_TRUE(watcher.restore(so_far));
    }
  }
  const file::NamedArrays watched = watcher.arrays();
  for (const int threads : {1, 3}) {
    math::Workers workers(threads);
    for (const auto& [name, array] : revisit(trajectory, probes, workers)) {
      const file::Array* live = file::find(watched, name);
      ASSERT_NE(live, nullptr) << name;
      EXPECT_EQ(array.shape, live->shape) << name;
      std::visit(
          [&, &label = name](const auto& values) {
            const auto& others = std::get<std::remove_cvref_t<decltype(values)>>(live->data);
            for (std::size_t i = 0; i < values.size(); ++i)
              EXPECT_TRUE(values[i] == others[i] || (std::isnan(static_cast<double>(values[i])) &&
                                                     std::isnan(static_cast<double>(others[i]))))
                  << label << " " << i;
          },
          array.data);
    }
  }
}

TEST(Revisit, FindsWhatTheWatcherSawWhateverTheThreads) {
  using Kind = task::Layout::Kind;
  expect_what_the_watcher_saw({Kind::ring, 1, 20}, 34);
  expect_what_the_watcher_saw({Kind::image, 4, 5}, 40);
}

TEST(Revisit, MeasuresTheDistanceToAReference) {
  const Recorded recorded;
  std::vector<float> reference = recorded.weights;
  for (float& w : reference) w *= 0.8F;  // ‖w − 0.8 w‖/‖0.8 w‖ = 0.25
  const Trajectory trajectory{.times = recorded.times,
                              .units = recorded.units,
                              .inputs = recorded.inputs,
                              .step = recorded.step,
                              .weights = recorded.weights,
                              .reference = reference};
  math::Workers workers(1);
  const std::vector<const Probe*> probes{find_probe("reference_distance")};
  const file::NamedArrays arrays = revisit(trajectory, probes, workers);
  EXPECT_EQ(arrays[0].second.shape, (file::Shape{5, 7}));
  for (const float distance : arrays[0].second.as<float>()) EXPECT_NEAR(distance, 0.25, 1e-5);
}

TEST(Revisit, KnowsWhatItCannotMeasure) {
  const auto has = [](const Trajectory& trajectory, const char* probe) {
    return lack(*find_probe(probe), trajectory.subject()).empty();
  };
  const Trajectory torus{.inputs = 64, .layout = {task::Layout::Kind::torus, 8, 8}};
  EXPECT_TRUE(has(torus, "ipr"));
  for (const char* probe :
       {"loss", "position", "gabor_width", "bias_norm", "input_kurtosis", "reference_distance"})
    EXPECT_FALSE(has(torus, probe)) << probe;
  const Trajectory tiny{.inputs = 3};
  EXPECT_TRUE(has(tiny, "position"));
  EXPECT_FALSE(has(tiny, "gabor_width"));
}

}  // namespace
}  // namespace sluice::probe
