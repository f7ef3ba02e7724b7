#include "sluice/file/cache_folder.hpp"

#include <gtest/gtest.h>

#include "sluice/file/errors.hpp"
#include "test/support/environment.hpp"

namespace sluice::file {
namespace {

TEST(CacheFolder, FollowsTheEnvironment) {
  const test::Environment home("HOME", "/home/ada");
  const test::Environment none("XDG_CACHE_HOME", std::nullopt);
  EXPECT_EQ(cache_folder(), "/home/ada/.cache/sluice");
  const test::Environment given("XDG_CACHE_HOME", "/scratch/cache");
  EXPECT_EQ(cache_folder(), "/scratch/cache/sluice");
  const test::Environment relative("XDG_CACHE_HOME", "cache");
  EXPECT_EQ(cache_folder(), "/home/ada/.cache/sluice") << "a relative path counts as none";
  const test::Environment empty("XDG_CACHE_HOME", "");
  EXPECT_EQ(cache_folder(), "/home/ada/.cache/sluice");
  const test::Environment homeless("HOME", std::nullopt);
  EXPECT_THROW(cache_folder(), InputError);
}

}  // namespace
}  // namespace sluice::file
