/// Files that the user asked for by name, under the rule of the house: what exists is replaced only when the user says so.
#include <pybind11/pybind11.h>

#include <string>

#include "sluice/file/atomic_file.hpp"
#include "sluice/file/place.hpp"
#include "sluice/python/bindings.hpp"

namespace sluice::python {

void bind_files(pybind11::module_& module) {
  module.def("require_place_for_page", [](const std::string& place, bool overwrite) {
    file::require_place(place, {".html"}, overwrite);
  });
  module.def("require_place_for_figure", [](const std::string& place, bool overwrite) {
    file::require_place(place, {".svg", ".pdf", ".png"}, overwrite);
  });
  module.def("write_file", [](const std::string& path, const pybind11::bytes& bytes, bool overwrite) {
    file::write_atomically(path, static_cast<std::string>(bytes), file::if_taken(overwrite));
  });
}

}  // namespace sluice::python
