/// The page of a run or sweep while it is at work, for a server: made anew when there is something new to see.
#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

namespace sluice::lab {

class LivePage {
 public:
  /// `data_url`: where the page will ask for data(), relative to itself. Throws InputError when the folder is neither that of a run nor of a sweep.
  LivePage(std::filesystem::path folder, std::string data_url);
  ~LivePage();
  LivePage(const LivePage&) = delete;
  LivePage& operator=(const LivePage&) = delete;

  /// The page, and the numbers that it shows. Before the first look of a run a page that asks for itself again.
  std::string html();
  std::string data();
  /// Asks the runs that are at work to be seen (record/audience.hpp); once a second.
  void attend();

 private:
  void attend(const std::filesystem::path& folder);
  struct Made {
    std::string stamp, html, data;
  };
  using Clock = std::chrono::steady_clock;
  std::vector<std::filesystem::path> folders() const;
  const Made& made();

  std::filesystem::path folder_;
  std::string data_url_;
  std::vector<std::filesystem::path> attended_;
  Made made_;
  Clock::time_point next_ = {};  // not made anew before
};

}  // namespace sluice::lab
