#include "sluice/learn/batches.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "sluice/spec/document.hpp"
#include "sluice/task/registry.hpp"

namespace sluice::learn {
namespace {

struct Drawn {
  std::vector<std::vector<float>> x;
  std::vector<float> y;
};

Drawn batch(const Batches& batches, std::uint64_t step) {
  Drawn drawn;
  const auto drawer = batches.drawer();
  math::LanesBuffer<float> x(batches.inputs(), BlockPlan::kBlockRows);
  std::vector<float> labels(BlockPlan::kBlockRows);
  for (const Block& block : BlockPlan(batches.rows(), batches.rows_of_first_class()).blocks) {
    const math::Lanes lanes = x.lanes(block.rows);
    drawer->draw(step, block, lanes, std::span(labels).first(static_cast<std::size_t>(block.rows)));
    for (std::int64_t r = 0; r < block.rows; ++r) {
      std::vector<float> row;
      for (std::int64_t i = 0; i < lanes.sites; ++i) row.push_back(lanes.at(i, r));
      drawn.x.push_back(row);
      drawn.y.push_back(labels[static_cast<std::size_t>(r)]);
    }
  }
  return drawn;
}

// Label balance, for every kind of task whose labels are those of its classes.
TEST(FreshBatches, HoldTheStatedShareOfEachClass) {
  for (const spec::Choice& kind : task::kinds_with_class_labels()) {
    for (const double balance : {0.5, 0.3}) {
      task::Section section;
      spec::Document::from_text(fmt::format("kind = \"{}\"\nbalance = {}\n", kind.name, balance), "spec")
          .read([&](spec::Keys& keys) { section.describe(keys); });
      const auto task = section.make();
      const FreshBatches batches(*task, 1, math::Purpose::training, 200);
      const Drawn drawn = batch(batches, 3);
      EXPECT_EQ(std::count(drawn.y.begin(), drawn.y.end(), 1.0F), std::lround(200 * balance)) << kind.name;
      EXPECT_EQ(std::count(drawn.y.begin(), drawn.y.end(), 0.0F), 200 - std::lround(200 * balance))
          << kind.name;
    }
  }
}

task::FiniteSet numbered(int size) {
  task::FiniteSet set{.inputs = 2, .x = {}, .y = {}};
  for (int i = 0; i < size; ++i) {
    set.x.insert(set.x.end(), {static_cast<float>(i), static_cast<float>(-i)});
    set.y.push_back(static_cast<float>(10 * i));
  }
  return set;
}

TEST(EpochBatches, EveryEpochVisitsEverySampleOnceWithItsLabel) {
  const task::FiniteSet set = numbered(105);
  const EpochBatches batches(set, 7, 35);
  std::vector<std::vector<float>> orders;
  for (int epoch = 0; epoch < 3; ++epoch) {
    std::map<float, int> visits;
    std::vector<float> order;
    for (int b = 0; b < 3; ++b) {
      const Drawn drawn = batch(batches, static_cast<std::uint64_t>(3 * epoch + b));
      for (std::size_t r = 0; r < drawn.y.size(); ++r) {
        EXPECT_EQ(drawn.x[r], (std::vector<float>{drawn.y[r] / 10, -drawn.y[r] / 10}));
        ++visits[drawn.y[r]];
        order.push_back(drawn.y[r]);
      }
    }
    EXPECT_EQ(visits.size(), 105U);
    EXPECT_TRUE(std::all_of(visits.begin(), visits.end(), [](const auto& each) { return each.second == 1; }));
    orders.push_back(order);
  }
  EXPECT_NE(orders[0], orders[1]);
  EXPECT_NE(orders[1], orders[2]);
}

// A batch that does not divide the set runs on into the next epoch; over lcm(35, 50) samples all visits are equal.
TEST(EpochBatches, BatchesMayStraddleEpochs) {
  const task::FiniteSet set = numbered(50);
  const EpochBatches batches(set, 7, 35);
  std::map<float, int> visits;
  for (std::uint64_t step = 0; step < 10; ++step) {
    for (const float y : batch(batches, step).y) ++visits[y];
  }
  EXPECT_EQ(visits.size(), 50U);
  EXPECT_TRUE(std::all_of(visits.begin(), visits.end(), [](const auto& each) { return each.second == 7; }));
}

TEST(EpochBatches, AFullBatchIsTheSetInItsOrder) {
  const task::FiniteSet set = numbered(70);
  const EpochBatches batches(set, 7, 70);
  EXPECT_EQ(batch(batches, 0).y, set.y);
  EXPECT_EQ(batch(batches, 5).y, set.y);
}

}  // namespace
}  // namespace sluice::learn
