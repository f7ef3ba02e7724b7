/// How much memory there is, and how much of it one piece of work may take.
#pragma once

#include <cstddef>

namespace sluice::math {

constexpr double kGibibyte = 1024.0 * 1024 * 1024;

/// Bytes that this process can have: the machine's, or less where its control group (a container, a batch job) or its address space is limited.
double memory_bytes();

/// Bytes: half of that, or 8 GiB where that is more; never more than there is.
double affordable_bytes();

/// Throws std::bad_alloc where so many bytes cannot be had at once: in front of libraries that wait without end, or crash, where there are none.
void require_room(std::size_t bytes);

}  // namespace sluice::math
