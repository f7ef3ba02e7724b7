#include "sluice/python/parts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <pybind11/numpy.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <utility>

#include "sluice/file/checksum.hpp"
#include "sluice/file/errors.hpp"
#include "sluice/file/lock.hpp"
#include "sluice/file/npz.hpp"
#include "sluice/file/place.hpp"
#include "sluice/net/gates.hpp"
#include "sluice/probe/given.hpp"
#include "sluice/python/arrays.hpp"
#include "sluice/python/bindings.hpp"
#include "sluice/task/function.hpp"
#include "sluice/task/own_set.hpp"

namespace sluice::python {
namespace py = pybind11;

void Served::enter(Attention& call) {
  const std::lock_guard guard(mutex_);
  calls_.insert(&call);
}

void Served::leave(Attention& call) {
  const std::lock_guard guard(mutex_);
  calls_.erase(calls_.find(&call));
}

void Served::check() const {
  const std::lock_guard guard(mutex_);
  if (!calls_.empty() &&
      std::ranges::all_of(calls_, [](const Attention* call) { return call->is_stopping(); }))
    throw lab::Stopped();
}

Serving::Serving(Parts parts, Attention& call) : parts_(std::move(parts)), call_(call) {
  for (const Part& part : parts_) part.served->enter(call_);
}

Serving::~Serving() {
  for (const Part& part : parts_) part.served->leave(call_);
}

namespace {

/// A function of Python in the hands of threads that know nothing of Python.
class Function {
 public:
  explicit Function(py::function function)
      : function_(new py::function(std::move(function)), [](const py::function* last) {
          if (Py_IsInitialized() == 0) return;  // it went with the interpreter
          const py::gil_scoped_acquire locked;
          delete last;
        }) {}

  template <class... Arguments>
  py::object operator()(Arguments&&... arguments) const {
    return (*function_)(std::forward<Arguments>(arguments)...);
  }

 private:
  std::shared_ptr<const py::function> function_;
};

bool has_shape(const py::array& array, const std::vector<py::ssize_t>& shape) {
  return std::ranges::equal(std::span(array.shape(), static_cast<std::size_t>(array.ndim())), shape);
}

/// How an array that we handed out was made into another one in its place; empty where it was not.
std::string changed(const py::array& array, const std::vector<py::ssize_t>& shape) {
  if (!has_shape(array, shape)) return fmt::format("of shape {}", shape_text(array));
  if (!array.dtype().equal(py::dtype::of<float>()))
    return fmt::format("of {}", py::str(array.dtype()).cast<std::string>());
  if ((array.flags() & py::array::c_style) == 0)
    return fmt::format("with strides [{}]", fmt::join(array.strides(), array.strides() + array.ndim(), ", "));
  return "";
}

/// What was written into an array that we handed out.
void copy_back(const py::array& array, const std::vector<py::ssize_t>& shape, const char* name,
               std::span<float> values) {
  if (const std::string how = changed(array, shape); !how.empty())
    throw InputError(fmt::format("task: {}: expected an array that is filled, found one {}", name, how));
  std::copy_n(static_cast<const float*>(array.data()), values.size(), values.begin());
}

/// `fill(x, y, seed, purpose, step, row, which_class)`
task::SampleFunction samples_by(const Function& fill, const std::shared_ptr<Served>& served) {
  return [fill, served](const math::Address& first, int which_class, std::span<float> x, std::span<float> y) {
    served->check();
    const py::gil_scoped_acquire locked;
    const auto rows = static_cast<py::ssize_t>(y.size());
    const std::vector<py::ssize_t> plane{rows, static_cast<py::ssize_t>(x.size() / y.size())};
    const py::array_t<float> inputs(plane, x.data());  // copies: who keeps them keeps what is theirs
    const py::array_t<float> labels(std::vector<py::ssize_t>{rows}, y.data());
    fill(inputs, labels, first.seed, static_cast<int>(first.purpose), first.step, first.row, which_class);
    copy_back(inputs, plane, "x", x);
    copy_back(labels, {rows}, "y", y);
  };
}

/// `look(x)` gives gates [samples, K].
net::GatesOfInput gates_by(const Function& look, const std::shared_ptr<Served>& served) {
  return [look, served](std::int64_t samples, std::span<const float> x, std::span<float> gates) {
    served->check();
    const py::gil_scoped_acquire locked;
    const auto width = [&](std::size_t size) { return static_cast<py::ssize_t>(size) / samples; };
    const std::vector<py::ssize_t> expected{samples, width(gates.size())};
    const py::array seen(
        look(py::array_t<float>(std::vector<py::ssize_t>{samples, width(x.size())}, x.data())));
    const bool numbers = std::string("fiub").find(seen.dtype().kind()) != std::string::npos;
    if (!numbers || !has_shape(seen, expected))
      throw InputError(fmt::format("gate: expected numbers [{}, {}], a row for each row of x, found {} {}",
                                   expected[0], expected[1], py::str(seen.dtype()).cast<std::string>(),
                                   shape_text(seen)));
    std::ranges::copy(copied<float>(seen, "gate").as<float>(), gates.begin());
  };
}

/// What a probe is shown. Arrays are copied when they are asked for, so that who keeps one keeps what it was; what was not asked for is gone with
/// the call.
class Shown {
 public:
  explicit Shown(const probe::Snapshot& now) : now_(&now) {}

  void close() { now_ = nullptr; }
  const probe::Snapshot& now() const {
    if (now_ == nullptr)
      throw std::runtime_error(
          "a snapshot is there while its probe is called: take what you need of it then");
    return *now_;
  }

