#include "sluice/math/workers.hpp"

#include <gtest/gtest.h>

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

TEST(Workers, NoChunksIsNoWork) {
  Workers workers(2);
  workers.run(0, [](std::int64_t, int) { FAIL(); });
}

}  // namespace
}  // namespace sluice::math
