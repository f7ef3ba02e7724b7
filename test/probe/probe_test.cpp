#include "sluice/probe/probe.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "sluice/file/errors.hpp"
#include "sluice/probe/ipr.hpp"
#include "sluice/probe/options.hpp"
#include "sluice/probe/watcher.hpp"

namespace sluice::probe {
namespace {

std::vector<float> field(std::size_t n, double (*shape)(double)) {
  std::vector<float> w;
  for (std::size_t i = 0; i < n; ++i)
    w.push_back(static_cast<float>(shape(static_cast<double>(i) / static_cast<double>(n))));
  return w;
}

TEST(Ipr, OfKnownFields) {
  EXPECT_NEAR(ipr(field(40, [](double) { return 0.3; })), 1.0 / 40, 1e-8);
  EXPECT_NEAR(ipr(field(40, [](double t) { return std::cos(2 * M_PI * 3 * t); })), 1.5 / 40, 1e-7);
  EXPECT_NEAR(ipr(field(40, [](double t) { return t == 0.25 ? -2.0 : 0.0; })), 1, 1e-12);
  EXPECT_TRUE(std::isnan(ipr(field(40, [](double) { return 0.0; }))));
}

RC_GTEST_PROP(Ipr, IgnoresScaleSignAndOrderAndStaysInItsBounds, ()) {
  auto values = *rc::gen::nonEmpty(rc::gen::container<std::vector<int>>(rc::gen::inRange(-1000, 1000)));
  values.push_back(1);  // not all zero
  const std::vector<float> w(values.begin(), values.end());
  std::vector<float> other(w.rbegin(), w.rend());
  for (float& x : other) x *= -0.125F;
  const double value = ipr(w);
  RC_ASSERT(std::abs(ipr(other) - value) < 1e-12);
  RC_ASSERT(value <= 1 + 1e-12);
  RC_ASSERT(value >= 1 / static_cast<double>(w.size()) - 1e-12);
}

Snapshot snapshot(std::int64_t step, const std::vector<float>& weights, const std::vector<float>& bias) {
  return {
      .step = step, .units = 2, .inputs = 3, .weights = weights, .bias = bias, .loss = 0.5, .accuracy = 0.75};
}

/// What a running two-layer network of two units has on `sites` sites.
Subject two_layer(std::int64_t sites = 3) {
  return {
      .extents = {.units = 2, .sites = sites, .layout = {.columns = sites}}, .running = true, .bias = true};
}
Watcher watcher_of(const Subject& subject, std::vector<std::string> asked = {}) {
  return {watching(asked, subject), subject.extents};
}

TEST(ProbeTimes, TheNextIsTheFirstOfThoseToCome) {
  for (const std::int64_t every : {1, 3, 7, 50}) {
    const Options options{.every = every};
    for (std::int64_t step = 0; step < 20; ++step) {
      std::int64_t next = step + 1;
      while (!is_probe_time(options, next, 20)) ++next;
      EXPECT_EQ(next_probe_time(options, step, 20), next) << every << ", " << step;
    }
  }
}

TEST(Watcher, BuildsTheArraysOfTheContract) {
  const std::vector<float> weights{1, 0, 0, 1, 1, 1};
  const std::vector<float> bias{0, -1};
  Watcher watcher = watcher_of(two_layer(), {"ipr"});
  watcher.watch(snapshot(0, weights, bias));
  watcher.watch(snapshot(50, weights, bias));
  const file::NamedArrays arrays = watcher.arrays();
  std::vector<std::string> names;
  for (const auto& [name, array] : arrays) names.push_back(name);
  EXPECT_EQ(names, (std::vector<std::string>{"step", "weights", "bias", "loss", "accuracy", "ipr"}));
  EXPECT_EQ(*file::find(arrays, "step"), (file::Array{{2}, std::vector<std::int64_t>{0, 50}}));
  EXPECT_EQ(file::find(arrays, "weights")->shape, (file::Shape{2, 2, 3}));
  EXPECT_EQ(*file::find(arrays, "bias"), (file::Array{{2, 2}, std::vector<float>{0, -1, 0, -1}}));
  EXPECT_EQ(*file::find(arrays, "loss"), (file::Array{{2}, std::vector<double>{0.5, 0.5}}));
  EXPECT_EQ(*file::find(arrays, "ipr"), (file::Array{{2, 2}, std::vector<float>{1, 1.0F / 3, 1, 1.0F / 3}}));
}

TEST(Watcher, KeepsAReadoutWhereItIsLearned) {
  const std::vector<float> weights{1, 0, 0, 1, 1, 1};
  const std::vector<float> bias{0, -1};
  const std::vector<float> readout{0.5F, -2};
  const std::vector<float> offset{0.25F};
  Subject subject = two_layer();
  subject.readout = true;
  Watcher learned = watcher_of(subject);
  Snapshot now = snapshot(0, weights, bias);
  now.readout = readout;
  now.offset = offset;
  learned.watch(now);
  const file::NamedArrays arrays = learned.arrays();
  ASSERT_NE(file::find(arrays, "readout"), nullptr);
  ASSERT_NE(file::find(arrays, "offset"), nullptr);
  EXPECT_EQ(*file::find(arrays, "readout"), (file::Array{{1, 2}, readout}));
  EXPECT_EQ(*file::find(arrays, "offset"), (file::Array{{1}, offset}));

  Watcher mean = watcher_of(two_layer());
  mean.watch(snapshot(0, weights, bias));
  EXPECT_FALSE(learned.restore(mean.arrays()));
}

TEST(Watcher, ContinuesFromItsOwnArraysAndRefusesOthers) {
  const std::vector<float> weights{1, 0, 0, 1, 1, 1};
  const std::vector<float> bias{0, -1};
  Watcher whole = watcher_of(two_layer());
  Watcher first = watcher_of(two_layer());
  Watcher second = watcher_of(two_layer());
  whole.watch(snapshot(0, weights, bias));
  first.watch(snapshot(0, weights, bias));
  ASSERT_TRUE(second.restore(first.arrays()));
  whole.watch(snapshot(1, weights, bias));
  second.watch(snapshot(1, weights, bias));
  EXPECT_EQ(second.arrays(), whole.arrays());

  Watcher wider = watcher_of(two_layer(4));
  EXPECT_FALSE(wider.restore(first.arrays()));
  file::NamedArrays without = first.arrays();
  without.pop_back();
  EXPECT_FALSE(second.restore(without));
  EXPECT_FALSE(second.restore({}));
}

TEST(Watcher, KeepsTheLastTimeAloneOfWhatIsOfTheEnd) {
  const std::vector<float> first{1, 0, 0, 1, 1, 1}, last{0, 2, 0, 1, 1, 2}, bias{0, -1};
  const auto of_the_end = [] {
    return Watcher(watching({}, two_layer()), two_layer().extents, {}, {"weights"});
  };
  Watcher watcher = of_the_end();
  watcher.watch(snapshot(0, first, bias));
  Watcher again = of_the_end();
  ASSERT_TRUE(again.restore(watcher.arrays()));
  for (Watcher* each : {&watcher, &again}) {
    each->watch(snapshot(10, last, bias));
    EXPECT_EQ(*file::find(each->arrays(), "weights"), (file::Array{{1, 2, 3}, last}));
    EXPECT_EQ(file::find(each->arrays(), "bias")->shape, (file::Shape{2, 2}));
    EXPECT_EQ(each->axes().at("weights").front(), "end");
  }
  EXPECT_FALSE(watcher_of(two_layer()).restore(watcher.arrays()));
  EXPECT_EQ(watcher.bytes_of(9) + 8 * 6 * sizeof(float), watcher_of(two_layer()).bytes_of(9));
}

TEST(Watcher, KeepsWhatGivenProbesSeeInTheShapeOfTheFirstTime) {
  const std::vector<float> weights{1, 0, 0, 1, 1, 1};
  const std::vector<float> bias{0, -1};
  const std::string mark(64, '5');
  file::Array seen{{2}, std::vector<float>{1, 2}};
  std::vector<std::string> axes;
  const auto watcher_with = [&] {
    static GivenProbes::Kept kept;
    kept = GivenProbes::give(mark, {.measure = [&](const Snapshot&) { return seen; }, .axes = axes});
    return Watcher(watching({}, two_layer()), two_layer().extents, {GivenProbe("own", mark)});
  };
  Watcher watcher = watcher_with();
  EXPECT_EQ(file::find(watcher.arrays(), "own"), nullptr) << "nobody has asked it yet";
  watcher.watch(snapshot(0, weights, bias));
  seen.data = std::vector<float>{3, 4};
  watcher.watch(snapshot(1, weights, bias));
  EXPECT_EQ(*file::find(watcher.arrays(), "own"), (file::Array{{2, 2}, std::vector<float>{1, 2, 3, 4}}));
  EXPECT_EQ(watcher.axes().at("own"), (std::vector<std::string>{"step", "axis1"}));

  Watcher other = watcher_with();
  ASSERT_TRUE(other.restore(watcher.arrays()));
  other.watch(snapshot(2, weights, bias));
  EXPECT_EQ(file::find(other.arrays(), "own")->shape, (file::Shape{3, 2}));
  file::NamedArrays without = watcher.arrays();
  without.pop_back();
  EXPECT_FALSE(other.restore(without));

  seen = {{3}, std::vector<float>{1, 2, 3}};
  EXPECT_THROW(other.watch(snapshot(3, weights, bias)), InputError);
  seen = {{2}, std::vector<double>{1, 2}};
  EXPECT_THROW(watcher.watch(snapshot(2, weights, bias)), InputError) << "of another type";

  axes = {"unit"};
  seen = {{3}, std::vector<double>{1, 2, 3}};
  Watcher named = watcher_with();
  EXPECT_THROW(named.watch(snapshot(0, weights, bias)), InputError) << "there are two units";
  seen = {{2}, std::vector<double>{1, 2}};
  Watcher fitting = watcher_with();
  fitting.watch(snapshot(0, weights, bias));
  EXPECT_EQ(fitting.axes().at("own"), (std::vector<std::string>{"step", "unit"}));
}

/// One table for all networks: what each probe lacks is said by name, and what is part of the contract comes unasked.
TEST(Probes, SayWhatTheyLack) {
  struct Case {
    const char* probe;
    Subject subject;
    const char* why;
  };
  Subject torus = two_layer(64);
  torus.extents.layout = {task::Layout::Kind::torus, 8, 8};
  Subject image = two_layer(64), thin = image;
  image.extents.layout = {task::Layout::Kind::image, 8, 8};
  thin.extents.layout = {task::Layout::Kind::image, 2, 32};
  Subject kernels = two_layer(64), taps = two_layer(64);
  kernels.extents.layout = torus.extents.layout;
  kernels.extents.layout.kernel = {.top = 2, .left = 2, .rows = 3, .columns = 3};
  taps.extents.layout.kernel = {.columns = 5};
  Subject deep = two_layer();
  deep.deep = deep.finite_set = true;
  Subject classes = deep;
  classes.outputs = 10;
  Subject recorded = two_layer();
  recorded.running = false;
  for (const Case& each :
       {Case{"readout", two_layer(), "needs network.readout = \"learned\""},
        Case{"position", torus, "needs sites on a ring, task.dim = 1, found those of a torus"},
        Case{"gabor_width", image, "needs sites on a ring, task.dim = 1, found those of an image"},
        Case{"class", image, "needs sites on a ring, task.dim = 1, found those of an image"},
        Case{"power", image, "needs sites on a ring, task.dim = 1, found those of an image"},
        Case{"localized", image, "needs sites on a ring or a torus, found those of an image"},
        Case{"localized", kernels,
             "needs fields over all sites, found kernels of 3 × 3: localized by construction"},
        Case{"class", taps, "needs fields over all sites, found kernels of 1 × 5: localized by construction"},
        Case{"gabor2_x", two_layer(), "needs sites of a torus or an image, found those of a ring"},
        Case{"gabor2_x", thin, "needs 4 to 256 rows and columns, found 2 × 32"},
        Case{"gabor_width", two_layer(3), "needs 4 to 2048 sites, found 3"},
        Case{"train_loss", two_layer(),
             "needs a finite task: task.kind = \"dataset\", \"points\", \"mnist\" or \"cifar10\""},
        Case{"error", deep, "needs dynamics.loss = \"half-squared\""},
        Case{"tangent_trace", two_layer(), "needs network.kind = \"deep-gated\""},
        Case{"tangent_trace", classes, "needs a network with one output, the task has 10 classes"},
        Case{"nu_gates", deep, "needs soft gates, network.beta below inf"},
        Case{"reference_distance", two_layer(), "is measured after a run, against another record"},
        Case{"loss", recorded, "is seen by running experiments alone: name it in probe.watch"}})
    EXPECT_EQ(lack(*find_probe(each.probe), each.subject), each.why) << each.probe;
  EXPECT_EQ(lack(*find_probe("nu_tangent"), deep), "");
  EXPECT_EQ(lack(*find_probe("position"), taps), "");
}

TEST(Probes, BringWhatBelongsToThem) {
  Subject deep = two_layer();
  deep.deep = deep.finite_set = deep.squares = true;
  deep.bias = false;
  std::vector<std::string> names;
  for (const Probe* probe : watching(std::vector<std::string>{"active_gates"}, deep))
    names.emplace_back(probe->choice.name);
  EXPECT_EQ(names, (std::vector<std::string>{"step", "weights", "loss", "accuracy", "train_loss",
                                             "train_accuracy", "error", "active_gates", "active_paths"}));
}

}  // namespace
}  // namespace sluice::probe
