/// The two kinds of failure that a user sees, as exceptions of Python with the words that the program prints.
#include "sluice/file/errors.hpp"

#include <fmt/format.h>
#include <pybind11/pybind11.h>

#include <exception>
#include <filesystem>
#include <new>
#include <stdexcept>
#include <string>
#include <system_error>

#include "sluice/data/missing.hpp"
#include "sluice/file/printable.hpp"
#include "sluice/python/bindings.hpp"
#include "sluice/python/texts.hpp"

namespace sluice::python {
namespace py = pybind11;

namespace {

/// Whatever bytes there are in a file's name, something is said.
void raise(PyObject* type, const std::string& words) { PyErr_SetObject(type, text_from(words).ptr()); }

/// What others named is shown, not obeyed (file/printable.hpp), whichever side of the module it was said on: `str(error)` is what tracebacks print.
void show_words(const py::object& type, const py::object& base) {
  const py::object plain = base.attr("__str__");
  type.attr("__str__") = py::cpp_function(
      [plain](const py::object& error) {
        const py::bytes words = py::str(plain(error)).attr("encode")("utf-8", "backslashreplace");
        return file::printable(std::string(words));
      },
      py::name("__str__"), py::is_method(type));
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
    show_words(module.attr(name), py::reinterpret_borrow<py::object>(base));
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
    } catch (const std::system_error& error) {  // no thread, no lock: the machine has none left
      raise(io, words_of(error));
    } catch (const std::bad_alloc& error) {
      raise(PyExc_MemoryError, words_of(error));
    } catch (const std::length_error& error) {
      raise(PyExc_MemoryError, words_of(error));
    }
  });
}

}  // namespace sluice::python
