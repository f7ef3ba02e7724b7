#include "sluice/math/workers.hpp"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace sluice::math {

struct Workers::Team {
  std::mutex mutex;
  std::condition_variable start;
  std::condition_variable finished;
  const std::function<void(std::int64_t, int)>* work = nullptr;
  std::int64_t chunks = 0;
  std::atomic<std::int64_t> next{0};
  std::uint64_t round = 0;  // counts calls of run(), so that a helper never takes the same call twice
  int busy = 0;             // helpers that have not finished the current round
  bool stopping = false;
  std::exception_ptr failure;
  std::vector<std::jthread> helpers;

  void take_chunks(int thread) {
    for (std::int64_t chunk = next++; chunk < chunks; chunk = next++) {
      try {
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
    std::unique_lock lock(mutex);
    for (;;) {
      start.wait(lock, [&] { return stopping || round != seen; });
      if (stopping) return;
      seen = round;
      lock.unlock();
      take_chunks(thread);
      lock.lock();
      if (--busy == 0) finished.notify_one();
    }
  }
};

Workers::Workers(int threads) : team_(std::make_unique<Team>()) {
  for (int thread = 1; thread < threads; ++thread) {
    team_->helpers.emplace_back([team = team_.get(), thread] { team->help(thread); });
  }
}

Workers::~Workers() {
  {
    const std::lock_guard lock(team_->mutex);
    team_->stopping = true;
  }
  team_->start.notify_all();
}

int Workers::threads() const { return static_cast<int>(team_->helpers.size()) + 1; }

void Workers::run(std::int64_t chunks, const std::function<void(std::int64_t, int)>& work) {
  {
    const std::lock_guard lock(team_->mutex);
    team_->work = &work;
    team_->chunks = chunks;
    team_->next = 0;
    team_->failure = nullptr;
    team_->busy = static_cast<int>(team_->helpers.size());
    ++team_->round;
  }
  team_->start.notify_all();
  team_->take_chunks(0);
  std::unique_lock lock(team_->mutex);
  team_->finished.wait(lock, [&] { return team_->busy == 0; });
  if (team_->failure) std::rethrow_exception(team_->failure);
}

int hardware_threads() { return std::max(1, static_cast<int>(std::thread::hardware_concurrency())); }

}  // namespace sluice::math
