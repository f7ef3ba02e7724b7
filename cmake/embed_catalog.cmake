cmake_minimum_required(VERSION 3.22)
# cmake -DEXPERIMENTS=dir -DOUTPUT=catalog_data.cpp -P embed_catalog.cmake
# Writes every experiments/GROUP/NAME.toml as a raw string literal, sorted by path.
file(GLOB specs RELATIVE ${EXPERIMENTS} ${EXPERIMENTS}/*/*.toml)
list(SORT specs)
set(entries "")
foreach(spec IN LISTS specs)
  file(READ ${EXPERIMENTS}/${spec} text)
  get_filename_component(name ${spec} NAME_WE)
  get_filename_component(group ${spec} DIRECTORY)
  string(APPEND entries "    {\"${group}\", \"${name}\", R\"toml(${text})toml\"},\n")
endforeach()
file(WRITE ${OUTPUT}.new "// Generated from experiments/ by cmake/embed_catalog.cmake.
#include \"sluice/lab/catalog.hpp\"

namespace sluice::lab {
namespace {
constexpr CatalogEntry kEntries[] = {
${entries}};
}  // namespace
std::span<const CatalogEntry> catalog() { return kEntries; }
}  // namespace sluice::lab
")
file(COPY_FILE ${OUTPUT}.new ${OUTPUT} ONLY_IF_DIFFERENT)
