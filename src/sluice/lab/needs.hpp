/// What runs take of memory and of the disk, reckoned from their setups: nothing is tried. What cannot fit is refused before the first file is written, in place of
/// a night later by a full disk, or by a system that ends the process.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "sluice/lab/setup.hpp"
#include "sluice/record/run_folder.hpp"

namespace sluice::lab {

/// Bytes of a run that goes to its end, without what libraries and pictures take. What is deflated counts half.
struct Needs {
  double held = 0;    ///< of memory, from its setup to its end: state, record, samples to probe on
  double shared = 0;  ///< and sets of samples, of which there is one for all runs that learn from them
  double work =
      0;  ///< and by whoever moves it: gradients, blocks of samples, at the end the record once more
  double record = 0;  ///< of `held`: what was watched
  double folder = 0;  ///< of the disk, once it is over
  double beside = 0;  ///< and on its way there: the checkpoint
  double freed = 0;   ///< of the disk, where an old run lies that it overwrites
};

/// Of a run on so many threads.
Needs needs_of(const Setup& setup, int threads);
/// The same of one that goes into this folder: what is overwritten there makes room, a record that is gone on with has some already.
Needs needs_in(const std::filesystem::path& folder, record::Existing existing, Needs needs);

/// Bytes that some runs take together.
struct Room {
  double memory = 0;
  double disk = 0;
  double freed = 0;  ///< of the disk, on the way
};

/// Of runs of which so many are in memory at once, moved by so many: the largest of them may meet. The records of those that are `shown` together afterwards stay there.
Room room_of(std::span<const Needs> runs, std::size_t at_once, std::size_t movers,
             const std::vector<bool>& shown);

/// Throws InputError, in one line, where a process cannot have so much memory. `what` needs it.
void require_memory(const Room& room, const std::string& what);
/// The same of runs that go into a folder, and where its disk has not so much room.
void require_room(const Room& room, const std::filesystem::path& folder);

/// "takes at least 3 GiB of memory and 1.2 GiB of the disk"; empty of what nobody need think about.
std::string remark_on(const Room& room);

}  // namespace sluice::lab
