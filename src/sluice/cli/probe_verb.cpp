/// sluice probe: what a record's receptive fields look like, in numbers.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "sluice/cli/columns.hpp"
#include "sluice/cli/print.hpp"
#include "sluice/cli/shared_options.hpp"
#include "sluice/cli/verbs.hpp"
#include "sluice/file/errors.hpp"
#include "sluice/file/json.hpp"
#include "sluice/lab/probing.hpp"
#include "sluice/math/quantile.hpp"
#include "sluice/probe/kind.hpp"
#include "sluice/probe/probe.hpp"

namespace sluice::cli {
namespace of_probe {
namespace {

struct Arguments {
  std::string source;
  std::vector<std::string> names;
  lab::FieldsIn fields;
  std::string inputs;
  std::string reference;
  std::string out;
  bool overwrite = false;
  bool list = false;
  bool json = false;
  int threads = math::hardware_threads();
};

/// A probe's array at its first and last time.
struct Row {
  std::string name;
  double start = 0, end = 0;    // medians over units
  double lower = 0, upper = 0;  // quartiles at the end
};

std::vector<double> at_time(const file::Array& array, std::int64_t time) {
  const std::int64_t count = file::element_count(array.shape) / array.shape.front();
  return std::visit(
      [&](const auto& values) {
        return std::vector<double>(values.begin() + time * count, values.begin() + (time + 1) * count);
      },
      array.data);
}

std::vector<Row> rows_of(const lab::Probed& probed) {
  std::vector<Row> rows;
  for (const auto& [name, array] : probed.arrays) {
    if (name == "step" || array.shape.size() > 2) continue;
    const std::vector<double> end = at_time(array, probed.times - 1);
    rows.push_back({name, math::quantile(at_time(array, 0), 0.5), math::quantile(end, 0.5),
                    math::quantile(end, 0.25), math::quantile(end, 0.75)});
  }
  return rows;
}

std::string number(double value) { return std::isnan(value) ? "–" : fmt::format("{:.4g}", value); }

/// "3 flat, 20 oscillatory, 77 localized"; empty when the class was not measured.
std::string kinds_at_the_end(const lab::Probed& probed) {
  const file::Array* kinds = file::find(probed.arrays, "class");
  if (kinds == nullptr) return "";
  const std::vector<double> end = at_time(*kinds, probed.times - 1);
  const auto count = [&](probe::FieldKind kind) {
    return std::count(end.begin(), end.end(), static_cast<double>(kind));
  };
  return fmt::format("at the end {} flat, {} oscillatory, {} localized\n", count(probe::FieldKind::flat),
                     count(probe::FieldKind::oscillatory), count(probe::FieldKind::localized));
}

void print_table(const lab::Probed& probed) {
  Rows cells{{"median over units", "start", "end", "25 %", "75 %"}};
  for (const Row& row : rows_of(probed))
    cells.push_back({row.name, number(row.start), number(row.end), number(row.lower), number(row.upper)});
  print(fmt::format("{} times, {} units, {} sites\n{}{}{}\n", probed.times, probed.units, probed.inputs,
                    in_columns(cells, "lr"), kinds_at_the_end(probed), probed.out.string()));
}

void print_json(const lab::Probed& probed) {
  file::Json probes;
  for (const Row& row : rows_of(probed)) {
    probes[row.name] = {{"start", row.start}, {"end", row.end}, {"q25", row.lower}, {"q75", row.upper}};
  }
  const file::Json json{{"file", probed.out.string()},
                        {"times", probed.times},
                        {"units", probed.units},
                        {"sites", probed.inputs},
                        {"probes", probes}};
  print(fmt::format("{}\n", json.dump(2)));
}

int list() {
  for (const probe::Probe& probe : probe::probes()) {
    if ((probe.needs & probe::kRun) == 0)
      print(fmt::format("{:<24} {}\n", probe.choice.name, probe.choice.meaning));
  }
  return kSuccess;
}

int measure(const Arguments& arguments) {
  if (arguments.list) return list();
  if (arguments.source.empty()) throw InputError("probe: expected RUN, the folder of a run, or an npz file");
  math::Workers workers(arguments.threads);
  const lab::Probed probed = lab::probe_record({.source = arguments.source,
                                                .names = arguments.names,
                                                .fields = arguments.fields,
                                                .inputs = arguments.inputs,
                                                .reference = arguments.reference,
                                                .out = arguments.out,
                                                .overwrite = arguments.overwrite},
                                               workers);
  arguments.json ? print_json(probed) : print_table(probed);
  return kSuccess;
}

}  // namespace
}  // namespace of_probe

void add_probe(App& app, Action& action) {
  using namespace of_probe;
  App* verb =
      app.add_subcommand("probe", "Measure receptive fields of a run or of any npz: writes probes.npz");
  auto arguments = std::make_shared<Arguments>();
  verb->add_option("RUN", arguments->source, "The folder of a run, or an npz or npy file with weights");
  verb->add_option("NAMES", arguments->names,
                   "Probes (default: all that can be measured); --list names them");
  verb->add_flag("--list", arguments->list, "List the probes with their equations");
  add_fields_in(*verb, arguments->fields);
  verb->add_option("--inputs", arguments->inputs,
                   "Array of inputs [N, n] or [N, h, w] in the file, for preactivation_kurtosis")
      ->type_name("NAME");
  verb->add_option("--reference", arguments->reference, "Another run or file, for reference_distance")
      ->type_name("RUN");
  verb->add_option("--out", arguments->out, "File to write (default: RUN/probes.npz, or FILE.probes.npz)")
      ->type_name("FILE.npz");
  add_overwrite(*verb, arguments->overwrite);
  add_threads(*verb, arguments->threads);
  verb->add_flag("--json", arguments->json, "Print the table as JSON");
  verb->footer(
      "Examples:\n"
      "  sluice probe runs/localization\n"
      "  sluice probe runs/localization gabor_width gabor_residual class\n"
      "  sluice probe theirs.npz --weights W --inputs x --out theirs-probes.npz\n"
      "  sluice probe filters.npz --layout image gabor2_orientation gabor2_residual\n"
      "  sluice probe runs/a reference_distance --reference runs/b");
  verb->callback([&action, arguments] { action = [arguments] { return measure(*arguments); }; });
}

}  // namespace sluice::cli
