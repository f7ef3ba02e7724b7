#include "sluice/data/child_process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <system_error>
#include <thread>

#include "sluice/file/errors.hpp"
#include "sluice/file/system.hpp"

namespace sluice::data {
namespace {

constexpr std::chrono::milliseconds kBetweenLooks{20};

/// What is done in the child before the program begins.
class Preparation {
 public:
  explicit Preparation(const Command& command) {
    posix_spawn_file_actions_init(&actions_);
    posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions_, STDOUT_FILENO, command.output.c_str(),
                                     O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_adddup2(&actions_, STDOUT_FILENO, STDERR_FILENO);
    posix_spawn_file_actions_addchdir_np(&actions_, command.folder.c_str());
    // A group of its own, so that a stop reaches what it starts in turn; and none of the signals we ignore.
    posix_spawnattr_init(&attributes_);
    sigset_t ours;
    sigemptyset(&ours);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGXFSZ}) sigaddset(&ours, signal);
    posix_spawnattr_setsigdefault(&attributes_, &ours);
    posix_spawnattr_setpgroup(&attributes_, 0);
    posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF);
  }
  ~Preparation() {
    posix_spawn_file_actions_destroy(&actions_);
    posix_spawnattr_destroy(&attributes_);
  }
  Preparation(const Preparation&) = delete;
  Preparation& operator=(const Preparation&) = delete;

  const posix_spawn_file_actions_t* actions() const { return &actions_; }
  const posix_spawnattr_t* attributes() const { return &attributes_; }

 private:
  posix_spawn_file_actions_t actions_{};
  posix_spawnattr_t attributes_{};
};

bool floods(const Command& command) {
  std::error_code gone;
  const std::uintmax_t size = std::filesystem::file_size(command.output, gone);
  return !gone && size > Command::kMostOutput;
}

}  // namespace

ChildEnd run_child(const Command& command, const std::function<bool()>& stop_requested) {
  std::vector<std::string> words = command.words;
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  const Preparation preparation(command);
  pid_t child = -1;
  const int error = ::posix_spawnp(&child, arguments[0], preparation.actions(), preparation.attributes(),
                                   arguments.data(), environ);
  if (error == ENOENT) return ChildEnd::not_found;
  if (error != 0) throw IoError(fmt::format("{}: cannot be started: {}", words[0], file::words_of(error)));

  int status = 0;
  while (true) {
    const pid_t ended = ::waitpid(child, &status, WNOHANG);
    if (ended == child) break;
    if (ended < 0 && errno != EINTR) {
      throw IoError(fmt::format("{}: cannot be waited for: {}", words[0], file::words_of(errno)));
    }
    const bool stops = stop_requested();
    if (stops || floods(command)) {
      ::kill(-child, SIGKILL);
      ::waitpid(child, &status, 0);
      return stops ? ChildEnd::stopped : ChildEnd::flooded;
    }
    std::this_thread::sleep_for(kBetweenLooks);
  }
  if (WIFSIGNALED(status)) return ChildEnd::killed;
  return WEXITSTATUS(status) == 0 ? ChildEnd::finished : ChildEnd::failed;
}

}  // namespace sluice::data
