/// Samples of a task.
#include <fmt/format.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <optional>

#include "sluice/file/errors.hpp"
#include "sluice/lab/samples.hpp"
#include "sluice/python/arrays.hpp"
#include "sluice/python/attention.hpp"
#include "sluice/python/bindings.hpp"

namespace sluice::python {
namespace py = pybind11;
namespace {

py::dict sample(const lab::Source& source, std::optional<std::int64_t> count) {
  constexpr std::int64_t kMost = 100'000'000;
  if (count && (*count < 2 || *count > kMost))
    throw InputError(fmt::format("count = {}: expected an integer from 2 to {}", *count, kMost));
  return arrays_from(unlocked([&] {
    const lab::Experiment experiment = lab::load(source);
    const auto task = experiment.task.make();
    return lab::arrays_of(lab::draw_samples(*task, static_cast<std::uint64_t>(experiment.seed), count));
  }));
}

}  // namespace

void bind_samples(py::module_& module) { module.def("sample", &sample, py::arg("source"), py::arg("count")); }

}  // namespace sluice::python
