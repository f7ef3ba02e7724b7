#include "sluice/file/open_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "sluice/file/errors.hpp"
#include "sluice/file/system.hpp"

namespace sluice::file {
namespace {

[[noreturn]] void unreadable(const std::string& name, int error) {
  refuse_reading(fmt::format("{}: cannot be read: {}", name, words_of(error)), error);
}

}  // namespace

OpenFile::OpenFile(const std::filesystem::path& path) : name_(path.string()) {
  // Non-blocking: to open a pipe that nobody writes to would wait for ever.
  descriptor_ = system::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  struct stat facts {};
  if (descriptor_ < 0 || ::fstat(descriptor_, &facts) != 0) {
    const int error = errno;
    if (descriptor_ >= 0) ::close(descriptor_);
    unreadable(name_, error);
  }
  if (!S_ISREG(facts.st_mode)) {
    ::close(descriptor_);
    throw InputError(fmt::format("{}: expected a file, found {}", name_,
                                 S_ISDIR(facts.st_mode) ? "a folder" : "a device or pipe"));
  }
  size_ = static_cast<std::uint64_t>(facts.st_size);
}

OpenFile::~OpenFile() { ::close(descriptor_); }

std::size_t OpenFile::read(std::span<std::uint8_t> out) const {
  std::size_t made = 0;
  while (made < out.size()) {
    const ssize_t got = system::read(descriptor_, out.data() + made, out.size() - made);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) unreadable(name_, errno);
    if (got == 0) break;
    made += static_cast<std::size_t>(got);
  }
  return made;
}

std::size_t OpenFile::peek(std::span<std::uint8_t> out) const {
  const ssize_t got = system::pread(descriptor_, out.data(), out.size(), 0);
  if (got < 0) unreadable(name_, errno);
  return static_cast<std::size_t>(got);
}

}  // namespace sluice::file
