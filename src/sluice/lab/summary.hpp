/// What a run comes down to, from what its probes saw.
#pragma once

#include "sluice/file/array.hpp"
#include "sluice/lab/setup.hpp"
#include "sluice/record/summary.hpp"

namespace sluice::lab {

record::Summary summarize(const file::NamedArrays& watched, const Setup& setup, bool stopped);

}  // namespace sluice::lab
