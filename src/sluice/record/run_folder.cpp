#include "sluice/record/run_folder.hpp"
#include "sluice/file/system.hpp"
#include "sluice/record/audience.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <climits>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <utility>

#include "sluice/file/atomic_file.hpp"
#include "sluice/file/errors.hpp"
#include "sluice/file/json.hpp"
#include "sluice/file/printable.hpp"

namespace sluice::record {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view kFirst =
    "run.json";  // when it is gone the run is not finished, whatever a kill leaves
const std::vector<std::string> kNames{
    "run.json", "spec.toml", "record.npz",    "metrics.csv", "report.html", "log.txt",       "init.npy",
    "init.npz", "start.npz", "continued.npz", "state.npz",   "probes.npz",  "checkpoint.npz"};

void require_folder_or_nothing(const fs::path& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  // Said before the first run of a sweep, whose folder is not there yet.
  if (path.filename().native().size() > NAME_MAX)
    throw InputError(fmt::format("{}: cannot be used as a folder: the name is too long", path.string()));
  if (error && status.type() != fs::file_type::not_found)  // a folder that may not be searched
    throw InputError(fmt::format("{}: cannot be used as a folder: {}", path.string(), error.message()));
  if (fs::exists(status) && !fs::is_directory(status))
    throw InputError(fmt::format("{}: cannot be used as a folder: it is a file", path.string()));
}

/// Overwriting must never be the way somebody loses a file: every entry has to be one that a run wrote.
void require_overwritable(const fs::path& path, const SpecTest& is_spec) {
  const Manifest manifest(path, is_spec);
  const std::vector<std::string> entries = entries_of(path);
  if (manifest.kind() != Manifest::Kind::run)
    throw InputError(fmt::format("{}: not overwritten: it holds '{}', which no run wrote", path.string(),
                                 entries.front()));
  require_ours(path, entries, manifest, "overwritten");
}

/// Looks only.
void require_usable(const fs::path& path, Existing existing, const SpecTest& is_spec) {
  require_folder_or_nothing(path);
  if (is_vacant(path)) return;
  if (existing == Existing::refuse) {
    throw InputError(fmt::format(
        "{}: exists and is not empty; resume or overwrite it, or choose another folder", path.string()));
  }
  if (existing == Existing::overwrite) require_overwritable(path, is_spec);
  if (existing == Existing::resume && !fs::exists(path / "spec.toml")) {
    throw InputError(
        fmt::format("{}: cannot be resumed: not the folder of a run, it has no spec.toml", path.string()));
  }
}

}  // namespace

std::vector<std::string> entries_of(const fs::path& folder) {
  const std::string journal = std::string(kIndexName) + "-journal";
  std::vector<std::string> names;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    const std::string name = entry.path().filename().string();
    if (name != file::FolderLock::kName && name != Manifest::kName && name != kWatchedName &&
        name != kFailedName && name != kIndexName && name != journal && !file::is_temporary(name))
      names.push_back(name);
  }
  std::ranges::sort(names);
  return names;
}

void require_ours(const fs::path& folder, const std::vector<std::string>& entries, const Manifest& manifest,
                  std::string_view done) {
  const std::string_view who = manifest.kind() == Manifest::Kind::sweep ? "sweep" : "run";
  for (const std::string& name : entries) {
    if (!manifest.lists(name) && name != "figures")
      throw InputError(
          fmt::format("{}: not {}: it holds '{}', which no {} wrote", folder.string(), done, name, who));
  }
  for (const std::string& name : manifest.changed()) {
    throw InputError(fmt::format("{}: not {}: '{}' was changed since the {} wrote it; move it away",
                                 folder.string(), done, name, who));
  }
}

bool is_vacant(const fs::path& folder) { return entries_of(folder).empty(); }

std::unique_ptr<file::FolderLock> make_and_lock(const fs::path& folder, std::chrono::milliseconds patience) {
  require_folder_or_nothing(folder);
  std::error_code error;
  file::make_folders(folder, error);
  if (!fs::is_directory(folder)) {
    const std::string what =
        fmt::format("{}: cannot be used as a folder: {}", folder.string(), error.message());
    if (is_of_the_disk(error.value())) throw DiskError(what);
    throw InputError(what);
  }
  try {
    return std::make_unique<file::FolderLock>(folder, patience);
  } catch (const DiskError&) {
    throw;
  } catch (const IoError& failure) {
    throw InputError(fmt::format("{}: nothing can be written there: {}", folder.string(), failure.what()));
  }
}

RunFolder::RunFolder(fs::path path, Existing existing, const SpecTest& is_spec)
    : path_(std::move(path)), existing_(existing), lock_(make_and_lock(path_)), manifest_(path_, is_spec) {}

void RunFolder::check(const fs::path& path, Existing existing, const SpecTest& is_spec) {
  require_usable(path, existing, is_spec);
}

RunFolder RunFolder::open(const fs::path& path, Existing existing, const SpecTest& is_spec) {
  require_usable(path, existing, is_spec);  // a refused start touches nothing, not even for a lock
  RunFolder folder(path, existing, is_spec);
  require_usable(path, existing, is_spec);  // what it is now that nobody else can change it
  return folder;
}

void RunFolder::begin() {
  file::remove_stale_temporaries(path_);
  if (fs::is_directory(figures())) file::remove_stale_temporaries(figures());
  if (existing_ == Existing::overwrite) manifest_.remove_files(std::string(kFirst));
  claim(kNames);
  file::remove_entry(path_ / kFailedName);  // it will be tried again
  if (fs::exists(path_ / "log.txt")) log_text_ = file::read_text(path_ / "log.txt");
}

void RunFolder::seal() { manifest_.seal({"spec.toml", "log.txt", "checkpoint.npz"}); }

Conclusion RunFolder::conclusion() const {
  if (!fs::exists(conclusion_file())) return {};
  const std::optional<file::Json> json = file::Json::parse(file::read_text(conclusion_file()));
  if (!json) return {};
  return {json->text_at("status"), json->text_at("spec")};
}

void RunFolder::log(std::string_view line) {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  log_text_ += fmt::format("{:%Y-%m-%d %H:%M:%S}  {}\n", fmt::localtime(now), file::printable(line));
  file::write_atomically(path_ / "log.txt", log_text_);
}

}  // namespace sluice::record
