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
#include <cstring>
#include <ctime>
#include <fstream>
#include <mutex>
#include <set>
#include <sstream>
#include <stop_token>
#include <string>
#include <system_error>
#include <thread>

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

std::string first_line_of(const char* path) {
  std::ifstream stream(path);
  std::string line;
  std::getline(stream, line);
  return line;
}

/// When a process began, in ticks since the boot: field 22 of its stat, counted behind the name, which may hold anything. Nothing of one that
/// has ended and whose parent has not asked how (field 3): it holds no lock.
std::string start_of(const std::string& pid) {
  const std::string stat = first_line_of(fmt::format("/proc/{}/stat", pid).c_str());
  std::istringstream fields(stat.substr(std::min(stat.rfind(')') + 1, stat.size())));
  std::string field;
  fields >> field;
  if (field == "Z" || field == "X") return "";
  for (int i = 4; i <= 22; ++i) fields >> field;
  return fields ? field : "";
}

std::string this_host() {
  char name[256] = {};
  return ::gethostname(name, sizeof name - 1) == 0 ? name : "";
}

Holder ourselves() {
  const std::string pid = std::to_string(::getpid());
  return {pid, start_of(pid), first_line_of("/proc/sys/kernel/random/boot_id"), this_host(),
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

std::string text_in(int descriptor) {
  char bytes[4096];
  const ssize_t got = system::pread(descriptor, bytes, sizeof bytes, 0);
  return {bytes, got > 0 ? static_cast<std::size_t>(got) : 0};
}

[[noreturn]] void refuse(const fs::path& folder, const std::string& text, const char* remark = "") {
  const Holder holder = parse(text);
  const std::string who =
      holder.pid.empty() ? ""
                         : fmt::format(" (pid {}, host {}, since {})", holder.pid, holder.host, holder.since);
  throw Busy(fmt::format("{}: another sluice{} is at work there{}", folder.string(), who, remark));
}

/// The lock file, open and under flock; -1 while somebody else has it, `text` then says who.
int try_to_take(const fs::path& path, std::string& text) {
  for (;;) {
    const int descriptor =
        system::open(path.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666);
    if (descriptor < 0) {
      const int error = errno;
      const std::string what = fmt::format("{}: cannot be written: {}", path.string(), std::strerror(error));
      if (is_of_the_disk(error)) throw DiskError(what);
      throw IoError(what);
    }
    const bool taken = ::flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
    text = text_in(descriptor);
    struct stat held {
    }, named{};
    const bool same = ::fstat(descriptor, &held) == 0 && ::lstat(path.c_str(), &named) == 0 &&
                      held.st_dev == named.st_dev && held.st_ino == named.st_ino;
    if (taken && same) return descriptor;
    ::close(descriptor);
    if (!taken) return -1;
    // Its holder removed the file between our open and our flock: what we locked is no longer the lock.
  }
}

/// What the file says of its holder, and when it was touched last: is that one alive?
bool lives(const Holder& holder, std::time_t touched) {
  if (holder.host != this_host()) return std::time(nullptr) - touched < kSilence.count();
  return holder.boot == first_line_of("/proc/sys/kernel/random/boot_id") && !holder.start.empty() &&
         start_of(holder.pid) == holder.start;
}

/// Flock is ours, but a file that was left there, or one seen from a machine that flock does not reach, may say otherwise.
void require_dead(const fs::path& folder, const fs::path& path, int descriptor, const std::string& text) {
  struct stat status {};
  const bool regular = ::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
  if (!regular || (!text.empty() && !text.starts_with(kFirstLine)))
    throw InputError(fmt::format("{}: not a lock of sluice; move it away", path.string()));
  if (text.empty()) return;
  const Holder holder = parse(text);
  const bool here = holder.host == this_host();
  if (!lives(holder, status.st_mtim.tv_sec) || (here && holder.pid == std::to_string(::getpid()))) return;
  refuse(folder, text, here ? "" : ", or was killed less than two minutes ago");
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
  for (;;) {
    std::string text;
    descriptor_ = try_to_take(path_, text);
    try {
      if (descriptor_ < 0) refuse(folder, text);
      require_dead(folder, path_, descriptor_, text);
      break;
    } catch (const InputError& refusal) {
      if (descriptor_ >= 0) ::close(descriptor_);  // the file stays: it is not ours
      // Who is being killed gives flock back before it is dead: that passes, too.
      const bool passes = dynamic_cast<const Busy*>(&refusal) != nullptr;
      if (!passes || std::chrono::steady_clock::now() >= end) throw;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  // On a full disk the file stays empty: the lock holds, it only does not say whose it is.
  const std::string us = to_text(ourselves());
  if (system::ftruncate(descriptor_, 0) == 0)
    static_cast<void>(system::pwrite(descriptor_, us.data(), us.size(), 0) < 0);
  heart().beat_for(descriptor_);
}

bool FolderLock::is_held(const fs::path& folder) {
  const int descriptor =
      system::open((folder / kName).c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0) return false;
  const std::string text = text_in(descriptor);
  struct stat status {};
  const bool found = ::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
  ::close(descriptor);
  return found && text.starts_with(kFirstLine) && lives(parse(text), status.st_mtim.tv_sec);
}

void FolderLock::require_free(const fs::path& folder) {
  const fs::path path = folder / kName;
  const int descriptor = system::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0) return;
  const std::string text = text_in(descriptor);
  const bool taken = ::flock(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  try {
    if (taken) refuse(folder, text);
    require_dead(folder, path, descriptor, text);
  } catch (const InputError&) {
    ::close(descriptor);
    throw;
  }
  ::close(descriptor);
}

FolderLock::~FolderLock() {
  heart().rest_for(descriptor_);
  system::unlink(path_.c_str());  // still locked: whoever opened it before sees that it is no longer the lock
  ::close(descriptor_);
}

}  // namespace sluice::file
