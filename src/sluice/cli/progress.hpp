/// Progress of a run on standard error: a bar with rate and time left on a terminal, a plain line now and then
/// otherwise, nothing when quiet.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace sluice::cli {

class Progress {
 public:
  /// `unit`: of what there are so many.
  Progress(std::string name, bool quiet, std::string unit = "steps");
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void update(std::int64_t step, std::int64_t steps);
  /// A line that must not be drawn over by the bar.
  void say(const std::string& line);

 private:
  using Clock = std::chrono::steady_clock;

  void clear();

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

}  // namespace sluice::cli
