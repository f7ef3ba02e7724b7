/// Where a run ended, for another to go on from: state.npz of its folder, and what a folder that went on keeps of the other.
///   weights, bias, …     the parts of the network under their names, so that a start from arrays can take them too
///   state.step           [1]
///   state.memory         what the optimiser remembers, learn::State's; where there is something
///   state.memory_from    [1], the step at which it began to
///   state.exact          of a flow
///   state.belongs_to     [1], a number that stands for what memory and exact numbers belong to: the optimiser, the flow
///   state.digest         over all of these
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>

#include "sluice/file/array.hpp"
#include "sluice/learn/state.hpp"
#include "sluice/net/network.hpp"

namespace sluice::record {

struct EndState {
  file::NamedArrays parts;  ///< of the network, float32
  learn::State state;       ///< without its parameters, which are the parts
  std::int64_t belongs_to = 0;
};

EndState end_state(const learn::State& state, std::span<const net::Part> parts, std::int64_t belongs_to);

/// As they stand in the file.
file::NamedArrays to_arrays(const EndState& end);
/// Throws InputError when the file is not one of these, or damaged.
EndState read_end_state(const std::filesystem::path& path);

}  // namespace sluice::record
