/// sluice freeze.
#include <fmt/format.h>

#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sluice/cli/check_number.hpp"
#include "sluice/cli/columns.hpp"
#include "sluice/cli/shared_options.hpp"
#include "sluice/cli/verbs.hpp"
#include "sluice/file/atomic_file.hpp"
#include "sluice/file/place.hpp"
#include "sluice/lab/freeze.hpp"

namespace sluice::cli {
namespace of_freeze {
namespace {

struct Arguments {
  std::vector<std::string> runs;
  lab::FreezeOptions options;
  std::vector<std::string> at;
  std::string out;
  bool overwrite = false;
  bool json = false;
  int threads = math::hardware_threads();
};

/// Runs, and all runs of sweeps.
std::vector<lab::Recorded> recorded(const Arguments& arguments) {
  std::vector<lab::Recorded> all;
  for (const std::string& folder : arguments.runs)
    for (lab::Recorded& run : lab::is_sweep(folder) ? lab::read_sweep(folder) : lab::read_runs(folder))
      all.push_back(std::move(run));
  if (arguments.runs.size() > 1) lab::tell_apart(all);
  return all;
}

std::string content_of(const std::vector<lab::FrozenRun>& runs, const std::filesystem::path& file) {
  const std::string ending = file.extension().string();
  if (ending == ".html") return lab::freeze_page(runs);
  if (ending == ".csv") return lab::freeze_csv(runs);
  if (ending == ".json") return lab::to_json(runs).dump(2) + "\n";
  return figure::render(lab::freeze_figure(runs), *figure::format_of(ending));
}

int freeze(const Arguments& arguments) {
  if (!arguments.out.empty())
    file::require_place(arguments.out, {".html", ".svg", ".pdf", ".png", ".csv", ".json"},
                        arguments.overwrite);
  lab::FreezeOptions options = arguments.options;
  for (const std::string& step : arguments.at) options.at.push_back(std::stoll(step));
  math::Workers workers(arguments.threads);
  std::vector<lab::FrozenRun> runs;
  for (lab::Recorded& run : recorded(arguments))
    runs.push_back(lab::freeze(std::move(run), options, workers));
  if (arguments.json) {
    fmt::print("{}\n", lab::to_json(runs).dump(2));
  } else {
    const lab::FreezeTable table = lab::freeze_table(runs);
    Rows rows{table.header};
    rows.insert(rows.end(), table.rows.begin(), table.rows.end());
    fmt::print("{}", in_columns(rows, runs.size() > 1 ? "lr" : "r"));
  }
  if (arguments.out.empty()) return kSuccess;
  file::write_atomically(arguments.out, content_of(runs, arguments.out));
  if (!arguments.json) fmt::print("{}\n", arguments.out);
  return kSuccess;
}

}  // namespace
}  // namespace of_freeze

void add_freeze(App& app, Action& action) {
  using namespace of_freeze;
  App* verb = app.add_subcommand(
      "freeze", "Freeze the gates of a ReLU run at its steps: from when on is it a gated linear network?");
  auto arguments = std::make_shared<Arguments>();
  verb->add_option("RUN", arguments->runs, "Folders of runs or sweeps of ReLU units")->required();
  verb->add_option("--count", arguments->options.count,
                   "How many recorded steps to freeze at: the first, the last, and denser towards both")
      ->check([](const std::string& text) {
        return check_number<std::int64_t>(text, 2, 1000, "an integer from 2 to 1000");
      })
      ->type_name("N");
  verb->add_option("--at", arguments->at, "Or at this one, which was recorded (repeatable)")
      ->allow_extra_args(false)
      ->check([](const std::string& text) {
        return check_number<std::int64_t>(text, 0, std::numeric_limits<std::int64_t>::max(),
                                          "an integer, 0 or more");
      })
      ->type_name("STEP");
  verb->add_option("--samples", arguments->options.samples, "Samples behind moments that have no closed form")
      ->check([](const std::string& text) {
        return check_number<std::int64_t>(text, 1000, 1'000'000'000, "an integer from 1000 to 1000000000");
      })
      ->type_name("N");
  verb->add_option("--out", arguments->out,
                   "A page (.html), a picture (.svg, .pdf, .png), or numbers (.csv, .json)")
      ->type_name("FILE");
  add_overwrite(*verb, arguments->overwrite);
  verb->add_flag("--json", arguments->json, "Print as JSON");
  add_threads(*verb, arguments->threads);
  verb->footer(
      "Examples:\n"
      "  sluice freeze runs/frozen-gates\n"
      "  sluice freeze runs/frozen-gates --at 0 --at 1000 --out freeze.html");
  verb->callback([&action, arguments] { action = [arguments] { return freeze(*arguments); }; });
}

}  // namespace sluice::cli
