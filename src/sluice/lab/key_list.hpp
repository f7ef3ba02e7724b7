/// Every key a spec can have: for `sluice keys`, docs/reference/keys.md and shell completion.
#pragma once

#include <string>
#include <vector>

#include "sluice/spec/write.hpp"

namespace sluice::lab {

struct ListedKey {
  spec::KeyInfo key;
  std::string only_when;  ///< "task.kind = \"nlgp\", \"gaussian-clone\""; empty: always there
};

std::vector<ListedKey> all_keys();

}  // namespace sluice::lab
