/// Pages for a browser on this machine: an address on the loopback with a free port and a random word in its path. Whoever does not
/// know the word, or comes under another name than the loopback's (a page elsewhere whose host was made to point here), finds nothing.
///
/// One thread: serve_for() answers what comes in and returns when its time is over. Boost.Beast speaks HTTP, behind this header; it is
/// among the headers that the build has anyway, and nothing is loaded when the program starts.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace sluice::lab {

struct Served {
  std::string type;  ///< "text/html; charset=utf-8"
  std::string body;
};

class PageServer {
 public:
  /// What stands at a path below the word, "" or "data.json"; nothing: not found.
  using Find = std::function<std::optional<Served>(const std::string& path)>;

  /// Port 0: any that is free. Throws IoError when none can be had.
  PageServer(int port, Find find);
  ~PageServer();

  /// "http://127.0.0.1:40123/5f0c…/"
  std::string address() const;
  void serve_for(std::chrono::milliseconds time);

 private:
  class Listener;
  std::unique_ptr<Listener> listener_;
};

}  // namespace sluice::lab
