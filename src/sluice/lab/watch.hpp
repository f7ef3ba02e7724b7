/// The page of a run or sweep while it is at work, for browsers on this machine: live_page.hpp behind page_server.hpp.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>

#include "sluice/lab/listeners.hpp"
#include "sluice/lab/live_page.hpp"
#include "sluice/lab/page_server.hpp"

namespace sluice::lab {

class Watch {
 public:
  /// Port 0: any that is free. Throws InputError when the folder is neither that of a run nor of a sweep, IoError when there is no port.
  /// `complain` is told, once, why a page could not be made: a file half replaced, a disk that is full. That does not end the watch.
  Watch(std::filesystem::path folder, int port, Remark complain);

  /// "http://127.0.0.1:40123/5f0c…/"
  std::string address() const { return server_.address(); }
  /// Answers for a while. By one thread, the same or another each time.
  void serve_for(std::chrono::milliseconds time);

 private:
  std::optional<Served> find(const std::string& path);

  LivePage page_;
  Remark complain_;
  std::string told_;
  PageServer server_;
};

}  // namespace sluice::lab
