/// Every key a spec can have: for `sluice keys`, docs/reference/keys.md and shell completion.
#pragma once

#include <string>
#include <vector>

#include "sluice/file/json.hpp"
#include "sluice/spec/write.hpp"

namespace sluice::lab {

struct ListedKey {
  spec::KeyInfo key;
  std::string default_by = {};  ///< what its default follows from, "kind and network"; empty: always the same
  std::string only_when = {};   ///< "task.kind = \"nlgp\", \"gaussian-clone\""; empty: always there
};

std::vector<ListedKey> all_keys();

/// The keys that begin like this or have it as their last part: "network", "network.init", "gain"; empty: all of them. Throws InputError
/// where there are none.
std::vector<ListedKey> keys_of_part(const std::string& part);

/// key, required, default (null where it is required or follows from others), expected, words, meaning, only_when.
file::Json to_json(const std::vector<ListedKey>& keys);

/// The keys that end like a word, "gain" → "task.gain", and where there are none those that end nearly so; "sections.word" counts as its last part.
std::vector<std::string> keys_ending_in(const std::string& word);

}  // namespace sluice::lab
