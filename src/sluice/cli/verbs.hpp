/// The verbs of the program. Each adds its sub-command to the app and leaves in `action` what to do when it is chosen;
/// actions return the exit code.
#pragma once

#include <functional>

namespace CLI {
class App;
}

namespace sluice::cli {

using Action = std::function<int()>;

void add_list(CLI::App& app, Action& action);
void add_show(CLI::App& app, Action& action);
void add_run(CLI::App& app, Action& action);
void add_sweep(CLI::App& app, Action& action);
void add_report(CLI::App& app, Action& action);
void add_sample(CLI::App& app, Action& action);
void add_predict(CLI::App& app, Action& action);
void add_probe(CLI::App& app, Action& action);
void add_figure(CLI::App& app, Action& action);
void add_check(CLI::App& app, Action& action);
void add_theory(CLI::App& app, Action& action);
void add_data(CLI::App& app, Action& action);
void add_kernel(CLI::App& app, Action& action);
void add_keys(CLI::App& app, Action& action);
void add_completion(CLI::App& app, Action& action);

/// Exit codes, also in --help.
constexpr int kSuccess = 0;
constexpr int kFailure = 1;   ///< a run failed: diverged, disk full; a claim did not hold
constexpr int kBadInput = 2;  ///< the command line, a spec or a file cannot be used; nothing was changed

}  // namespace sluice::cli
