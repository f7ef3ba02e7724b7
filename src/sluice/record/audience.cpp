#include "sluice/record/audience.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <system_error>

#include "sluice/file/system.hpp"

namespace sluice::record {
namespace fs = std::filesystem;
namespace {

bool is_ours(const struct stat& facts) { return S_ISREG(facts.st_mode) && facts.st_size == 0; }

/// When it was touched, in nanoseconds; nothing where there is none of ours.
std::optional<std::int64_t> time_of(const fs::path& path) {
  struct stat facts {};
  if (::lstat(path.c_str(), &facts) != 0 || !is_ours(facts)) return std::nullopt;
  return std::int64_t{1'000'000'000} * facts.st_mtim.tv_sec + facts.st_mtim.tv_nsec;
}

}  // namespace

void attend(const fs::path& folder) noexcept {
  try {
    const fs::path path = folder / kWatchedName;
    // No link is followed, and no pipe waited for.
    const int file =
        file::system::open(path.c_str(), O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666);
    if (file < 0) return;
    struct stat facts {};
    if (::fstat(file, &facts) == 0 && is_ours(facts)) ::futimens(file, nullptr);
    ::close(file);
  } catch (...) {  // no memory for a path: then not this time
  }
}

void leave(const fs::path& folder) noexcept {
  try {
    std::error_code ignored;
    if (time_of(folder / kWatchedName)) file::remove_entry(folder / kWatchedName, ignored);
  } catch (...) {
  }
}

bool has_foreign_mark(const fs::path& folder) {
  const fs::path path = folder / kWatchedName;
  struct stat facts {};
  return ::lstat(path.c_str(), &facts) == 0 && !is_ours(facts);
}

bool Audience::present() {
  using namespace std::chrono_literals;
  const Clock::time_point now = Clock::now();
  if (now - looked_ >= 500ms) {
    looked_ = now;
    const std::optional<std::int64_t> touched = time_of(file_);
    if (touched && touched_ != touched) changed_ = now;
    touched_ = touched;
  }
  return touched_ && now - changed_ < 10s;
}

}  // namespace sluice::record
