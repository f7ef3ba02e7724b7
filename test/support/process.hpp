/// Runs the built program as a user would and captures what it says.
#pragma once

#include <fcntl.h>
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "test/support/temp_folder.hpp"

namespace sluice::test {

/// In a child, before a program is called: it has to do with the permissions that files have, also as root. May this process do that?
inline bool may_obey_permissions() { return ::geteuid() != 0 || ::prctl(PR_CAPBSET_READ, CAP_SETPCAP) == 1; }
inline void obey_permissions() {
  ::prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
  for (const int right : {CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH, CAP_FOWNER})
    if (::prctl(PR_CAPBSET_DROP, right) != 0 && ::geteuid() == 0) ::_exit(126);
}

struct Said {
  int code = -1;  ///< exit code, or 128 + signal
  std::string out;
  std::string err;
};

/// The program that was built, or another named by the environment: a test has to fail on one that is broken.
inline std::string program() {
  const char* other = std::getenv("SLUICE_PROGRAM");
  return other == nullptr ? SLUICE_PROGRAM : other;
}

/// A child process that writes its output to files, so that nothing can block. `prepare` is called in it before the program.
class Process {
 public:
  Process(
      std::vector<std::string> arguments, const std::filesystem::path& folder,
      rlim_t file_limit = RLIM_INFINITY, const std::function<void()>& prepare = [] {},
      const std::string& executable = program()) {
    arguments.insert(arguments.begin(), executable);
    std::vector<char*> argv;
    for (std::string& argument : arguments) argv.push_back(argument.data());
    argv.push_back(nullptr);
    const std::string out = (captured_ / "out").string();
    const std::string err = (captured_ / "err").string();
    pid_ = ::fork();
    if (pid_ == 0) {
      const rlimit limit{file_limit, file_limit};
      ::setrlimit(RLIMIT_FSIZE, &limit);
      ::dup2(::open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), 1);
      ::dup2(::open(err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), 2);
      prepare();
      if (::chdir(folder.c_str()) == 0) ::execv(argv[0], argv.data());
      ::_exit(127);
    }
  }

  void signal(int number) const { ::kill(pid_, number); }
  /// Seconds of processor time that it has taken so far.
  double seconds() const {
    std::ifstream stat("/proc/" + std::to_string(pid_) + "/stat");
    std::string line;
    std::getline(stat, line);
    std::istringstream fields(line.substr(std::min(line.rfind(')') + 1, line.size())));
    std::string skipped;
    for (int i = 0; i < 11; ++i) fields >> skipped;
    double user = 0, system = 0;
    fields >> user >> system;
    return (user + system) / static_cast<double>(::sysconf(_SC_CLK_TCK));
  }
  /// Of a process that leads a session of its own: it, and all that it started there.
  void signal_group(int number) const { ::kill(-pid_, number); }
  /// What it has said so far.
  std::string out() const { return text_of("out"); }

  /// nullopt while it is running.
  std::optional<Said> poll() { return wait_with(WNOHANG); }
  Said wait() { return *wait_with(0); }

 private:
  std::optional<Said> wait_with(int flags) {
    int status = 0;
    if (::waitpid(pid_, &status, flags) != pid_) return std::nullopt;
    const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return Said{code, text_of("out"), text_of("err")};
  }
  std::string text_of(const std::string& name) const {
    std::ifstream stream(captured_ / name);
    return {std::istreambuf_iterator<char>(stream), {}};
  }

  TempFolder captured_;
  pid_t pid_ = -1;
};

/// A command line and more words.
inline std::vector<std::string> with(std::vector<std::string> words, const std::vector<std::string>& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

/// Another program, which may start ours.
inline Said run(const std::string& executable, const std::vector<std::string>& arguments,
                const std::filesystem::path& folder) {
  return Process(
             arguments, folder, RLIM_INFINITY, [] {}, executable)
      .wait();
}

inline Said sluice(const std::vector<std::string>& arguments, const std::filesystem::path& folder) {
  return Process(arguments, folder).wait();
}

}  // namespace sluice::test
