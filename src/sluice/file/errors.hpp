/// Two kinds of failure that a user sees, both as one line. Our own bugs are neither: broken contracts are assertions
/// (math/assert.hpp), a name that our own tables lack is a std::logic_error.
#pragma once

#include <cerrno>
#include <stdexcept>

namespace sluice {

/// What the user gave cannot be used: a spec, an option, a file. Nothing was changed. Exit code 2.
struct InputError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The world failed us: disk full, permission lost in the middle of a run. Exit code 1.
struct IoError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The disk is full, over its quota, read-only or broken: what comes next there meets the same.
struct DiskError : IoError {
  using IoError::IoError;
};
inline bool is_of_the_disk(int error) {
  return error == ENOSPC || error == EDQUOT || error == EROFS || error == EIO;
}

}  // namespace sluice
