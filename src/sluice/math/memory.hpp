/// How much memory one piece of work may take.
#pragma once

namespace sluice::math {

constexpr double kGibibyte = 1024.0 * 1024 * 1024;

/// Bytes: half of the machine's memory, or 8 GiB where that is more; never more than the machine has, or than a limit (ulimit -v) allows.
double affordable_bytes();

}  // namespace sluice::math
