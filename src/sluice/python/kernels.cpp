/// Gram matrices of deep networks.
#include <fmt/format.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "sluice/file/errors.hpp"
#include "sluice/lab/kernel_matrix.hpp"
#include "sluice/python/arrays.hpp"
#include "sluice/python/attention.hpp"
#include "sluice/python/bindings.hpp"

namespace sluice::python {
namespace py = pybind11;
namespace {

py::tuple gram_matrix(const lab::Source& source, const std::string& kind, std::int64_t samples,
                      const std::string& run, std::optional<std::int64_t> threads) {
  if (std::ranges::none_of(lab::kernel_kinds(), [&](const spec::Choice& each) { return each.name == kind; }))
    throw InputError(fmt::format("kind = \"{}\": expected tangent, strength, gates, paths or overlap", kind));
  if (samples < 0 || samples > 1'000'000)
    throw InputError(fmt::format("samples = {}: expected an integer from 1 to 1000000, or 0: all", samples));
  const lab::KernelOptions options{
      .kind = kind, .samples = samples, .from = run, .threads = threads_of(threads)};
  lab::KernelMatrix made = unlocked([&] { return lab::kernel_matrix(lab::load(source), options); });
  file::Json numbers{{"mean_diagonal", made.mean_diagonal}};
  if (made.spectrum) {
    numbers["smallest_eigenvalue"] = made.spectrum->smallest;
    numbers["largest_eigenvalue"] = made.spectrum->largest;
    numbers["condition"] = made.spectrum->condition;
    numbers["alignment"] = made.spectrum->alignment;
  }
  const std::int64_t n = made.matrix.n;
  return py::make_tuple(array_from({{n, n}, std::move(made.matrix.values)}),
                        array_from({{n}, std::move(made.y)}), to_python(numbers));
}

}  // namespace

void bind_kernels(py::module_& module) {
  module.def("kernel", &gram_matrix, py::arg("source"), py::arg("kind"), py::arg("samples"), py::arg("run"),
             py::arg("threads"));
}

}  // namespace sluice::python
