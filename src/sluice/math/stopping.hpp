/// Long work that may be asked to stop: who begins it says how that is asked, who does it looks between one piece and the next. What is in its
/// middle is left by an exception, so pieces change nothing that somebody would go on from.
#pragma once

#include <functional>
#include <stdexcept>

namespace sluice::math {

/// Work that was asked to stop, and left no result.
struct Stopped : std::runtime_error {
  Stopped() : std::runtime_error("stopped") {}
};

using StopRequested = std::function<bool()>;

/// While it lives, this thread's work and that of teams at work for it (workers.hpp) can be stopped, by this alone.
class Stoppable {
 public:
  explicit Stoppable(StopRequested requested);
  ~Stoppable();
  Stoppable(const Stoppable&) = delete;
  Stoppable& operator=(const Stoppable&) = delete;

 private:
  StopRequested requested_;
  const StopRequested* around_;
};

/// While it lives, this thread's work cannot: a state that is half moved is nobody's.
class Unstoppable {
 public:
  Unstoppable();
  ~Unstoppable();
  Unstoppable(const Unstoppable&) = delete;
  Unstoppable& operator=(const Unstoppable&) = delete;

 private:
  const StopRequested* around_;
};

/// Throws Stopped when this thread's work is asked to stop.
void stop_if_asked();

/// What asks this thread, null where nothing does; and the same for one that helps it. Returns what asked it before.
const StopRequested* asks_to_stop();
const StopRequested* let_ask(const StopRequested* requested);

}  // namespace sluice::math
