#include "sluice/record/removal.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sluice/file/atomic_file.hpp"
#include "sluice/file/errors.hpp"
#include "sluice/file/lock.hpp"
#include "sluice/file/system.hpp"
#include "sluice/record/audience.hpp"
#include "sluice/record/run_folder.hpp"

namespace sluice::record {
namespace fs = std::filesystem;
namespace {

/// The names of its own files, those of the figures included; throws InputError where there are others.
std::vector<std::string> removable_files(const fs::path& folder, const std::vector<std::string>& aside,
                                         const Manifest& manifest) {
  if (manifest.kind() == Manifest::Kind::none)
    throw InputError(
        fmt::format("{}: not removed: not the folder of a run or sweep of sluice", folder.string()));
  if (has_foreign_mark(folder))  // it would stay, and so would the folder
    throw InputError(fmt::format("{}: not removed: it holds '{}', which sluice did not write",
                                 folder.string(), kWatchedName));
  std::vector<std::string> entries = entries_of(folder);
  std::erase_if(entries,
                [&](const std::string& name) { return std::ranges::find(aside, name) != aside.end(); });
  require_ours(folder, entries, manifest, "removed");
  if (std::erase(entries, "figures") == 0) return entries;
  for (const std::string& name : entries_of(folder / "figures")) {
    const std::string figure = "figures/" + name;
    if (!manifest.lists(figure))
      throw InputError(
          fmt::format("{}: not removed: it holds '{}', which sluice did not write", folder.string(), figure));
    entries.push_back(figure);
  }
  return entries;
}

}  // namespace

Removal plan_removal(const fs::path& folder, const std::vector<std::string>& aside, const SpecTest& is_spec) {
  file::FolderLock::require_free(folder);
  Removal removal{.folder = folder, .aside = aside};
  const Manifest manifest(folder, is_spec);
  const std::vector<std::string> names = removable_files(folder, aside, manifest);
  manifest.require_removable();
  for (const fs::path& path : {folder / kIndexName, folder})
    if (fs::exists(fs::symlink_status(path))) require_removable(path);
  for (const std::string& name : names) {
    ++removal.files;
    removal.bytes += fs::file_size(folder / name);
  }
  return removal;
}

void remove(const Removal& removal, const SpecTest& is_spec) {
  const fs::path& folder = removal.folder;
  {
    const file::FolderLock lock(folder);
    Manifest manifest(folder, is_spec);
    removable_files(folder, removal.aside, manifest);
    remove_stale_temporaries(folder);
    manifest.remove_files("run.json");  // when it is gone the run is not finished, whatever a kill leaves
    file::remove_entry(folder / Manifest::kName);
    leave(folder);
  }
  std::error_code failure;
  file::remove_entry(folder, failure);  // and only when nothing is in it
  if (failure)
    throw IoError(fmt::format("{}: its files are gone; the folder cannot be removed: {}", folder.string(),
                              failure.message()));
}

}  // namespace sluice::record
