/// Ctrl-C and friends. From where there is something to be kept the first signal asks the work to stop, which it does within its step (math/stopping.hpp), and
/// the second ends the program; before that, and elsewhere, the first does.
#pragma once

namespace sluice::cli {

/// From now on SIGINT, SIGTERM, SIGHUP (a closed terminal) and SIGUSR1 (a scheduler: time is nearly up) are noted: whoever calls this asks for stop_signal() now and then.
/// Of many calls the first counts.
void watch_signals();
/// A file-size limit becomes a write error instead of a kill.
void limits_are_errors();

/// The signal that asked us to stop, 0 when none did.
int stop_signal();

/// A reader that goes away becomes a write error: it must not end a run.
void ignore_broken_pipes();
/// Ends the program as if they had not been ignored: quietly, `sluice keys | head`.
void end_by_broken_pipe();

}  // namespace sluice::cli
