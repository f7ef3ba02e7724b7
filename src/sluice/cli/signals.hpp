/// Ctrl-C and friends: the first signal asks the run to stop at the next step, the second ends the program.
#pragma once

namespace sluice::cli {

/// SIGINT, SIGTERM and SIGHUP (a closed terminal) are noted; a file-size limit becomes a write error instead of a kill.
void watch_signals();

/// The signal that asked us to stop, 0 when none did.
int stop_signal();

}  // namespace sluice::cli
