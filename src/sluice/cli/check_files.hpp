/// sluice check FILE: claims of the user's own.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace sluice::cli {

struct FileCheck {
  std::vector<std::string> files;
  std::int64_t samples;
  std::uint64_t seed;
  int threads;
  bool json;
};

/// Measures what the files claim and prints it. The exit code: 1 where something does not hold.
int check_files(const FileCheck& check);

}  // namespace sluice::cli
