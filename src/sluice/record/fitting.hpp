/// Arrays read from a disk are held against what they must be before anyone touches them: each may be well-formed and yet
/// not fit the others, or the spec.
#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include "sluice/file/array.hpp"

namespace sluice::record {

/// Axes whose length is not a number of the spec.
constexpr std::int64_t kTimes = -1;  ///< T, the number of probe times: as long as `step`
constexpr std::int64_t kSome = -2;   ///< any length but zero

/// What an array of a record must look like.
struct ArrayForm {
  std::string name;
  std::size_t element;  ///< which of file::Array::Data
  file::Shape axes;     ///< numbers, kTimes or kSome
  bool required = true;
};

/// The forms of arrays like these, over any number of times: their first axis; of those `of_the_end`, over the last alone.
std::vector<ArrayForm> forms_of(const file::NamedArrays& arrays,
                                const std::vector<std::string>& of_the_end = {});

enum class Others { allowed, refused };

/// Throws InputError "FILE: NAME: expected float64 [4], found float32 [4]" at the first array that is missing or does not fit,
/// and where others are refused, at the first that no form names. `step`, where a form names it, must increase, from 0 or
/// more up to `last_step`.
void require_fitting(const file::NamedArrays& arrays, const std::vector<ArrayForm>& forms,
                     const std::filesystem::path& file, Others others = Others::allowed,
                     std::int64_t last_step = std::numeric_limits<std::int64_t>::max());

}  // namespace sluice::record
