/// sluice theory: closed forms with the keys of a spec.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sluice/cli/columns.hpp"
#include "sluice/cli/one_of.hpp"
#include "sluice/cli/print.hpp"
#include "sluice/cli/shared_options.hpp"
#include "sluice/cli/source_options.hpp"
#include "sluice/cli/style_options.hpp"
#include "sluice/cli/verbs.hpp"
#include "sluice/file/atomic_file.hpp"
#include "sluice/file/errors.hpp"
#include "sluice/file/json.hpp"
#include "sluice/file/npz.hpp"
#include "sluice/file/place.hpp"
#include "sluice/flow/operators.hpp"
#include "sluice/lab/experiment.hpp"
#include "sluice/lab/theory_figure.hpp"
#include "sluice/lab/theory_table.hpp"
#include "sluice/theory/quantity.hpp"

namespace sluice::cli {
namespace of_theory {
namespace {

using theory::Table;

struct Arguments {
  std::string quantity;
  lab::Source source{.name_or_file = "localization"};
  std::string label = "1";
  std::string weights;
  std::string response;
  std::string format;  // empty: what the ending of --out says
  std::string out;
  bool overwrite = false;
  StyleOptions style;
  bool json = false;
};

/// What the ending of a file says; empty: nothing.
std::string format_by(const std::string& ending) {
  if (ending == ".txt") return "table";
  return ending == ".csv" || ending == ".json" || ending == ".npy" ? ending.substr(1) : "";
}

/// The format asked for; "picture" for a file that ends in .svg, .pdf or .png; empty for one that ends in anything unknown.
std::string format_of(const Arguments& arguments) {
  const std::string ending = std::filesystem::path(arguments.out).extension().string();
  const bool picture = figure::format_of(ending).has_value();
  if (arguments.json) {
    if (!arguments.format.empty() || !arguments.out.empty())
      throw InputError("--json: prints on standard output; expected neither --format nor --out with it");
    return "json";
  }
  if (!arguments.format.empty()) {
    if (picture)
      throw InputError(
          fmt::format("--format {}: --out {} is a picture; leave --format out, or choose another "
                      "ending",
                      arguments.format, arguments.out));
    const std::string said = format_by(ending);
    if (!arguments.out.empty() && !said.empty() && said != arguments.format)
      throw InputError(
          fmt::format("--format {}: --out {} ends in {}; leave --format out, or choose another ending",
                      arguments.format, arguments.out, ending));
    return arguments.format;
  }
  if (picture) return "picture";
  return arguments.out.empty() ? "table" : format_by(ending);
}

/// The one array of a file.
file::Array read_weights(const std::string& path) {
  file::NamedArrays arrays = file::read_npz(path);
  if (arrays.size() != 1) throw InputError(fmt::format("{}: {} arrays: expected one", path, arrays.size()));
  return std::move(arrays.front().second);
}

std::string number(double value) { return fmt::format("{:.10g}", value); }

std::string as_table(const Table& table) {
  Rows cells{table.columns};
  for (const auto& row : table.rows) {
    cells.emplace_back();
    for (const double value : row) cells.back().push_back(number(value));
  }
  if (!table.labels.empty()) {
    for (std::size_t r = 0; r < cells.size(); ++r)
      cells[r].insert(cells[r].begin(), r == 0 ? "" : table.labels[r - 1]);
  }
  return in_columns(cells, "r");
}

std::string as_csv(const Table& table) {
  const bool labelled = !table.labels.empty();
  std::string text = fmt::format("{}{}\n", labelled ? "row," : "", fmt::join(table.columns, ","));
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    if (labelled) text += fmt::format("\"{}\",", table.labels[r]);
    text += fmt::format("{}\n", fmt::join(table.rows[r], ","));
  }
  return text;
}

std::string as_json(const Table& table, const std::string& quantity) {
  file::Json json{{"quantity", quantity}, {"columns", table.columns}};
  if (!table.labels.empty()) json["labels"] = table.labels;
  json["rows"] = table.rows;
  return json.dump() + "\n";
}

std::string as_picture(const Table& table, const Arguments& arguments) {
  const std::string ending = std::filesystem::path(arguments.out).extension().string();
  return figure::render(lab::theory_figure(arguments.quantity, table), figure::format_of(ending).value(),
                        arguments.style.dpi(), arguments.style.style());
}

void write_npy(const Table& table, const Arguments& arguments) {
  file::Array array{
      {static_cast<std::int64_t>(table.rows.size()), static_cast<std::int64_t>(table.columns.size())},
      std::vector<double>{}};
  auto& values = std::get<std::vector<double>>(array.data);
  for (const auto& row : table.rows) values.insert(values.end(), row.begin(), row.end());
  file::write_npy(arguments.out, array, file::if_taken(arguments.overwrite));
}

int tell(const Arguments& arguments) {
  const std::string format = format_of(arguments);
  if (arguments.out.empty() && format == "npy") throw InputError("--format npy: expected --out FILE");
  if (!arguments.format.empty() && !arguments.out.empty())
    file::require_place(arguments.out, {}, arguments.overwrite);
  else if (!arguments.out.empty())
    file::require_place(arguments.out, {".txt", ".csv", ".json", ".npy", ".svg", ".pdf", ".png"},
                        arguments.overwrite);
  if (!arguments.weights.empty()) file::require_other(arguments.out, arguments.weights);
  arguments.style.require_picture(arguments.out);
  lab::TheoryRequest request{.quantity = arguments.quantity,
                             .which_class = arguments.label == "1" ? 0 : 1,
                             .weights_are = arguments.weights,
                             .response = arguments.response};
  const lab::Experiment experiment = lab::load(arguments.source);
  if (!arguments.weights.empty()) request.weights = read_weights(arguments.weights);
  const Table table = lab::theory_table(experiment, request);
  if (format == "npy") {
    write_npy(table, arguments);
    return kSuccess;
  }
  const std::string text = format == "csv"       ? as_csv(table)
                           : format == "json"    ? as_json(table, arguments.quantity)
                           : format == "picture" ? as_picture(table, arguments)
                                                 : as_table(table);
  if (arguments.out.empty()) {
    print(text);
  } else {
    file::write_atomically(arguments.out, text, file::if_taken(arguments.overwrite));
  }
  return kSuccess;
}

std::string quantity_list() {
  std::string text = "Quantities:\n";
  for (const theory::Quantity& each : theory::quantities())
    text += fmt::format("  {:<14} {}\n", each.choice.name, each.choice.meaning);
  text += "Operators:\n";
  for (const spec::Choice& each : flow::operator_choices())
    text += fmt::format("  {:<14} {}\n", each.name, each.meaning);
  return text;
}

}  // namespace
}  // namespace of_theory

