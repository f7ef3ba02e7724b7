/// sluice freeze.
#include <fmt/format.h>

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sluice/cli/answer.hpp"
#include "sluice/cli/check_number.hpp"
#include "sluice/cli/progress.hpp"
#include "sluice/cli/verbs.hpp"
#include "sluice/lab/freeze.hpp"

namespace sluice::cli {
namespace of_freeze {
namespace {

struct Arguments {
  std::vector<std::string> runs;
  lab::FreezeOptions options;
  std::vector<std::string> at;
  AnswerOptions answer;
};

int freeze(const Arguments& arguments) {
  require_place(arguments.answer);
  lab::FreezeOptions options = arguments.options;
  for (const std::string& step : arguments.at) options.at.push_back(std::stoll(step));
  math::Workers workers(arguments.answer.threads);
  std::vector<lab::FrozenRun> runs;
  for (lab::Recorded& run : lab::read_all(arguments.runs)) {
    Progress progress(run.settings.empty() ? run.recording.name : lab::label_of(run.settings),
                      arguments.answer.quiet);
    options.progress = [&](std::int64_t done, std::int64_t of) { progress.update(done, of); };
    runs.push_back(lab::freeze(std::move(run), options, workers));
  }
  give({.text = [&] { return in_columns(lab::freeze_table(runs), runs.size() > 1 ? "lr" : "r"); },
        .json = [&] { return lab::to_json(runs); },
        .csv = [&] { return lab::freeze_csv(runs); },
        .page = [&] { return lab::freeze_page(runs); },
        .picture = [&] { return lab::freeze_figure(runs); }},
       arguments.answer);
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
  add_answer(*verb, arguments->answer);
  verb->footer(
      "Examples:\n"
      "  sluice freeze runs/frozen-gates\n"
      "  sluice freeze runs/frozen-gates --at 0 --at 1000 --out freeze.html");
  verb->callback([&action, arguments] { action = [arguments] { return freeze(*arguments); }; });
}

}  // namespace sluice::cli
