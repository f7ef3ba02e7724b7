/// The progress bar on a real terminal: never wider than it, gone at the end.
#include <gtest/gtest.h>
#include <pty.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <string>
#include <vector>

#include "test/support/process.hpp"
#include "test/support/temp_folder.hpp"

namespace sluice {
namespace {

const std::string kClear = "\r\033[K";

std::size_t bars_in(const std::string& seen) {
  std::size_t bars = 0;
  for (std::size_t at = seen.find(kClear); at != std::string::npos; at = seen.find(kClear, at + 1)) ++bars;
  return bars;
}

/// What the program writes to a terminal of that many columns; it is interrupted once so many bars are there.
std::string on_terminal(std::vector<std::string> arguments, unsigned short columns,
                        const test::TempFolder& folder, std::size_t most_bars = SIZE_MAX) {
  winsize size{24, columns, 0, 0};
  int terminal = -1;
  const pid_t child = ::forkpty(&terminal, nullptr, nullptr, &size);
  if (child < 0) return "";  // a machine without pseudo-terminals
  if (child == 0) {
    ::setenv("TERM", "xterm", 1);
    arguments.insert(arguments.begin(), test::program());
    std::vector<char*> argv;
    for (std::string& argument : arguments) argv.push_back(argument.data());
    argv.push_back(nullptr);
    if (::chdir(folder.path().c_str()) == 0) ::execv(argv[0], argv.data());
    ::_exit(127);
  }
  std::string seen;
  char buffer[4096];
  for (ssize_t got = 0; (got = ::read(terminal, buffer, sizeof buffer)) > 0;) {
    seen.append(buffer, static_cast<std::size_t>(got));
    if (bars_in(seen) >= most_bars) {
      ::kill(child, SIGINT);
      most_bars = SIZE_MAX;  // a second one would end it at once
    }
  }
  ::close(terminal);
  ::waitpid(child, nullptr, 0);
  return seen;
}

std::size_t columns_of(const std::string& text) {  // UTF-8: continuation bytes take no column
  return static_cast<std::size_t>(std::count_if(
      text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

/// Every bar is narrower than the terminal and in one line; what begins with `then` stands where the last one was.
void expect_bars_that_fit(const std::string& seen, unsigned short columns, const std::string& then) {
  for (std::size_t at = seen.find(kClear); at != std::string::npos;) {
    const std::size_t next = seen.find(kClear, at + 1);
    const std::string drawn =
        seen.substr(at + kClear.size(), next == std::string::npos ? next : next - at - kClear.size());
    if (next != std::string::npos) {
      EXPECT_LT(columns_of(drawn), columns) << drawn;
      EXPECT_EQ(drawn.find('\n'), std::string::npos) << drawn;
    } else {
      EXPECT_EQ(drawn.find(then), 0U) << "stands where the bar was: " << drawn;
    }
    at = next;
  }
}

class OnATerminal : public testing::Test {
 protected:
  void SetUp() override {
    if (::access("/dev/pts/ptmx", F_OK) != 0)
      GTEST_SKIP() << "needs a pseudo-terminal, and /dev/pts is not mounted here";
  }
};

class Terminal : public OnATerminal, public testing::WithParamInterface<unsigned short> {};

TEST_P(Terminal, BarFitsAndIsCleared) {
  const test::TempFolder folder;
  const std::string seen =
      on_terminal({"run", "localization", "--set", "dynamics.steps=2000", "--out", "r"}, GetParam(), folder);
  expect_bars_that_fit(seen, GetParam(), "localization: 2000 steps");
  EXPECT_NE(seen.find("localization: 2000 steps"), std::string::npos) << seen;
}

TEST_P(Terminal, BarIsDrawnAgainUntilTheRunIsInterrupted) {
  // Many more steps than three tenths of a second have on any machine: how many bars there are is not a matter of its speed.
  const test::TempFolder folder;
  const std::string seen = on_terminal(
      {"run", "localization", "--set", "dynamics.steps=1000000", "--out", "r"}, GetParam(), folder, 3);
  EXPECT_GE(bars_in(seen), 4U) << "three bars and their end: " << seen;
  expect_bars_that_fit(seen, GetParam(), "localization: stopped");
}

TEST_F(OnATerminal, APlanSaysHowManyPointsWereLookedAt) {
  const test::TempFolder folder;
  const std::string seen = on_terminal(
      {"sweep", "localization", "--over", "seed=1..3000", "--dry-run", "--threads", "1"}, 80, folder);
  EXPECT_NE(seen.find(" points/s, "), std::string::npos) << seen;
  EXPECT_NE(seen.find("\r\033[Kfolder  "), std::string::npos) << "the bar is gone before the plan: " << seen;
}

INSTANTIATE_TEST_SUITE_P(Widths, Terminal, testing::Values(20, 40, 80, 200));

}  // namespace
}  // namespace sluice
