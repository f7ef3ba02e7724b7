/// Another program, run to its end: found on PATH, given its words as they are (no shell), nothing on its standard input.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace sluice::data {

struct Command {
  std::vector<std::string> words;  ///< the program and its arguments
  std::filesystem::path folder;    ///< where it runs
  std::filesystem::path output;    ///< file that takes its standard output and error
};

enum class ChildEnd {
  finished,
  failed,     ///< with an exit code other than 0, or by a signal
  not_found,  ///< no such program on PATH
  stopped,    ///< stop_requested: it and what it had started were ended
};

/// Throws IoError when the program is there but cannot be started.
ChildEnd run_child(const Command& command, const std::function<bool()>& stop_requested);

}  // namespace sluice::data
