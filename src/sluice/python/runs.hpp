/// Runs as Python holds them.
#pragma once

#include <pybind11/pybind11.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sluice/lab/recorded.hpp"
#include "sluice/lab/sweep_axis.hpp"
#include "sluice/record/run_folder.hpp"

namespace sluice::python {

/// Views of its arrays keep it.
using Kept = std::shared_ptr<lab::Recorded>;

/// The same run again, for what takes runs over.
lab::Recorded again(const lab::Recorded& run);

/// Axes of values, and those that are typed.
std::vector<lab::SweepAxis> axes_from(
    const std::vector<std::pair<std::string, std::vector<std::string>>>& over,
    const std::vector<std::string>& typed);

/// Throws InputError where both are asked for.
record::Existing existing_of(bool resume, bool overwrite);

}  // namespace sluice::python
