#include "sluice/lab/sources.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fnmatch.h>

#include <algorithm>

#include "sluice/file/errors.hpp"
#include "sluice/file/system.hpp"

namespace sluice::lab {
namespace fs = std::filesystem;

std::vector<std::string> distinct_names(const Sources& folders) {
  std::vector<std::string> names, paths;
  for (const fs::path& folder : folders) {
    const fs::path path = file::normal_path(fs::absolute(folder));
    paths.push_back((path.has_filename() ? path : path.parent_path()).string());
    if (std::ranges::count(paths, paths.back()) > 1)
      throw InputError(fmt::format("{}: comes twice", folder.string()));
    names.push_back(fs::path(paths.back()).filename().string());
  }
  const bool alike = std::ranges::any_of(
      names, [&](const std::string& name) { return std::ranges::count(names, name) > 1; });
  return alike ? paths : names;
}

std::vector<bool> chosen_by_name(const std::vector<fs::path>& runs,
                                 const std::vector<std::string>& patterns) {
  std::vector<std::string> names;
  for (const fs::path& run : runs) names.push_back(run.filename().string());
  std::vector<bool> chosen(runs.size(), patterns.empty());
  for (const std::string& pattern : patterns) {
    bool any = false;
    for (std::size_t i = 0; i < names.size(); ++i) {
      const bool fits = ::fnmatch(pattern.c_str(), names[i].c_str(), FNM_NOESCAPE) == 0 ||
                        pattern == names[i];  // "xi=[2,1]" is a name before it is a pattern
      chosen[i] = chosen[i] || fits;
      any = any || fits;
    }
    if (!any) throw InputError(fmt::format("{}: no such run; there are {}", pattern, fmt::join(names, " ")));
  }
  return chosen;
}

std::string left_out(std::size_t all, std::size_t diverged, std::size_t unfinished) {
  const std::string behind = fmt::format("{} not finished", unfinished == 1 ? "has" : "have");
  if (diverged > 0 && unfinished > 0)
    return fmt::format("{} of {} runs diverged, {} {}; they are left out", diverged, all, unfinished, behind);
  if (diverged + unfinished == 0) return "";
  return fmt::format("{} of {} runs {} and {} left out", diverged + unfinished, all,
                     diverged > 0 ? "diverged" : behind, diverged + unfinished == 1 ? "is" : "are");
}

}  // namespace sluice::lab
