/// sluice watch: the page of a run or sweep in a browser while it is at work.
#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>

#include "sluice/cli/check_number.hpp"
#include "sluice/cli/page_server.hpp"
#include "sluice/cli/signals.hpp"
#include "sluice/cli/tell.hpp"
#include "sluice/cli/verbs.hpp"
#include "sluice/file/errors.hpp"
#include "sluice/file/json.hpp"
#include "sluice/lab/live_page.hpp"

namespace sluice::cli {
namespace of_watch {
namespace {

struct Arguments {
  std::string folder;
  int port = 0;
  bool json = false;
};

/// A page that cannot be made just now (a file half replaced, a disk that is full) must not end the watch; why, is told once.
std::optional<Served> served(lab::LivePage& page, const std::string& path, std::string& told) {
  try {
    if (path.empty()) return Served{"text/html; charset=utf-8", page.html()};
    if (path == "data.json") return Served{"application/json", page.data()};
  } catch (const std::exception& failure) {
    if (told != failure.what()) tell(fmt::format("sluice: watch: {}\n", told = failure.what()));
    if (path.empty()) return Served{"text/plain; charset=utf-8", told + "\n"};
  }
  return std::nullopt;
}

int watch(const Arguments& arguments) {
  lab::LivePage page(arguments.folder, "data.json");
  std::string told;
  PageServer server(arguments.port, [&](const std::string& path) { return served(page, path, told); });
  if (arguments.json)
    fmt::print("{}\n", file::Json{{"folder", arguments.folder}, {"address", server.address()}}.dump());
  else
    fmt::print("{}\n", server.address());
  std::fflush(stdout);  // whoever reads it from a pipe opens it now
  if (!arguments.json)
    tell("Open it in a browser on this machine (elsewhere: ssh -L). Ctrl-C ends the watch, not the run.\n");
  watch_signals();
  while (stop_signal() == 0) {
    page.attend();
    server.serve_for(std::chrono::milliseconds(500));
  }
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
