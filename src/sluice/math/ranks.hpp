/// Processes that work as one, on one machine or many: the ranks of an MPI job.
///
/// MPI is no dependency of the program: what speaks it is a module beside it, loaded when a training is spread over ranks (src/mpi/module.cpp).
/// Who else started the processes together (a sweep's workers) needs only to know which of them this is, and that stands in the environment.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

namespace sluice::math {

class Ranks {
 public:
  virtual ~Ranks() = default;

  virtual int rank() const = 0;
  virtual int count() const = 0;
  /// Rank r has filled [ends[r − 1], ends[r]) of `all`; afterwards every rank has all of it, bit for bit.
  virtual void gather(std::span<float> all, std::span<const std::size_t> ends) = 0;
  /// What rank 0 has there, for everybody.
  virtual void broadcast(std::span<std::byte> bytes) = 0;
  /// Ends the whole job, now: this rank cannot go on, and the others would wait for it for ever.
  virtual void abandon() = 0;
};

/// Which of how many processes this is, as those who start them say it: mpirun (Open MPI, MPICH) or srun. Alone: 0 of 1.
struct RankOf {
  int rank = 0;
  int count = 1;
};
RankOf announced_rank();

/// The ranks of the MPI job that this process belongs to. Throws std::runtime_error when there is no MPI here: the module was not built, or its
/// library cannot be loaded.
std::unique_ptr<Ranks> join_ranks();

}  // namespace sluice::math
