/// The .npy format: one array, a text header and the raw little-endian elements.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "sluice/file/array.hpp"

namespace sluice::file {

/// The header of a C-order array ("<f4", "<f8" or "<i8"), padded so that the elements start at a multiple of 64.
std::string npy_header(const Array& array);
/// A whole .npy of texts, numpy's "<U12": as long as the longest of them, bytes that are not UTF-8 replaced.
std::string npy_of_texts(std::span<const std::string> texts);

/// The elements as they stand in memory; little-endian on every machine sluice supports.
std::string_view raw_bytes(const Array& array);

/// Reads what numpy writes: versions 1–3, C and Fortran order (converted to C), float32/float64/int64, and
/// float16, bool and the smaller integers, which are widened. Anything else throws InputError that starts with `name`.
Array parse_npy(std::string_view bytes, const std::string& name);
/// What its elements will take; refuses what parse_npy does.
std::uint64_t bytes_in_memory(std::string_view npy, const std::string& name);

}  // namespace sluice::file
