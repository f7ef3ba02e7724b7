/// The folder of one run.
///   spec.toml      the resolved spec: running it again gives the same bits
///   record.npz     step[T], weights[T,K,n], bias[T,K], loss[T], accuracy[T], then one array per probe
///   metrics.csv    one row per probe time
///   run.json       status, version, summary numbers, names of the arrays' axes
///   report.html    one self-contained page
///   figures/       svg, pdf, png
///   probes.npz     what `sluice probe` measured afterwards
///   log.txt
///   init.npy       the initial weights, when the spec took them from a file
///   init.npz       the initial layers of a deep network, when they came from another run
///   start.npz      the initial weights and gates of a gated linear network, when they came from a file
///   continued.npz  where the run went on from, when it continues another
///   state.npz      where it ended (end_state.hpp): what another run can go on from
///   checkpoint.npz while the run is unfinished
///   failed.json    why a point of a sweep could not be run, until it is
///   .sluice-manifest   which of all these files sluice wrote, or is about to (manifest.hpp): no other is ever replaced or deleted
///   .sluice-lock       while a sluice is at work there (file/lock.hpp)
///   .sluice-watched    while somebody looks at it (audience.hpp)
/// A folder of such folders may hold .sluice-index.sqlite, a cache of what run.json and spec.toml say in them.
/// run.json is written last; its status says whether the run is finished.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sluice/file/lock.hpp"
#include "sluice/record/manifest.hpp"

namespace sluice::record {

inline constexpr std::string_view kFailedName = "failed.json";

/// What to do with a folder that is there and not empty.
enum class Existing { refuse, resume, overwrite };

struct Conclusion {
  std::string status;  ///< "finished", "diverged", "interrupted"
  std::string spec;    ///< fingerprint of the resolved spec
};

class RunFolder {
 public:
  /// Creates the folder or takes it over, and holds its lock from then on. Throws InputError when it cannot be used: another
  /// sluice is at work there, or `overwrite` is asked for and something in it was not written by a run. Nothing is deleted or
  /// replaced yet.
  static RunFolder open(const std::filesystem::path& path, Existing existing, const SpecTest& is_spec);

  /// The same checks without taking it: throws InputError when it could not be opened now. Nothing is touched.
  static void check(const std::filesystem::path& path, Existing existing, const SpecTest& is_spec);

  /// Every check has passed: what a killed process left goes, and with `overwrite` the files of the old run; the names of a
  /// run's files are claimed.
  void begin();
  /// Further files about to be written; throws InputError where one is there that sluice did not write.
  void claim(const std::vector<std::string>& names) { manifest_.claim(Manifest::Kind::run, names); }
  /// Those that `sluice probe` measured on an earlier record go, as it wrote them. What may be somebody's stays, and is no longer ours.
  void forget_probes();
  /// Nothing more will be written by this run.
  void seal();
  /// The same of a run that was killed between run.json and that: what it left goes. Nothing changes where it was not.
  void finish();

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path spec() const { return path_ / "spec.toml"; }
  std::filesystem::path record() const { return path_ / "record.npz"; }
  std::filesystem::path metrics() const { return path_ / "metrics.csv"; }
  std::filesystem::path conclusion_file() const { return path_ / "run.json"; }
  std::filesystem::path figures() const { return path_ / "figures"; }
  std::filesystem::path state() const { return path_ / "state.npz"; }
  std::filesystem::path checkpoint() const { return path_ / "checkpoint.npz"; }

  /// What run.json says of the run; empty before anything was concluded.
  Conclusion conclusion() const;

  /// Adds a line with the time of day to log.txt.
  void log(std::string_view line);

 private:
  RunFolder(std::filesystem::path path, Existing existing, const SpecTest& is_spec);

  std::filesystem::path path_;
  Existing existing_;
  std::unique_ptr<file::FolderLock> lock_;
  Manifest manifest_;
  std::string log_text_;
};

/// The cache of what is in the folders below.
constexpr std::string_view kIndexName = ".sluice-index.sqlite";

/// Is there nothing in it but what a killed sluice left: a lock, temporaries, a manifest without files; or a cache? Also where there is
/// no folder yet. This and the next throw InputError or WorldError where a folder cannot be looked into.
bool is_vacant(const std::filesystem::path& folder);

/// What is in a folder, by name, beside what a sluice at work or killed leaves there, and a cache.
std::vector<std::string> entries_of(const std::filesystem::path& folder);

/// All of these entries are files that the run or sweep wrote, and as it wrote them; of its figures whatever is with them is not
/// looked at. Throws InputError otherwise: "FOLDER: not overwritten: it holds 'notes.txt', which no run wrote", where `done` is
/// "overwritten".
void require_ours(const std::filesystem::path& folder, const std::vector<std::string>& entries,
                  const Manifest& manifest, std::string_view done);

/// With those around it. Throws InputError naming the folder where it cannot be made, WorldError where the disk has no room for it.
void make_folder(const std::filesystem::path& folder);

/// Temporaries of killed processes in the folder of a run or sweep and among its figures. A link called "figures" is somebody's, and leads elsewhere.
void remove_stale_temporaries(const std::filesystem::path& folder);

/// Creates the folder if needed and takes its lock, waiting for it as long as `patience`. Throws InputError naming the folder
/// when it cannot be made, when it is a file, when nothing can be written in it, or when another sluice is at work there.
std::unique_ptr<file::FolderLock> make_and_lock(const std::filesystem::path& folder,
                                                std::chrono::milliseconds patience = {});

}  // namespace sluice::record
