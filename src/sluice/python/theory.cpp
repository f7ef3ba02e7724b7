/// Closed forms and responses.
#include <fmt/format.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sluice/file/errors.hpp"
#include "sluice/flow/operators.hpp"
#include "sluice/lab/theory_figure.hpp"
#include "sluice/lab/theory_table.hpp"
#include "sluice/math/workers.hpp"
#include "sluice/python/arrays.hpp"
#include "sluice/python/attention.hpp"
#include "sluice/python/bindings.hpp"
#include "sluice/theory/quantity.hpp"

namespace sluice::python {
namespace py = pybind11;
namespace {

/// The notes' class 1 is the first ξ.
int class_of(std::int64_t label) {
  if (label != 0 && label != 1)
    throw InputError(fmt::format("label = {}: expected 1, the first class, or 0, the second", label));
  return label == 1 ? 0 : 1;
}

file::Array numbers_of(const theory::Table& table) {
  std::vector<double> values;
  for (const std::vector<double>& row : table.rows) values.insert(values.end(), row.begin(), row.end());
  return {{std::ssize(table.rows), std::ssize(table.columns)}, std::move(values)};
}

py::tuple closed_form(const lab::Source& source, const std::string& quantity, std::int64_t label,
                      const py::object& weights, const std::string& response) {
  lab::TheoryRequest request{.quantity = quantity, .which_class = class_of(label), .response = response};
  if (!weights.is_none()) request.weights = numbers_in(weights, "weights");
  auto table = unlocked([&] { return lab::theory_table(lab::load(source), request); });
  py::object drawn = py::none();
  if (table.picture.kind != theory::Picture::Kind::none)
    drawn = py::cast(unlocked([&] { return lab::theory_figure(quantity, table); }));
  return py::make_tuple(table.columns, array_from(numbers_of(table)), table.labels, drawn);
}

/// f(w) of one row or of many, which share the threads.
py::array response(const lab::Source& source, const py::object& w, const std::string& name,
                   std::int64_t label, std::optional<std::int64_t> threads) {
  const file::Array given = numbers_in(w, "w");
  const int which_class = class_of(label), team = threads_of(threads);
  return array_from(unlocked([&] {
    const lab::Experiment experiment = lab::load(source);
    const auto f = flow::make_operator(name, experiment.task, which_class);
    const auto rows = lab::rows_of(given, f->inputs(), "w");
    std::vector<double> values(rows.size() * static_cast<std::size_t>(f->inputs()));
    math::Workers workers(team);
    workers.run(std::ssize(rows), [&](std::int64_t k, int) {
      const theory::Vector& row = rows[static_cast<std::size_t>(k)];
      const auto out = std::span(values).subspan(static_cast<std::size_t>(k) * row.size(), row.size());
      theory::require_answered(experiment.task, static_cast<std::size_t>(k),
                               [&] { f->single(theory::view(row), out); });
    });
    return file::Array{given.shape, std::move(values)};
  }));
}

}  // namespace

void bind_theory(py::module_& module) {
  module.def("theory", &closed_form, py::arg("source"), py::arg("quantity"), py::arg("label"),
             py::arg("weights"), py::arg("operator"));
  module.def("response", &response, py::arg("source"), py::arg("w"), py::arg("operator"), py::arg("label"),
             py::arg("threads"));
}

}  // namespace sluice::python
