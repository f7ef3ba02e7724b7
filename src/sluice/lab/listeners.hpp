/// Who is told how far a long computation has come, so that someone who waits can be; and who may end it.
#pragma once

#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>

namespace sluice::lab {

using Advance = std::function<void(std::int64_t done, std::int64_t of)>;
using Remark = std::function<void(const std::string& remark)>;

inline void tell_nobody(std::int64_t, std::int64_t) {}
inline void say_nothing(const std::string&) {}

/// What a function that was given (spec/given.hpp) throws in place of samples or gates once its run was asked to stop: a run that waits
/// for slow functions ends in the middle of a step, as one that is interrupted.
struct Stopped : std::runtime_error {
  Stopped() : std::runtime_error("stopped") {}
};

}  // namespace sluice::lab
