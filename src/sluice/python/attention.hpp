/// Work without the interpreter. It is done by a thread of its own, while the one that called has let go of the interpreter's lock and wakes up twenty times a second: Python
/// may then handle signals, which only its main thread can, and is told how far the work has come. What a signal or the listener raises asks the work to
/// stop, and is raised again when it has.
#pragma once

#include <pybind11/pybind11.h>

#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sluice/lab/listeners.hpp"

namespace sluice::python {

class Attention {
 public:
  /// What becomes of KeyboardInterrupt: raised, or left to the caller, who has something to show.
  enum class Interrupt { raised, kept };

  /// `listener(done, of)`, or None.
  explicit Attention(pybind11::object listener = pybind11::none(), Interrupt interrupt = Interrupt::raised)
      : listener_(std::move(listener)), interrupt_(interrupt) {}

  /// For the work, whose threads may call them as often as they like.
  std::function<bool()> stop_requested() {
    return [this] { return stopping_.load(std::memory_order_relaxed); };
  }
  lab::Advance progress();
  lab::Remark remark();
  /// For work that asks nowhere else whether it is to stop: they throw lab::Stopped when it is. What it does just now, nobody is told.
  lab::Advance progress_or_stop();
  lab::Remark remark_or_stop();

  /// The result of `work()`. Called with the interpreter's lock, which the work must not need.
  template <class Work>
  auto of(const Work& work) {
    std::optional<decltype(work())> result;
    wait_for([&] { result.emplace(work()); });
    return std::move(*result);
  }

  void stop() { stopping_ = true; }
  bool is_stopping() const { return stopping_; }
  /// KeyboardInterrupt came, and was kept.
  bool interrupted() const { return interrupted_; }
  const std::vector<std::string>& remarks() const { return remarks_; }

 private:
  void wait_for(const std::function<void()>& work);
  void require_going_on() const;
  void look();

  pybind11::object listener_;
  Interrupt interrupt_;
  std::atomic<bool> stopping_ = false;
  std::atomic<std::int64_t> done_ = -1, all_ = 0;
  std::mutex speaking_;
  std::vector<std::string> remarks_;
  std::exception_ptr raised_;
  bool interrupted_ = false;
};

/// Work that tells nothing on its way: a signal ends it where it looks (math/stopping.hpp), or is handled when it has ended.
template <class Work>
auto unlocked(const Work& work) {
  return Attention().of(work);
}

/// As the program has it: none is as many as can run at once, and no more do. Throws InputError.
int threads_of(std::optional<std::int64_t> threads);

}  // namespace sluice::python
