#include "sluice/lab/catalog.hpp"

namespace sluice::lab {

const CatalogEntry* find_in_catalog(std::string_view name) {
  for (const CatalogEntry& entry : catalog()) {
    if (entry.name == name) return &entry;
  }
  return nullptr;
}

}  // namespace sluice::lab
