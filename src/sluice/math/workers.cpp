#include "sluice/math/workers.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "sluice/math/stopping.hpp"

namespace sluice::math {

namespace {

/// Waits a little for a condition before anybody has to sleep: a step takes 100 µs, waking a thread can take as long.
/// Bounded, so that an idle team leaves the processor to others.
template <class Condition>
bool came_true_soon(const Condition& condition, bool patient) {
  if (!patient) return condition();
  constexpr auto kPatience = std::chrono::microseconds(100);
  const auto end = std::chrono::steady_clock::now() + kPatience;
  do {
    for (int i = 0; i < 64; ++i) {
      if (condition()) return true;
    }
  } while (std::chrono::steady_clock::now() < end);
  return condition();
}

}  // namespace

struct Workers::Team {
  /// Who is at work in a round. A helper that comes when the round is over is turned away: nobody waits for a thread that had no turn on a
  /// processor, as there are many where threads are more than processors.
  class Door {
   public:
    void open() { inside_ = 0; }
    bool enter() {
      int inside = inside_;
      while (inside >= 0) {
        if (inside_.compare_exchange_weak(inside, inside + 1)) return true;
      }
      return false;
    }
    /// Whether it was the last to leave a closed room.
    bool leave() { return --inside_ == kClosed; }
    void close() { inside_ += kClosed; }
    bool empty() const { return inside_ == kClosed; }

   private:
    static constexpr int kClosed = -(1 << 30);
    std::atomic<int> inside_{kClosed};  // kClosed less than nobody when closed
  };

  std::mutex mutex;
  std::condition_variable start;
  std::condition_variable finished;
  const std::function<void(std::int64_t, int)>* work = nullptr;
  std::int64_t chunks = 0;
  const StopRequested* asks = nullptr;
  std::atomic<std::int64_t> next{0};
  std::atomic<std::uint64_t> round{
      0};  // counts calls of run(): a helper that has seen this one sleeps until the next
  Door door;
  std::atomic<bool> stopping{false};
  std::exception_ptr failure;
  bool patient =
      true;  // false where threads are more than processors: who spins there keeps others from working
  std::vector<std::jthread> helpers;

  ~Team() {
    {
      const std::lock_guard lock(mutex);
      stopping = true;
    }
    start
        .notify_all();  // then ~jthread joins; here, so that it also happens when a thread could not be started
    helpers.clear();
  }

  void take_chunks(int thread) {
    for (std::int64_t chunk = next++; chunk < chunks; chunk = next++) {
      try {
        stop_if_asked();
        (*work)(chunk, thread);
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (!failure) failure = std::current_exception();
        next = chunks;
      }
    }
  }

  void help(int thread) {
    std::uint64_t seen = 0;
    const auto called = [&] { return stopping || round != seen; };
    for (;;) {
      if (!came_true_soon(called, patient)) {
        std::unique_lock lock(mutex);
        start.wait(lock, called);
      }
      if (stopping) return;
      seen = round;
      if (!door.enter()) continue;
      let_ask(asks);
      take_chunks(thread);
      if (door.leave()) {
        const std::lock_guard lock(mutex);  // between run()'s look at the door and its sleep
        finished.notify_one();
      }
    }
  }
};

Workers::Workers(int threads, Ranks* ranks) : team_(std::make_unique<Team>()), ranks_(ranks) {
  team_->patient = threads <= hardware_threads();
  for (int thread = 1; thread < threads; ++thread) {
    try {
      team_->helpers.emplace_back([team = team_.get(), thread] { team->help(thread); });
    } catch (const std::system_error& error) {
      throw std::runtime_error("only " + std::to_string(thread) + " of " + std::to_string(threads) +
                               " threads could be started: " + error.code().message());
    }
  }
}

Workers::~Workers() = default;

int Workers::threads() const { return static_cast<int>(team_->helpers.size()) + 1; }

void Workers::run(std::int64_t chunks, const std::function<void(std::int64_t, int)>& work) {
  {
    const std::lock_guard lock(team_->mutex);
    team_->work = &work;
    team_->chunks = chunks;
    team_->asks = asks_to_stop();
    team_->next = 0;
    team_->failure = nullptr;
    team_->door.open();
    ++team_->round;  // publishes all of the above to helpers that spin
  }
  if (chunks > 1) team_->start.notify_all();
  team_->take_chunks(0);
  team_->door.close();
  const auto done = [this] { return team_->door.empty(); };
  if (!came_true_soon(done, team_->patient)) {
    std::unique_lock lock(team_->mutex);
    team_->finished.wait(lock, done);
  }
  if (team_->failure) std::rethrow_exception(team_->failure);
}

}  // namespace sluice::math
