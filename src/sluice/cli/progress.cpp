#include "sluice/cli/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "sluice/cli/tell.hpp"
#include "sluice/cli/terminal_width.hpp"
#include "sluice/file/printable.hpp"
#include "sluice/math/environment.hpp"

namespace sluice::cli {
namespace {

bool is_capable_terminal() {
  const char* kind = math::environment("TERM");
  return ::isatty(STDERR_FILENO) == 1 && kind != nullptr && std::string_view(kind) != "dumb";
}

}  // namespace

std::string fitted_bar(double share, const std::string& rate, const std::string& name, int width) {
  // What goes first when the terminal is narrow: the bar, then the rate, then the tail of the name.
  const std::string percent = fmt::format("{:3.0f} %", 100 * share);
  const int room = width - static_cast<int>(name.size() + percent.size() + rate.size()) - 6;
  constexpr int kShortest = 8;
  constexpr int kLongest = 30;
  if (room >= kShortest) {
    const int length = std::min(room, kLongest);
    const int full = static_cast<int>(share * length);
    std::string bar;
    for (int i = 0; i < length; ++i) bar += i < full ? "━" : "─";
    return fmt::format("{}  {}  {}  {}", name, bar, percent, rate);
  }
  const std::string text = fmt::format("{}  {}", percent, room >= -6 ? rate : name);
  return text.substr(0, static_cast<std::size_t>(std::max(width, 0)));
}

std::string many_runs_text(std::size_t over, std::size_t count, double share, double elapsed) {
  std::string which = fmt::format("{} of {} runs", over, count);
  const double known = 0.05 / static_cast<double>(count);  // of a run, before its pace says anything
  if (share >= 1 || share < known) return which;
  return fmt::format("{}, about {} left", which, rough_duration_text(elapsed / share * (1 - share)));
}

Progress::Progress(const std::string& name, bool quiet, std::string unit)
    : name_(file::printable(name)), unit_(std::move(unit)), quiet_(quiet), terminal_(is_capable_terminal()) {}

Progress::~Progress() { clear(); }

void Progress::clear() {
  if (std::exchange(drawn_, false)) draw("\r\033[K");
}

void Progress::say(const std::string& line) {
  clear();
  if (!quiet_) tell(fmt::format("{}: {}", name_, line));
}

bool Progress::is_due() {
  const Clock::time_point now = Clock::now();
  const double interval = terminal_ ? 0.1 : 10.0;
  if (quiet_ || std::chrono::duration<double>(now - shown_).count() < interval) return false;
  shown_ = now;
  return true;
}

void Progress::show(double share, const std::string& bar_text, const std::string& line) {
  if (!terminal_) {
    tell(fmt::format("{}: {}", name_, line));
    return;
  }
  draw(fmt::format("\r\033[K{}", fitted_bar(share, bar_text, name_, terminal_width(STDERR_FILENO, 80) - 1)));
  drawn_ = true;
}

void Progress::update(std::int64_t step, std::int64_t steps) {
  if (first_step_ < 0) {
    first_step_ = step;
    began_ = shown_ = Clock::now();
    return;
  }
  if (!is_due()) return;
  const double elapsed = std::chrono::duration<double>(shown_ - began_).count();
  const double rate = static_cast<double>(step - first_step_) / elapsed;
  const std::string left = rate > 0 ? duration_text(static_cast<double>(steps - step) / rate) : "?";
  const double share = steps > 0 ? static_cast<double>(step) / static_cast<double>(steps) : 1.0;
  const std::string pace =
      rate >= 1 ? fmt::format("{:.0f} {}/s, {} left", rate, unit_, left) : fmt::format("{} left", left);
  show(share, pace, fmt::format("{} of {} {}, {}", step, steps, unit_, pace));
}

void Progress::update(double share, const std::string& text) {
  if (is_due()) show(share, text, text);
}

std::string duration_text(double seconds) {
  const auto whole = static_cast<std::int64_t>(std::ceil(seconds));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} h {:02} min", whole / 3600, whole % 3600 / 60);
}

std::string rough_duration_text(double seconds) {
  if (seconds < 60) return duration_text(seconds);
  if (seconds < 3600) return fmt::format("{:.0f} min", seconds / 60);
  return duration_text(seconds);
}

}  // namespace sluice::cli
