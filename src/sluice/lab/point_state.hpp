/// What became of a point of a sweep, as the files in its folder say it. They are the record: nobody keeps a list that a kill could leave behind.
///   pending      nothing is there but what a killed worker may leave before its first file
///   running      a living one holds the lock: made atomically, touched every twenty seconds (file/lock.hpp)
///   done         run.json says finished
///   diverged     run.json says diverged, at which step, and with which norms
///   interrupted  begun, neither finished nor at work: a checkpoint, or nothing that could be gone on from
///   failed       failed.json says why
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace sluice::lab {

enum class PointState { pending, running, done, diverged, interrupted, failed };
std::string_view to_string(PointState state);

struct PointStatus {
  PointState state = PointState::pending;
  std::string reason = {};  ///< of a failure
};

/// Looks only. Throws ExhaustedError, and WorldError where nobody can tell whether somebody is at work there.
PointStatus status_of(const std::filesystem::path& folder);

/// Nothing is left to do there, unless the spec has changed.
inline bool is_over(PointState state) { return state == PointState::done || state == PointState::diverged; }

/// Says in the folder why its point could not be run, unless it holds a run that is over: another's. As good as can be, for what failed may be the disk.
void note_failure(const std::filesystem::path& folder, const std::string& reason);

}  // namespace sluice::lab
