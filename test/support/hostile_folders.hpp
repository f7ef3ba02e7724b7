/// Folders that our program made, once for all cases of a process, and what somebody may have done to them since.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sluice/file/atomic_file.hpp"
#include "sluice/file/npz.hpp"
#include "test/support/process.hpp"

namespace sluice::test {

using Prepare = std::function<void(const std::filesystem::path& folder)>;

inline Prepare all_of(std::vector<Prepare> steps) {
  return [steps = std::move(steps)](const std::filesystem::path& folder) {
    for (const Prepare& step : steps) step(folder);
  };
}

/// A file with these bytes.
inline Prepare holds(const std::string& name, const std::string& bytes) {
  return [=](const std::filesystem::path& folder) {
    std::filesystem::create_directories((folder / name).parent_path());
    std::ofstream(folder / name, std::ios::binary) << bytes;
  };
}
inline Prepare holds_arrays(const std::string& name, const file::NamedArrays& arrays) {
  return [=](const std::filesystem::path& folder) {
    file::write_npz(folder / name, arrays, file::Packing::stored);
  };
}
inline Prepare holds_folder(const std::string& name) {
  return [=](const std::filesystem::path& folder) { std::filesystem::create_directories(folder / name); };
}
inline Prepare holds_link(const std::string& name, const std::string& target) {
  return [=](const std::filesystem::path& folder) {
    std::filesystem::create_directories((folder / name).parent_path());
    std::filesystem::create_symlink(target, folder / name);
  };
}
inline Prepare holds_pipe(const std::string& name) {
  return [=](const std::filesystem::path& folder) {
    std::filesystem::remove(folder / name);
    EXPECT_EQ(::mkfifo((folder / name).c_str(), 0600), 0);
  };
}
/// Bytes that are claimed, not there.
inline Prepare holds_hole(const std::string& name, std::uintmax_t bytes) {
  return [=](const std::filesystem::path& folder) {
    std::filesystem::remove(folder / name);
    { const std::ofstream made(folder / name); }
    std::filesystem::resize_file(folder / name, bytes);
  };
}
inline Prepare lacks(const std::string& name) {
  return [=](const std::filesystem::path& folder) { std::filesystem::remove_all(folder / name); };
}
inline Prepare has_mode(const std::string& name, int mode) {
  return [=](const std::filesystem::path& folder) {
    std::filesystem::permissions(folder / name, static_cast<std::filesystem::perms>(mode));
  };
}
/// `from`, where it first stands in the file, is `to` there.
inline Prepare says(const std::string& name, const std::string& from, const std::string& to) {
  return [=](const std::filesystem::path& folder) {
    std::string text = file::read_text(folder / name);
    const std::size_t at = text.find(from);
    ASSERT_NE(at, std::string::npos) << name << " does not say " << from;
    file::write_atomically(folder / name, text.replace(at, from.size(), to));
  };
}
/// Its array is another, or is gone.
inline Prepare has_array(const std::string& name, const std::string& array,
                         const std::optional<file::Array>& other) {
  return [=](const std::filesystem::path& folder) {
    file::NamedArrays arrays = file::read_npz(folder / name);
    std::erase_if(arrays, [&](const auto& named) { return named.first == array; });
    if (other) arrays.emplace_back(array, *other);
    file::write_npz(folder / name, arrays, file::Packing::stored);
  };
}
inline Prepare ends_after(const std::string& name, std::uintmax_t bytes) {
  return [=](const std::filesystem::path& folder) { std::filesystem::resize_file(folder / name, bytes); };
}
inline Prepare has_flipped(const std::string& name, std::size_t at) {
  return [=](const std::filesystem::path& folder) {
    std::string bytes = file::read_text(folder / name);
    bytes.at(at % bytes.size()) ^= 1;
    file::write_atomically(folder / name, bytes);
  };
}

inline std::string repeated(const std::string& text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

/// A run that takes no time: three units on eight sites.
inline const std::vector<std::string> kTinyRun{"run",   "localization",      "--set",  "network.hidden=3",
                                               "--set", "task.n=8",          "--set",  "dynamics.steps=4",
                                               "--set", "probe.samples=100", "--quiet"};
inline const std::vector<std::string> kTinySweep{"sweep", "localization",      "--set",  "network.hidden=3",
                                                 "--set", "task.n=8",          "--set",  "dynamics.steps=4",
                                                 "--set", "probe.samples=100", "--quiet"};

/// What a command line makes at `name` when it is let, or, asked to stop, as soon as there is `stop_at`.
class Made {
 public:
  Made(const std::vector<std::string>& words, const std::string& name, const std::string& stop_at = "")
      : name_(name) {
    Process process(with(words, {"--out", name}), folder_.path());
    if (!stop_at.empty()) {
      while (!std::filesystem::exists(folder_ / stop_at)) ::usleep(500);
      process.signal(SIGTERM);
    }
    const Said said = process.wait();
    EXPECT_EQ(said.code, stop_at.empty() ? 0 : 128 + SIGTERM) << said.err;
  }

  Prepare copy() const {
    return [this](const std::filesystem::path& folder) {
      std::filesystem::copy(folder_ / name_, folder / name_, std::filesystem::copy_options::recursive);
    };
  }
  std::filesystem::path path() const { return folder_ / name_; }

 private:
  TempFolder folder_;
  std::string name_;
};

/// r, which has finished.
inline Prepare finished_run() {
  static const Made made(kTinyRun, "r");
  return made.copy();
}
/// d, a deep one.
inline Prepare finished_deep_run() {
  static const Made made(
      {"run", "depth-relu", "--set", "dynamics.steps=2", "--set", "network.depth=3", "--set",
       "probe.watch=[\"loss\",\"accuracy\",\"train_loss\",\"error\",\"weight_norms\",\"tangent_spectrum\"]",
       "--quiet"},
      "d");
  return made.copy();
}
/// s, of two points.
inline Prepare finished_sweep() {
  static const Made made(with(kTinySweep, {"--over", "seed=1,2"}), "s");
  return made.copy();
}
/// c, which was stopped and has a checkpoint.
inline const std::vector<std::string> kStopped{
    "run",    "localization",       "--set", "network.hidden=3",         "--set", "task.n=8",
    "--set",  "dynamics.kind=adam", "--set", "dynamics.steps=100000000", "--set", "probe.samples=100",
    "--quiet"};
inline Prepare stopped_run() {
  static const Made made(with(kStopped, {"--checkpoint-every", "0"}), "c", "c/checkpoint.npz");
  return made.copy();
}

}  // namespace sluice::test
