/// Somebody looks at a run while it is at work: whoever does touches `.sluice-watched` in its folder every second or so, and the run
/// then saves what there is to see as often. Nobody looking costs nothing. What counts is that the time of the file changes, so the
/// clocks of two hosts need not agree. Ours is a plain and empty file: anything else of this name is somebody else's, stays what it is, and the run is watched without it.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>

namespace sluice::record {

constexpr std::string_view kWatchedName = ".sluice-watched";

/// Asks the run in this folder to be seen. A folder that cannot be written is watched all the same, less often.
void attend(const std::filesystem::path& folder) noexcept;
/// Nobody is there any more.
void leave(const std::filesystem::path& folder) noexcept;
/// Is there something of the name that is not ours, and stays?
bool has_foreign_mark(const std::filesystem::path& folder);

/// The run's side.
class Audience {
 public:
  explicit Audience(const std::filesystem::path& folder) : file_(folder / kWatchedName) {}
  /// Has somebody attended within the last ten seconds? Looks at the disk at most twice a second.
  bool present();

 private:
  using Clock = std::chrono::steady_clock;

  std::filesystem::path file_;
  std::optional<std::int64_t> touched_;
  Clock::time_point looked_ = {};
  Clock::time_point changed_ = {};
};

}  // namespace sluice::record
