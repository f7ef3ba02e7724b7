#include "sluice/lab/point_state.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <array>
#include <ctime>
#include <optional>

#include "sluice/file/atomic_file.hpp"
#include "sluice/file/json.hpp"
#include "sluice/file/lock.hpp"
#include "sluice/lab/experiment.hpp"
#include "sluice/record/manifest.hpp"
#include "sluice/record/run_folder.hpp"
#include "sluice/version.hpp"

namespace sluice::lab {
namespace fs = std::filesystem;
namespace {

/// Of points that have not begun there is none, which is looked at first: sweeps ask of thousands.
std::optional<file::Json> json_in(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored) ? file::json_in(path, file::kMostText) : std::nullopt;
}

}  // namespace

std::string_view to_string(PointState state) {
  static constexpr std::array<std::string_view, 6> kNames{"pending",  "running",     "finished",
                                                          "diverged", "interrupted", "failed"};
  return kNames.at(static_cast<std::size_t>(state));
}

PointStatus status_of(const fs::path& folder) {
  if (const auto run = json_in(folder / "run.json")) {
    if (run->text_at("status") == "finished") return {PointState::done};
    if (run->text_at("status") == "diverged") return {PointState::diverged};
  }
  if (file::FolderLock::is_held(folder)) return {PointState::running};
  if (const auto failed = json_in(folder / record::kFailedName))
    return {PointState::failed, failed->text_at("reason")};
  std::error_code ignored;
  return {fs::exists(folder / "spec.toml", ignored) ? PointState::interrupted : PointState::pending};
}

void note_failure(const fs::path& folder, const std::string& reason) {
  const std::string name(record::kFailedName);
  try {
    if (is_over(status_of(folder).state)) return;
    const file::Json json{{"sluice", version()},
                          {"status", "failed"},
                          {"reason", reason},
                          {"when", fmt::format("{:%Y-%m-%d %H:%M:%S}", fmt::localtime(std::time(nullptr)))}};
    const auto lock = record::make_and_lock(folder);
    record::Manifest manifest(folder, is_spec);
    manifest.claim(record::Manifest::Kind::run, {name});
    file::write_atomically(folder / name, json.dump(2) + "\n");
    manifest.seal();
  } catch (const std::exception&) {
    // A folder that cannot be written, or that is somebody else's, is the failure; sweep.json holds it too.
  }
}

}  // namespace sluice::lab
