/// Who is told how far a long computation has come, so that someone who waits can be.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace sluice::lab {

using Advance = std::function<void(std::int64_t done, std::int64_t of)>;
using Remark = std::function<void(const std::string& remark)>;

inline void tell_nobody(std::int64_t, std::int64_t) {}
inline void say_nothing(const std::string&) {}

}  // namespace sluice::lab
