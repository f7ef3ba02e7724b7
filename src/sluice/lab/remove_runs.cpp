#include "sluice/lab/remove_runs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "sluice/file/errors.hpp"
#include "sluice/lab/experiment.hpp"
#include "sluice/lab/run_index.hpp"

namespace sluice::lab {
namespace fs = std::filesystem;
namespace {

/// Names of the folders in a sweep's that hold runs.
std::vector<std::string> runs_of_sweep(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.is_symlink() || !entry.is_directory()) continue;
    if (record::Manifest(entry.path(), is_spec).kind() == record::Manifest::Kind::run)
      names.push_back(entry.path().filename().string());
  }
  std::ranges::sort(names, comes_before);
  return names;
}

}  // namespace

std::vector<record::Removal> plan_removals(const std::vector<fs::path>& folders) {
  std::vector<record::Removal> removals;
  std::set<fs::path> planned;
  const auto plan = [&](const fs::path& folder, const std::vector<std::string>& aside) {
    if (planned.insert(fs::weakly_canonical(folder)).second)
      removals.push_back(record::plan_removal(folder, aside, is_spec));
  };
  for (const fs::path& folder : folders) {
    std::error_code ignored;
    if (fs::is_symlink(folder, ignored) || !fs::is_directory(folder, ignored))
      throw InputError(fmt::format("{}: expected the folder of a run or sweep", folder.string()));
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
