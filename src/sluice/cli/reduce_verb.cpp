/// sluice reduce.
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sluice/cli/answer.hpp"
#include "sluice/cli/check_number.hpp"
#include "sluice/cli/verbs.hpp"
#include "sluice/lab/reduce.hpp"

namespace sluice::cli {
namespace of_reduce {
namespace {

struct Arguments {
  std::vector<std::string> runs;
  lab::ReduceOptions options;
  AnswerOptions answer;
};

int reduce(const Arguments& arguments) {
  require_place(arguments.answer);
  math::Workers workers(arguments.answer.threads);
  std::vector<lab::ReducedRun> runs;
  for (lab::Recorded& run : lab::read_all(arguments.runs))
    runs.push_back(lab::reduce(std::move(run), arguments.options, workers));
  give({.text =
            [&] {
              return in_columns(lab::population_table(runs), runs.size() > 1 ? "lrlr" : "rlr") + "\n" +
                     in_columns(lab::reduce_table(runs), runs.size() > 1 ? "lrlr" : "rlr");
            },
        .json = [&] { return lab::to_json(runs); },
        .csv = [&] { return lab::reduce_csv(runs); },
        .page = [&] { return lab::reduce_page(runs); },
        .picture = [&] { return lab::reduce_figure(runs.front()); }},
       arguments.answer);
  return kSuccess;
}

}  // namespace
}  // namespace of_reduce

void add_reduce(App& app, Action& action) {
  using namespace of_reduce;
  App* verb = app.add_subcommand(
      "reduce", "Reduce a network of sigmoidal units to two filters that tile the ring: how much is left?");
  auto arguments = std::make_shared<Arguments>();
  verb->add_option("RUN", arguments->runs, "Folders of runs or sweeps of sigmoidal units with biases")
      ->required();
  verb->add_option("--samples", arguments->options.samples, "Samples that models are judged on")
      ->check([](const std::string& text) {
        return check_number<std::int64_t>(text, 100, 10'000'000, "an integer from 100 to 10000000");
      })
      ->type_name("N")
      ->capture_default_str();
  add_answer(*verb, arguments->answer);
  verb->footer(
      "Examples:\n"
      "  sluice reduce runs/populations\n"
      "  sluice reduce runs/populations --out reduced.html");
  verb->callback([&action, arguments] { action = [arguments] { return reduce(*arguments); }; });
}

}  // namespace sluice::cli
