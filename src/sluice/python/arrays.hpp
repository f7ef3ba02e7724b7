/// NumPy arrays over memory of ours, and memory of ours from what NumPy takes for an array.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <string>

#include "sluice/file/array.hpp"
#include "sluice/file/json.hpp"

namespace sluice::python {

/// Not a copy: `owner` keeps the memory as long as the array lives. Read-only, because a record is what was measured.
pybind11::array view_of(const file::Array& array, const pybind11::handle& owner);

/// The numbers move into the array, which may be written to.
pybind11::array array_from(file::Array array);
pybind11::dict arrays_from(file::NamedArrays&& arrays);

/// "[3, 40]"
std::string shape_text(const pybind11::array& array);

/// The numbers of an array of NumPy, copied in C order whatever their strides. Throws InputError where there is no memory for so many, and where integers do not fit into
/// 64 bits with a sign; std::bad_alloc where NumPy has none left.
template <class Number>
file::Array copied(const pybind11::array& array, const std::string& name);

/// Finite numbers, float32 as they are and others as float64, `copied`. Throws InputError "NAME: expected …, found …".
file::Array numbers_in(const pybind11::handle& object, const std::string& name);
file::Array integers_in(const pybind11::handle& object, const std::string& name);

/// dict, list, str, int, float, bool, None.
pybind11::object to_python(const file::Json& json);

}  // namespace sluice::python
