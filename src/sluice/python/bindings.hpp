/// The module `_sluice`: arrays in and out, no physics. Each function binds one noun; python/sluice gives them the faces that people use.
#pragma once

#include <pybind11/pybind11.h>

namespace sluice::python {

void bind_attention(pybind11::module_& module);
void bind_errors(pybind11::module_& module);
void bind_sources(pybind11::module_& module);
void bind_files(pybind11::module_& module);
void bind_figures(pybind11::module_& module);
void bind_runs(pybind11::module_& module);
void bind_sweeps(pybind11::module_& module);
void bind_parts(pybind11::module_& module);
void bind_samples(pybind11::module_& module);
void bind_probes(pybind11::module_& module);
void bind_theory(pybind11::module_& module);
void bind_predictions(pybind11::module_& module);
void bind_kernels(pybind11::module_& module);
void bind_checks(pybind11::module_& module);
void bind_studies(pybind11::module_& module);
void bind_folders(pybind11::module_& module);

}  // namespace sluice::python
