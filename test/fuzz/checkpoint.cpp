#include "sluice/record/checkpoint.hpp"

#include "test/fuzz/target.hpp"

SLUICE_FUZZ_TARGET(checkpoint) { sluice::record::load_checkpoint(sluice::fuzz::file_with(bytes)); }
SLUICE_FUZZ_REPAIR(sluice::fuzz::repair_checkpoint)
