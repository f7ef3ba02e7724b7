/// Progress of a run on standard error: a bar with rate and time left on a terminal, a plain line now and then
/// otherwise, nothing when quiet.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

namespace sluice::cli {

/// How far many runs have come, one after the other.
struct Overall {
  std::size_t index = 0, count = 1;  ///< of the run at work
  std::size_t ran = 0;               ///< runs before it that were not there already
  std::chrono::steady_clock::time_point began = std::chrono::steady_clock::now();

  /// "run 3 of 15, about 2 min left" with this share of the run at work done; the time is left out while nothing is known of it.
  std::string text(double share) const;
  std::string text(double share, double elapsed) const;
};

class Progress {
 public:
  /// `unit`: of what there are so many. `overall`: of which runs this is one; none of a single one. It must outlive the progress.
  Progress(std::string name, bool quiet, std::string unit = "steps", const Overall* overall = nullptr);
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
  const Overall* overall_;
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
