#include "sluice/record/run_folder.hpp"
#include "sluice/file/system.hpp"
#include "sluice/record/audience.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <climits>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <optional>
#include <utility>

#include "sluice/file/atomic_file.hpp"
#include "sluice/file/errors.hpp"
#include "sluice/file/held_folders.hpp"
#include "sluice/file/json.hpp"
#include "sluice/file/printable.hpp"

namespace sluice::record {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view kFirst =
    "run.json";  // when it is gone the run is not finished, whatever a kill leaves
const std::vector<std::string> kNames{"run.json", "spec.toml", "record.npz",    "metrics.csv",
                                      "log.txt",  "state.npz", "checkpoint.npz"};
const std::string kProbes = "probes.npz";

/// What a sluice at work or killed leaves in a folder, and a cache: plain files of these names.
bool is_passing(const fs::path& path) {
  const std::string name = path.filename().string();
  const bool known = name == file::FolderLock::kName || name == Manifest::kName || name == kWatchedName ||
                     name == kIndexName || name == std::string(kIndexName) + "-journal" ||
                     file::is_temporary(name);
  std::error_code ignored;
  return known && fs::is_regular_file(fs::symlink_status(path, ignored));
}

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

/// What note_failure wrote: a file that says so itself.
bool is_failure_note(const fs::path& path) {
  std::error_code ignored;
  constexpr std::uintmax_t kMost = 1 << 20;  // ours has some lines
  if (!fs::is_regular_file(fs::symlink_status(path, ignored)) || fs::file_size(path, ignored) > kMost)
    return false;
  const std::optional<file::Json> json = file::Json::parse(file::read_text(path));
  return json && !json->text_at("sluice").empty() && json->text_at("status") == "failed";
}

/// Overwriting must never be the way somebody loses a file: every entry has to be one that a run wrote.
void require_overwritable(const fs::path& path, const SpecTest& is_spec) {
  const Manifest manifest(path, is_spec);
  const std::vector<std::string> entries = entries_of(path);
  if (manifest.kind() != Manifest::Kind::run)
    throw InputError(fmt::format("{}: not overwritten: it holds '{}', which no run wrote", path.string(),
                                 entries.front()));
  require_ours(path, entries, manifest, "overwritten");
  manifest.require_removable();
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
  std::error_code failure;
  std::vector<std::string> names = file::names_in(folder, failure);
  if (failure && failure != std::errc::no_such_file_or_directory && failure != std::errc::not_a_directory)
    file::refuse_looking(folder, failure.value());
  std::erase_if(names, [&](const std::string& name) {
    return is_passing(folder / name) || (name == kFailedName && is_failure_note(folder / name));
  });
  std::ranges::sort(names);
  return names;
}

void require_ours(const fs::path& folder, const std::vector<std::string>& entries, const Manifest& manifest,
                  std::string_view done) {
  const std::string_view who = manifest.kind() == Manifest::Kind::sweep ? "sweep" : "run";
  std::error_code ignored;
  for (const std::string& name : entries) {
    const bool holds_figures =
        name == "figures" && fs::is_directory(fs::symlink_status(folder / name, ignored));
    if (!manifest.lists(name) && !holds_figures)
      throw InputError(
          fmt::format("{}: not {}: it holds '{}', which no {} wrote", folder.string(), done, name, who));
  }
  for (const std::string& name : manifest.changed()) {
    throw InputError(fmt::format("{}: not {}: '{}' was changed since the {} wrote it; move it away",
                                 folder.string(), done, name, who));
  }
}

bool is_vacant(const fs::path& folder) { return entries_of(folder).empty(); }

void make_folder(const fs::path& folder) {
  file::require_in_place(folder);
  std::error_code failure, ignored;
  file::make_folders(folder, failure);
  if (fs::is_directory(folder, ignored)) return;
  const std::string what =
      fmt::format("{}: cannot be used as a folder: {}", folder.string(), failure.message());
  if (is_of_the_world(failure.value())) throw WorldError(what);
  throw InputError(what);
}

void remove_stale_temporaries(const fs::path& folder) {
  file::remove_stale_temporaries(folder);
  const fs::path figures = folder / "figures";
  std::error_code ignored;
  if (fs::is_directory(fs::symlink_status(figures, ignored))) file::remove_stale_temporaries(figures);
}

std::unique_ptr<file::FolderLock> make_and_lock(const fs::path& folder, std::chrono::milliseconds patience) {
  require_folder_or_nothing(folder);
  make_folder(folder);
  try {
    return std::make_unique<file::FolderLock>(folder, patience);
  } catch (const WorldError&) {
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
  remove_stale_temporaries(path_);
  if (existing_ == Existing::overwrite) manifest_.remove_files(std::string(kFirst));
  manifest_.require_unchanged(kProbes);  // of the record before; it goes when there is another
  claim(kNames);
  if (is_failure_note(path_ / kFailedName)) file::remove_entry(path_ / kFailedName);  // it is tried again
  if (fs::exists(path_ / "log.txt")) log_text_ = file::read_text(path_ / "log.txt");
}

void RunFolder::forget_probes() {
  if (manifest_.holds(kProbes)) {
    file::remove_entry(path_ / kProbes);
  } else if (manifest_.lists(
                 kProbes)) {  // on the disk, too: who finishes this run after a kill seals what stands there
    manifest_.disown(kProbes);
    manifest_.claim(Manifest::Kind::run, {});
  }
}

void RunFolder::seal() { manifest_.seal(); }

void RunFolder::finish() {
  remove_stale_temporaries(path_);
  if (manifest_.lists(checkpoint().filename().string()))
    file::remove_entry(checkpoint());  // else it is somebody's
  if (!manifest_.is_sealed()) manifest_.seal();
}

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
