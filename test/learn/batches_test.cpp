#include "sluice/learn/batches.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "sluice/spec/document.hpp"
#include "sluice/task/registry.hpp"
#include "test/support/close.hpp"

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

/// Images of two channels, 5 rows and 7 columns; no two of their numbers are equal, and none is 0.
task::FiniteSet images(int size, bool flips, std::int64_t crop) {
  task::FiniteSet set{.inputs = 70, .x = {}, .y = {}};
  for (int i = 0; i < size; ++i) {
    for (int site = 0; site < 70; ++site) set.x.push_back(static_cast<float>(1 + 70 * i + site));
    set.y.push_back(static_cast<float>(i));
  }
  set.augmentation = {.layout = {task::Layout::Kind::image, 5, 7, 2}, .flips = flips, .crop = crop};
  return set;
}

/// What became of an image, read off it.
struct Change {
  bool mirrored = false;
  std::int64_t down = 0, across = 0;
};

/// As one would do it by hand: pad with zeros all around, cut, mirror.
std::vector<float> changed(const task::FiniteSet& set, std::size_t image, const Change& change) {
  const auto crop = static_cast<std::size_t>(set.augmentation.crop);
  std::vector<float> result;
  for (std::size_t c = 0; c < 2; ++c) {
    std::vector<std::vector<float>> padded(5 + 2 * crop, std::vector<float>(7 + 2 * crop));
    for (std::size_t i = 0; i < 5; ++i)
      for (std::size_t j = 0; j < 7; ++j)
        padded[i + crop][j + crop] = set.x[image * 70 + (c * 5 + i) * 7 + j];
    for (std::size_t i = 0; i < 5; ++i) {
      const auto& line = padded[static_cast<std::size_t>(static_cast<std::int64_t>(i + crop) + change.down)];
      const auto begin = line.begin() + static_cast<std::int64_t>(crop) + change.across;
      std::vector<float> cut(begin, begin + 7);
      if (change.mirrored) std::ranges::reverse(cut);
      result.insert(result.end(), cut.begin(), cut.end());
    }
  }
  return result;
}

/// The one change that made this sample; fails where there is none or more than one.
Change change_of(const task::FiniteSet& set, const std::vector<float>& x, float y) {
  const std::int64_t crop = set.augmentation.crop;
  std::vector<Change> found;
  for (const bool mirrored : {false, true})
    for (std::int64_t down = -crop; down <= crop; ++down)
      for (std::int64_t across = -crop; across <= crop; ++across) {
        const Change change{mirrored, down, across};
        if (changed(set, static_cast<std::size_t>(y), change) == x) found.push_back(change);
      }
  EXPECT_EQ(found.size(), 1U);
  return found.empty() ? Change{} : found.front();
}

TEST(Augmentation, IsPaddedCutAndMirroredAsItsNumbersSay) {
  const task::FiniteSet set = images(30, true, 2);
  const EpochBatches batches(set, 11, 20);
  for (const std::uint64_t step : {0ULL, 1ULL, 77ULL, 1ULL << 40}) {
    const Drawn drawn = batch(batches, step);
    for (std::size_t r = 0; r < drawn.y.size(); ++r) {
      math::RowNumbers numbers({.seed = 11, .purpose = math::Purpose::augmentation, .step = step},
                               static_cast<std::uint32_t>(r));
      Change change;
      change.mirrored = numbers.uniform() < 0.5;
      change.down = numbers.below(5) - 2;
      change.across = numbers.below(5) - 2;
      ASSERT_EQ(drawn.x[r], changed(set, static_cast<std::size_t>(drawn.y[r]), change)) << step << ", " << r;
    }
  }
}

TEST(Augmentation, FlipsHalfOfAllAndMovesEachWayAlikeIndependently) {
  const task::FiniteSet set = images(30, true, 1);
  const EpochBatches batches(set, 5, 25);
  std::map<std::int64_t, double> down, across;
  double flips = 0, count = 0, flips_twice = 0, flips_and_down = 0;
  bool before = false;
  for (std::uint64_t step = 0; step < 160; ++step) {
    const Drawn drawn = batch(batches, step);
    for (std::size_t r = 0; r < drawn.y.size(); ++r) {
      const Change change = change_of(set, drawn.x[r], drawn.y[r]);
      flips += change.mirrored ? 1 : 0;
      flips_twice += change.mirrored && before ? 1 : 0;
      flips_and_down += change.mirrored && change.down == 1 ? 1 : 0;
      before = change.mirrored;
      ++down[change.down];
      ++across[change.across];
      ++count;
    }
  }
  const auto expect_share = [count](double found, double p) {
    EXPECT_TRUE(test::close(found / count, p, test::sampling(std::sqrt(p * (1 - p) / count))));
  };
  expect_share(flips, 0.5);
  expect_share(
      flips_twice,
      0.25);  // of neighbours; these overlap, but products of independent flips do not add variance beyond p
  expect_share(flips_and_down, 1.0 / 6);
  ASSERT_EQ(down.size(), 3U);
  ASSERT_EQ(across.size(), 3U);
  for (const auto& shares : {down, across})
    for (const auto& [by, found] : shares) expect_share(found, 1.0 / 3);
}

