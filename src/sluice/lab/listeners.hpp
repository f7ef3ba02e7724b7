/// Who is told how far a long computation has come, so that someone who waits can be; and who may end it.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "sluice/math/stopping.hpp"

namespace sluice::lab {

using Advance = std::function<void(std::int64_t done, std::int64_t of)>;
using Remark = std::function<void(const std::string& remark)>;

inline void tell_nobody(std::int64_t, std::int64_t) {}
inline void say_nothing(const std::string&) {}

/// What ends a run in the middle of a step or of a look, as one that is interrupted; also thrown by a function that was given
/// (spec/given.hpp) in place of samples or gates, for those who would wait for slow ones.
using math::Stopped;

}  // namespace sluice::lab
