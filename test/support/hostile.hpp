/// Bad inputs and faults as tables. A case is what lies in a folder, a command line, and all that may come of it: exit code, the one line, and what is on disk afterwards.
#pragma once

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "sluice/file/atomic_file.hpp"
#include "sluice/file/printable.hpp"
#include "test/support/process.hpp"

namespace sluice::test {

struct Hostile {
  std::string name;
  std::vector<std::string> words;
  /// All of standard error but the newline; [...] stands for any text. Empty: nothing is said.
  std::string message;
  /// Makes what lies in the folder in which the program runs.
  std::function<void(const std::filesystem::path& folder)> prepare = [](const std::filesystem::path&) {};
  int code = 2;
  /// What may be new or other afterwards: files, or with a slash behind them folders and all below.
  std::vector<std::string> written = {};
  /// Called in the child before the program; the environment has the folder as HERE.
  std::function<void()> limit = [] {};
};

/// Does the text match, with gaps for any text?
inline bool matches(std::string_view text, std::string_view pattern) {
  constexpr std::string_view kGap = "[...]";
  std::size_t gap = pattern.find(kGap);
  if (gap == std::string_view::npos) return text == pattern;
  if (!text.starts_with(pattern.substr(0, gap))) return false;
  text.remove_prefix(gap);
  for (;;) {
    pattern.remove_prefix(gap + kGap.size());
    gap = pattern.find(kGap);
    if (gap == std::string_view::npos) return text.ends_with(pattern);
    const std::size_t at = text.find(pattern.substr(0, gap));
    if (at == std::string_view::npos) return false;
    text.remove_prefix(at + gap);
  }
}

/// Every entry below a folder: what it is, and the bytes of files (of large ones the first).
inline std::map<std::string, std::string> everything_in(const std::filesystem::path& folder) {
  namespace fs = std::filesystem;
  std::map<std::string, std::string> all;
  for (const auto& entry : fs::directory_iterator(folder)) {
    struct stat facts {};
    ::lstat(entry.path().c_str(), &facts);
    const std::string name = entry.path().filename().string();
    if (S_ISDIR(facts.st_mode))
      for (const auto& [inner, what] : everything_in(entry.path())) all[name + "/" + inner] = what;
    std::string what = std::to_string(facts.st_mode);
    if (S_ISLNK(facts.st_mode)) what += fs::read_symlink(entry.path()).string();
    if (S_ISREG(facts.st_mode)) {
      std::ifstream stream(entry.path(), std::ios::binary);
      std::string bytes(static_cast<std::size_t>(std::min<off_t>(facts.st_size, 1 << 20)), '\0');
      stream.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
      what += ' ' + std::to_string(facts.st_size) + ' ' + bytes;
    }
    all[name] = what;
  }
  return all;
}

/// What is wrong with a line that a user is told, whatever it says; empty when nothing is. `folder`: the name of one that is nobody's choice may be anything.
inline std::string complaint_about(std::string said, const std::filesystem::path& folder) {
  const std::string name = folder.filename().string();
  for (std::size_t at = 0; (at = said.find(name)) != std::string::npos;)
    said.replace(at, name.size(), "HERE");
  constexpr std::string_view kIndex = ".sluice-index.sqlite";  // the name of a file, wherever it is spoken of
  for (std::size_t at = 0; (at = said.find(kIndex)) != std::string::npos;)
    said.replace(at, kIndex.size(), "INDEX");
  constexpr std::size_t kLongest = 610;
  if (said.empty()) return "";
  if (said.back() != '\n' || std::ranges::count(said, '\n') != 1) return "is not one line";
  const std::string line = said.substr(0, said.size() - 1);
  if (line.size() > kLongest) return "has " + std::to_string(line.size()) + " bytes";
  if (line != file::printable(line)) return "has characters that a terminal obeys";
  for (const std::string_view ours : {"std::",
                                      "basic_",
                                      "terminate",
                                      "what()",
                                      "nlohmann",
                                      "toml::",
                                      "toml++",
                                      "boost",
                                      "Boost",
                                      "CLI::",
                                      "json.exception",
                                      "sqlite",
                                      "SQLITE",
                                      "libpng",
                                      "N6sluice",
                                      "NSt",
                                      "vector::",
                                      "map::at",
                                      "stoi",
                                      "stod",
                                      "stoull",
                                      "bad_alloc",
                                      "bad_variant",
                                      "bad_optional",
                                      "std::get",
                                      "0x",
                                      ".cpp",
                                      ".hpp",
                                      "src/sluice",
                                      "nullptr",
                                      "assert",
                                      "Assert",
                                      "filesystem error",
                                      "iostream"})
    if (line.find(ours) != std::string::npos) return "speaks of " + std::string(ours);
  return "";
}

/// Killed when it has not ended by itself after so long.
inline Said said_in_time(Process& process, std::chrono::seconds most) {
  const auto end = std::chrono::steady_clock::now() + most;
  for (auto pause = std::chrono::microseconds(500); std::chrono::steady_clock::now() < end;
       pause = std::min(2 * pause, std::chrono::microseconds(8000))) {
    if (const std::optional<Said> said = process.poll()) return *said;
    std::this_thread::sleep_for(pause);
  }
  process.signal(SIGKILL);
  Said said = process.wait();
  said.err += "(did not end)";
  return said;
}

inline void expect_answer(const Hostile& hostile) {
  SCOPED_TRACE(hostile.name);
  const TempFolder folder;
  hostile.prepare(folder.path());
  const auto before = everything_in(folder.path());
  Process process(hostile.words, folder.path(), RLIM_INFINITY, [&] {
    ::setenv("HERE", folder.path().c_str(), 1);
    hostile.limit();
  });
  const Said said = said_in_time(process, std::chrono::seconds(30));
  EXPECT_EQ(said.code, hostile.code) << said.err;
  EXPECT_TRUE(matches(said.err, hostile.message.empty() ? "" : hostile.message + "\n"))
      << "said     " << said.err << "expected " << hostile.message;
  EXPECT_EQ(complaint_about(said.err, folder.path()), "") << said.err;
  if (hostile.code != 0) {
    EXPECT_EQ(said.out, "");
  }

  const auto may_change = [&](const std::string& name) {
    return std::ranges::any_of(hostile.written, [&](const std::string& each) {
      return each.ends_with('/') ? (name + "/").starts_with(each) : name == each;
    });
  };
  const auto after = everything_in(folder.path());
  for (const auto& [name, what] : after) {
    EXPECT_FALSE(file::is_temporary(std::filesystem::path(name).filename().string()) &&
                 !before.contains(name))
        << name;
    if (may_change(name)) continue;
    EXPECT_TRUE(before.contains(name)) << "new: " << name;
    EXPECT_TRUE(!before.contains(name) || before.at(name) == what) << "changed: " << name;
  }
  for (const auto& [name, what] : before)
    EXPECT_TRUE(after.contains(name) || may_change(name)) << "gone: " << name;
}

inline void expect_answers(const std::vector<Hostile>& cases) {
  for (const Hostile& hostile : cases) expect_answer(hostile);
}

}  // namespace sluice::test
