#include "sluice/cli/print.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include "sluice/file/printable.hpp"

namespace sluice::cli {

void print(std::string_view text) {
  static const bool terminal = ::isatty(STDOUT_FILENO) == 1;
  if (terminal)
    fmt::print("{}", file::printable(text, "\n\t"));
  else
    fmt::print("{}", text);
}

}  // namespace sluice::cli
