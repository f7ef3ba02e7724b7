#include "sluice/math/ranks.hpp"

#include <dlfcn.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <utility>

#include "sluice/math/environment.hpp"
#include "sluice/math/program_path.hpp"

namespace sluice::math {
namespace {

constexpr const char* kModule = "libsluice_mpi.so";
using Join = Ranks* (*)();

int number_in(const char* variable, int otherwise) {
  const char* text = environment(variable);
  if (text == nullptr || *text == 0) return otherwise;
  char* end = nullptr;
  const long value = std::strtol(text, &end, 10);
  return *end == 0 && value >= 0 && value < 1'000'000 ? static_cast<int>(value) : otherwise;
}

}  // namespace

RankOf announced_rank() {
  constexpr std::array<std::pair<const char*, const char*>, 3> kVariables{
      {{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
       {"PMI_RANK", "PMI_SIZE"},
       {"SLURM_PROCID", "SLURM_STEP_NUM_TASKS"}}};
  for (const auto& [rank, count] : kVariables) {
    const RankOf found{number_in(rank, -1), number_in(count, -1)};
    if (found.rank >= 0 && found.count > found.rank) return found;
  }
  return {};
}

std::unique_ptr<Ranks> join_ranks() {
  const std::string path = module_path(kModule).string();
  if (path.empty())
    throw std::runtime_error("this sluice was built without MPI: its module " + std::string(kModule) +
                             " is not beside the program; install libopenmpi-dev and build again");
  // Global: Open MPI loads parts of its own that look for its symbols.
  std::string why;
  void* module = load_module(path, true, why);
  if (module == nullptr) throw std::runtime_error(path + ": cannot be loaded: " + why);
  const auto join = reinterpret_cast<Join>(::dlsym(module, "sluice_join_ranks"));
  if (join == nullptr) throw std::runtime_error(path + ": not the module of this sluice");
  return std::unique_ptr<Ranks>(join());
}

}  // namespace sluice::math
