#include "sluice/lab/remove_runs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "sluice/file/errors.hpp"
#include "sluice/file/system.hpp"
#include "sluice/lab/experiment.hpp"
#include "sluice/lab/run_index.hpp"

namespace sluice::lab {
namespace fs = std::filesystem;
namespace {

/// Names of the folders in a sweep's that hold runs.
std::vector<std::string> runs_of_sweep(const fs::path& folder) {
  std::vector<std::string> names;
  for (const std::string& name : file::names_in(folder)) {
    const fs::path inner = folder / name;
    std::error_code failure;
    const fs::file_type what = fs::symlink_status(inner, failure).type();
    if (what == fs::file_type::not_found || (!failure && what != fs::file_type::directory)) continue;
    if (failure || (!fs::exists(inner / ".", failure) && failure))
      refuse_reading(fmt::format("{}: not removed: {}: {}", folder.string(), name, failure.message()),
                     failure.value());
    if (record::Manifest(inner, is_spec).kind() == record::Manifest::Kind::run) names.push_back(name);
  }
  std::ranges::sort(names, comes_before);
  return names;
}

/// "r/" and "r/." are r. Throws InputError where no folder is there, or one whose name says something else: a link, and "link/..", which is wherever the link leads.
fs::path place_of(const fs::path& folder) {
  fs::path place = file::normal_path(folder);
  if (!place.has_filename()) place = place.parent_path();
  std::error_code ignored;
  const bool is_elsewhere = fs::is_symlink(place, ignored) ||
                            (place.filename() == ".." &&
                             std::ranges::any_of(place, [](const fs::path& part) { return part != ".."; }));
  if (is_elsewhere || !fs::is_directory(place, ignored))
    throw InputError(fmt::format("{}: expected the folder of a run or sweep", folder.string()));
  return place;
}

/// What is there beside the files of the run or sweep stays, and so would the folder, without them.
void require_removable(const fs::path& folder) {
  std::error_code failure;
  const fs::path here = fs::current_path(failure);
  const fs::path there = failure ? fs::path() : fs::canonical(folder, failure);
  if (!failure && std::ranges::mismatch(there, here).in1 == there.end())
    throw InputError(fmt::format("{}: not removed: the current folder is {}", folder.string(),
                                 there == here ? "this one" : "in it"));
  if (const std::string name = foreign_index(folder); !name.empty())
    throw InputError(
        fmt::format("{}: not removed: it holds '{}', which sluice did not write", folder.string(), name));
}

}  // namespace

std::vector<record::Removal> plan_removals(const std::vector<fs::path>& folders) {
  std::vector<record::Removal> removals;
  std::set<fs::path> planned;
  const auto plan = [&](const fs::path& folder, const std::vector<std::string>& aside) {
    if (!planned.insert(fs::weakly_canonical(folder)).second) return;
    removals.push_back(record::plan_removal(folder, aside, is_spec));
    require_removable(folder);
  };
  for (const fs::path& given : folders) {
    const fs::path folder = place_of(given);
    std::vector<std::string> points;
    if (record::Manifest(folder, is_spec).kind() == record::Manifest::Kind::sweep)
      points = runs_of_sweep(folder);
    for (const std::string& point : points) plan(folder / point, {});
    plan(folder, points);
  }
  return removals;
}

void remove(const std::vector<record::Removal>& removals) {
  for (const record::Removal& removal : removals) {
    remove_index(removal.folder);
    record::remove(removal, is_spec);
  }
}

}  // namespace sluice::lab
