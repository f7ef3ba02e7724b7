#include "sluice/file/system.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <limits>

#include "sluice/file/errors.hpp"

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

}  // namespace

void ask(Refuse refuse) { asked = refuse; }

int open(const char* path, int flags, unsigned mode) {
  return refused(Call::open) != 0 ? -1 : ::open(path, flags, mode);
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
int unlink(const char* path) { return refused(Call::remove) != 0 ? -1 : ::unlink(path); }
int flock(int descriptor, int operation) {
  return refused(Call::lock) != 0 ? -1 : ::flock(descriptor, operation);
}

}  // namespace system

bool remove_entry(const std::filesystem::path& path, std::error_code& failure) {
  if (const int error = system::refused(system::Call::remove)) {
    failure = {error, std::generic_category()};
    return false;
  }
  return std::filesystem::remove(path, failure);
}
bool remove_entry(const std::filesystem::path& path) {
  std::error_code failure;
  const bool was_there = remove_entry(path, failure);
  if (failure) throw IoError(fmt::format("{}: cannot be removed: {}", path.string(), failure.message()));
  return was_there;
}
void make_folders(const std::filesystem::path& path, std::error_code& failure) {
  if (const int error = system::refused(system::Call::make_folder))
    failure = {error, std::generic_category()};
  else
    std::filesystem::create_directories(path, failure);
}
void make_folders(const std::filesystem::path& path) {
  std::error_code failure;
  make_folders(path, failure);
  if (failure) throw IoError(fmt::format("{}: cannot be made: {}", path.string(), failure.message()));
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