  /// None where the network has none of them.
  template <std::span<const float> probe::Snapshot::*member>
  py::object array() const {
    const std::span<const float> values = now().*member;
    if (values.empty()) return py::none();
    std::vector<py::ssize_t> shape{static_cast<py::ssize_t>(values.size())};
    if (member == &probe::Snapshot::weights) shape = {now().units, now().inputs};
    py::array_t<float> copy(shape, values.data());
    copy.attr("setflags")(py::arg("write") = false);
    return copy;
  }

 private:
  const probe::Snapshot* now_;
};

/// Float32 as it is, integers and truths as int64, other numbers as float64.
file::Array seen_by(const std::string& name, const py::object& value) {
  const py::array array(value);
  switch (array.dtype().kind()) {
    case 'f':
      return array.itemsize() == sizeof(float) ? copied<float>(array, name) : copied<double>(array, name);
    case 'i':
    case 'u':
    case 'b':
      return copied<std::int64_t>(array, name);
    default:
      throw InputError(fmt::format("{}: expected a number or an array of numbers, found dtype {}", name,
                                   py::str(array.dtype()).cast<std::string>()));
  }
}

probe::ProbeFunction probe_by(const Function& see, const std::string& name,
                              const std::vector<std::string>& axes) {
  const auto measure = [see, name](const probe::Snapshot& now) {
    const py::gil_scoped_acquire locked;
    const auto shown = std::make_shared<Shown>(now);
    struct Closing {
      Shown& shown;
      ~Closing() { shown.close(); }
    } const closing{*shown};
    return seen_by(name, see(shown));
  };
  return {.measure = measure, .axes = axes};
}

/// The arrays of a data set; labels that are integers stay so, because those are classes.
file::NamedArrays set_in(const py::object& x, const py::object& y) {
  const auto is_whole = [](const py::object& object) {
    const auto array = py::array::ensure(object);
    return array && std::string("iu").find(array.dtype().kind()) != std::string::npos;
  };
  return {{"x", numbers_in(x, "x")}, {"y", is_whole(y) ? integers_in(y, "y") : numbers_in(y, "y")}};
}

bool holds(const std::string& path, const file::NamedArrays& arrays) {
  try {
    return std::filesystem::exists(path) && file::read_npz(path) == arrays;
  } catch (const InputError&) {
    return false;  // something else
  }
}

/// In the table of its kind, under the mark of its source.
template <class Given, class Made>
Part given(const std::string& mark, Made made, std::shared_ptr<Served> served) {
  return {Given::give(mark, std::move(made)), std::move(served)};
}

}  // namespace

void bind_parts(py::module_& module) {
  const py::class_<Part> part(module, "Part");  // named for clang-tidy: registering is all it does
  const auto number = [](auto member) {
    return [member](const Shown& shown) { return shown.now().*member; };
  };
  using probe::Snapshot;
  py::class_<Shown, std::shared_ptr<Shown>>(module, "Snapshot")
      .def_property_readonly("step", number(&Snapshot::step))
      .def_property_readonly("loss", number(&Snapshot::loss))
      .def_property_readonly("accuracy", number(&Snapshot::accuracy))
      .def_property_readonly("rate", number(&Snapshot::rate))
      .def_property_readonly("weights", &Shown::array<&Snapshot::weights>)
      .def_property_readonly("bias", &Shown::array<&Snapshot::bias>)
      .def_property_readonly("readout", &Shown::array<&Snapshot::readout>)
      .def_property_readonly("offset", &Shown::array<&Snapshot::offset>)
      .def_property_readonly("parameters", &Shown::array<&Snapshot::parameters>);
  module.def("give_samples", [](const std::string& mark, py::function fill) {
    auto served = std::make_shared<Served>();
    return given<task::GivenSamples>(mark, samples_by(Function(std::move(fill)), served), served);
  });
  // The library has them for good: nothing of Python is asked for while it works.
  module.def("give_arrays", [](const std::string& mark, const py::object& x, const py::object& y) {
    return given<task::GivenSet>(mark, set_in(x, y), std::make_shared<Served>());
  });
  // Its checksum, which specs that name it have, and whether it was written: one that holds the same stays.
  module.def("write_arrays",
             [](const std::string& path, const py::object& x, const py::object& y, bool overwrite) {
               const file::NamedArrays arrays = set_in(x, y);
               return unlocked([&] {
                 const bool stays = holds(path, arrays);
                 if (!stays) {
                   file::require_place(path, {".npz"}, overwrite);
                   file::write_npz(path, arrays, file::Packing::stored, file::if_taken(overwrite));
                 }
                 return std::pair(file::checksum(path), !stays);
               });
             });
  module.def("checksum", [](const std::filesystem::path& path) {
    return unlocked([&] { return file::checksum(path); });
  });
  // Asked while an interrupt is answered: another one must not come between.
  module.def("is_held", &file::FolderLock::is_held, py::call_guard<py::gil_scoped_release>());
  module.def("require_free", &file::FolderLock::require_free, py::call_guard<py::gil_scoped_release>());
  module.def("give_gates", [](const std::string& mark, py::function look) {
    auto served = std::make_shared<Served>();
    return given<net::GivenGates>(mark, gates_by(Function(std::move(look)), served), served);
  });
  module.def("give_probe", [](const std::string& mark, py::function see, const std::string& name,
                              const std::vector<std::string>& axes) {
    return given<probe::GivenProbes>(mark, probe_by(Function(std::move(see)), name, axes),
                                     std::make_shared<Served>());
  });
}

}  // namespace sluice::python
