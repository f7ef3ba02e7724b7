#include "sluice/lab/watch.hpp"

#include <exception>
#include <utility>

namespace sluice::lab {

Watch::Watch(std::filesystem::path folder, int port, Remark complain)
    : page_(std::move(folder), "data.json"),
      complain_(std::move(complain)),
      server_(port, [this](const std::string& path) { return find(path); }) {}

void Watch::serve_for(std::chrono::milliseconds time) {
  page_.attend();
  server_.serve_for(time);
}

std::optional<Served> Watch::find(const std::string& path) {
  try {
    if (path.empty()) return Served{"text/html; charset=utf-8", page_.html()};
    if (path == "data.json") return Served{"application/json", page_.data()};
  } catch (const std::exception& failure) {
    if (const std::string words = words_of(failure); told_ != words) complain_(told_ = words);
    if (path.empty()) return Served{"text/plain; charset=utf-8", told_ + "\n"};
  }
  return std::nullopt;
}

}  // namespace sluice::lab
