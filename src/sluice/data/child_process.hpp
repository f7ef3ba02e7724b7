/// Another program, run to its end: found on PATH, given its words as they are (no shell), nothing on its standard input.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace sluice::data {

struct Command {
  std::vector<std::string> words;  ///< the program and its arguments
  std::filesystem::path folder;    ///< where it runs
  std::filesystem::path output;    ///< file that takes its standard output and error

  /// A program that writes more is ended (looked at now and then: the file may be longer). No limit of the system: sbatch would hand it on to its job.
  static constexpr std::uint64_t kMostOutput = 1 << 20;
};

enum class ChildEnd {
  finished,
  failed,     ///< with an exit code other than 0
  killed,     ///< by a signal that was not ours
  flooded,    ///< it wrote more than kMostOutput: it and what it had started were ended
  not_found,  ///< no such program on PATH
  stopped,    ///< stop_requested: it and what it had started were ended
};

/// Throws IoError when the program is there but cannot be started.
ChildEnd run_child(const Command& command, const std::function<bool()>& stop_requested);

}  // namespace sluice::data
