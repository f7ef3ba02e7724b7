/// Runs as Python holds them.
#pragma once

#include <pybind11/pybind11.h>

#include <memory>
#include <optional>
#include <string>

#include "sluice/lab/recorded.hpp"
#include "sluice/record/run_folder.hpp"

namespace sluice::python {

/// Views of its arrays keep it.
using Kept = std::shared_ptr<lab::Recorded>;

/// The same run again, for what takes runs over.
lab::Recorded again(const lab::Recorded& run);

/// Throws InputError where both are asked for.
record::Existing existing_of(bool resume, bool overwrite);

}  // namespace sluice::python
