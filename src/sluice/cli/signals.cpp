#include "sluice/cli/signals.hpp"

#include <atomic>
#include <csignal>
#include <utility>

namespace sluice::cli {
namespace {

std::atomic<int> received{0};
static_assert(std::atomic<int>::is_always_lock_free, "a signal handler may only touch lock-free atomics");

void on_signal(int signal) {
  received = signal;
  // A terminal that closes may send its signal twice, by the shell and by the kernel, and so may a scheduler, to a job's shell that passes it
  // on and to all of the job: no second wish.
  if (signal != SIGHUP && signal != SIGUSR1) std::signal(signal, SIG_DFL);
}

}  // namespace

void watch_signals() {
  static bool watching = false;
  if (std::exchange(watching, true)) return;  // one that has come is not taken back
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGUSR1}) {
    // What the parent ignores (nohup, a background job) stays ignored.
    if (std::signal(signal, on_signal) == SIG_IGN) std::signal(signal, SIG_IGN);
  }
}

void limits_are_errors() { std::signal(SIGXFSZ, SIG_IGN); }

int stop_signal() { return received; }

void ignore_broken_pipes() { std::signal(SIGPIPE, SIG_IGN); }

void end_by_broken_pipe() {
  std::signal(SIGPIPE, SIG_DFL);
  std::raise(SIGPIPE);
}

}  // namespace sluice::cli
