/// What a run needs to go on after it was stopped: the state that evolves and what the probes saw so far.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

#include "sluice/file/array.hpp"
#include "sluice/learn/trainer.hpp"

namespace sluice::record {

struct Checkpoint {
  std::int64_t spec = 0;  ///< fingerprint of the resolved spec that made it
  learn::State state;
  file::NamedArrays watched;
};

/// 64-bit FNV-1a of a resolved spec: a checkpoint continues only the spec that made it.
std::int64_t fingerprint(std::string_view resolved_spec);

/// What was watched may be large: it is written from where it is.
void save(std::int64_t spec, const learn::State& state, const file::NamedViews& watched,
          const std::filesystem::path& path);

/// Throws InputError when the file is damaged (its last array is a digest over all others, names and shapes included) or of
/// another version. Those of 0.1.0, without a digest, are read. That arrays fit the spec is for the caller to see.
Checkpoint load_checkpoint(const std::filesystem::path& path);

}  // namespace sluice::record
