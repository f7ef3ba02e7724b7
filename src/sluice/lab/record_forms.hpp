/// What the arrays of a run's record must look like, by its spec.
#pragma once

#include <filesystem>
#include <vector>

#include "sluice/file/array.hpp"
#include "sluice/lab/experiment.hpp"
#include "sluice/record/fitting.hpp"

namespace sluice::lab {

/// T is what `step` says; n of a task whose inputs are in a file is what `weights` says.
std::vector<record::ArrayForm> record_forms(const Experiment& experiment, const file::NamedArrays& record);

/// Throws InputError naming the file and the array when a record does not fit its spec.
void require_fitting_record(const file::NamedArrays& record, const Experiment& experiment,
                            const std::filesystem::path& file);

}  // namespace sluice::lab
