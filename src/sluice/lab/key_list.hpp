/// Every key a spec can have: for `sluice keys`, docs/reference/keys.md and shell completion.
#pragma once

#include <string>
#include <vector>

#include "sluice/spec/write.hpp"

namespace sluice::lab {

struct ListedKey {
  spec::KeyInfo key;
  std::string default_by = {};  ///< what its default follows from, "kind and network"; empty: always the same
  std::string only_when = {};   ///< "task.kind = \"nlgp\", \"gaussian-clone\""; empty: always there
};

std::vector<ListedKey> all_keys();

/// The keys that end like a word, "gain" → "task.gain", and where there are none those that end nearly so; "sections.word" counts as its last part.
std::vector<std::string> keys_ending_in(const std::string& word);

}  // namespace sluice::lab
