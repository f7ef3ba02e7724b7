#include <pybind11/pybind11.h>

#include "sluice/math/workers.hpp"
#include "sluice/python/bindings.hpp"
#include "sluice/version.hpp"

PYBIND11_MODULE(_sluice, module) {
  using namespace sluice;
  module.doc() = "What the package sluice is made of; its faces are in the package itself.";
  module.attr("version") = std::string(version());
  module.def("hardware_threads", &math::hardware_threads);
  for (const auto bind :
       {python::bind_attention, python::bind_errors, python::bind_sources, python::bind_files,
        python::bind_figures, python::bind_runs, python::bind_sweeps, python::bind_parts,
        python::bind_samples, python::bind_probes, python::bind_theory, python::bind_predictions,
        python::bind_kernels, python::bind_checks, python::bind_studies, python::bind_folders})
    bind(module);
}
