#include "sluice/math/program_path.hpp"

#include <system_error>

namespace sluice::math {

std::filesystem::path program_path() {
  std::error_code ignored;
  std::filesystem::path running = std::filesystem::read_symlink("/proc/self/exe", ignored);
  const std::filesystem::path folder = running.parent_path();
  if (folder.filename() != "loader" || folder.parent_path().filename() != "lib") return running;
  std::filesystem::path launcher = folder.parent_path().parent_path() / "bin" / running.filename();
  return std::filesystem::exists(launcher, ignored) ? launcher : running;
}

std::filesystem::path module_path(const char* name) {
  std::error_code ignored;
  const std::filesystem::path here = program_path().parent_path();
  for (const auto& folder :
       {here, here / "../lib/sluice", here / "../lib", here / ".."})  // the last: of tests
    if (std::filesystem::exists(folder / name, ignored)) return folder / name;
  return {};
}

}  // namespace sluice::math
