#include "sluice/math/workers.hpp"

#include <gtest/gtest.h>
#include <sched.h>

#include <atomic>
#include <stdexcept>
#include <vector>

namespace sluice::math {
namespace {

TEST(Workers, TakeEveryChunkOnceInEveryRound) {
  for (const int threads : {1, 2, 3, 7}) {
    Workers workers(threads);
    EXPECT_EQ(workers.threads(), threads);
    for (int round = 0; round < 500; ++round) {
      std::vector<int> taken(13, 0);
      workers.run(13, [&](std::int64_t chunk, int thread) {
        ASSERT_GE(thread, 0);
        ASSERT_LT(thread, threads);
        ++taken[static_cast<std::size_t>(chunk)];
      });
      EXPECT_EQ(taken, std::vector<int>(13, 1));
    }
  }
}

TEST(Workers, RethrowTheFirstFailureAndGoOn) {
  Workers workers(3);
  EXPECT_THROW(workers.run(50,
                           [](std::int64_t chunk, int) {
                             if (chunk == 20) throw std::runtime_error("chunk 20");
                           }),
               std::runtime_error);
  std::atomic<int> done{0};
  workers.run(50, [&](std::int64_t, int) { ++done; });
  EXPECT_EQ(done, 50);
}

TEST(Workers, AQuotaIsRoundedUp) {
  EXPECT_EQ(granted_processors("150000 100000"), 2);
  EXPECT_EQ(granted_processors("400000 100000"), 4);
  EXPECT_EQ(granted_processors("1000 100000"), 1);
  EXPECT_EQ(granted_processors("max 100000"), std::nullopt);
  EXPECT_EQ(granted_processors("-1 100000"), std::nullopt) << "version 1 says so";
  EXPECT_EQ(granted_processors(" "), std::nullopt) << "no such file";
}

TEST(Workers, MayBeAsManyAsTheProcessMayUse) {
  cpu_set_t before;
  ASSERT_EQ(sched_getaffinity(0, sizeof before, &before), 0);
  cpu_set_t one;
  CPU_ZERO(&one);
  for (int cpu = 0; CPU_COUNT(&one) == 0; ++cpu)
    if (CPU_ISSET(cpu, &before)) CPU_SET(cpu, &one);
  ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
  EXPECT_EQ(hardware_threads(), 1);
  ASSERT_EQ(sched_setaffinity(0, sizeof before, &before), 0);
  EXPECT_GE(hardware_threads(), 1);
}

TEST(Workers, NoChunksIsNoWork) {
  Workers workers(2);
  workers.run(0, [](std::int64_t, int) { FAIL(); });
}

}  // namespace
}  // namespace sluice::math
