#include "sluice/lab/executor.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <numeric>
#include <stdexcept>

namespace sluice::lab {
namespace {

TEST(Executor, ThreadsOwnWholePointsAndShareOnlyWhatIsLeftOver) {
  EXPECT_EQ(shifts(7, 2), (std::vector<Shift>{{6, 2, 1}, {1, 1, 2}}));
  EXPECT_EQ(shifts(8, 4), (std::vector<Shift>{{8, 4, 1}}));
  EXPECT_EQ(shifts(3, 8), (std::vector<Shift>{{3, 3, 2}})) << "no more threads than there are";
  EXPECT_EQ(shifts(5, 1), (std::vector<Shift>{{5, 1, 1}}));
  EXPECT_TRUE(shifts(0, 4).empty());
  for (std::size_t points = 0; points < 40; ++points) {
    for (int threads = 1; threads < 9; ++threads) {
      std::size_t all = 0;
      for (const Shift& shift : shifts(points, threads)) {
        EXPECT_LE(shift.at_once * shift.threads_each, threads);
        all += shift.points;
      }
      EXPECT_EQ(all, points);
    }
  }
}

TEST(Executor, EveryPointIsDoneOnceAndAFailureIsThrownAgain) {
  std::vector<std::atomic<int>> done(23);
  execute(done.size(), 3, [&](std::size_t i, int) { ++done[i]; });
  for (const std::atomic<int>& each : done) EXPECT_EQ(each, 1);
  EXPECT_THROW(execute(9, 2,
                       [](std::size_t i, int) {
                         if (i == 4) throw std::runtime_error("no");
                       }),
               std::runtime_error);
}

}  // namespace
}  // namespace sluice::lab
