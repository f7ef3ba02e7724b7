#include "sluice/record/run_folder.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <ctime>
#include <nlohmann/json.hpp>

#include "sluice/file/atomic_file.hpp"
#include "sluice/file/errors.hpp"

namespace sluice::record {
namespace fs = std::filesystem;
namespace {

// run.json first: when it is gone the run is not finished, whatever else a kill in the middle leaves.
constexpr std::array<std::string_view, 11> kOurs{"run.json",    "spec.toml",  "record.npz",    "metrics.csv",
                                                 "report.html", "figures",    "log.txt",       "init.npy",
                                                 "init.npz",    "probes.npz", "checkpoint.npz"};

/// --overwrite must never be the way somebody loses a home folder: every entry has to be one of ours.
void empty_run_folder(const fs::path& path) {
  for (const auto& entry : fs::directory_iterator(path)) {
    const std::string name = entry.path().filename().string();
    if (std::find(kOurs.begin(), kOurs.end(), name) == kOurs.end()) {
      throw InputError(
          fmt::format("--out {}: not overwritten: it holds '{}', which no run wrote", path.string(), name));
    }
  }
  for (const std::string_view name : kOurs) fs::remove_all(path / name);
}

}  // namespace

void require_writable_folder(const fs::path& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (!fs::is_directory(path)) {
    const std::string why = fs::exists(path) ? "it is a file" : error.message();
    throw InputError(fmt::format("--out {}: cannot be used as a folder: {}", path.string(), why));
  }
  try {
    file::AtomicFile probe(path / "writable");  // never committed: leaves nothing behind
  } catch (const IoError& failure) {
    throw InputError(
        fmt::format("--out {}: nothing can be written there: {}", path.string(), failure.what()));
  }
}

RunFolder::RunFolder(fs::path path) : path_(std::move(path)) {
  if (fs::exists(path_ / "log.txt")) log_text_ = file::read_text(path_ / "log.txt");
}

RunFolder RunFolder::open(const fs::path& path, Existing existing) {
  require_writable_folder(path);
  file::remove_stale_temporaries(path);
  if (fs::is_directory(path / "figures")) file::remove_stale_temporaries(path / "figures");
  if (!fs::is_empty(path)) {
    if (existing == Existing::refuse) {
      throw InputError(
          fmt::format("--out {}: exists and is not empty; add --resume to continue it, --overwrite to "
                      "replace it, or choose "
                      "another --out",
                      path.string()));
    }
    if (existing == Existing::overwrite) empty_run_folder(path);
    if (existing == Existing::resume && !fs::exists(path / "spec.toml")) {
      throw InputError(
          fmt::format("--resume {}: not the folder of a run: it has no spec.toml", path.string()));
    }
  }
  return RunFolder(path);
}

Conclusion RunFolder::conclusion() const {
  if (!fs::exists(manifest())) return {};
  const auto json = nlohmann::json::parse(file::read_text(manifest()), nullptr, false);
  const auto text = [&](const char* key) {
    return json.is_object() && json.contains(key) && json[key].is_string() ? json[key].get<std::string>()
                                                                           : "";
  };
  return {text("status"), text("spec")};
}

void RunFolder::log(std::string_view line) {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  log_text_ += fmt::format("{:%Y-%m-%d %H:%M:%S}  {}\n", fmt::localtime(now), line);
  file::write_atomically(path_ / "log.txt", log_text_);
}

}  // namespace sluice::record
