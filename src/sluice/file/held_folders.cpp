#include "sluice/file/held_folders.hpp"

#include <fmt/format.h>
#include <pthread.h>
#include <sys/stat.h>

#include <map>
#include <mutex>
#include <optional>
#include <utility>

#include "sluice/file/errors.hpp"

namespace sluice::file {
namespace fs = std::filesystem;
namespace {

using Identity = std::pair<dev_t, ino_t>;  // of a folder, wherever it is moved to

Identity identity_of(const std::string& folder) {
  struct stat facts {};
  return ::stat(folder.c_str(), &facts) == 0 ? Identity{facts.st_dev, facts.st_ino} : Identity{};
}

struct HeldAs {
  Identity identity;
  int holders = 0;
};

struct Held {
  std::mutex mutex;
  std::map<std::string, HeldAs> folders;  // by the parent path that their files have
  std::uint64_t process = 0;              // how many forks lie before it
};

/// Never deleted: a lock may be released while the process ends. In a process that was forked another thread's hold of the mutex would never end.
Held& held() {
  static Held* of_process = new Held;
  static const int prepared =
      ::pthread_atfork(nullptr, nullptr, [] { of_process = new Held{.process = of_process->process + 1}; });
  static_cast<void>(prepared);
  return *of_process;
}

/// The held folder that this lies in, if another has its path by now.
std::optional<std::string> lost_folder(const fs::path& path) {
  const fs::path folder = path.parent_path();
  for (const std::string& name : {folder.string(), folder.parent_path().string()}) {
    Identity expected;
    {
      const std::lock_guard guard(held().mutex);
      const auto found = held().folders.find(name);
      if (found == held().folders.end()) continue;
      expected = found->second.identity;
    }
    if (identity_of(name) != expected) return name;
  }
  return std::nullopt;
}

}  // namespace

HeldFolder::HeldFolder(const fs::path& folder) : path_((folder / "file").parent_path().string()) {
  const Identity identity = identity_of(path_);
  const std::lock_guard guard(held().mutex);
  process_ = held().process;
  const auto [entry, fresh] = held().folders.try_emplace(path_, HeldAs{identity});
  if (!fresh && entry->second.identity != identity)
    throw InputError(
        fmt::format("{}: this process is at work in another folder of that name (was it moved, or the "
                    "current folder changed?)",
                    path_));
  ++entry->second.holders;
}
HeldFolder::~HeldFolder() {
  const std::lock_guard guard(held().mutex);
  if (process_ != held().process) return;
  const auto entry = held().folders.find(path_);
  if (--entry->second.holders == 0) held().folders.erase(entry);
}

bool is_displaced(const fs::path& path) { return lost_folder(path).has_value(); }

void require_in_place(const fs::path& path) {
  if (const std::optional<std::string> folder = lost_folder(path))
    throw IoError(
        fmt::format("{}: not the folder in which the work began (was it moved?); what stands there is left "
                    "as it is",
                    *folder));
}

}  // namespace sluice::file
