/// Contracts between our own functions: what a caller of ours must have made true. A broken one is a bug of ours, never the
/// user's mistake (those are file/errors.hpp's).
///
///   SLUICE_ASSERT(gradient.size() == network.gradient_size());
///
/// Debug and sanitizer builds print condition, file and line and abort; in the others the condition is read by the compiler,
/// so that it cannot rot, and never evaluated. At the borders of a function, not in inner loops.
#pragma once

namespace sluice {

/// "FILE:LINE: assertion failed: CONDITION" on standard error, then abort().
[[noreturn]] void assertion_failed(const char* condition, const char* file, int line) noexcept;

}  // namespace sluice

#ifdef SLUICE_ASSERTIONS
#define SLUICE_ASSERT(condition) \
  ((condition) ? static_cast<void>(0) : ::sluice::assertion_failed(#condition, __FILE__, __LINE__))
#else
#define SLUICE_ASSERT(condition) static_cast<void>(sizeof((condition) ? 1 : 0))
#endif
