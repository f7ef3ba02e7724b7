#include "sluice/file/atomic_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <new>
#include <utility>

#include "sluice/file/errors.hpp"
#include "sluice/file/held_folders.hpp"
#include "sluice/file/open_file.hpp"
#include "sluice/file/system.hpp"
#include "sluice/math/memory.hpp"

namespace sluice::file {
namespace {

constexpr std::string_view kTemporaryMark = ".sluice-tmp-";
constexpr std::size_t kRandomDigits = 16;
constexpr std::size_t kLongestPid = 7;  // what version 0.1.0 put there

std::string random_digits() {
  std::uint64_t number = 0;
  if (::getrandom(&number, sizeof number, 0) != static_cast<ssize_t>(sizeof number))
    throw IoError(fmt::format("no random numbers from the system: {}", words_of(errno)));
  return fmt::format("{:0{}x}", number, kRandomDigits);
}

/// Nobody writes it: its lock is free. Where a file system knows no locks, the folder's lock must do.
bool is_abandoned(int descriptor) {
  struct stat status {};
  return ::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) &&
         (system::flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK);
}

/// A rename is durable only once the folder that holds the name is synced.
void sync_folder(const std::filesystem::path& folder) {
  const int descriptor =
      system::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;  // some network file systems refuse; the rename itself is still atomic
  system::fsync(descriptor);
  ::close(descriptor);
}

[[noreturn]] void fail_at(const std::filesystem::path& target, const char* doing) {
  throw IoError(fmt::format("{}: {}: {}", target.string(), doing, words_of(errno)));
}

/// Gives a synced temporary its name, and closes it. One that was made in a folder that is not ours is found out here; one whose folder was moved is not found
/// by its name, and gets none.
void rename_and_close(int descriptor, const std::string& temporary, const std::filesystem::path& target,
                      IfTaken if_taken) {
  try {
    require_in_place(target);
  } catch (...) {
    system::unlink(temporary.c_str());
    ::close(descriptor);
    throw;
  }
  const bool keep = if_taken == IfTaken::refuse;
  const auto name_it = keep ? system::rename_if_free : system::rename;
  const int held = ::dup(descriptor);  // keeps the lock until the name is no longer a temporary's
  const bool done = ::close(descriptor) == 0 && name_it(temporary.c_str(), target.c_str()) == 0;
  const int error = errno;
  if (!done) system::unlink(temporary.c_str());
  if (held >= 0) ::close(held);
  if (!done && keep && error == EEXIST) refuse_taken(target);
  errno = error;
  if (!done) fail_at(target, keep ? "cannot be written" : "cannot be replaced");
}

std::string made_room(std::uint64_t bytes, const std::filesystem::path& path) {
  try {
    return std::string(bytes, '\0');
  } catch (const std::bad_alloc&) {
    throw ExhaustedError(fmt::format("{}: no memory is left for its {:.3g} GiB", path.string(),
                                     static_cast<double>(bytes) / math::kGibibyte));
  }
}

thread_local CommitTogether* at_work = nullptr;

}  // namespace

CommitTogether::CommitTogether() : around_(std::exchange(at_work, this)) {}

CommitTogether::~CommitTogether() {
  if (at_work == this) at_work = around_;
  for (const Waiting& file : waiting_) {
    ::close(file.descriptor);
    system::unlink(file.temporary.c_str());
  }
}

void CommitTogether::commit() {
  at_work = around_;
#ifdef SYNC_FILE_RANGE_WRITE
  // All are on their way before the first is waited for.
  for (const Waiting& file : waiting_) ::sync_file_range(file.descriptor, 0, 0, SYNC_FILE_RANGE_WRITE);
#endif
  for (const Waiting& file : waiting_) {
    if (system::fsync(file.descriptor) != 0) fail_at(file.target, "sync failed");
  }
  std::vector<std::filesystem::path> folders;
  while (!waiting_.empty()) {
    const Waiting file = std::move(waiting_.front());
    waiting_.erase(waiting_.begin());
    rename_and_close(file.descriptor, file.temporary, file.target, file.if_taken);
    if (std::ranges::find(folders, file.target.parent_path()) == folders.end())
      folders.push_back(file.target.parent_path());
  }
  for (const std::filesystem::path& folder : folders) sync_folder(folder);
}

