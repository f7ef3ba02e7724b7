/// sluice figure: any figure of a run or sweep, again, from its folder alone.
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "sluice/cli/figure_options.hpp"
#include "sluice/cli/one_of.hpp"
#include "sluice/cli/print.hpp"
#include "sluice/cli/shared_options.hpp"
#include "sluice/cli/verbs.hpp"
#include "sluice/file/atomic_file.hpp"
#include "sluice/file/errors.hpp"
#include "sluice/file/json.hpp"
#include "sluice/file/place.hpp"
#include "sluice/file/system.hpp"
#include "sluice/lab/experiment.hpp"
#include "sluice/lab/run_figures.hpp"
#include "sluice/record/manifest.hpp"

namespace sluice::cli {
namespace of_figure {
namespace {

namespace fs = std::filesystem;

struct Arguments {
  std::string source;
  std::string name;
  std::vector<std::string> beside;
  std::string format;
  std::string out;
  bool overwrite = false;
  bool list = false;
  bool json = false;
  FigureOptions options;
};

/// What --format and the ending of --out agree on; svg when neither says.
std::string ending_of(const Arguments& arguments) {
  if (arguments.out.empty()) return arguments.format.empty() ? "svg" : arguments.format;
  const std::string ending = fs::path(arguments.out).extension().string();
  if (!figure::format_of(ending))
    throw InputError(fmt::format("--out {}: expected a file ending in .svg, .pdf or .png", arguments.out));
  if (!arguments.format.empty() && ending != "." + arguments.format)
    throw InputError(
        fmt::format("--out {}: expected the ending .{} of --format", arguments.out, arguments.format));
  return ending.substr(1);
}

lab::Sources sources_of(const Arguments& arguments) {
  lab::Sources sources{arguments.source};
  sources.insert(sources.end(), arguments.beside.begin(), arguments.beside.end());
  return sources;
}

/// Figures of a run belong to its folder, unless they are sent elsewhere.
bool into_folder(const Arguments& arguments) {
  return arguments.out.empty() && fs::is_directory(arguments.source);
}

fs::path place_of(const Arguments& arguments, const std::string& name, const std::string& ending) {
  if (!arguments.out.empty()) return arguments.out;
  const fs::path source = arguments.source;
  if (into_folder(arguments)) return source / "figures" / fmt::format("{}.{}", name, ending);
  return source.parent_path() / fmt::format("{}.{}.{}", source.stem().string(), name, ending);
}

/// A figure, drawn; nothing is written before all of them are.
struct Drawn {
  std::string name, bytes, caption;
};

/// Of a folder under its lock, the caption beside the figure. A file that was asked for by name gets no company.
void write(const Arguments& arguments, const fs::path& place, const Drawn& drawn) {
  if (!into_folder(arguments))
    return file::write_atomically(place, drawn.bytes, file::if_taken(arguments.overwrite));
  const std::string caption = drawn.name + ".txt";
  record::write_into(arguments.source, {"figures/" + place.filename().string(), "figures/" + caption},
                     lab::is_spec, [&] {
                       file::make_folders(place.parent_path());
                       file::write_atomically(place, drawn.bytes);
                       file::write_atomically(place.parent_path() / caption, drawn.caption + "\n");
                     });
}

int list(const Arguments& arguments) {
  const std::vector<std::string> names =
      arguments.source.empty()
          ? std::vector<std::string>{}
          : lab::figures_of(sources_of(arguments), arguments.options.request(arguments.name));
  file::Json listed = file::Json::array();
  for (const spec::Choice& choice : lab::figure_choices()) {
    const bool shown = arguments.source.empty() || std::ranges::find(names, choice.name) != names.end();
    if (!shown) continue;
    if (arguments.json)
      listed.push_back(file::Json{{"name", choice.name}, {"meaning", choice.meaning}});
    else
      print(fmt::format("{:<18} {}\n", choice.name, choice.meaning));
  }
  if (arguments.json) print(fmt::format("{}\n", listed.dump(2)));
  return kSuccess;
}

int draw(const Arguments& arguments) {
  if (arguments.list) return list(arguments);
  if (arguments.source.empty())
    throw InputError("figure: expected RUN, the folder of a run or sweep, or an npz file");
  const std::string ending = ending_of(arguments);
  arguments.options.style.require_dots("." + ending);
  if (!arguments.beside.empty() && arguments.out.empty())
    throw InputError(
        "--beside: expected --out FILE with it: the figure belongs to none of the folders alone");
  if (into_folder(arguments) && lab::holds_runs(arguments.source))
    throw InputError(fmt::format(
        "{}: neither a run nor a sweep: expected NAME and --out FILE, the figure belongs to no run",
        arguments.source));
  if (const std::string option = arguments.options.first_typed(); !option.empty() && into_folder(arguments))
    throw InputError(fmt::format(
        "{}: expected --out FILE with it: figures of the folder itself are those without options", option));
  if (arguments.name.empty() && !arguments.out.empty())
    throw InputError(fmt::format("--out {}: expected the NAME of one figure with it", arguments.out));
  const lab::FigureRequest request = arguments.options.request(arguments.name);
  const std::vector<std::string> names =
      arguments.name.empty() ? lab::figures_of(sources_of(arguments), request) : std::vector{arguments.name};
  for (const std::string& name : names)  // all of them, before the first is drawn
    if (!into_folder(arguments))
      file::require_place(place_of(arguments, name, ending), {".svg", ".pdf", ".png"}, arguments.overwrite);
  const figure::Style style = arguments.options.style_of(arguments.name);
  std::vector<Drawn> all;
  for (const std::string& name : names) {
    const figure::Figure drawn = lab::draw_figure(sources_of(arguments), name, request);
    all.push_back(
        {name,
         figure::render(drawn, figure::format_of("." + ending).value(), arguments.options.style.dpi(), style),
         drawn.caption});
  }
  file::Json files = file::Json::array();
  for (const Drawn& drawn : all) {
    const fs::path place = place_of(arguments, drawn.name, ending);
    write(arguments, place, drawn);
    files.push_back(place.string());
    if (!arguments.json) print(fmt::format("{}\n", place.string()));
  }
  if (arguments.json) {
    file::Json said{{"files", files}};
    if (all.size() == 1) said["caption"] = all.front().caption;
    print(fmt::format("{}\n", said.dump(2)));
  } else if (all.size() == 1) {
    print(fmt::format("\n{}\n", all.front().caption));
  }
  return kSuccess;
}

}  // namespace
}  // namespace of_figure

void add_figure(App& app, Action& action) {
  using namespace of_figure;
  App* verb = app.add_subcommand("figure", "Draw a figure of a run, a sweep or any npz as SVG, PDF or PNG");
  auto arguments = std::make_shared<Arguments>();
  verb->add_option("RUN", arguments->source,
                   "The folder of a run or sweep, any folder of runs, or an npz file");
  verb->add_option("NAME", arguments->name, "A figure (default: all there are of RUN); --list names them");
  verb->add_option("--beside", arguments->beside,
                   "Another run or sweep whose curves stand beside, named after its folder (repeatable)")
      ->allow_extra_args(false)
      ->type_name("DIR");
  add_fields_in(*verb, arguments->options.fields);
  verb->add_flag("--list", arguments->list, "List the figures, or those that can be drawn of RUN");
  verb->add_option("--format", arguments->format,
                   "svg, pdf or png (default: by the ending of --out, else svg)")
      ->check(one_of(std::vector<std::string>{"svg", "pdf", "png"}))
      ->type_name("NAME");
  verb->add_option("--out", arguments->out, "File to write (default: RUN/figures/NAME.FORMAT)")
      ->type_name("FILE");
  add_overwrite(*verb, arguments->overwrite);
  arguments->options.add_to(*verb);
  verb->add_flag("--json", arguments->json, "Print the files and, of one figure, its caption as JSON");
  verb->footer(
      "Captions are printed, and beside figures in a run's folder they are files, figures/NAME.txt.\n"
      "A figure with options of its own is another one, and needs --out.\n"
      "curve and phase_diagram take any folder of runs: a sweep, several, or whatever lies below it.\n"
      "\n"
      "Examples:\n"
      "  sluice figure runs/localization --list\n"
      "  sluice figure runs/localization unit_map --format pdf\n"
      "  sluice figure runs/grid curve --x task.gain --y localized --bars sd --out localized.svg\n"
      "  sluice figure runs/grid curve --runs 'gain=3*' --width 86 --font-size 8 --ylim 0,0.3 --out "
      "paper.pdf\n"
      "  sluice figure filters.npz receptive_fields --weights W --layout image\n"
      "  sluice figure runs/grid phase_diagram --out grid.png --dpi 300\n"
      "  sluice figure runs phase_diagram --x task.gain --y task.xi --z localized --where 'hidden = 40' "
      "--boundary flat --out map.svg\n"
      "  sluice figure runs curve --x excess_kurtosis --y localized --where 'hidden = 1' --out kurtosis.svg\n"
      "  sluice figure runs/digits-relu learning --beside runs/digits-galu --out gates.svg");
  verb->callback([&action, arguments] { action = [arguments] { return draw(*arguments); }; });
}

}  // namespace sluice::cli
