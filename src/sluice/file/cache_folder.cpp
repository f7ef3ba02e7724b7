#include "sluice/file/cache_folder.hpp"

#include "sluice/file/errors.hpp"
#include "sluice/math/environment.hpp"

namespace sluice::file {
namespace {

/// The XDG base directory specification: a path that is not absolute counts as none.
std::filesystem::path absolute_path_in(const char* variable) {
  const char* value = math::environment(variable);
  std::filesystem::path path = value != nullptr ? value : "";
  return path.is_absolute() ? path : std::filesystem::path();
}

}  // namespace

std::filesystem::path cache_folder() {
  if (const auto cache = absolute_path_in("XDG_CACHE_HOME"); !cache.empty()) return cache / "sluice";
  if (const auto home = absolute_path_in("HOME"); !home.empty()) return home / ".cache" / "sluice";
  throw InputError("no cache folder: expected HOME or XDG_CACHE_HOME in the environment, an absolute path");
}

}  // namespace sluice::file
