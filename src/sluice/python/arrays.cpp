#include "sluice/python/arrays.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <new>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "sluice/file/errors.hpp"
#include "sluice/math/memory.hpp"

namespace sluice::python {
namespace py = pybind11;
namespace {

/// An array of NumPy over the numbers of ours, kept by `base`.
py::array over(const file::Array& array, const py::handle& base) {
  return std::visit(
      [&](const auto& values) -> py::array {
        using Number = typename std::decay_t<decltype(values)>::value_type;
        const std::vector<py::ssize_t> shape(array.shape.begin(), array.shape.end());
        return py::array_t<Number>(shape, values.data(), base);
      },
      array.data);
}

/// What NumPy makes of it, of one of these kinds.
py::array array_in(const py::handle& object, const std::string& name, const std::string& kinds,
                   const char* expected) {
  py::array array;
  try {
    array = py::array(py::module_::import("numpy").attr("asarray")(object));
  } catch (py::error_already_set& error) {
    if (!error.matches(PyExc_ValueError) && !error.matches(PyExc_TypeError)) throw;
    throw InputError(fmt::format("{}: expected {}, found what NumPy makes no array of", name, expected));
  }
  if (kinds.find(array.dtype().kind()) == std::string::npos)
    throw InputError(fmt::format("{}: expected {}, found dtype {}", name, expected,
                                 py::str(array.dtype()).cast<std::string>()));
  return array;
}

template <class Number>
using Dense = py::array_t<Number, py::array::c_style | py::array::forcecast>;

/// An array that is repeated without a copy may be larger than any memory.
template <class Number>
Dense<Number> dense_in(const py::array& array, const std::string& name) {
  const double bytes = sizeof(Number) * static_cast<double>(array.size()), there = math::memory_bytes();
  if (bytes > there)
    throw InputError(fmt::format("{}: {}: {:.0f} bytes, expected at most the {:.0f} of memory that there are",
                                 name, shape_text(array), bytes, there));
  try {
    return Dense<Number>(array);
  } catch (py::error_already_set& error) {
    if (error.matches(PyExc_MemoryError)) throw std::bad_alloc();
    throw;
  }
}

/// NumPy would have those above begin again below zero.
void require_signed(const py::array& array, const std::string& name) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::int64_t>::max();
  if (array.dtype().kind() != 'u' || array.itemsize() < py::ssize_t{sizeof(kMost)}) return;
  const Dense<std::uint64_t> dense = dense_in<std::uint64_t>(array, name);
  const std::span values(dense.data(), static_cast<std::size_t>(dense.size()));
  const auto beyond = std::ranges::find_if(values, [](std::uint64_t value) { return value > kMost; });
  if (beyond != values.end())
    throw InputError(fmt::format("{}: expected integers up to {}, found {}", name, kMost, *beyond));
}

}  // namespace

std::string shape_text(const py::array& array) {
  return file::to_string(file::Shape(array.shape(), array.shape() + array.ndim()));
}

template <class Number>
file::Array copied(const py::array& array, const std::string& name) {
  if constexpr (std::is_integral_v<Number>) require_signed(array, name);
  const Dense<Number> dense = dense_in<Number>(array, name);
  return {file::Shape(dense.shape(), dense.shape() + dense.ndim()),
          std::vector<Number>(dense.data(), dense.data() + dense.size())};
}
template file::Array copied<float>(const py::array&, const std::string&);
template file::Array copied<double>(const py::array&, const std::string&);
template file::Array copied<std::int64_t>(const py::array&, const std::string&);

py::array view_of(const file::Array& array, const py::handle& owner) {
  py::array view = over(array, owner);
  view.attr("setflags")(py::arg("write") = false);
  return view;
}

py::array array_from(file::Array array) {
  auto kept = std::make_unique<file::Array>(std::move(array));
  const file::Array& numbers = *kept;
  const py::capsule owner(kept.release(), [](void* memory) { delete static_cast<file::Array*>(memory); });
  return over(numbers, owner);
}

py::dict arrays_from(file::NamedArrays&& arrays) {
  py::dict made;
  for (auto& [name, array] : arrays) made[py::str(name)] = array_from(std::move(array));
  return made;
}

file::Array numbers_in(const py::handle& object, const std::string& name) {
  const py::array array = array_in(object, name, "fiu", "an array of numbers");
  const bool single = array.dtype().kind() == 'f' && array.dtype().itemsize() == sizeof(float);
  file::Array numbers = single ? copied<float>(array, name) : copied<double>(array, name);
  const bool finite = std::visit(
      [](const auto& values) {
        return std::ranges::all_of(values,
                                   [](auto value) { return std::isfinite(static_cast<double>(value)); });
      },
      numbers.data);
  if (!finite) throw InputError(fmt::format("{}: expected finite numbers", name));
  return numbers;
}

file::Array integers_in(const py::handle& object, const std::string& name) {
  return copied<std::int64_t>(array_in(object, name, "iu", "an array of integers"), name);
}

py::object to_python(const file::Json& json) {
  if (const bool* truth = json.truth()) return py::bool_(*truth);
  if (const std::int64_t* integer = json.integer()) return py::int_(*integer);
  if (const std::uint64_t* integer = json.large_integer()) return py::int_(*integer);
  if (const std::string* text = json.text()) return py::str(*text);
  if (const file::Json::Array* elements = json.elements()) {
    py::list list;
    for (const file::Json& element : *elements) list.append(to_python(element));
    return list;
  }
  if (const file::Json::Object* members = json.members()) {
    py::dict dict;
    for (const auto& [name, value] : *members) dict[py::str(name)] = to_python(value);
    return dict;
  }
  if (const std::optional<double> number = json.number()) return py::float_(*number);
  return py::none();
}

}  // namespace sluice::python
