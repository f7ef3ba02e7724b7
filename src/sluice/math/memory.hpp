/// How much memory there is, and how much of it one piece of work may take.
#pragma once

namespace sluice::math {

constexpr double kGibibyte = 1024.0 * 1024 * 1024;

/// Bytes that this process can have: the machine's, or less where its control group (a container, a batch job) or its address space is limited.
double memory_bytes();

/// Bytes: half of that, or 8 GiB where that is more; never more than there is.
double affordable_bytes();

}  // namespace sluice::math
