#include "sluice/file/place.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>

#include "sluice/file/errors.hpp"

namespace sluice::file {
namespace {

/// ".npz, .svg or .png"
std::string listed(std::initializer_list<std::string_view> endings) {
  std::string text;
  for (const std::string_view& ending : endings) {
    const bool last = &ending == endings.end() - 1;
    text += fmt::format("{}{}", text.empty() ? "" : last ? " or " : ", ", ending);
  }
  return text;
}

/// Pages, figures and probes of a run can be made anew, these cannot.
void require_not_of_a_run(const std::filesystem::path& place) {
  constexpr std::array<std::string_view, 6> kNeeded{"spec.toml", "record.npz",     "run.json",
                                                    "state.npz", "checkpoint.npz", "sweep.json"};
  std::error_code ignored;
  const std::filesystem::path true_place = std::filesystem::canonical(place, ignored);
  const std::filesystem::path folder = true_place.parent_path();
  const bool ours = std::filesystem::exists(folder / ".sluice-manifest", ignored) ||
                    std::filesystem::exists(folder / "spec.toml", ignored);
  if (ours && std::ranges::find(kNeeded, true_place.filename().string()) != kNeeded.end())
    throw InputError(fmt::format("{}: belongs to the run in {}, which is not without it; choose another file",
                                 place.string(), folder.string()));
}

}  // namespace

void require_place(const std::filesystem::path& place, std::initializer_list<std::string_view> endings,
                   bool overwrite) {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::path folder = place.has_parent_path() ? place.parent_path() : fs::path(".");
  const std::string ending = place.extension().string();
  if (endings.size() > 0 && std::ranges::find(endings, ending) == endings.end())
    throw InputError(fmt::format("{}: expected a file ending in {}", place.string(), listed(endings)));
  const bool is_folder = fs::is_directory(folder, error);
  if (error && error != std::errc::no_such_file_or_directory)
    throw InputError(fmt::format("{}: cannot be written: {}", place.string(), error.message()));
  if (!is_folder) throw InputError(fmt::format("{}: no such folder: {}", place.string(), folder.string()));
  const fs::file_status there = fs::status(place, error);
  if (error && there.type() != fs::file_type::not_found)
    throw InputError(fmt::format("{}: cannot be written: {}", place.string(), error.message()));
  if (fs::is_directory(there))
    throw InputError(fmt::format("{}: expected a file, found a folder", place.string()));
  const bool is_link = fs::is_symlink(fs::symlink_status(place, error));
  if ((fs::exists(there) || is_link) && !overwrite) refuse_taken(place);
  if (fs::exists(there)) require_not_of_a_run(place);
}

void require_other(const std::filesystem::path& place, const std::filesystem::path& read) {
  std::error_code ignored;
  if (std::filesystem::equivalent(place, read, ignored))
    throw InputError(
        fmt::format("{}: is what is read; expected another file for what is written", place.string()));
}

void refuse_taken(const std::filesystem::path& place) {
  throw InputError(fmt::format("{}: exists; overwrite it, or choose another file", place.string()));
}

}  // namespace sluice::file
