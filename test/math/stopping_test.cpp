#include "sluice/math/stopping.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "sluice/math/workers.hpp"

namespace sluice::math {
namespace {

TEST(Stopping, IsHeardByTheWorkOfOneThreadWhileItLasts) {
  EXPECT_NO_THROW(stop_if_asked());
  bool asked = false;
  {
    const Stoppable outer([&] { return asked; });
    EXPECT_NO_THROW(stop_if_asked());
    asked = true;
    EXPECT_THROW(stop_if_asked(), Stopped);
    {
      const Unstoppable whole;
      EXPECT_NO_THROW(stop_if_asked());
      const Stoppable inner([] { return false; });
      EXPECT_NO_THROW(stop_if_asked()) << "by the inner one alone";
    }
    EXPECT_THROW(stop_if_asked(), Stopped);
    std::thread([] { EXPECT_NO_THROW(stop_if_asked()) << "another's work"; }).join();
  }
  EXPECT_NO_THROW(stop_if_asked());
}

TEST(Stopping, EndsATeamBetweenTwoChunksAndLeavesItUsable) {
  constexpr std::int64_t kChunks = 100'000;
  for (const int threads : {1, 4}) {
    Workers workers(threads);
    std::atomic<std::int64_t> done = 0;
    {
      const Stoppable stoppable([&] { return done > 10; });
      EXPECT_THROW(workers.run(kChunks, [&](std::int64_t, int) { ++done; }), Stopped);
    }
    EXPECT_GT(done, 10);
    EXPECT_LT(done, kChunks);
    done = 0;
    workers.run(1000, [&](std::int64_t, int) { ++done; });
    EXPECT_EQ(done, 1000) << "nothing is left of who asked";
  }
}

TEST(Stopping, ReachesTeamsThatHelpersAskForHelp) {
  Workers outer(2);
  std::atomic<int> stopped = 0;
  std::atomic<bool> asked = false;
  const Stoppable stoppable([&] { return asked.load(); });
  EXPECT_THROW(outer.run(2,
                         [&](std::int64_t, int) {
                           Workers inner(2);
                           asked = true;
                           try {
                             inner.run(8, [](std::int64_t, int) {});
                           } catch (const Stopped&) {
                             ++stopped;
                             throw;
                           }
                         }),
               Stopped);
  EXPECT_GE(stopped, 1);
}

}  // namespace
}  // namespace sluice::math