// The same samples in the same order, with the same moves: each of the two may be turned on alone.
TEST(Augmentation, OfOneKindDoesNotDependOnTheOther) {
  const task::FiniteSet plain = images(30, false, 0), both = images(30, true, 2), flips = images(30, true, 0),
                        crops = images(30, false, 2);
  const Drawn of_plain = batch(EpochBatches(plain, 3, 20), 4), of_both = batch(EpochBatches(both, 3, 20), 4),
              of_flips = batch(EpochBatches(flips, 3, 20), 4),
              of_crops = batch(EpochBatches(crops, 3, 20), 4);
  EXPECT_EQ(of_plain.y, of_both.y);
  EXPECT_EQ(of_plain.y, of_flips.y);
  EXPECT_EQ(of_plain.y, of_crops.y);
  for (std::size_t r = 0; r < of_both.y.size(); ++r) {
    const Change change = change_of(both, of_both.x[r], of_both.y[r]);
    const auto image = static_cast<std::size_t>(of_both.y[r]);
    EXPECT_EQ(of_flips.x[r], changed(flips, image, {.mirrored = change.mirrored}));
    EXPECT_EQ(of_crops.x[r], changed(crops, image, {.down = change.down, .across = change.across}));
    EXPECT_EQ(of_plain.x[r], changed(plain, image, {}));
  }
}

// Sample r of batch t is what it is, however the batch is cut and whoever draws it when.
TEST(Augmentation, DoesNotDependOnHowABatchIsCut) {
  const task::FiniteSet set = images(150, true, 2);
  const EpochBatches batches(set, 9, 130);
  const Drawn whole = batch(batches, 6);
  ASSERT_EQ(whole.y.size(), 130U);
  const auto drawer = batches.drawer();
  math::LanesBuffer<float> x(70, BlockPlan::kBlockRows);
  std::vector<float> labels(BlockPlan::kBlockRows);
  for (const std::int64_t rows : {1, 7, 33, 48}) {
    for (std::int64_t first = 130 - rows; first >= 0; first -= rows) {  // backwards, too
      const math::Lanes lanes = x.lanes(rows);
      drawer->draw(6, {0, first, rows}, lanes, std::span(labels).first(static_cast<std::size_t>(rows)));
      for (std::int64_t r = 0; r < rows; ++r) {
        const std::vector<float>& wanted = whole.x[static_cast<std::size_t>(first + r)];
        for (std::int64_t i = 0; i < 70; ++i) ASSERT_EQ(lanes.at(i, r), wanted[static_cast<std::size_t>(i)]);
      }
      for (std::int64_t r = rows; r < lanes.stride; ++r) ASSERT_EQ(lanes.at(3, r), 0);
    }
  }
}

TEST(Augmentation, IsAnotherAtEveryVisitAndForEverySeed) {
  const task::FiniteSet set = images(4, true, 2);
  std::map<float, std::vector<std::vector<float>>> visits;
  const EpochBatches batches(set, 9, 2);
  for (std::uint64_t step = 0; step < 20; ++step) {
    const Drawn drawn = batch(batches, step);
    for (std::size_t r = 0; r < drawn.y.size(); ++r) visits[drawn.y[r]].push_back(drawn.x[r]);
  }
  for (auto& [y, seen] : visits) {
    ASSERT_EQ(seen.size(), 10U);
    std::ranges::sort(seen);
    EXPECT_GE(std::unique(seen.begin(), seen.end()) - seen.begin(), 5) << y;
  }
  EXPECT_NE(batch(EpochBatches(set, 8, 3), 0).x, batch(EpochBatches(set, 9, 3), 0).x);
}

TEST(Augmentation, LeavesAWholeSetAsItIs) {
  const task::FiniteSet set = images(60, true, 2);
  const Drawn drawn = batch(EpochBatches(set, 7, 60), 3);
  for (std::size_t r = 0; r < 60; ++r)
    EXPECT_TRUE(std::equal(drawn.x[r].begin(), drawn.x[r].end(),
                           set.x.begin() + static_cast<std::ptrdiff_t>(70 * r)));
}

}  // namespace
}  // namespace sluice::learn
