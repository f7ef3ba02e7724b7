#include "sluice/record/end_state.hpp"

#include "test/fuzz/target.hpp"

SLUICE_FUZZ_TARGET(end_state) { sluice::record::read_end_state(sluice::fuzz::file_with(bytes)); }
SLUICE_FUZZ_REPAIR(sluice::fuzz::repair_end_state)
