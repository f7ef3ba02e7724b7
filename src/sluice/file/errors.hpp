/// Two kinds of failure that a user sees, both as one line. Our own bugs are neither: broken contracts are assertions
/// (math/assert.hpp), a name that our own tables lack is a std::logic_error.
#pragma once

#include <algorithm>
#include <cerrno>
#include <exception>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <string>

namespace sluice {

/// What the user gave cannot be used: a spec, an option, a file. Nothing was changed. Exit code 2.
struct InputError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The world failed us: disk full, permission lost in the middle of a run. Exit code 1.
struct IoError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Of this machine and moment, not of what was given: the disk is full, over its quota, read-only or broken, or no descriptors or memory are left. What comes
/// next meets the same.
struct WorldError : IoError {
  using IoError::IoError;
};
/// No descriptors or no memory are left to this process, which is no file's fault: who can do without a file that cannot be read does not do without this one.
struct ExhaustedError : WorldError {
  using WorldError::WorldError;
};
inline bool is_exhaustion(int error) { return error == EMFILE || error == ENFILE || error == ENOMEM; }
inline bool is_of_the_world(int error) {
  constexpr int kThose[] = {ENOSPC, EDQUOT, EROFS, EIO};
  return is_exhaustion(error) || std::ranges::find(kThose, error) != std::end(kThose);
}
/// A file or folder that could not be read, for this errno: ExhaustedError, WorldError, or InputError where another name or another right would do.
[[noreturn]] void refuse_reading(const std::string& words, int error);

/// What a file can be read as, or nothing where it is not there or is not what it should be.
template <typename Read>
auto read_or_nothing(const Read& read) -> std::optional<decltype(read())> {
  try {
    return read();
  } catch (const ExhaustedError&) {
    throw;
  } catch (const std::runtime_error&) {  // ours and those of std::filesystem; std::bad_alloc passes, too
    return std::nullopt;
  }
}

/// What to say of any failure: ours say it themselves, those of the system and of memory would speak of our libraries.
std::string words_of(const std::exception& failure);

}  // namespace sluice
