/// Ctrl-C and friends: the first signal asks the run to stop at the next step, the second ends the program.
#pragma once

namespace sluice::cli {

/// SIGINT, SIGTERM and SIGHUP (a closed terminal) are noted; a file-size limit becomes a write error instead of a kill.
void watch_signals();

/// The signal that asked us to stop, 0 when none did.
int stop_signal();

/// A reader that goes away becomes a write error: it must not end a run.
void ignore_broken_pipes();
/// Ends the program as if they had not been ignored: quietly, `sluice keys | head`.
void end_by_broken_pipe();

}  // namespace sluice::cli
