/// sluice search.
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "sluice/cli/check_number.hpp"
#include "sluice/cli/columns.hpp"
#include "sluice/cli/shared_options.hpp"
#include "sluice/cli/source_options.hpp"
#include "sluice/cli/verbs.hpp"
#include "sluice/file/atomic_file.hpp"
#include "sluice/file/npz.hpp"
#include "sluice/file/place.hpp"
#include "sluice/lab/gate_search_report.hpp"

namespace sluice::cli {
namespace of_search {
namespace {

struct Arguments {
  lab::Source source;
  std::int64_t candidates = 600;
  std::int64_t samples = 40'000;
  std::string against;
  std::string out;
  bool overwrite = false;
  bool json = false;
  int threads = math::hardware_threads();
};

void write(const lab::GateSearch& search, const std::filesystem::path& file, const std::string& title) {
  const std::string ending = file.extension().string();
  if (ending == ".npy") return file::write_npy(file, {{search.units, search.inputs}, search.refined().gates});
  std::string content;
  if (ending == ".html")
    content = lab::search_page(search, title);
  else if (ending == ".csv")
    content = lab::search_csv(search);
  else if (ending == ".json")
    content = lab::to_json(search).dump(2) + "\n";
  else
    content = figure::render(lab::search_figure(search), *figure::format_of(ending));
  file::write_atomically(file, content);
}

void print(const lab::SearchTable& table, std::string_view alignment) {
  Rows rows{table.header};
  rows.insert(rows.end(), table.rows.begin(), table.rows.end());
  fmt::print("{}\n", in_columns(rows, alignment));
}

void print(const lab::GateSearch& search) {
  print(lab::structure_table(search), "llr");
  if (!search.agreements.empty()) {
    fmt::print("agreement with the {} ReLU units of {}\n", search.run_units, search.run);
    print(lab::agreement_table(search), "lr");
  }
  for (const std::string& sentence : lab::conclusions(search)) fmt::print("{}\n", sentence);
  const lab::GateSearch::Budget& budget = search.budget;
  fmt::print(
      "budget: {} half-spaces, {} gains, {} sets of gates fitted on {} points, judged on {}; {:.1f} s\n",
      budget.candidates, budget.gains, budget.fits, budget.points, budget.held_out, budget.seconds);
}

int search(const Arguments& arguments) {
  if (!arguments.out.empty())
    file::require_place(arguments.out, {".html", ".svg", ".pdf", ".png", ".csv", ".json", ".npy"},
                        arguments.overwrite);
  math::Workers workers(arguments.threads);
  const lab::GateSearch found = lab::search_gates({.experiment = lab::load(arguments.source),
                                                   .candidates = arguments.candidates,
                                                   .samples = arguments.samples,
                                                   .against = arguments.against},
                                                  workers);
  if (arguments.json)
    fmt::print("{}\n", lab::to_json(found).dump(2));
  else
    print(found);
  if (arguments.out.empty()) return kSuccess;
  write(found, arguments.out, "A search for gates: " + lab::short_name(arguments.source.name_or_file));
  if (!arguments.json) fmt::print("{}\n", arguments.out);
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
  verb->add_option(
          "--out", arguments->out,
          "A page (.html), a picture (.svg, .pdf, .png), numbers (.csv, .json), or the gates [K, n] (.npy)")
      ->type_name("FILE");
  add_overwrite(*verb, arguments->overwrite);
  verb->add_flag("--json", arguments->json, "Print as JSON");
  add_threads(*verb, arguments->threads);
  verb->footer(
      "Examples:\n"
      "  sluice search gated-pair --set network.hidden=8\n"
      "  sluice search gated-pair --set network.hidden=8 --against runs/localization --out search.html\n"
      "  sluice search gated-pair --set network.hidden=8 --out gates.npy");
  verb->callback([&action, arguments] { action = [arguments] { return search(*arguments); }; });
}

}  // namespace sluice::cli
