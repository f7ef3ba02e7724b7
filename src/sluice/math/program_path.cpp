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

}  // namespace sluice::math
