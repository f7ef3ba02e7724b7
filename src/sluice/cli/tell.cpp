#include "sluice/cli/tell.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <exception>

#include "sluice/file/printable.hpp"

namespace sluice::cli {

void tell(std::string_view line) noexcept {
  try {
    draw(file::printable_line(line) + "\n");
  } catch (const std::exception&) {
    draw("sluice: out of memory\n");  // for the line itself
  }
}

void draw(std::string_view text) noexcept {
  static bool heard = true;
  while (heard && !text.empty()) {
    const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0 && errno == EAGAIN) return;  // a terminal that is slow, not gone: this text is lost
    heard = written >= 0;
    if (heard) text.remove_prefix(static_cast<std::size_t>(written));
  }
}

void occupy_standard_descriptors() noexcept {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(descriptor, F_GETFD) >= 0 || errno != EBADF) continue;
    // The lowest free descriptor is this one. Read-only, standard output refuses what is printed to it.
    static_cast<void>(::open("/dev/null", descriptor == STDERR_FILENO ? O_WRONLY : O_RDONLY) < 0);
  }
}

}  // namespace sluice::cli
