#include "sluice/file/system.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <limits>

#include "sluice/file/errors.hpp"
#include "sluice/file/held_folders.hpp"

namespace sluice::file {
namespace system {
namespace {

std::atomic<Refuse> asked = nullptr;

/// What the call fails with, in errno too; 0: it may be made.
int refused(Call call) {
  const Refuse refuse = asked.load(std::memory_order_relaxed);
  const int error = refuse == nullptr ? 0 : refuse(call);
  if (error != 0) errno = error;
  return error;
}

/// The file system has no such call, or not this form of it.
bool is_unknown(int error) { return error == EINVAL || error == ENOSYS || error == EOPNOTSUPP; }

}  // namespace

void ask(Refuse refuse) { asked = refuse; }

int open(const char* path, int flags, unsigned mode) {
  return refused(Call::open) != 0 ? -1 : ::open(path, flags, mode);
}
int open_in(int folder, const char* name, int flags) {
  return refused(Call::open) != 0 ? -1 : ::openat(folder, name, flags);
}
std::ptrdiff_t read(int descriptor, void* bytes, std::size_t count) {
  return refused(Call::read) != 0 ? -1 : ::read(descriptor, bytes, count);
}
std::ptrdiff_t pread(int descriptor, void* bytes, std::size_t count, std::int64_t offset) {
  return refused(Call::read) != 0 ? -1 : ::pread(descriptor, bytes, count, offset);
}
std::ptrdiff_t write(int descriptor, const void* bytes, std::size_t count) {
  const int error = refused(Call::write);
  if (error == 0) return ::write(descriptor, bytes, count);
  static_cast<void>(::write(descriptor, bytes, count / 2) < 0);
  errno = error;
  return -1;
}
std::ptrdiff_t pwrite(int descriptor, const void* bytes, std::size_t count, std::int64_t offset) {
  const int error = refused(Call::write);
  if (error == 0) return ::pwrite(descriptor, bytes, count, offset);
  static_cast<void>(::pwrite(descriptor, bytes, count / 2, offset) < 0);
  errno = error;
  return -1;
}
int fsync(int descriptor) { return refused(Call::sync) != 0 ? -1 : ::fsync(descriptor); }
int ftruncate(int descriptor, std::int64_t size) {
  return refused(Call::truncate) != 0 ? -1 : ::ftruncate(descriptor, size);
}
int rename(const char* from, const char* to) {
  return refused(Call::rename) != 0 ? -1 : std::rename(from, to);
}
int rename_if_free(const char* from, const char* to) {
  if (refused(Call::rename) == 0 && ::renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0)
    return 0;
  if (!is_unknown(errno)) return -1;
  // A second name takes none from another file; the first that stays is a temporary like that of a killed process.
  if (refused(Call::link) == 0 && ::link(from, to) == 0) {
    static_cast<void>(unlink(from));
    return 0;
  }
  if (!is_unknown(errno) && errno != EPERM) return -1;
  // Neither: what is made between these two calls is lost.
  struct stat facts {};
  if (::lstat(to, &facts) != 0) return rename(from, to);
  errno = EEXIST;
  return -1;
}
int unlink(const char* path) { return refused(Call::remove) != 0 ? -1 : ::unlink(path); }
int mkstemp(char* name) { return refused(Call::open) != 0 ? -1 : ::mkstemp(name); }
int flock(int descriptor, int operation) {
  return refused(Call::lock) != 0 ? -1 : ::flock(descriptor, operation);
}

}  // namespace system

std::string words_of(int error) {
  char room[128];
  return ::strerror_r(error, room, sizeof room);  // GNU's, which returns the words, there or elsewhere
}

bool remove_entry(const std::filesystem::path& path, std::error_code& failure) {
  const int error = is_displaced(path) ? ESTALE : system::refused(system::Call::remove);
  if (error == 0) return std::filesystem::remove(path, failure);
  failure = {error, std::generic_category()};
  return false;
}
bool remove_entry(const std::filesystem::path& path) {
  require_in_place(path);
  std::error_code failure;
  const bool was_there = remove_entry(path, failure);
  if (failure) throw IoError(fmt::format("{}: cannot be removed: {}", path.string(), failure.message()));
  return was_there;
}
std::string why_not_removable(const std::filesystem::path& path) {
  const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
  if (::faccessat(AT_FDCWD, folder.c_str(), W_OK | X_OK, AT_EACCESS) != 0) return words_of(errno);
  struct statx entry {
  }, around{};
  constexpr int kHow = AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT;
  if (::statx(AT_FDCWD, path.c_str(), kHow, STATX_BASIC_STATS, &entry) != 0 ||
      ::statx(AT_FDCWD, folder.c_str(), AT_NO_AUTOMOUNT, STATX_BASIC_STATS, &around) != 0)
    return "";
  // In a sticky folder, as /tmp is, everybody removes what is theirs.
  const uid_t us = ::geteuid();
  if ((around.stx_mode & S_ISVTX) != 0 && us != 0 && us != entry.stx_uid && us != around.stx_uid)
    return words_of(EPERM);
  constexpr std::uint64_t kFixed = STATX_ATTR_IMMUTABLE | STATX_ATTR_APPEND;
  if (((entry.stx_attributes | around.stx_attributes) & kFixed) != 0) return "it may not be changed (chattr)";
  return (entry.stx_attributes & STATX_ATTR_MOUNT_ROOT) != 0 ? "something is mounted there" : "";
}
void refuse_looking(const std::filesystem::path& folder, int error) {
  refuse_reading(fmt::format("{}: cannot be looked into: {}", folder.string(), words_of(error)), error);
}
std::vector<std::string> names_in(const std::filesystem::path& folder, std::error_code& failure) {
  std::vector<std::string> names;
  if (const int error = system::refused(system::Call::open); error != 0) {
    failure = {error, std::generic_category()};
    return names;
  }
  using Entries = std::filesystem::directory_iterator;
  for (Entries entry(folder, failure); !failure && entry != Entries(); entry.increment(failure))
    names.push_back(entry->path().filename().string());
  return names;
}
std::vector<std::string> names_in(const std::filesystem::path& folder) {
  std::error_code failure;
  std::vector<std::string> names = names_in(folder, failure);
  if (failure) refuse_looking(folder, failure.value());
  return names;
}
void make_folders(const std::filesystem::path& path, std::error_code& failure) {
  const int error = is_displaced(path) ? ESTALE : system::refused(system::Call::make_folder);
  if (error == 0)
    std::filesystem::create_directories(path, failure);
  else
    failure = {error, std::generic_category()};
}
void make_folders(const std::filesystem::path& path) {
  require_in_place(path);
  std::error_code failure;
  make_folders(path, failure);
  if (failure) throw IoError(fmt::format("{}: cannot be made: {}", path.string(), failure.message()));
}

std::filesystem::path normal_path(const std::filesystem::path& path) {
  namespace fs = std::filesystem;
  fs::path made;
  bool through_a_link = false;
  for (const fs::path& part : path) {
    if (part.empty() || part == ".") continue;
    std::error_code ignored;
    if (part != ".." || made.empty() || made.filename() == "..") {
      made /= part;
    } else if (fs::is_symlink(fs::symlink_status(made, ignored))) {
      made /= part;
      through_a_link = true;
    } else {
      made = made.parent_path();  // of the root it is the root
    }
  }
  if (!through_a_link) return path.lexically_normal();
  return path.has_filename() ? made : made / "";
}

double free_bytes(const std::filesystem::path& folder) {
  std::error_code failure;
  std::filesystem::path there = std::filesystem::absolute(folder, failure);
  while (!std::filesystem::exists(there, failure) && there.has_relative_path()) there = there.parent_path();
  const std::filesystem::space_info space = std::filesystem::space(there, failure);
  const bool known = !failure && space.capacity > 0;  // of what is no disk there is none
  return known ? static_cast<double>(space.available) : std::numeric_limits<double>::infinity();
}

}  // namespace sluice::file
