/// How wide a terminal is.
#pragma once

#include <sys/ioctl.h>

namespace sluice::cli {

/// Of the terminal behind a descriptor; `otherwise` where there is none.
inline int terminal_width(int descriptor, int otherwise) {
  winsize size{};
  return ::ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : otherwise;
}

}  // namespace sluice::cli
