/// The lock of a folder: whoever changes its files holds it, and only one can.
///
/// It is the file `.sluice-lock` in the folder, under flock for as long as its holder lives; what stands in it says who
/// that is: host, boot, pid and when the process began. Released, the file is gone. After a kill it stays, and flock is
/// free: the next one takes it over. Where flock does not reach from one machine to another, the file speaks: a holder
/// on this host counts as dead when its process is (a pid that was given to another process does not deceive, its
/// beginning differs); one on another host, when it has not touched the file for two minutes. A living one does so
/// every twenty seconds, for all that a process holds in one thread: a sweep may hold thousands. Where a file system
/// knows no flock at all, whoever makes the file has the lock, and what stands in it decides alone.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string_view>

#include "sluice/file/errors.hpp"
#include "sluice/file/held_folders.hpp"

namespace sluice::file {

/// Somebody else is at work in the folder: "FOLDER: another sluice (pid …, host …, since …) is at work there".
struct Busy : InputError {
  using InputError::InputError;
};

class FolderLock {
 public:
  /// Takes the lock of a folder that exists, waiting for it as long as `patience`. Throws Busy, IoError when nothing can be written in the
  /// folder, WorldError when nobody can tell whether its holder lives.
  explicit FolderLock(const std::filesystem::path& folder, std::chrono::milliseconds patience = {});
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

  /// Throws InputError when it could not be taken now or not be looked at, WorldError as above. Looks only: nothing is made where there is no lock.
  static void require_free(const std::filesystem::path& folder);

  static constexpr std::string_view kName = ".sluice-lock";
  /// Does the file in the folder, if it may be read, speak of a holder that lives? Throws WorldError as above. Looks only, and disturbs nobody who is about to take the lock.
  static bool is_held(const std::filesystem::path& folder);

 private:
  void release() const;

  std::filesystem::path path_;
  int descriptor_;
  std::optional<HeldFolder> held_;
};

}  // namespace sluice::file
