#include "sluice/lab/key_list.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "sluice/lab/catalog.hpp"
#include "sluice/lab/experiment.hpp"

namespace sluice::lab {
namespace {

const ListedKey* listed_as(const std::vector<ListedKey>& keys, const std::string& path) {
  const auto at =
      std::ranges::find_if(keys, [&](const ListedKey& listed) { return listed.key.path == path; });
  return at == keys.end() ? nullptr : &*at;
}

/// The catalog uses what users will: none of its keys, and none of the words it says, may be missing from the list.
TEST(KeyList, HasEveryKeyAndEveryWordOfTheCatalog) {
  const std::vector<ListedKey> keys = all_keys();
  std::size_t looked_at = 0;
  for (const CatalogEntry& entry : catalog()) {
    for (const spec::KeyInfo& used : keys_of(load({.name_or_file = std::string(entry.name)}))) {
      const bool of_a_part = used.path.starts_with("task.inputs.") || used.path.starts_with("task.from.") ||
                             used.path.starts_with("task.network.");
      if (of_a_part) continue;  // the keys of another task or network, listed there
      const ListedKey* listed = listed_as(keys, used.path);
      ASSERT_NE(listed, nullptr) << entry.name << ": " << used.path;
      looked_at += 1;
      if (used.words.empty() || !used.value.starts_with('"')) continue;
      const std::string word = used.value.substr(1, used.value.size() - 2);
      EXPECT_NE(std::ranges::find(listed->key.words, word), listed->key.words.end())
          << entry.name << ": " << used.path << " = " << used.value << ", expected " << listed->key.expected;
    }
  }
  EXPECT_GT(looked_at, 500U);
}

TEST(KeyList, FindsKeysThatOnlySomeWordsBring) {
  const std::vector<ListedKey> keys = all_keys();
  EXPECT_EQ(listed_as(keys, "task.classes")->only_when, "task.variant = \"binary\"");
  EXPECT_EQ(listed_as(keys, "network.epsilon")->only_when, "network.beta other than inf");
  EXPECT_EQ(listed_as(keys, "network.gate_init.path")->only_when, "network.gate_init.law = \"file\"");
  EXPECT_EQ(listed_as(keys, "network.bias_init.share")->only_when, "network.bias_init.law = \"split\"");
  EXPECT_EQ(listed_as(keys, "task.checksum")->only_when, "task.path = \"FILE.npz\", \"FOLDER\"");
  EXPECT_TRUE(listed_as(keys, "network.init.path")->key.required);
  EXPECT_FALSE(listed_as(keys, "task.path")->key.required);
  EXPECT_EQ(listed_as(keys, "seed")->only_when, "");
  EXPECT_EQ(listed_as(keys, "dynamics.rate")->default_by, "kind and network");
  EXPECT_EQ(listed_as(keys, "dynamics.steps")->default_by, "");
}

}  // namespace
}  // namespace sluice::lab
