/// The verbs of the program. Each adds its sub-command to the app and leaves in `action` what to do when it is chosen;
/// actions return the exit code.
#pragma once

#include <functional>

#include "sluice/cli/app.hpp"

namespace sluice::cli {

using Action = std::function<int()>;

void add_list(App& app, Action& action);
void add_show(App& app, Action& action);
void add_run(App& app, Action& action);
void add_sweep(App& app, Action& action);
void add_watch(App& app, Action& action);
void add_runs(App& app, Action& action);
void add_report(App& app, Action& action);
void add_sample(App& app, Action& action);
void add_predict(App& app, Action& action);
void add_probe(App& app, Action& action);
void add_figure(App& app, Action& action);
void add_check(App& app, Action& action);
void add_theory(App& app, Action& action);
void add_data(App& app, Action& action);
void add_kernel(App& app, Action& action);
void add_race(App& app, Action& action);
void add_branch(App& app, Action& action);
void add_search(App& app, Action& action);
void add_freeze(App& app, Action& action);
void add_reduce(App& app, Action& action);
void add_keys(App& app, Action& action);
void add_completion(App& app, Action& action);

/// Exit codes, also in --help.
constexpr int kSuccess = 0;
constexpr int kFailure = 1;   ///< a run failed: diverged, disk full; a claim did not hold
constexpr int kBadInput = 2;  ///< the command line, a spec or a file cannot be used; nothing was changed

}  // namespace sluice::cli
