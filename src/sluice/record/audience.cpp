#include "sluice/record/audience.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <system_error>

#include "sluice/file/system.hpp"

namespace sluice::record {
namespace fs = std::filesystem;

void attend(const fs::path& folder) noexcept {
  try {
    const fs::path path = folder / kWatchedName;
    std::error_code error;
    fs::last_write_time(path, fs::file_time_type::clock::now(), error);
    if (!error) return;
    const int made = file::system::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (made >= 0) ::close(made);
  } catch (...) {  // no memory for a path: then not this time
  }
}

void leave(const fs::path& folder) noexcept {
  try {
    std::error_code ignored;
    file::remove_entry(folder / kWatchedName, ignored);
  } catch (...) {
  }
}

bool Audience::present() {
  using namespace std::chrono_literals;
  const Clock::time_point now = Clock::now();
  if (now - looked_ >= 500ms) {
    looked_ = now;
    std::error_code error;
    const fs::file_time_type touched = fs::last_write_time(file_, error);
    if (error) {
      touched_.reset();
    } else if (touched_ != touched) {
      touched_ = touched;
      changed_ = now;
    }
  }
  return touched_ && now - changed_ < 10s;
}

}  // namespace sluice::record
