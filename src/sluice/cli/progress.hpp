/// Progress of a run on standard error: a bar with rate and time left on a terminal, a plain line now and then
/// otherwise, nothing when quiet.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

namespace sluice::cli {

/// "12 of 64 runs, about 2 min left" after so many seconds, with this share of all steps done; the time is left out while nothing is known of it.
std::string many_runs_text(std::size_t over, std::size_t count, double share, double elapsed);

class Progress {
 public:
  /// `unit`: of what there are so many.
  Progress(const std::string& name, bool quiet, std::string unit = "steps");
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void update(std::int64_t step, std::int64_t steps);
  /// Of many runs: this share of all of them is done, of which there is this to say.
  void update(double share, const std::string& text);
  /// Takes the bar away: other lines follow.
  void pause() { clear(); }
  /// A line that must not be drawn over by the bar.
  void say(const std::string& line);

 private:
  using Clock = std::chrono::steady_clock;

  void clear();
  /// Is it time to show something again?
  bool is_due();
  void show(double share, const std::string& bar_text, const std::string& line);

  std::string name_;
  std::string unit_;
  bool quiet_;
  bool terminal_;
  bool drawn_ = false;
  std::int64_t first_step_ = -1;
  Clock::time_point began_;
  Clock::time_point shown_;
};

/// The bar as one line of at most `width` columns: name, bar, percentage, rate; the bar gives way first.
std::string fitted_bar(double share, const std::string& rate, const std::string& name, int width);

/// "3 s", "2 min 05 s", "1 h 20 min"
std::string duration_text(double seconds);
/// "3 s", "2 min", "1 h 20 min": no more digits than an estimate has.
std::string rough_duration_text(double seconds);

}  // namespace sluice::cli
