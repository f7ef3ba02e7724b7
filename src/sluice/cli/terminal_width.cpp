#include "sluice/cli/terminal_width.hpp"

#include <sys/ioctl.h>

namespace sluice::cli {

int terminal_width(int descriptor, int otherwise) {
  winsize size{};
  return ::ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : otherwise;
}

}  // namespace sluice::cli
