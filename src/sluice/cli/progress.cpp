#include "sluice/cli/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace sluice::cli {

Progress::Progress(std::string name, bool quiet)
    : name_(std::move(name)), quiet_(quiet), terminal_(::isatty(STDERR_FILENO) == 1) {}

Progress::~Progress() { clear(); }

void Progress::clear() {
  if (std::exchange(drawn_, false)) fmt::print(stderr, "\r\033[K");
}

void Progress::say(const std::string& line) {
  clear();
  if (!quiet_) fmt::print(stderr, "{}: {}\n", name_, line);
}

void Progress::update(std::int64_t step, std::int64_t steps) {
  const Clock::time_point now = Clock::now();
  if (first_step_ < 0) {
    first_step_ = step;
    began_ = shown_ = now;
    return;
  }
  const double interval = terminal_ ? 0.1 : 10.0;
  if (quiet_ || std::chrono::duration<double>(now - shown_).count() < interval) return;
  shown_ = now;

  const double elapsed = std::chrono::duration<double>(now - began_).count();
  const double rate = static_cast<double>(step - first_step_) / elapsed;
  const std::string left = rate > 0 ? duration_text(static_cast<double>(steps - step) / rate) : "?";
  if (!terminal_) {
    fmt::print(stderr, "{}: step {} of {}, {:.0f} steps/s, {} left\n", name_, step, steps, rate, left);
    return;
  }
  constexpr int kWidth = 24;
  const double share = steps > 0 ? static_cast<double>(step) / static_cast<double>(steps) : 1.0;
  const int full = static_cast<int>(share * kWidth);
  std::string bar;
  for (int i = 0; i < kWidth; ++i) bar += i < full ? "━" : "─";
  fmt::print(stderr, "\r\033[K{}  {}  {:3.0f} %  step {} of {}  {:.0f} steps/s  {} left", name_, bar,
             100 * share, step, steps, rate, left);
  std::fflush(stderr);
  drawn_ = true;
}

std::string duration_text(double seconds) {
  const auto whole = static_cast<std::int64_t>(std::ceil(seconds));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} h {:02} min", whole / 3600, whole % 3600 / 60);
}

}  // namespace sluice::cli
