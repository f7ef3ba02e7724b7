/// What a run comes down to as one row of a table: how it ended, every key of its resolved spec, its summary numbers. Its arrays are not
/// read. A folder of any version has a row, and one whose files cannot be read as well, unless it is for want of descriptors or
/// memory (ExhaustedError).
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sluice/file/cell.hpp"
#include "sluice/lab/run_walk.hpp"
#include "sluice/record/recording.hpp"

namespace sluice::lab {

/// Columns that every run has, before its keys and numbers:
///   path         relative to where the search began
///   name         of the experiment
///   status       finished, diverged, interrupted; unfinished: at work, or killed there; unreadable: run.json or spec.toml is damaged
///   version      of the program that wrote run.json
///   fingerprint  of what changes the run's bits
///   ended        when run.json was written, 2026-11-17T06:05:59Z
///   seconds      wall-clock time of the last stretch
std::span<const std::string_view> common_columns();

using RunRow = std::vector<std::pair<std::string, file::Cell>>;

RunRow read_row(const std::filesystem::path& folder, const FoundRun& run);
/// The same of a run that is read already: its status, keys and numbers.
RunRow row_of(const record::Recording& run);

}  // namespace sluice::lab
