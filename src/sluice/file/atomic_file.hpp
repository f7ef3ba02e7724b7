/// Files that are either the old one or the new one, never half.
///
/// Bytes go to a temporary in the same folder; commit() syncs them, renames over the target and syncs the folder. Without
/// commit() the temporary is removed and the target is untouched. With IfTaken::refuse a target that is there by then stays, whoever made it and when, and
/// commit() throws the InputError of file/place.hpp.
///
/// A temporary is called .NAME.sluice-tmp-RANDOM, never follows a link, never is a file that was there, and is under
/// flock while its writer lives: that tells it from one that a killed process left.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "sluice/file/place.hpp"

namespace sluice::file {

/// Files of one folder that this thread commits while this lives wait for each other: all are synced one after the other, which is one wait for the disk in
/// place of one for each, then take their names in the order of their commits, and the folder is synced once. Until commit() the old ones stand there;
/// without it nothing of the new ones does. A disk that takes 5 ms to sync would otherwise cost a run of one second a tenth of its time.
class CommitTogether {
 public:
  CommitTogether();
  ~CommitTogether();
  CommitTogether(const CommitTogether&) = delete;
  CommitTogether& operator=(const CommitTogether&) = delete;

  /// Ends the waiting: what this thread commits from now on is committed at once.
  void commit();

 private:
  friend class AtomicFile;
  struct Waiting {
    std::filesystem::path target;
    std::string temporary;
    int descriptor;
    IfTaken if_taken;
  };
  std::vector<Waiting> waiting_;
  CommitTogether* around_;  // the one that was at work on this thread before
};

class AtomicFile {
 public:
  explicit AtomicFile(std::filesystem::path target, IfTaken if_taken = IfTaken::replace);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::string_view bytes);
  /// Overwrites bytes already written, for headers whose numbers are known only later.
  void patch(std::uint64_t offset, std::string_view bytes);
  std::uint64_t size() const { return size_; }
  void commit();

 private:
  void open_temporary();
  [[noreturn]] void fail(const char* doing) const;

  std::filesystem::path target_;
  IfTaken if_taken_;
  std::string temporary_;
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
};

void write_atomically(const std::filesystem::path& target, std::string_view bytes,
                      IfTaken if_taken = IfTaken::replace);

/// More is no text.
inline constexpr std::uint64_t kMostText = std::uint64_t{1} << 30;
/// The whole file. Throws InputError naming the path when it is no regular file, cannot be read or has more bytes than `most`.
std::string read_text(const std::filesystem::path& path, std::uint64_t most = kMostText);

/// ".NAME.sluice-tmp-RANDOM", a name that nobody else has.
std::string temporary_name(std::string_view name);

/// A name that only a temporary has, ours or (with a pid for the random digits) version 0.1.0's.
bool is_temporary(std::string_view name);

/// Removes temporaries that a killed process left in the folder; those of living ones stay.
void remove_stale_temporaries(const std::filesystem::path& folder);

}  // namespace sluice::file