AtomicFile::AtomicFile(std::filesystem::path target, IfTaken if_taken)
    : target_(std::move(target)), if_taken_(if_taken) {
  open_temporary();
}

void AtomicFile::open_temporary() {
  require_in_place(target_);
  for (;;) {
    temporary_ = (target_.parent_path() / temporary_name(target_.filename().string())).string();
    descriptor_ =
        system::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (descriptor_ < 0 && errno == EEXIST) continue;
    if (descriptor_ < 0) fail("cannot be written");
    // Between open and flock it looked abandoned. Whoever removed it then held the lock; we see it now and begin again.
    system::flock(descriptor_, LOCK_EX);
    struct stat status {};
    if (::fstat(descriptor_, &status) != 0 || status.st_nlink > 0) return;
    ::close(descriptor_);
  }
}

AtomicFile::~AtomicFile() {
  if (descriptor_ < 0) return;
  ::close(descriptor_);
  system::unlink(temporary_.c_str());
}

void AtomicFile::fail(const char* doing) const { fail_at(target_, doing); }

void AtomicFile::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = system::write(descriptor_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail("write failed");
    bytes.remove_prefix(static_cast<std::size_t>(written));
    size_ += static_cast<std::uint64_t>(written);
  }
}

void AtomicFile::patch(std::uint64_t offset, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written =
        system::pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail("write failed");
    bytes.remove_prefix(static_cast<std::size_t>(written));
    offset += static_cast<std::uint64_t>(written);
  }
}

void AtomicFile::commit() {
  if (at_work != nullptr) {
    at_work->waiting_.push_back({target_, temporary_, std::exchange(descriptor_, -1), if_taken_});
    return;
  }
  if (system::fsync(descriptor_) != 0) fail("sync failed");
  rename_and_close(std::exchange(descriptor_, -1), temporary_, target_, if_taken_);
  sync_folder(target_.parent_path());
}

void write_atomically(const std::filesystem::path& target, std::string_view bytes, IfTaken if_taken) {
  AtomicFile file(target, if_taken);
  file.write(bytes);
  file.commit();
}

std::string read_text(const std::filesystem::path& path, std::uint64_t most) {
  const OpenFile file(path);
  if (file.size() > most)
    throw InputError(fmt::format("{}: {} bytes, expected at most {}", path.string(), file.size(), most));
  std::string text = made_room(file.size(), path);
  text.resize(file.read({reinterpret_cast<std::uint8_t*>(text.data()), text.size()}));
  return text;
}

std::string temporary_name(std::string_view name) {
  constexpr std::size_t kLongest = 255 - 1 - kTemporaryMark.size() - kRandomDigits;  // of a name, in bytes
  return fmt::format(".{}{}{}", name.substr(0, kLongest), kTemporaryMark, random_digits());
}

bool is_temporary(std::string_view name) {
  const std::size_t mark = name.rfind(kTemporaryMark);
  if (!name.starts_with('.') || mark == std::string_view::npos || mark == 0) return false;
  const std::string_view end = name.substr(mark + kTemporaryMark.size());
  const std::string_view decimal = "0123456789";
  const std::string_view hexadecimal = "0123456789abcdef";
  const bool ours =
      end.size() == kRandomDigits && end.find_first_not_of(hexadecimal) == std::string_view::npos;
  const bool older =
      !end.empty() && end.size() <= kLongestPid && end.find_first_not_of(decimal) == std::string_view::npos;
  return ours || older;
}

void remove_stale_temporaries(const std::filesystem::path& folder) {
  if (is_displaced(folder / "any")) return;
  std::error_code ignored;
  for (const std::string& name : names_in(folder, ignored)) {
    if (!is_temporary(name)) continue;
    const std::filesystem::path left = folder / name;
    const int descriptor = system::open(left.c_str(), O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (descriptor < 0) continue;
    if (is_abandoned(descriptor)) system::unlink(left.c_str());
    ::close(descriptor);
  }
}

}  // namespace sluice::file
