/// A reader of ours, fed with bytes that anybody may have written. It reads them, or throws one of our own exceptions (file/errors.hpp): one line. A crash,
/// a report of a sanitizer, any other exception, more than a second of processor time, more memory than the limit: each of these is a finding.
///
///   SLUICE_FUZZ_TARGET(npy) { keep(file::parse_npy(text(bytes), "input")); }
///
/// Under SLUICE_FUZZ (`make fuzz`) this is libFuzzer's entry, and each target a program; elsewhere it goes into a table, and fuzz_replay (replay.cpp) feeds
/// stored inputs to all of them, in `make test`. `SLUICE_FUZZ_SAYS=1 build/fuzz/test/fuzz/fuzz_npy FILE` prints what a reader says of a file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace sluice::fuzz {

using Bytes = std::span<const std::uint8_t>;
using Target = void (*)(Bytes bytes);

inline std::string_view text(Bytes bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// Calls the target and returns what it said, nothing where it read the bytes; what is a finding ends the process.
std::string feed(Target target, Bytes bytes);

/// What must hold of anything that was read.
void require(bool holds, const char* what);

/// The name of a file in memory that holds these bytes, until the next call. Readers take paths; this is one, and no disk is touched.
const std::filesystem::path& file_with(Bytes bytes);

/// A folder that looks like folders/NAME beside these sources, but for one file, which is the one of `file_with`.
std::filesystem::path folder_with(const std::string& name, const std::string& file);

/// For the fuzzer: mutated bytes made whole again, so that what comes after a checksum is reached, too. Each leaves alone what it does not understand.
using Repair = std::function<void(std::string& bytes)>;
void repair_zip(std::string& bytes);         ///< CRC-32 of the members of an archive
void repair_checkpoint(std::string& bytes);  ///< the same, and the digest over its arrays
void repair_end_state(std::string& bytes);
void repair_gzip(std::string& bytes);  ///< CRC-32 and length at the end
void repair_png(std::string& bytes);   ///< CRC-32 of the chunks, Adler-32 of the pixels
std::size_t mutate(std::uint8_t* data, std::size_t size, std::size_t max_size, unsigned seed,
                   const Repair& repair);

/// Only where targets stand in a table: adds one.
struct Registered {
  Registered(const char* name, Target target);
};

}  // namespace sluice::fuzz

#ifdef SLUICE_FUZZ
#define SLUICE_FUZZ_TARGET(name)                                                                            \
  static void name##_target(sluice::fuzz::Bytes bytes);                                                     \
  extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {                       \
    if (const auto said = sluice::fuzz::feed(name##_target, {data, size}); std::getenv("SLUICE_FUZZ_SAYS")) \
      std::puts(said.c_str());                                                                              \
    return 0;                                                                                               \
  }                                                                                                         \
  static void name##_target(sluice::fuzz::Bytes bytes)
/// Three mutations of four are made whole again.
#define SLUICE_FUZZ_REPAIR(repair)                                                                           \
  extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size, \
                                                 unsigned seed) {                                            \
    return sluice::fuzz::mutate(data, size, max_size, seed, repair);                                         \
  }
#else
#define SLUICE_FUZZ_TARGET(name)                                                 \
  static void name##_target(sluice::fuzz::Bytes bytes);                          \
  static const sluice::fuzz::Registered name##_registered(#name, name##_target); \
  static void name##_target(sluice::fuzz::Bytes bytes)
#define SLUICE_FUZZ_REPAIR(repair)
#endif
