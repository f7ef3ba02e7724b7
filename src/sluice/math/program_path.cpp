#include "sluice/math/program_path.hpp"

#include <dlfcn.h>
#include <link.h>

#include <system_error>
#include <vector>

namespace sluice::math {
namespace {
namespace fs = std::filesystem;

/// The shared library that this code is in, as Python's module is one; empty where it is in the program itself.
fs::path own_library() {
  ::Dl_info found{};
  ::link_map* map = nullptr;
  if (::dladdr1(reinterpret_cast<const void*>(&own_library), &found, reinterpret_cast<void**>(&map),
                RTLD_DL_LINKMAP) == 0 ||
      map == nullptr)
    return {};
  // The program has no name there; dladdr's would be the word that started it, any file, as the launcher of a bundle is.
  return map->l_name;
}

}  // namespace

fs::path program_path() {
  std::error_code ignored;
  fs::path running = fs::read_symlink("/proc/self/exe", ignored);
  const fs::path folder = running.parent_path();
  if (folder.filename() != "loader" || folder.parent_path().filename() != "lib") return running;
  fs::path launcher = folder.parent_path().parent_path() / "bin" / running.filename();
  return fs::exists(launcher, ignored) ? launcher : running;
}

fs::path module_path(const char* name) {
  std::error_code ignored;
  const fs::path here = program_path().parent_path();
  std::vector<fs::path> folders{here, here / "../lib/sluice", here / "../lib",
                                here / ".."};  // the last: of tests
  if (const fs::path library = own_library(); !library.empty()) {
    const fs::path beside = library.parent_path();
    folders = {beside, beside / "../.."};  // the last: of a package in the folder that it was built in
  }
  for (const fs::path& folder : folders)
    if (fs::exists(folder / name, ignored)) return folder / name;
  return {};
}

void* load_module(const std::string& path, bool symbols_for_all, std::string& why) {
  void* module = ::dlopen(path.c_str(), RTLD_NOW | (symbols_for_all ? RTLD_GLOBAL : RTLD_LOCAL));
  if (module == nullptr) why = ::dlerror();  // NOLINT(concurrency-mt-unsafe): every thread has its own
  return module;
}

}  // namespace sluice::math
