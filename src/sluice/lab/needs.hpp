/// What runs take of memory and of the disk, reckoned from their setups: nothing is tried. What cannot fit is refused before the first file is written, in place of
/// a night later by a full disk, or by a system that ends the process.
#pragma once

#include <cstddef>
#include <filesystem>

#include "sluice/lab/setup.hpp"

namespace sluice::lab {

/// Bytes, at least. What is deflated counts half.
struct Needs {
  double held = 0;  ///< of memory, from its setup to its end: state, record, samples
  double work =
      0;  ///< and by whoever moves it: gradients, blocks of samples, a checkpoint on its way to the disk
  double record = 0;  ///< of `held`: what was watched
  double folder = 0;  ///< of the disk, once it is over
  double beside = 0;  ///< and on its way there: the checkpoint
};

/// Of a run on so many threads.
Needs needs_of(const Setup& setup, int threads);

/// Throws InputError, in one line, where a process cannot have so much memory or the disk of this folder has not so much room.
void require_room(double memory, double disk, const std::filesystem::path& folder);

}  // namespace sluice::lab
