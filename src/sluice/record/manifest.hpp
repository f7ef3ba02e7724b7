/// Which files of a folder sluice wrote: only those may it replace or delete.
///
/// `.sluice-manifest` in the folder of a run or sweep lists their names, relative to the folder. A name is claimed before
/// its file is written, and only where nothing stands yet; once written for good it is sealed with its length and SHA-256,
/// so that a file somebody changed or put in its place is no longer ours. What a run keeps writing to, and the spec, which
/// people edit where it lies, are never sealed: of them the name is ours.
///
/// Version 0.1.0 wrote no manifest. Its folders are known by what they hold: a run by a spec.toml that reads as one and
/// run.json, checkpoint.npz or the first line of log.txt, a sweep by the header of summary.csv; ours are then the names that
/// version wrote.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::record {

/// Does a file read as a spec? The rooms to the right know.
using SpecTest = std::function<bool(const std::filesystem::path&)>;

class Manifest {
 public:
  enum class Kind { none, run, sweep };

  /// As it lies in the folder; of a folder of version 0.1.0 as it would. Nothing is written.
  Manifest(std::filesystem::path folder, const SpecTest& is_spec);

  /// none: nothing shows that sluice made the folder.
  Kind kind() const { return kind_; }
  bool lists(const std::string& name) const { return files_.contains(name); }
  /// Of all files it lists, as they are now.
  double bytes() const;
  /// Names of sealed files that are not what they were, and of a folder in whose place something else stands.
  std::vector<std::string> changed() const;

  /// The names of files about to be written. Throws InputError where one is there that is not ours, or no longer.
  void claim(Kind kind, const std::vector<std::string>& names);
  /// What is there now is what we wrote, but for what a run or sweep keeps writing to and what people edit where it lies.
  void seal();
  /// Was that done since the last claim? True also where there is no manifest, as of version 0.1.0.
  bool is_sealed() const;
  /// Whatever stands under this name is no longer ours.
  void disown(const std::string& name) { files_.erase(name); }
  /// Is there a file of this name, sealed, and as it was then?
  bool holds(const std::string& name) const;
  /// Throws InputError where a file is there that is no longer the one it lists.
  void require_unchanged(const std::string& name) const;
  /// Throws InputError where a file it lists, or itself, could not be deleted: who deletes one after the other would leave half of them.
  void require_removable() const;
  /// Deletes all files it lists, `first` before the others, and folders that are empty then. Nothing else.
  void remove_files(const std::string& first = "");

  static constexpr std::string_view kName = ".sluice-manifest";

 private:
  struct Seal {
    std::int64_t bytes = -1;  ///< -1: claimed, not sealed
    std::string sha256 = {};
  };

  bool read();
  void save() const;
  bool is_changed(const std::string& name, const Seal& seal) const;

  std::filesystem::path folder_;
  Kind kind_ = Kind::none;
  std::map<std::string, Seal> files_;
};

/// Throws InputError where a file or folder cannot be removed: "PATH: cannot be removed: Permission denied; nothing was".
void require_removable(const std::filesystem::path& path);

/// Writes files into the folder of a run or sweep that may be at work: takes its lock, claims the names, calls `write`,
/// seals. Throws InputError when another sluice is at work there, or where a file stands that sluice did not write.
void write_into(const std::filesystem::path& folder, const std::vector<std::string>& names,
                const SpecTest& is_spec, const std::function<void()>& write);

}  // namespace sluice::record
