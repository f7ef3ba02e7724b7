/// sluice search.
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "sluice/cli/answer.hpp"
#include "sluice/cli/check_number.hpp"
#include "sluice/cli/source_options.hpp"
#include "sluice/cli/tell.hpp"
#include "sluice/cli/verbs.hpp"
#include "sluice/file/npz.hpp"
#include "sluice/lab/gate_search_report.hpp"

namespace sluice::cli {
namespace of_search {
namespace {

struct Arguments {
  lab::Source source;
  std::int64_t candidates = 600;
  std::int64_t samples = 40'000;
  std::string against;
  AnswerOptions answer;
};

std::string text_of(const lab::GateSearch& search) {
  std::string text = in_columns(lab::structure_table(search), "llr") + "\n";
  if (!search.agreements.empty())
    text += fmt::format("agreement with the {} ReLU units of {}\n{}\n", search.run_units, search.run,
                        in_columns(lab::agreement_table(search), "lr"));
  for (const std::string& sentence : lab::conclusions(search)) text += sentence + "\n";
  const lab::GateSearch::Budget& budget = search.budget;
  return text + fmt::format(
                    "budget: {} half-spaces, {} gains, {} sets of gates fitted on {} points, judged on {}; "
                    "{:.1f} s\n",
                    budget.candidates, budget.gains, budget.fits, budget.points, budget.held_out,
                    budget.seconds);
}

int search(const Arguments& arguments) {
  require_place(arguments.answer, true);
  math::Workers workers(arguments.answer.threads);
  const auto remark = [&](const std::string& doing) {
    if (!arguments.answer.quiet) tell(fmt::format("search: {}", doing));
  };
  std::optional<lab::Recorded> against;
  if (!arguments.against.empty()) against = lab::read_run(arguments.against);
  const lab::GateSearch found = lab::search_gates({.experiment = lab::load(arguments.source),
                                                   .candidates = arguments.candidates,
                                                   .samples = arguments.samples,
                                                   .against = against ? &*against : nullptr,
                                                   .remark = remark},
                                                  workers);
  const std::string title = "A search for gates: " + lab::short_name(arguments.source.name_or_file);
  give({.text = [&] { return text_of(found); },
        .json = [&] { return lab::to_json(found); },
        .csv = [&] { return lab::search_csv(found); },
        .page = [&] { return lab::search_page(found, title); },
        .picture = [&] { return lab::search_figure(found); },
        .array =
            [&](const std::filesystem::path& file, file::IfTaken if_taken) {
              file::write_npy(file, {{found.units, found.inputs}, found.refined().gates}, if_taken);
            }},
       arguments.answer);
  return kSuccess;
}

}  // namespace
}  // namespace of_search

void add_search(App& app, Action& action) {
  using namespace of_search;
  App* verb = app.add_subcommand("search", "Search for the half-space gates with the lowest limiting loss");
  auto arguments = std::make_shared<Arguments>();
  add_source(*verb, arguments->source, "SPEC",
             "A name from `sluice list` or a TOML file, of a gated linear network: its task and "
             "network.hidden count")
      ->required();
  add_seed(*verb, arguments->source);
  const auto whole = [](std::int64_t low, std::int64_t high, const char* expected) {
    return [=](const std::string& text) { return check_number<std::int64_t>(text, low, high, expected); };
  };
  verb->add_option("--candidates", arguments->candidates,
                   "Shapes of the library, at least; their opposites come on top")
      ->check(whole(1, 1'000'000, "an integer from 1 to 1000000"))
      ->type_name("N")
      ->capture_default_str();
  verb->add_option("--samples", arguments->samples,
                   "Draws that gates are found on; four times as many judge them")
      ->check(whole(1000, 10'000'000, "an integer from 1000 to 10000000"))
      ->type_name("N")
      ->capture_default_str();
  verb->add_option("--against", arguments->against,
                   "A run of a two-layer ReLU network to compare the gates with")
      ->type_name("RUN");
  add_answer(*verb, arguments->answer, "the gates [K, n]");
  verb->footer(
      "Examples:\n"
      "  sluice search gated-pair --set network.hidden=8\n"
      "  sluice search gated-pair --set network.hidden=8 --against runs/localization --out search.html\n"
      "  sluice search gated-pair --set network.hidden=8 --out gates.npy");
  verb->callback([&action, arguments] { action = [arguments] { return search(*arguments); }; });
}

}  // namespace sluice::cli
