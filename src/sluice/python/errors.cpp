/// The two kinds of failure that a user sees, as exceptions of Python with the words that the program prints.
#include "sluice/file/errors.hpp"

#include <fmt/format.h>
#include <pybind11/pybind11.h>

#include <exception>
#include <filesystem>
#include <new>
#include <stdexcept>
#include <string>

#include "sluice/data/missing.hpp"
#include "sluice/python/bindings.hpp"

namespace sluice::python {
namespace py = pybind11;

namespace {

/// Bytes of a file's name need not be UTF-8; whatever is said, something is.
void raise(PyObject* type, const std::string& words) {
  const auto text = py::reinterpret_steal<py::object>(
      PyUnicode_DecodeUTF8(words.data(), static_cast<py::ssize_t>(words.size()), "replace"));
  PyErr_SetObject(type, text.ptr());
}

}  // namespace

void bind_errors(py::module_& module) {
  static PyObject* input = nullptr;  // kept for good, as the exceptions of an interpreter are
  static PyObject* io = nullptr;
  const auto made = [&](const char* name, PyObject* base, const char* meaning) {
    PyObject* type =
        PyErr_NewExceptionWithDoc(fmt::format("sluice.{}", name).c_str(), meaning, base, nullptr);
    if (type == nullptr) throw py::error_already_set();
    module.attr(name) = py::reinterpret_borrow<py::object>(type);
    return type;
  };
  input = made("InputError", PyExc_ValueError,
               "What was given cannot be used: a spec, a key, an array, a file. Nothing was changed.");
  io = made("IoError", PyExc_OSError,
            "The world failed: a full disk, a permission lost in the middle of a run.");
  py::register_exception_translator([](std::exception_ptr failure) {
    if (!failure) return;
    try {
      std::rethrow_exception(std::move(failure));
    } catch (const data::Missing& error) {
      raise(input, fmt::format("{}; sluice.fetch(\"{}\") fetches it", error.what(), error.set));
    } catch (const InputError& error) {
      raise(input, error.what());
    } catch (const IoError& error) {
      raise(io, error.what());
    } catch (const std::filesystem::filesystem_error& error) {
      raise(is_of_the_world(error.code().value()) ? io : input, words_of(error));
    } catch (const std::bad_alloc& error) {
      raise(PyExc_MemoryError, words_of(error));
    } catch (const std::length_error& error) {
      raise(PyExc_MemoryError, words_of(error));
    }
  });
}

}  // namespace sluice::python
