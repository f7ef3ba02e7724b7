#include "sluice/file/lock.hpp"

#include <fcntl.h>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <condition_variable>
#include <ctime>
#include <mutex>
#include <set>
#include <sstream>
#include <stop_token>
#include <string>
#include <system_error>
#include <thread>

#include "sluice/file/atomic_file.hpp"
#include "sluice/file/errors.hpp"
#include "sluice/file/system.hpp"

namespace sluice::file {
namespace fs = std::filesystem;
namespace {

constexpr std::chrono::seconds kBetweenBeats{20};
constexpr std::chrono::seconds kSilence{120};  // after which a holder on another host counts as dead
constexpr std::string_view kFirstLine = "lock of sluice";

/// Who holds a lock, as its file says it.
struct Holder {
  std::string pid, start, boot, host, since;
};

/// Nothing, and errno says why, where it cannot be read.
std::optional<std::string> text_in(int descriptor) {
  char bytes[4096];
  const ssize_t got = system::pread(descriptor, bytes, sizeof bytes, 0);
  return got < 0 ? std::nullopt : std::optional<std::string>({bytes, static_cast<std::size_t>(got)});
}

/// A lock of whoever is there could not be told from one of the dead.
void require_readable_world(const fs::path& lock, int error) {
  if (is_of_the_world(error))
    refuse_reading(fmt::format("{}: cannot be looked up: {}", lock.string(), words_of(error)), error);
}

/// Of a file of the kernel that says more of who has this lock; empty where there is none.
std::string first_line_of(const std::string& path, const fs::path& lock) {
  const int descriptor = system::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  const std::optional<std::string> text = descriptor < 0 ? std::nullopt : text_in(descriptor);
  const int error = errno;
  if (descriptor >= 0) ::close(descriptor);
  if (!text) require_readable_world(lock, error);
  return text ? text->substr(0, text->find('\n')) : "";
}

/// When a process began, in ticks since the boot: field 22 of its stat, counted behind the name, which may hold anything. Nothing of one that
/// has ended and whose parent has not asked how (field 3): it holds no lock.
std::string start_of(const std::string& pid, const fs::path& lock) {
  const std::string stat = first_line_of(fmt::format("/proc/{}/stat", pid), lock);
  std::istringstream fields(stat.substr(std::min(stat.rfind(')') + 1, stat.size())));
  std::string field;
  fields >> field;
  if (field == "Z" || field == "X") return "";
  for (int i = 4; i <= 22; ++i) fields >> field;
  return fields ? field : "";
}

std::string this_boot(const fs::path& lock) { return first_line_of("/proc/sys/kernel/random/boot_id", lock); }

std::string this_host() {
  char name[256] = {};
  return ::gethostname(name, sizeof name - 1) == 0 ? name : "";
}

Holder ourselves(const fs::path& lock) {
  const std::string pid = std::to_string(::getpid());
  return {pid, start_of(pid, lock), this_boot(lock), this_host(),
          fmt::format("{:%Y-%m-%d %H:%M:%S}", fmt::localtime(std::time(nullptr)))};
}

std::string to_text(const Holder& holder) {
  return fmt::format("{}\npid {}\nstart {}\nboot {}\nhost {}\nsince {}\n", kFirstLine, holder.pid,
                     holder.start, holder.boot, holder.host, holder.since);
}

Holder parse(const std::string& text) {
  Holder holder;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t space = std::min(line.find(' '), line.size());
    const std::string value = line.substr(std::min(space + 1, line.size()));
    const std::string_view key = std::string_view(line).substr(0, space);
    if (key == "pid") holder.pid = value;
    if (key == "start") holder.start = value;
    if (key == "boot") holder.boot = value;
    if (key == "host") holder.host = value;
    if (key == "since") holder.since = value;
  }
  return holder;
}

[[noreturn]] void refuse(const fs::path& folder, const std::string& text, const char* remark = "") {
  const Holder holder = parse(text);
  const std::string who =
      holder.pid.empty() ? ""
                         : fmt::format(" (pid {}, host {}, since {})", holder.pid, holder.host, holder.since);
  throw Busy(fmt::format("{}: another sluice{} is at work there{}", folder.string(), who, remark));
}

/// What the lock says of its holder, and when it was touched last: is that one alive?
bool lives(const Holder& holder, std::time_t touched, const fs::path& lock) {
  if (holder.host != this_host()) return std::time(nullptr) - touched < kSilence.count();
  return holder.boot == this_boot(lock) && !holder.start.empty() &&
         start_of(holder.pid, lock) == holder.start;
}

/// Is flock known here, then whether it is ours; and where it is not known, nothing but the file tells.
enum class Flock { ours, another_has_it, unknown };

Flock try_flock(int descriptor, int operation) {
  if (system::flock(descriptor, operation | LOCK_NB) == 0) return Flock::ours;
  return errno == EWOULDBLOCK ? Flock::another_has_it : Flock::unknown;
}

/// The lock file as it was found.
struct Found {
  int descriptor = -1;
  bool made = false;  ///< by us: there was none
  Flock flock = Flock::unknown;
  std::string text;
  int unreadable = 0;  ///< why it has none
  std::time_t touched = 0;
  bool regular = false;
};

void look_at(Found& found) {
  const std::optional<std::string> text = text_in(found.descriptor);
  found.unreadable = text ? 0 : errno;
  found.text = text.value_or("");
  struct stat status {};
  found.regular = ::fstat(found.descriptor, &status) == 0 && S_ISREG(status.st_mode);
  found.touched = status.st_mtim.tv_sec;
}

/// Is the open file the one that has this name?
bool is_named(int descriptor, const fs::path& path) {
  struct stat held {
  }, named{};
  return ::fstat(descriptor, &held) == 0 && ::lstat(path.c_str(), &named) == 0 &&
         held.st_dev == named.st_dev && held.st_ino == named.st_ino;
}

[[noreturn]] void fail_to_write(const fs::path& path) {
  const int error = errno;
  if (error == ENOENT) {
    // There are folders that take no files: one that was deleted under us, those of the kernel.
    std::error_code ignored;
    throw InputError(fmt::format(
        "{}: {}", path.parent_path().string(),
        fs::exists(path.parent_path(), ignored) ? "no file can be made there" : "no such folder"));
  }
  const std::string what = fmt::format("{}: cannot be written: {}", path.string(), words_of(error));
  if (is_of_the_world(error)) throw WorldError(what);
  throw IoError(what);
}

/// Of two that find none, one makes it (O_EXCL): that is known on every file system.
Found open_lock(const fs::path& path) {
  constexpr int kHow = O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
  for (;;) {
    Found found;
    found.descriptor = system::open(path.c_str(), kHow | O_CREAT | O_EXCL, 0666);
    found.made = found.descriptor >= 0;
    if (!found.made && errno == EEXIST) {
      found.descriptor = system::open(path.c_str(), kHow);
      if (found.descriptor < 0 && errno == ENOENT) continue;  // released just now
    }
    if (found.descriptor < 0) fail_to_write(path);
    found.flock = try_flock(found.descriptor, LOCK_EX);
    look_at(found);
    if (found.flock == Flock::another_has_it || is_named(found.descriptor, path)) return found;
    // Its holder removed the file between our open and our flock: what we locked is no longer the lock.
    ::close(found.descriptor);
  }
}

/// Nobody has flock, or nobody can: the file may still say that its holder lives.
void require_dead(const fs::path& folder, const Found& found) {
  const fs::path lock = folder / FolderLock::kName;
  require_readable_world(lock, found.unreadable);
  if (!found.regular || (!found.text.empty() && !found.text.starts_with(kFirstLine)))
    throw InputError(fmt::format("{}: not a lock of sluice; move it away", lock.string()));
  if (found.text.empty()) {
    // Whoever made it writes into it at once; under flock it is one that had no room for that.
    const bool young = std::time(nullptr) - found.touched < kSilence.count();
    if (found.flock == Flock::unknown && young) refuse(folder, found.text);
    return;
  }
  const Holder holder = parse(found.text);
  const bool here = holder.host == this_host();
  // Under flock one that speaks of us was left by us.
  const bool left_by_us = here && holder.pid == std::to_string(::getpid()) && found.flock == Flock::ours;
  if (!lives(holder, found.touched, lock) || left_by_us) return;
  refuse(folder, found.text, here ? "" : ", or was killed less than two minutes ago");
}

/// Where flock is not known a lock is had by making its file: one of the dead goes first, under another name, so that of two who saw it dead only one
/// takes it away, and nobody takes that of the next holder for it.
void clear_away(const fs::path& path, const std::string& text) {
  const fs::path aside = path.parent_path() / temporary_name(path.filename().string());
  if (system::rename(path.c_str(), aside.c_str()) != 0) {
    if (errno == ENOENT) return;  // another was quicker
    fail_to_write(path);
  }
  const int descriptor = system::open(aside.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  const bool of_the_dead = descriptor >= 0 && text_in(descriptor) == text;
  if (descriptor >= 0) ::close(descriptor);
  // That of a living one gets its name back, unless the next one is there by now.
  if (of_the_dead || system::rename_if_free(aside.c_str(), path.c_str()) != 0) system::unlink(aside.c_str());
}

/// Tells that who has an open lock is ours, or throws and leaves it; false: it was that of a dead one, and may be had now.
bool is_ours(const fs::path& folder, const Found& found) {
  if (found.flock == Flock::another_has_it) refuse(folder, found.text);
  if (found.made) return true;
  require_dead(folder, found);
  if (found.flock == Flock::ours) return true;
  clear_away(folder / FolderLock::kName, found.text);
  return false;
}

/// Touches the files of the locks that this process holds, in a thread that is there while it holds any.
class Heart {
 public:
  void beat_for(int descriptor) {
    const std::lock_guard guard(mutex_);
    held_.insert(descriptor);
    if (thread_.joinable()) return;
    try {
      thread_ = std::jthread([this](const std::stop_token& stop) { beat(stop); });
    } catch (const std::system_error&) {
      // As many threads as the user may have: no beat, which matters only where flock does not reach.
    }
  }
  /// The descriptor may be closed afterwards.
  void rest_for(int descriptor) {
    std::jthread last;  // joined when the mutex is free again: it may be at work
    const std::lock_guard guard(mutex_);
    held_.erase(descriptor);
    if (held_.empty()) last.swap(thread_);
    last.request_stop();
  }

 private:
  void beat(const std::stop_token& stop) {
    std::unique_lock guard(mutex_);
    for (;;) {
      wake_.wait_for(guard, stop, kBetweenBeats, [] { return false; });
      if (stop.stop_requested()) return;
      for (const int descriptor : held_) ::futimens(descriptor, nullptr);
    }
  }

  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::set<int> held_;  // descriptors of lock files
  std::jthread thread_;
};

Heart& heart() {
  static Heart* const of_process = new Heart;  // never deleted: a lock may be released while the process ends
  return *of_process;
}

}  // namespace

FolderLock::FolderLock(const fs::path& folder, std::chrono::milliseconds patience) : path_(folder / kName) {
  const auto end = std::chrono::steady_clock::now() + patience;
  for (bool ours = false; !ours;) {
    const Found found = open_lock(path_);
    try {
      ours = is_ours(folder, found);
      if (ours) descriptor_ = found.descriptor;
    } catch (const Busy&) {
      ::close(found.descriptor);  // the file stays: it is not ours
      // Who is being killed gives flock back before it is dead: that passes, too.
      if (std::chrono::steady_clock::now() >= end) throw;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
      continue;
    } catch (...) {
      ::close(found.descriptor);
      throw;
    }
    if (!ours) ::close(found.descriptor);
  }
  try {
    // On a full disk the file stays empty: the lock holds, it only does not say whose it is.
    const std::string us = to_text(ourselves(path_));
    if (system::ftruncate(descriptor_, 0) == 0)
      static_cast<void>(system::pwrite(descriptor_, us.data(), us.size(), 0) < 0);
    held_.emplace(folder);
  } catch (...) {
    release();
    throw;
  }
  heart().beat_for(descriptor_);
}

bool FolderLock::is_held(const fs::path& folder) {
  const fs::path lock = folder / kName;
  const int descriptor = system::open(lock.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  const std::optional<std::string> text = descriptor < 0 ? std::nullopt : text_in(descriptor);
  const int error = errno;
  struct stat status {};
  const bool regular = descriptor >= 0 && ::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
  if (descriptor >= 0) ::close(descriptor);
  if (!text) require_readable_world(lock, error);
  return regular && text && text->starts_with(kFirstLine) && lives(parse(*text), status.st_mtim.tv_sec, lock);
}

void FolderLock::require_free(const fs::path& folder) {
  Found found;
  found.descriptor = system::open((folder / kName).c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (found.descriptor < 0) {
    const int error = errno;
    // None there, or a link, which no lock of ours is.
    if (error == ENOENT || error == ENOTDIR || error == ELOOP) return;
    refuse_reading(fmt::format("{}: cannot be read: {}", (folder / kName).string(), words_of(error)), error);
  }
  found.flock = try_flock(found.descriptor, LOCK_SH);
  look_at(found);
  try {
    if (found.flock == Flock::another_has_it) refuse(folder, found.text);
    require_dead(folder, found);
  } catch (...) {
    ::close(found.descriptor);
    throw;
  }
  ::close(found.descriptor);
}

FolderLock::~FolderLock() {
  heart().rest_for(descriptor_);
  held_.reset();
  release();
}

void FolderLock::release() const {
  // Still locked: whoever opened it before sees that it is no longer the lock. One that took ours for dead, after two minutes without a beat, keeps its own.
  if (is_named(descriptor_, path_)) system::unlink(path_.c_str());
  ::close(descriptor_);
}

}  // namespace sluice::file
