#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <new>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

#include "sluice/cli/signals.hpp"
#include "sluice/cli/tell.hpp"
#include "sluice/cli/verbs.hpp"
#include "sluice/file/errors.hpp"
#include "sluice/spec/suggest.hpp"
#include "sluice/version.hpp"

namespace {

using namespace sluice;

/// The command line itself; its message names the verb instead of the program.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// One line for what CLI11 could not parse, with the nearest verb or option when there is one.
std::string explain(const CLI::App& app, const CLI::ParseError& error) {
  const CLI::App* scope = &app;
  for (const CLI::App* verb : app.get_subcommands()) scope = verb;
  const std::string where = scope == &app ? "sluice" : fmt::format("sluice {}", scope->get_name());
  const std::vector<std::string> extra = scope->remaining();
  std::string why = error.what();
  if (!extra.empty()) {
    const std::string& word = extra.front();
    std::vector<std::string> known;
    if (word.starts_with("-")) {
      for (const CLI::Option* option : scope->get_options())
        known.push_back("--" + option->get_single_name());
      why = fmt::format("unknown option {}{}", word, spec::hint(word, known));
    } else if (scope == &app) {
      for (const CLI::App* verb : app.get_subcommands({})) known.push_back(verb->get_name());
      why = fmt::format("unknown verb '{}'{}", word, spec::hint(word, known));
    } else {
      why = fmt::format("unexpected argument '{}'", word);
    }
  }
  std::replace(why.begin(), why.end(), '\n', ' ');
  return fmt::format("{}: {} (see {} --help)", where, why, where);
}

int run(int argc, char** argv) {
  CLI::App app{"sluice: a laboratory for the learning dynamics of gated neural networks", "sluice"};
  app.set_version_flag("--version", fmt::format("sluice {}", version()));
  app.require_subcommand(0, 1);
  app.footer(
      "Examples:\n"
      "  sluice list\n"
      "  sluice run localization\n"
      "  sluice run localization --set task.gain=0.01 --out runs/gaussian\n"
      "  sluice sweep localization --over task.gain=0.01,3,100\n"
      "  sluice report runs/gaussian runs/localization --out comparison.html\n"
      "  sluice sample localization --out samples.svg\n"
      "  sluice probe runs/localization\n"
      "  sluice figure runs/localization unit_map --format pdf\n"
      "  sluice check N0.12\n"
      "  sluice theory spectrum --set task.xi=[3,1]\n"
      "  sluice data get mnist\n\n"
      "Exit codes: 0 done; 1 a run failed (diverged, disk full), a claim did not hold, data could not be "
      "fetched; 2 the\n"
      "command line, a spec or a file cannot be used; 129, 130 or 143 stopped by a closed terminal, Ctrl-C "
      "or "
      "SIGTERM, resumable.");
  cli::Action action;
  for (const auto add :
       {cli::add_list, cli::add_show, cli::add_run, cli::add_sweep, cli::add_report, cli::add_sample,
        cli::add_predict, cli::add_probe, cli::add_figure, cli::add_check, cli::add_theory, cli::add_kernel,
        cli::add_data, cli::add_keys, cli::add_completion}) {
    add(app, action);
  }

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
    throw UsageError(explain(app, error));
  }
  if (!action) {
    fmt::print("{}", app.help());
    return cli::kBadInput;
  }
  cli::watch_signals();
  const int code = action();
  if (std::fflush(stdout) != 0 && code == cli::kSuccess) {
    if (errno == EPIPE) cli::end_by_broken_pipe();
    throw IoError("standard output: write failed");
  }
  return code;
}

}  // namespace

int main(int argc, char** argv) {
  cli::occupy_standard_descriptors();
  cli::ignore_broken_pipes();
  // std::fprintf, not fmt: nothing may throw once something was thrown.
  try {
    return run(argc, argv);
  } catch (const UsageError& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return cli::kBadInput;
  } catch (const InputError& error) {
    std::fprintf(stderr, "sluice: %s\n", error.what());
    return cli::kBadInput;
  } catch (const std::filesystem::filesystem_error& error) {
    std::fprintf(stderr, "sluice: %s: %s\n", error.path1().c_str(), error.code().message().c_str());
    return cli::kBadInput;
  } catch (const std::system_error& error) {  // printing, for one
    if (cli::stop_signal() != 0) return 128 + cli::stop_signal();
    if (error.code().value() == EPIPE) cli::end_by_broken_pipe();
    std::fprintf(stderr, "sluice: %s\n", error.what());
    return cli::kFailure;
  } catch (const std::bad_alloc&) {
    std::fprintf(stderr,
                 "sluice: out of memory; lower network.hidden, task.n or the number of probe times\n");
    return cli::kFailure;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "sluice: %s\n", error.what());
    return cli::kFailure;
  }
}
