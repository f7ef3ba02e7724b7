/// The ranks of an MPI job (math/ranks.hpp), as a module of its own: the program loads it when a training is spread over ranks, and needs no MPI otherwise.
#include <mpi.h>

#include <vector>

#include "sluice/math/ranks.hpp"

namespace sluice::mpi {
namespace {

class Job final : public math::Ranks {
 public:
  Job() {
    int level = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED,
                    &level);  // other threads are there, and none of them speaks MPI
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &count_);
  }
  ~Job() override { MPI_Finalize(); }
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;

  int rank() const override { return rank_; }
  int count() const override { return count_; }

  void gather(std::span<float> all, std::span<const std::size_t> ends) override {
    counts_.clear();
    places_.clear();
    std::size_t from = 0;
    for (const std::size_t end : ends) {
      counts_.push_back(static_cast<int>(end - from));
      places_.push_back(static_cast<int>(from));
      from = end;
    }
    MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all.data(), counts_.data(), places_.data(), MPI_FLOAT,
                   MPI_COMM_WORLD);
  }
  void broadcast(std::span<std::byte> bytes) override {
    MPI_Bcast(bytes.data(), static_cast<int>(bytes.size()), MPI_BYTE, 0, MPI_COMM_WORLD);
  }
  void abandon() override { MPI_Abort(MPI_COMM_WORLD, 1); }

 private:
  int rank_ = 0;
  int count_ = 1;
  std::vector<int> counts_, places_;
};

}  // namespace
}  // namespace sluice::mpi

extern "C" sluice::math::Ranks* sluice_join_ranks();
extern "C" sluice::math::Ranks* sluice_join_ranks() { return new sluice::mpi::Job; }
