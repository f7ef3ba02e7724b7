/// Folders that this process is at work in: whoever holds the lock of a folder is, and so is a sweep, between its plan and its comparison without the lock. When somebody moves one away, what stands under its path is
/// another's, and is left as it is: every call that gives a file its name there, or removes one, asks here first.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace sluice::file {

/// While it lives, the folder that has this path now is held, by as many as hold it. A process that is forked holds none.
class HeldFolder {
 public:
  /// Throws InputError where this process holds another folder of this path: that one was moved, or the current folder was changed.
  explicit HeldFolder(const std::filesystem::path& folder);
  ~HeldFolder();
  HeldFolder(const HeldFolder&) = delete;
  HeldFolder& operator=(const HeldFolder&) = delete;

 private:
  std::string path_;
  std::uint64_t process_;  // a number of it: one that was forked holds nothing
};

/// Where a file, or a folder, lies in a held one (or in one that lies there, as figures do): is another there by now, or none?
bool is_displaced(const std::filesystem::path& path);
/// Throws IoError where it is, which names the held folder.
void require_in_place(const std::filesystem::path& path);

}  // namespace sluice::file
