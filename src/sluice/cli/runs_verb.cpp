/// sluice runs, sluice runs show, rm, export: the runs that are there.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sluice/cli/columns.hpp"
#include "sluice/cli/print.hpp"
#include "sluice/cli/runs_table.hpp"
#include "sluice/cli/shared_options.hpp"
#include "sluice/cli/tell.hpp"
#include "sluice/cli/terminal_width.hpp"
#include "sluice/cli/verbs.hpp"
#include "sluice/file/atomic_file.hpp"
#include "sluice/file/errors.hpp"
#include "sluice/file/json.hpp"
#include "sluice/file/place.hpp"
#include "sluice/file/system.hpp"
#include "sluice/lab/remove_runs.hpp"
#include "sluice/lab/run_index.hpp"
#include "sluice/lab/run_row.hpp"
#include "sluice/spec/suggest.hpp"

namespace sluice::cli {
namespace of_runs {
namespace {

namespace fs = std::filesystem;

struct Arguments {
  std::vector<std::string> words;
  std::string where, columns, sort, out;
  bool reverse = false, csv = false, json = false, reindex = false, yes = false, overwrite = false;
};

constexpr int kUsualWidth = 100;  // of a listing that goes to a file

std::vector<std::string> parts_of(const std::string& list) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    if (end > begin) parts.push_back(list.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

std::string folder_in(const std::vector<std::string>& words) {
  return words.empty() ? "runs" : words.front();
}

using Begin = lab::RunIndex::Begin;
Begin begin_of(const Arguments& arguments) { return arguments.reindex ? Begin::anew : Begin::from_cache; }

lab::RunIndex open_index(const std::string& folder, Begin begin) {
  lab::RunIndex index(folder, begin);
  if (index.size() == 0) tell(fmt::format("{}: no runs", folder));
  return index;
}

void tell_remarks(const lab::RunIndex& index) {
  for (const std::string& remark : index.remarks()) tell(remark);
}

file::Json json_of(const file::Cell& cell) {
  if (const auto* number = std::get_if<double>(&cell); number != nullptr && std::isinf(*number))
    return file::to_text(cell);  // JSON has no such number, and a gain of inf is not none
  return std::visit(
      [](const auto& value) -> file::Json {
        if constexpr (std::is_same_v<std::decay_t<decltype(value)>, std::monostate>)
          return {};
        else
          return value;
      },
      cell);
}

void print_json(const lab::RunTable& table) {
  file::Json runs = file::Json::array();
  for (const auto& row : table.rows) {
    file::Json run = file::Json::object();
    for (std::size_t i = 0; i < row.size(); ++i) run[table.columns[i]] = json_of(row[i]);
    runs.push_back(std::move(run));
  }
  print(fmt::format("{}\n", runs.dump(2)));
}

void print_table(const lab::RunTable& table, const lab::RunIndex& index, bool chosen) {
  const auto width = static_cast<std::size_t>(terminal_width(STDOUT_FILENO, kUsualWidth));
  const FittedTable fitted = fitted_table(table, index.columns(), chosen ? 0 : width);
  print(fitted.text);
  if (table.rows.size() < index.size()) tell(fmt::format("{} of {} runs", table.rows.size(), index.size()));
  if (!fitted.left_out.empty())
    tell(fmt::format("no room for {}; --columns chooses", fmt::join(fitted.left_out, ", ")));
}

int list(const Arguments& arguments) {
  if (arguments.csv && arguments.json) throw InputError("--csv and --json: expected one of them");
  lab::RunIndex index = open_index(folder_in(arguments.words), begin_of(arguments));
  lab::RunQuery query{.where = arguments.where,
                      .columns = parts_of(arguments.columns),
                      .sort = arguments.sort,
                      .descending = arguments.reverse};
  const bool chosen = !query.columns.empty();
  if (!chosen && index.size() > 0) query.columns = usual_columns(index, arguments.where);
  const lab::RunTable table = index.size() > 0 ? index.select(query) : lab::RunTable{};
  tell_remarks(index);
  if (arguments.json)
    print_json(table);
  else if (arguments.csv)
    print(to_csv(table));
  else
    print_table(table, index, chosen);
  return kSuccess;
}

int show(const Arguments& arguments) {
  if (arguments.words.size() != 1) throw InputError("runs show: expected RUN, the folder of a run");
  const fs::path folder = arguments.words.front();
  const lab::FoundRuns found = lab::find_runs(folder);
  const auto run = std::ranges::find(found.runs, ".", &lab::FoundRun::path);
  if (run == found.runs.end())
    throw InputError(fmt::format("{}: expected the folder of a run", folder.string()));
  lab::RunRow row = lab::read_row(folder, *run);
  row.front().second = folder.string();
  if (arguments.json) {
    file::Json json = file::Json::object();
    for (const auto& [name, cell] : row) json[name] = json_of(cell);
    print(fmt::format("{}\n", json.dump(2)));
    return kSuccess;
  }
  Rows rows;
  for (const auto& [name, cell] : row)
    if (!file::is_absent(cell)) rows.push_back({name, shown_cell(cell, nullptr)});
  print(in_columns(rows, "l"));
  return kSuccess;
}

/// Those that are named, or with a filter those below that pass it.
std::vector<fs::path> chosen_folders(const Arguments& arguments) {
  std::vector<fs::path> folders(arguments.words.begin(), arguments.words.end());
  if (arguments.where.empty()) {
    if (folders.empty())
      throw InputError("runs rm: expected the folders of runs, or --where and the folder to look in");
    return folders;
  }
  if (folders.size() > 1) throw InputError("runs rm: expected one folder to look in with --where");
  const fs::path below = folder_in(arguments.words);
  // What goes does so for what its own files say.
  lab::RunIndex index = open_index(below.string(), Begin::without_cache);
  folders.clear();
  if (index.size() > 0)
    for (const auto& row : index.select({.where = arguments.where, .columns = {"path"}}).rows)
      folders.push_back(file::normal_path(below / std::get<std::string>(row.front())));
  tell_remarks(index);
  return folders;
}

int rm(const Arguments& arguments) {
  const std::vector<record::Removal> removals = lab::plan_removals(chosen_folders(arguments));
  if (arguments.yes) lab::remove(removals);
  Rows rows{{"folder", "files", "MB"}};
  file::Json json = file::Json::array();
  for (const record::Removal& removal : removals) {
    rows.push_back({removal.folder.string(), fmt::format("{}", removal.files),
                    fmt::format("{:.2f}", 1e-6 * static_cast<double>(removal.bytes))});
    json.push_back(file::Json{{"folder", removal.folder.string()},
                              {"files", removal.files},
                              {"bytes", removal.bytes},
                              {"removed", arguments.yes}});
  }
  if (arguments.json)
    print(fmt::format("{}\n", json.dump(2)));
  else if (!removals.empty())
    print(in_columns(rows, "lr"));
  if (removals.empty())
    tell("nothing to remove");
  else if (!arguments.yes)
    tell("nothing was removed yet; --yes removes these");
  return kSuccess;
}

int write_table(const Arguments& arguments) {
  if (arguments.out.empty()) throw InputError("runs export: expected --out FILE.csv or FILE.npz");
  file::require_place(arguments.out, {".csv", ".npz"}, arguments.overwrite);
  const std::string folder = folder_in(arguments.words);
  lab::RunIndex index = open_index(folder, begin_of(arguments));
  const lab::RunTable table = index.select({.where = arguments.where,
                                            .columns = parts_of(arguments.columns),
                                            .sort = arguments.sort,
                                            .descending = arguments.reverse});
  tell_remarks(index);
  if (fs::path(arguments.out).extension() == ".npz")
    write_npz(arguments.out, table, file::if_taken(arguments.overwrite));
  else
    file::write_atomically(arguments.out, to_csv(table), file::if_taken(arguments.overwrite));
  print(fmt::format("{}: {} runs, {} columns\n", arguments.out, table.rows.size(), table.columns.size()));
  return kSuccess;
}

/// What a word in front of the others can ask for, and which options it has beside --json.
struct RunsAction {
  std::string_view name;
  int (*act)(const Arguments&);
  std::vector<std::string_view> options;
};
const std::array<RunsAction, 4>& actions() {
  static const std::array<RunsAction, 4> kActions{
      {{"", list, {"--where", "--columns", "--sort", "--reverse", "--csv", "--json", "--reindex"}},
       {"show", show, {"--json"}},
       {"rm", rm, {"--where", "--yes", "--json"}},
       {"export",
        write_table,
        {"--where", "--columns", "--sort", "--reverse", "--out", "--overwrite", "--reindex"}}}};
  return kActions;
}

void require_options(const RunsAction& action, const Arguments& arguments) {
  const std::pair<std::string_view, bool> given[]{{"--where", !arguments.where.empty()},
                                                  {"--columns", !arguments.columns.empty()},
                                                  {"--sort", !arguments.sort.empty()},
                                                  {"--reverse", arguments.reverse},
                                                  {"--csv", arguments.csv},
                                                  {"--json", arguments.json},
                                                  {"--reindex", arguments.reindex},
                                                  {"--yes", arguments.yes},
                                                  {"--out", !arguments.out.empty()},
                                                  {"--overwrite", arguments.overwrite}};
  for (const auto& [option, is_given] : given)
    if (is_given && std::ranges::find(action.options, option) == action.options.end())
      throw InputError(fmt::format("runs{}{}: has no {}; expected {}", action.name.empty() ? "" : " ",
                                   action.name, option, fmt::join(action.options, ", ")));
}

int act(Arguments arguments) {
  const std::string first = arguments.words.empty() ? "" : arguments.words.front();
  const auto chosen = std::ranges::find_if(
      actions(), [&](const RunsAction& action) { return !first.empty() && action.name == first; });
  const bool listing = chosen == actions().end();
  if (!listing) arguments.words.erase(arguments.words.begin());
  const RunsAction& action = listing ? actions().front() : *chosen;
  require_options(action, arguments);
  if (action.act != rm && action.act != show && arguments.words.size() > 1)
    throw InputError(fmt::format("runs: unexpected argument '{}'", arguments.words[1]));
  std::error_code ignored;
  if (listing && !first.empty() && !fs::exists(first, ignored)) {
    std::vector<std::string> known;
    for (const RunsAction& each : actions()) known.emplace_back(each.name);
    if (const auto near = spec::nearest(first, known))
      throw InputError(fmt::format("runs {0}: no such folder; did you mean 'runs {1}'?", first, *near));
  }
  return action.act(arguments);
}

}  // namespace
}  // namespace of_runs

void add_runs(App& app, Action& action) {
  using namespace of_runs;
  App* verb =
      app.add_subcommand("runs", "List the runs that are there, filter, compare, export and remove them");
  auto arguments = std::make_shared<Arguments>();
  verb->add_option("WHAT", arguments->words,
                   "A folder of runs and sweeps, however deep (default: runs), or an action, as below");
  verb->add_option("--where", arguments->where,
                   "Only runs for which this holds: = != < <= > >=, and, or, not, brackets")
      ->type_name("FILTER");
  verb->add_option("--columns", arguments->columns,
                   "Columns, with commas between them (default: path, status, keys that differ, numbers)")
      ->type_name("NAMES");
  verb->add_option("--sort", arguments->sort, "By this column (default: by path)")->type_name("NAME");
  verb->add_flag("--reverse", arguments->reverse, "The largest first");
  verb->add_flag("--csv", arguments->csv, "Print as CSV, all digits");
  verb->add_flag("--json", arguments->json, "Print as JSON");
  verb->add_flag("--reindex", arguments->reindex, "Read every run again, whatever the index says");
  verb->add_flag("--yes", arguments->yes, "rm: do it; without it, what would go is printed");
  verb->add_option("--out", arguments->out, "export: the file")->type_name("FILE");
  add_overwrite(*verb, arguments->overwrite);
  verb->footer(
      "Actions:\n"
      "  show RUN      everything that run.json and spec.toml of one run say\n"
      "  rm RUN...     remove runs and sweeps: what sluice wrote, where nothing else is and nobody is at "
      "work\n"
      "  export [DIR]  a row per run, every column, to a .csv or .npz\n\n"
      "A column is a key of the spec (task.gain, or gain where no other key ends so), a number of run.json\n"
      "(localized_share, or localized), or one of path, name, status, version, fingerprint, ended, "
      "seconds.\n"
      "Statuses: finished, diverged, interrupted, unfinished (at work, or killed), unreadable.\n\n"
      "Examples:\n"
      "  sluice runs\n"
      "  sluice runs --where 'gain > 1 and localized > 0.2' --sort accuracy --reverse\n"
      "  sluice runs runs/grid --columns gain,seed,loss --csv\n"
      "  sluice runs show runs/localization\n"
      "  sluice runs rm --where 'status = diverged or loss > 1'\n"
      "  sluice runs export --where 'activation = relu' --out relu.npz");
  verb->callback([&action, arguments] { action = [arguments] { return act(*arguments); }; });
}

}  // namespace sluice::cli
