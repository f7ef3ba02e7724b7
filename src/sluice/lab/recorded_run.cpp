#include "sluice/lab/recorded_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>

#include "sluice/file/atomic_file.hpp"
#include "sluice/file/errors.hpp"
#include "sluice/file/npz.hpp"
#include "sluice/lab/record_forms.hpp"

namespace sluice::lab {
namespace fs = std::filesystem;
namespace {

bool is_run(const fs::path& folder) {
  return fs::exists(folder / "record.npz") && fs::exists(folder / "run.json");
}

nlohmann::json read_manifest(const fs::path& path) {
  const nlohmann::json manifest = nlohmann::json::parse(file::read_text(path), nullptr, false);
  if (!manifest.is_object()) throw InputError(fmt::format("{}: expected a JSON object", path.string()));
  return manifest;
}

RecordedRun read_run(const fs::path& folder) {
  const nlohmann::json manifest = read_manifest(folder / "run.json");
  const auto number = [&](const char* key) {
    const auto at = manifest.find(key);
    return at != manifest.end() && at->is_number() ? at->get<double>()
                                                   : std::numeric_limits<double>::quiet_NaN();
  };
  RecordedRun run{.folder = folder,
                  .name = folder.filename().string(),
                  .experiment = load({.name_or_file = (folder / "spec.toml").string(), .assignments = {}}),
                  .record = file::read_npz(folder / "record.npz"),
                  .summary = {.excess_kurtosis = number("excess_kurtosis"),
                              .excess_kurtosis_measured = number("excess_kurtosis_measured"),
                              .ipr_start = number("ipr_median_start"),
                              .ipr_end = number("ipr_median_end"),
                              .localized = number("localized_share"),
                              .loss = number("loss"),
                              .accuracy = number("accuracy")}};
  if (const auto name = manifest.find("name"); name != manifest.end() && name->is_string())
    run.name = name->get<std::string>();
  require_fitting_record(run.record, run.experiment, folder / "record.npz");
  if (file::find(run.record, "error") != nullptr) run.summary = summarize_deep(run.record);
  run.summary.steps = file::find(run.record, "step")->as<std::int64_t>().back();
  return run;
}

}  // namespace

std::vector<RecordedRun> read_runs(const fs::path& given) {
  const fs::path folder = given.has_filename() ? given : given.parent_path();  // "runs/x/" is "runs/x"
  std::vector<fs::path> folders;
  if (is_run(folder)) {
    folders.push_back(folder);
  } else if (fs::is_directory(folder)) {
    for (const auto& entry : fs::directory_iterator(folder))
      if (entry.is_directory() && is_run(entry.path())) folders.push_back(entry.path());
    std::ranges::sort(folders, [](const fs::path& a, const fs::path& b) {
      return strverscmp(a.c_str(), b.c_str()) < 0;  // gain=3 before gain=100
    });
  }
  if (folders.empty())
    throw InputError(
        fmt::format("{}: expected the folder of a finished run or of a sweep, with record.npz and run.json",
                    given.string()));
  std::vector<RecordedRun> runs;
  for (const fs::path& each : folders) runs.push_back(read_run(each));
  return runs;
}

}  // namespace sluice::lab
