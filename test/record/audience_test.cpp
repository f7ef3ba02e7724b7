#include "sluice/record/audience.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "test/support/temp_folder.hpp"

namespace sluice::record {
namespace {

using namespace std::chrono_literals;

TEST(Audience, IsWhoTouchesTheFile) {
  const test::TempFolder folder;
  Audience before(folder.path());
  EXPECT_FALSE(before.present());
  attend(folder.path());
  EXPECT_FALSE(before.present()) << "the disk is looked at twice a second, not at every step";
  std::this_thread::sleep_for(550ms);
  EXPECT_TRUE(before.present());
  leave(folder.path());
  std::this_thread::sleep_for(550ms);
  EXPECT_FALSE(before.present());
}

TEST(Audience, OfAFolderThatIsNotThereIsNoFailure) {
  attend("/nonexistent/folder");
  leave("/nonexistent/folder");
  EXPECT_FALSE(Audience("/nonexistent/folder").present());
}

}  // namespace
}  // namespace sluice::record
