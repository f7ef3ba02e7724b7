/// Folders that look like runs, without a run: spec.toml and run.json of a few keys and numbers.
#pragma once

#include <fmt/format.h>

#include <filesystem>
#include <string>

#include "sluice/file/atomic_file.hpp"

namespace sluice::test {

struct RunFolder {
  double gain = 3;
  int seed = 1;
  std::string status = "finished";
  double localized = 0.5;
  std::string more_keys = {};  ///< lines of TOML behind the others
  std::string kind = "nlgp";
  std::string task = "xi = [2.0, 1.0]\n";  ///< lines of its section behind kind and gain
  std::string more_numbers = {};           ///< of run.json: "\"ipr_mean_end\": 0.1, "
};

inline void write_run(const std::filesystem::path& folder, const RunFolder& run = {}) {
  std::filesystem::create_directories(folder);
  file::write_atomically(
      folder / "spec.toml",
      fmt::format("title = \"A run\"  # one line\nseed = {}\n[task]\nkind = \"{}\"\ngain = {:.3f}\n{}"
                  "[network]\nkind = \"two-layer\"\nbias = \"none\"\n{}",
                  run.seed, run.kind, run.gain, run.task, run.more_keys));
  file::write_atomically(
      folder / "run.json",
      fmt::format("{{\"name\": \"r\", \"status\": \"{}\", \"sluice\": \"0.1.0\", \"spec\": \"2-abc\",\n"
                  " \"seed\": {}, \"seconds\": 1.5, \"steps\": 100, \"localized_share\": {}, {}"
                  "\"loss\": null, \"axes\": {{}}}}\n",
                  run.status, run.seed, run.localized, run.more_numbers));
}

}  // namespace sluice::test