void add_theory(App& app, Action& action) {
  using namespace of_theory;
  App* verb = app.add_subcommand("theory", "Print a closed form for the task and network of a spec");
  auto arguments = std::make_shared<Arguments>();
  verb->add_option("QUANTITY", arguments->quantity, "One of those below")->required();
  add_source(*verb, arguments->source, "SPEC")->capture_default_str();
  verb->add_option("--class", arguments->label, "1: the first ξ (label 1 in the notes), 0: the second")
      ->check(one_of(std::vector<std::string>{"1", "0"}))
      ->type_name("1|0")
      ->capture_default_str();
  verb->add_option("--weights", arguments->weights,
                   "npy file of [n] or [K, n] (default: the spec's initial weights)")
      ->type_name("FILE");
  verb->add_option("--operator", arguments->response,
                   "Response operator (default: the exact one of the task)")
      ->type_name("NAME");
  verb->add_option("--format", arguments->format,
                   "table, csv, json or npy (default: by the ending of --out, else table)")
      ->check(one_of(std::vector<std::string>{"table", "csv", "json", "npy"}))
      ->type_name("NAME");
  verb->add_option("--out", arguments->out,
                   "File to write instead of standard output: .txt, .csv, .json, .npy, or a picture as .svg, "
                   ".pdf, .png")
      ->type_name("FILE");
  add_overwrite(*verb, arguments->overwrite);
  arguments->style.add_to(*verb);
  verb->add_flag("--json", arguments->json, "Print as JSON: --format json");
  verb->footer(quantity_list() +
               "\nExamples:\n  sluice theory spectrum --set task.xi=[3,1] --class 0\n"
               "  sluice theory response --set 'network.init={law=\"basis\"}' --set network.hidden=1\n"
               "  sluice theory response --weights w.npy --operator mean-field --out f.npy\n"
               "  sluice theory landscape --out landscape.svg\n"
               "  sluice theory landscape --width 86 --palette grey --out landscape.pdf\n"
               "  sluice theory gram-spectrum depth-frg --out spectrum.svg");
  verb->callback([&action, arguments] { action = [arguments] { return tell(*arguments); }; });
}

}  // namespace sluice::cli
