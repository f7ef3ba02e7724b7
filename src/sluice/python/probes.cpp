/// Probes of runs, and of weights from anywhere.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <string>
#include <utility>
#include <vector>

#include "sluice/lab/probing.hpp"
#include "sluice/python/arrays.hpp"
#include "sluice/python/attention.hpp"
#include "sluice/python/bindings.hpp"
#include "sluice/python/runs.hpp"

namespace sluice::python {
namespace py = pybind11;
namespace {

/// Arrays that stand for a file of weights.
lab::Recorded record_from(const py::dict& arrays, const std::string& layout) {
  file::NamedArrays all;
  for (const auto& [key, value] : arrays) {
    const auto name = key.cast<std::string>();
    all.emplace_back(name, name == "step" ? integers_in(value, name) : numbers_in(value, name));
  }
  lab::Recorded made = lab::record_of(std::move(all), "arrays", {.weights = "weights", .layout = layout});
  made.recording.folder.clear();  // nothing of this name lies anywhere
  return made;
}

py::dict measure(const lab::Recorded& record, const std::vector<std::string>& names,
                 const std::string& inputs, const lab::Recorded* reference,
                 std::optional<std::int64_t> threads) {
  const int team = threads_of(threads);
  return arrays_from(unlocked([&] {
    math::Workers workers(team);
    return lab::measure(record, {.names = names, .inputs = inputs, .reference = reference}, workers);
  }));
}

}  // namespace

void bind_probes(py::module_& module) {
  module.def(
      "record_from",
      [](const py::dict& arrays, const std::string& layout) {
        return std::make_shared<lab::Recorded>(record_from(arrays, layout));
      },
      py::arg("arrays"), py::arg("layout"));
  module.def("measure", &measure, py::arg("record"), py::arg("names"), py::arg("inputs"),
             py::arg("reference").none(true), py::arg("threads"));
}

}  // namespace sluice::python
