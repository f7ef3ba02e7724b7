#include "sluice/file/place.hpp"

#include <fmt/format.h>

#include <algorithm>
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

}  // namespace

void require_place(const std::filesystem::path& place, std::initializer_list<std::string_view> endings,
                   bool overwrite) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  const fs::path folder = place.has_parent_path() ? place.parent_path() : fs::path(".");
  const std::string ending = place.extension().string();
  if (endings.size() > 0 && std::ranges::find(endings, ending) == endings.end())
    throw InputError(fmt::format("{}: expected a file ending in {}", place.string(), listed(endings)));
  if (!fs::is_directory(folder, ignored))
    throw InputError(fmt::format("{}: no such folder: {}", place.string(), folder.string()));
  if (fs::is_directory(place, ignored))
    throw InputError(fmt::format("{}: expected a file, found a folder", place.string()));
  if (fs::exists(place, ignored) && !overwrite)
    throw InputError(fmt::format("{}: exists; overwrite it, or choose another file", place.string()));
}

}  // namespace sluice::file
