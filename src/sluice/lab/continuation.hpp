/// Going on from another run: start.run names its folder, or the copy of its end that the folder of a continued run keeps.
///
/// Everything is taken over: every part of the network, what the optimiser remembers, the step. With nothing else changed the run ends
/// on the bits that an uninterrupted one would have. What the spec changes (rate, schedule, batch, task, more steps) counts from there on.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "sluice/lab/experiment.hpp"
#include "sluice/learn/state.hpp"
#include "sluice/net/network.hpp"

namespace sluice::lab {

struct Origin {
  learn::State state;
  std::vector<std::string> remarks;  ///< what could not be taken over
};

/// Throws InputError when what the experiment goes on from lies in a folder whose run would be replaced: nobody could begin there again.
void require_kept_start(const Experiment& experiment, const std::filesystem::path& replaced);

/// The end of the run that the experiment goes on from. Folders of earlier versions keep no state.npz: of them the parts of the network
/// are taken from record.npz, and the optimiser begins anew. Throws InputError that names the file, the part and both shapes.
Origin continued(const Experiment& experiment, const net::Network& network);

/// A number that stands for what an optimiser's memory belongs to, its kind; for what the exact numbers of a flow belong to, all that
/// decides what they mean.
std::int64_t owner_of_memory(const Experiment& experiment);

}  // namespace sluice::lab
