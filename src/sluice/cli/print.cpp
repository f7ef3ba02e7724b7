#include "sluice/cli/print.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>

#include "sluice/cli/signals.hpp"
#include "sluice/file/errors.hpp"
#include "sluice/file/printable.hpp"

namespace sluice::cli {
namespace {

[[noreturn]] void fail() {
  if (errno == EPIPE) end_by_broken_pipe();
  throw IoError(fmt::format("standard output: write failed: {}", std::strerror(errno)));
}

}  // namespace

void print(std::string_view text) {
  static const bool terminal = ::isatty(STDOUT_FILENO) == 1;
  const std::string shown = terminal ? file::printable(text, "\n\t") : std::string(text);
  if (std::fwrite(shown.data(), 1, shown.size(), stdout) != shown.size()) fail();
}

void flush() {
  if (std::fflush(stdout) != 0) fail();
}

}  // namespace sluice::cli
