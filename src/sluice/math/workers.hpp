/// A fixed team of threads that works through numbered chunks.
///
/// Determinism is the caller's part of the bargain: chunks are cut by the work, never by the number of threads, and
/// each chunk writes only its own output. Which thread takes which chunk is then irrelevant.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace sluice::math {

class Ranks;

class Workers {
 public:
  /// `threads` ≥ 1 counts the calling thread. `ranks`: of other processes that do the same; whoever can share work with them asks for them.
  explicit Workers(int threads, Ranks* ranks = nullptr);
  ~Workers();
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  int threads() const;
  /// Null where this process is alone.
  Ranks* ranks() const { return ranks_; }

  /// Calls work(chunk, thread) once for every chunk in [0, chunks), on all threads, and returns when all are done.
  /// `thread` in [0, threads()) names scratch that no one else uses meanwhile. The first exception is rethrown. Throws Stopped between chunks
  /// where the caller's work is asked to stop (stopping.hpp).
  void run(std::int64_t chunks, const std::function<void(std::int64_t chunk, int thread)>& work);

 private:
  struct Team;
  std::unique_ptr<Team> team_;
  Ranks* ranks_;
};

/// How many threads can run at once: processors that this process may use (its affinity), and of their time what its control group is granted
/// (a container, a batch job), rounded up. At least 1.
int hardware_threads();

/// The quota of a control group's cpu.max ("150000 100000": one and a half processors), rounded up; none for "max" and what cannot be read.
std::optional<int> granted_processors(const std::string& cpu_max);

}  // namespace sluice::math
