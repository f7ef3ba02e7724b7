#include "sluice/cli/print.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <string>

#include "sluice/cli/signals.hpp"
#include "sluice/file/errors.hpp"
#include "sluice/file/printable.hpp"
#include "sluice/file/system.hpp"

namespace sluice::cli {
namespace {

[[noreturn]] void fail() {
  if (errno == EPIPE) end_by_broken_pipe();
  throw IoError(fmt::format("standard output: write failed: {}", file::words_of(errno)));
}

}  // namespace

void print(std::string_view text) {
  static const bool terminal = ::isatty(STDOUT_FILENO) == 1;
  print_coloured(terminal ? file::printable(text, "\n\t") : std::string(text));
}

void print_coloured(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) fail();
}

void flush() {
  if (std::fflush(stdout) != 0) fail();
}

}  // namespace sluice::cli
