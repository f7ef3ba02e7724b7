#include <fmt/format.h>
#include <sys/resource.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <system_error>

#include "sluice/cli/print.hpp"
#include "sluice/cli/signals.hpp"
#include "sluice/cli/tell.hpp"
#include "sluice/cli/verbs.hpp"
#include "sluice/data/missing.hpp"
#include "sluice/file/errors.hpp"
#include "sluice/math/stopping.hpp"

namespace {

using namespace sluice;

int run(int argc, char** argv) {
  cli::App app{"sluice: a laboratory for the learning dynamics of gated neural networks", "sluice"};
  app.footer(
      "Examples:\n"
      "  sluice list\n"
      "  sluice run localization\n"
      "  sluice run localization --set task.gain=0.01 --out runs/gaussian\n"
      "  sluice sweep localization --over task.gain=0.01,3,100\n"
      "  sluice runs --where 'localized > 0.2'\n"
      "  sluice watch runs/localization\n"
      "  sluice report runs/gaussian runs/localization --out comparison.html\n"
      "  sluice sample localization --out samples.svg\n"
      "  sluice probe runs/localization\n"
      "  sluice figure runs/localization unit_map --format pdf\n"
      "  sluice check N0.12\n"
      "  sluice theory spectrum --set task.xi=[3,1]\n"
      "  sluice data get mnist\n\n"
      "Exit codes: 0 done; 1 a run failed (diverged, disk full), a claim did not hold, data could not be "
      "fetched; 2 the\n"
      "command line, a spec or a file cannot be used; 129, 130, 138 or 143 stopped by a closed terminal, "
      "Ctrl-C, SIGUSR1 or\n"
      "SIGTERM, resumable (`sluice watch` ends so: 0).");
  cli::limits_are_errors();
  cli::Action action;
  for (const auto add :
       {cli::add_list,   cli::add_show,      cli::add_run,    cli::add_sweep,   cli::add_runs,
        cli::add_watch,  cli::add_report,    cli::add_sample, cli::add_predict, cli::add_probe,
        cli::add_figure, cli::add_check,     cli::add_theory, cli::add_branch,  cli::add_race,
        cli::add_search, cli::add_freeze,    cli::add_reduce, cli::add_kernel,  cli::add_data,
        cli::add_keys,   cli::add_completion}) {
    add(app, action);
  }

  if (const auto code = app.parse(argc, argv)) {
    cli::flush();
    return *code;
  }
  if (!action) {
    cli::print(app.help());
    return cli::kBadInput;
  }
  const int code = action();
  if (code == cli::kSuccess) cli::flush();
  return code;
}

/// Frames of ours and of libraries do not fit into less, and would end the program without a word.
void require_stack() {
  constexpr rlim_t kLeast = rlim_t{256} * 1024;
  rlimit stack{};
  if (::getrlimit(RLIMIT_STACK, &stack) == 0 && stack.rlim_cur < kLeast)
    throw InputError(fmt::format("the stack may have {} KiB only (ulimit -s); expected {} or more",
                                 stack.rlim_cur / 1024, kLeast / 1024));
}

/// Memory may have ended for good.
void tell_of(const std::exception& failure) {
  try {
    cli::tell(fmt::format("sluice: {}", words_of(failure)));
  } catch (const std::bad_alloc&) {
    std::fputs("sluice: out of memory\n", stderr);
  }
}

int guarded(int argc, char** argv) {
  try {
    require_stack();
    return run(argc, argv);
  } catch (const cli::UsageError& error) {
    cli::tell(error.what());
    return cli::kBadInput;
  } catch (const math::Stopped&) {
    std::fprintf(stderr, "sluice: stopped before there was anything to keep\n");
    return 128 + cli::stop_signal();
  } catch (const data::Missing& error) {
    cli::tell(fmt::format("sluice: {}; `sluice data get {}` fetches it", error.what(), error.set));
    return cli::kBadInput;
  } catch (const InputError& error) {
    cli::tell(fmt::format("sluice: {}", error.what()));
    return cli::kBadInput;
  } catch (const std::filesystem::filesystem_error& error) {
    cli::tell(fmt::format("sluice: {}", words_of(error)));
    return is_of_the_world(error.code().value()) ? cli::kFailure : cli::kBadInput;
  } catch (const std::system_error& error) {  // printing, for one
    if (cli::stop_signal() != 0) return 128 + cli::stop_signal();
    if (error.code().value() == EPIPE) cli::end_by_broken_pipe();
    cli::tell(fmt::format("sluice: {}", error.what()));
    return cli::kFailure;
  } catch (const std::exception& error) {
    tell_of(error);
    return cli::kFailure;
  }
}

}  // namespace

int main(int argc, char** argv) {
  cli::occupy_standard_descriptors();
  cli::ignore_broken_pipes();
  const int code = guarded(argc, argv);
  // Libraries are not torn down: where memory is short (ulimit -v) threads of OpenBLAS never end, and whoever waits for them does not either.
  std::fflush(nullptr);
  std::quick_exit(code);
}
