/// The experiments that come with the program: the TOML files of experiments/, compiled in.
#pragma once

#include <span>
#include <string_view>

namespace sluice::lab {

struct CatalogEntry {
  std::string_view group;  ///< folder: the document family it comes from
  std::string_view name;
  std::string_view text;  ///< the file, comments and all
};

std::span<const CatalogEntry> catalog();

/// nullptr when there is none of that name.
const CatalogEntry* find_in_catalog(std::string_view name);

}  // namespace sluice::lab
