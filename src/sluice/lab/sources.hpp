/// The folders that a figure is drawn of, and which of the runs in them it shows.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace sluice::lab {

/// A folder or file, or several folders whose runs stand beside each other, told apart by the names of the folders.
using Sources = std::vector<std::filesystem::path>;

/// What folders are called beside each other: their own names, or whole paths where two have one name. Throws InputError where one comes
/// twice.
std::vector<std::string> distinct_names(const Sources& folders);

/// Which of the runs are meant by patterns of their folders' names, in which * and ? stand for any text and any letter; without patterns all
/// of them. Throws InputError where a pattern names none.
std::vector<bool> chosen_by_name(const std::vector<std::filesystem::path>& runs,
                                 const std::vector<std::string>& patterns);

template <class Run, class FolderOf>
void keep_chosen(std::vector<Run>& runs, const std::vector<std::string>& patterns,
                 const FolderOf& folder_of) {
  std::vector<std::filesystem::path> folders;
  for (const Run& run : runs) folders.push_back(folder_of(run));
  const std::vector<bool> chosen = chosen_by_name(folders, patterns);
  std::vector<Run> kept;
  for (std::size_t i = 0; i < runs.size(); ++i)
    if (chosen[i]) kept.push_back(std::move(runs[i]));
  runs = std::move(kept);
}

/// "3 of 6 runs diverged and are left out"; empty: none is.
std::string left_out(std::size_t all, std::size_t diverged, std::size_t unfinished);

/// Leaves runs that diverged out, and unfinished ones where others have finished, and says so.
template <class Run, class StatusOf>
std::string leave_out(std::vector<Run>& runs, const StatusOf& status_of) {
  const std::size_t all = runs.size();
  const auto has = [&](const std::string& status) {
    return [&status_of, status](const Run& run) { return status_of(run) == status; };
  };
  const std::size_t diverged = std::erase_if(runs, has("diverged"));
  std::size_t finished = 0;
  for (const Run& run : runs) finished += has("finished")(run) ? 1 : 0;
  if (finished == 0) return left_out(all, diverged, 0);
  return left_out(all, diverged, std::erase_if(runs, std::not_fn(has("finished"))));
}

}  // namespace sluice::lab
