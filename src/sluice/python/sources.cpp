/// Where an experiment comes from, and what there is to choose from.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <optional>
#include <string>
#include <vector>

#include "sluice/data/data_store.hpp"
#include "sluice/file/cache_folder.hpp"
#include "sluice/flow/operators.hpp"
#include "sluice/lab/catalog.hpp"
#include "sluice/lab/experiment.hpp"
#include "sluice/lab/kernel_matrix.hpp"
#include "sluice/lab/key_list.hpp"
#include "sluice/lab/run_figures.hpp"
#include "sluice/probe/probe.hpp"
#include "sluice/python/arrays.hpp"
#include "sluice/python/attention.hpp"
#include "sluice/python/bindings.hpp"
#include "sluice/theory/quantity.hpp"

namespace sluice::python {
namespace py = pybind11;
namespace {

py::dict meanings(spec::Choices choices) {
  py::dict made;
  for (const spec::Choice& choice : choices) made[py::str(choice.name)] = py::str(choice.meaning);
  return made;
}

/// The choices of a table whose entries have one each.
template <class Table>
py::dict meanings_in(const Table& table) {
  py::dict made;
  for (const auto& entry : table) made[py::str(entry.choice.name)] = py::str(entry.choice.meaning);
  return made;
}

py::dict all_choices() {
  py::dict all;
  all["task"] = meanings(task::kinds());
  all["network"] = meanings(net::kinds());
  all["dynamics"] = meanings(lab::dynamics_kinds());
  all["probe"] = meanings_in(probe::probes());
  all["figure"] = meanings(lab::figure_choices());
  all["quantity"] = meanings_in(theory::quantities());
  all["operator"] = meanings(flow::operator_choices());
  all["kernel"] = meanings(lab::kernel_kinds());
  return all;
}

bool fetch(const std::string& name) {
  const data::DataSet& set = data::find_data_set(name);
  const data::DataStore store(file::cache_folder());
  Attention attention;
  return attention.of([&] { return store.get(set, attention.stop_requested()); }) ==
         data::DataStore::Got::fetched;
}

py::object state_of_data(bool verify) {
  return to_python(unlocked([&] {
    const data::DataStore store(file::cache_folder());
    file::Json sets = file::Json::array();
    for (const data::DataSet& set : data::data_sets()) {
      file::Json state = data::to_json(store, set);
      if (verify) state["problems"] = store.problems(set);
      sets.push_back(std::move(state));
    }
    return sets;
  }));
}

}  // namespace

void bind_sources(py::module_& module) {
  py::class_<lab::Source>(module, "Source")
      .def(py::init([](std::string name, std::optional<std::string> text,
                       std::vector<std::string> assignments, const std::string& origin, bool kinds_too) {
             return lab::Source{.name_or_file = std::move(name),
                                .assignments = std::move(assignments),
                                .kinds_too = kinds_too,
                                .text = std::move(text),
                                .origins = {.assignments = origin, .swept = "over"}};
           }),
           py::arg("name"), py::arg("text"), py::arg("assignments"), py::arg("origin"),
           py::arg("kinds_too") = false);
  module.def("resolve", [](const lab::Source& source) { return lab::to_toml(lab::load(source)); });
  module.def("catalog", [] {
    py::list all;
    for (const lab::CatalogEntry& entry : lab::catalog())
      all.append(py::make_tuple(std::string(entry.group), std::string(entry.name), std::string(entry.text)));
    return all;
  });
  module.def("choices", &all_choices);
  module.def("fetch", &fetch, py::arg("name"));
  module.def("data_sets", &state_of_data, py::arg("verify"));
  module.def("keys",
             [](const std::string& part) { return to_python(lab::to_json(lab::keys_of_part(part))); });
}

}  // namespace sluice::python
