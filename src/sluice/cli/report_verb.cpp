/// sluice report: the page of a run, or of several side by side, from their folders.
#include <fmt/format.h>

#include <filesystem>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sluice/cli/print.hpp"
#include "sluice/cli/shared_options.hpp"
#include "sluice/cli/verbs.hpp"
#include "sluice/file/errors.hpp"
#include "sluice/file/json.hpp"
#include "sluice/file/place.hpp"
#include "sluice/lab/recorded.hpp"
#include "sluice/lab/report.hpp"
#include "sluice/lab/sweep.hpp"
#include "sluice/math/workers.hpp"
#include "sluice/record/manifest.hpp"

namespace sluice::cli {
namespace of_report {
namespace {

struct Arguments {
  std::vector<std::string> runs;
  std::string out;
  bool overwrite = false;
  bool json = false;
  bool each = false;
};

void print_json(const std::filesystem::path& page, const std::vector<std::string>& runs) {
  file::Json folders = file::Json::array();
  for (const std::string& run : runs) folders.push_back(run);
  print(fmt::format("{}\n", file::Json{{"file", page.string()}, {"runs", folders}}.dump(2)));
}

/// The page of a run, in its folder.
void write_own_page(const lab::Recorded& run) {
  const std::filesystem::path page = run.recording.folder / "report.html";
  record::write_into(page.parent_path(), {page.filename().string()}, lab::is_spec,
                     [&] { lab::write_run_page(page, run); });
}

/// The pages of all runs in their folders, and those of their sweeps again, with links to them.
int report_each(const Arguments& arguments) {
  if (!arguments.out.empty()) throw InputError("--each and --out: expected one of them");
  math::Workers workers(math::hardware_threads());
  for (const std::string& folder : arguments.runs) {
    for (const lab::Recorded& run : lab::read_runs(folder)) {
      write_own_page(run);
      print(fmt::format("{}\n", (run.recording.folder / "report.html").string()));
    }
    if (lab::is_sweep(folder)) lab::compare_again(folder, workers);
  }
  return kSuccess;
}

int report(const Arguments& arguments) {
  if (arguments.each) return report_each(arguments);
  std::vector<lab::Recorded> runs;
  for (const std::string& folder : arguments.runs) {
    std::vector<lab::Recorded> found = lab::read_runs(folder);
    std::move(found.begin(), found.end(), std::back_inserter(runs));
  }
  std::vector<std::string> folders;
  for (const lab::Recorded& run : runs) folders.push_back(run.recording.folder.string());
  std::filesystem::path page = arguments.out;
  if (page.empty())
    page = runs.size() == 1 ? runs.front().recording.folder / "report.html" : "comparison.html";
  if (runs.size() > 1 || !arguments.out.empty())  // not the page of a run, which sluice may renew
    file::require_place(page, {".html"}, arguments.overwrite);
  const file::IfTaken if_taken = file::if_taken(arguments.overwrite);
  if (runs.size() > 1)
    lab::write_comparison_page(page, std::move(runs), if_taken);
  else if (!arguments.out.empty())
    lab::write_run_page(page, runs.front(), if_taken);
  else
    write_own_page(runs.front());
  if (arguments.json)
    print_json(page, folders);
  else
    print(fmt::format("{}\n", page.string()));
  return kSuccess;
}

}  // namespace
}  // namespace of_report

void add_report(App& app, Action& action) {
  using namespace of_report;
  App* verb = app.add_subcommand("report", "Write the page of a run, or of several runs side by side");
  auto arguments = std::make_shared<Arguments>();
  verb->add_option("RUN", arguments->runs, "Folders of finished runs, or of sweeps")
      ->required()
      ->type_name("DIR");
  verb->add_option("--out", arguments->out,
                   "Page to write (default: RUN/report.html; comparison.html for several)")
      ->type_name("FILE.html");
  verb->add_flag("--each", arguments->each,
                 "The page of every run in its own folder; the page of a sweep then links them");
  add_overwrite(*verb, arguments->overwrite);
  verb->add_flag("--json", arguments->json, "Print what was written as JSON");
  verb->footer(
      "Examples:\n"
      "  sluice report runs/localization/gain=3\n"
      "  sluice report runs/localization --each\n"
      "  sluice report runs/gaussian runs/localization/gain=3 --out comparison.html");
  verb->callback([&action, arguments] { action = [arguments] { return report(*arguments); }; });
}

}  // namespace sluice::cli
