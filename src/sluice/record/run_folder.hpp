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
///   checkpoint.npz while the run is unfinished
/// run.json is written last; its status says whether the run is finished.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace sluice::record {

/// What to do with a folder that is there and not empty.
enum class Existing { refuse, resume, overwrite };

struct Conclusion {
  std::string status;  ///< "finished", "diverged", "interrupted"
  std::string spec;    ///< fingerprint of the resolved spec
};

class RunFolder {
 public:
  /// Creates the folder or takes it over. Throws InputError when it cannot be used; a folder is never emptied unless
  /// `overwrite` is asked for and everything in it was written by sluice.
  static RunFolder open(const std::filesystem::path& path, Existing existing);

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path spec() const { return path_ / "spec.toml"; }
  std::filesystem::path record() const { return path_ / "record.npz"; }
  std::filesystem::path metrics() const { return path_ / "metrics.csv"; }
  std::filesystem::path manifest() const { return path_ / "run.json"; }
  std::filesystem::path report() const { return path_ / "report.html"; }
  std::filesystem::path figures() const { return path_ / "figures"; }
  std::filesystem::path initial_weights() const { return path_ / "init.npy"; }
  std::filesystem::path probes() const { return path_ / "probes.npz"; }
  std::filesystem::path initial_layers() const { return path_ / "init.npz"; }
  std::filesystem::path checkpoint() const { return path_ / "checkpoint.npz"; }

  /// What run.json says of the run; empty before anything was concluded.
  Conclusion conclusion() const;

  /// Adds a line with the time of day to log.txt.
  void log(std::string_view line);

 private:
  explicit RunFolder(std::filesystem::path path);

  std::filesystem::path path_;
  std::string log_text_;
};

/// Creates `path` if needed; throws InputError naming it when that fails, when it is a file, or when nothing can be
/// written in it.
void require_writable_folder(const std::filesystem::path& path);

}  // namespace sluice::record
