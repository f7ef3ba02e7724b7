/// sluice watch: the page of a run or sweep in a browser while it is at work.
#include <fmt/format.h>

#include <chrono>
#include <memory>
#include <string>

#include "sluice/cli/check_number.hpp"
#include "sluice/cli/print.hpp"
#include "sluice/cli/signals.hpp"
#include "sluice/cli/tell.hpp"
#include "sluice/cli/verbs.hpp"
#include "sluice/file/json.hpp"
#include "sluice/lab/watch.hpp"

namespace sluice::cli {
namespace of_watch {
namespace {

struct Arguments {
  std::string folder;
  int port = 0;
  bool json = false;
};

int watch(const Arguments& arguments) {
  lab::Watch watch(arguments.folder, arguments.port,
                   [](const std::string& why) { tell(fmt::format("sluice: watch: {}", why)); });
  if (arguments.json)
    print(fmt::format("{}\n", file::Json{{"folder", arguments.folder}, {"address", watch.address()}}.dump()));
  else
    print(fmt::format("{}\n", watch.address()));
  flush();  // whoever reads it from a pipe opens it now
  if (!arguments.json)
    tell("Open it in a browser on this machine (elsewhere: ssh -L). Ctrl-C ends the watch, not the run.");
  watch_signals();
  while (stop_signal() == 0) watch.serve_for(std::chrono::milliseconds(500));
  return kSuccess;
}

}  // namespace
}  // namespace of_watch

void add_watch(App& app, Action& action) {
  using namespace of_watch;
  App* verb = app.add_subcommand("watch", "Show the page of a run or sweep while it is at work");
  auto arguments = std::make_shared<Arguments>();
  verb->add_option("RUN", arguments->folder, "The folder of a run or sweep, at work or done")
      ->required()
      ->type_name("DIR");
  verb->add_option("--port", arguments->port, "Port on 127.0.0.1 (default: one that is free)")
      ->check([](const std::string& text) {
        return check_number<std::int64_t>(text, 0, 65535, "a port from 0 to 65535");
      })
      ->type_name("N");
  verb->add_flag("--json", arguments->json, "Print the address as JSON");
  verb->footer(
      "The address has a random word in it; only programs on this machine that know it see the page.\n\n"
      "Examples:\n"
      "  sluice watch runs/long\n"
      "  sluice watch runs/grid --port 8000");
  verb->callback([&action, arguments] { action = [arguments] { return watch(*arguments); }; });
}

}  // namespace sluice::cli
