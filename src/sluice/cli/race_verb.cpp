/// sluice race.
#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

#include "sluice/cli/answer.hpp"
#include "sluice/cli/progress.hpp"
#include "sluice/cli/source_options.hpp"
#include "sluice/cli/verbs.hpp"
#include "sluice/lab/race.hpp"

namespace sluice::cli {
namespace of_race {
namespace {

struct Arguments {
  std::vector<std::string> specs;
  lab::Source source;
  std::vector<std::string> over;
  AnswerOptions answer;
};

std::vector<lab::Entrant> entrants(const Arguments& arguments) {
  std::vector<lab::SweepAxis> axes;
  for (const std::string& text : arguments.over) axes.push_back(lab::parse_axis(text));
  std::vector<lab::Source> sources(arguments.specs.size(), arguments.source);
  for (std::size_t i = 0; i < sources.size(); ++i) sources[i].name_or_file = arguments.specs[i];
  return lab::entrants(sources, axes);
}

int race(const Arguments& arguments) {
  require_place(arguments.answer);
  math::Workers workers(arguments.answer.threads);
  const auto run = [&] {
    Progress progress("race", arguments.answer.quiet, "structures");
    return lab::race(entrants(arguments), workers,
                     [&](std::int64_t done, std::int64_t of) { progress.update(done, of); });
  };
  const lab::Race race = run();
  give({.text = [&] { return in_columns(lab::race_table(race), "lrrrrrrrrrrrl"); },
        .json = [&] { return lab::to_json(race); },
        .csv = [&] { return lab::race_csv(race); },
        .page = [&] { return lab::race_page(race, "A race of gating structures"); },
        .picture = [&] { return lab::race_figure(race); }},
       arguments.answer);
  return kSuccess;
}

}  // namespace
}  // namespace of_race

void add_race(App& app, Action& action) {
  using namespace of_race;
  App* verb = app.add_subcommand(
      "race", "Gating structures against each other: which learns fastest, which gets furthest");
  auto arguments = std::make_shared<Arguments>();
  arguments->source.origins = {.assignments = "--set", .swept = "--over", .seed = "--seed"};
  verb->add_option("SPEC", arguments->specs,
                   "Names from `sluice list` or TOML files, of gated linear networks")
      ->required();
  verb->add_option("--set", arguments->source.assignments,
                   "Override a key in all of them: --set task.gain=0.01 (repeatable)")
      ->allow_extra_args(false)
      ->type_name("KEY=VALUE");
  verb->add_option("--over", arguments->over,
                   "Values of a key, an entrant each: --over network.hidden=2,4,8 (repeatable)")
      ->allow_extra_args(false)
      ->type_name("KEY=V,V");
  add_seed(*verb, arguments->source);
  add_answer(*verb, arguments->answer);
  verb->footer(
      "Examples:\n"
      "  sluice race gated-pair --over network.hidden=2,4,8\n"
      "  sluice race gated-pair --over network.hidden=2,4,8 --over task.gain=0.01,3 --out race.html");
  verb->callback([&action, arguments] { action = [arguments] { return race(*arguments); }; });
}

}  // namespace sluice::cli
