/// Texts of ours as texts of Python.
#pragma once

#include <pybind11/pybind11.h>

#include <string_view>

namespace sluice::python {

/// Bytes of a file's name need not be UTF-8: U+FFFD for those, because a list of runs is for all of them.
inline pybind11::str text_from(std::string_view text) {
  return pybind11::reinterpret_steal<pybind11::str>(
      PyUnicode_DecodeUTF8(text.data(), static_cast<pybind11::ssize_t>(text.size()), "replace"));
}

}  // namespace sluice::python
