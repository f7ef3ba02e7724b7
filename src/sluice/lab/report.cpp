#include "sluice/lab/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <utility>

#include "sluice/figure/page_data.hpp"
#include "sluice/figure/report.hpp"
#include "sluice/file/atomic_file.hpp"
#include "sluice/lab/conditions.hpp"
#include "sluice/lab/curves.hpp"
#include "sluice/lab/functions.hpp"
#include "sluice/lab/reproduce.hpp"
#include "sluice/lab/run_figures.hpp"
#include "sluice/lab/sweep_tables.hpp"
#include "sluice/math/statistics.hpp"
#include "sluice/version.hpp"

namespace sluice::lab {
namespace fs = std::filesystem;
namespace {

constexpr std::uintmax_t kMostEmbedded =
    1 << 20;  // bytes of record.npz that a page may carry, over all its runs
constexpr std::size_t kLiveBudget = 2'000'000;  // bytes of data that a page may ask for every second

std::vector<figure::Fact> facts_of(const record::Summary& summary) {
  std::vector<figure::Fact> facts;
  for (const record::Number& number : summary.numbers())
    if (!summary.repeats(*number.kind)) facts.push_back({summary.title(*number.kind), number.text()});
  return facts;
}

/// A run as the page is given it.
figure::PageRun page_run(const std::string& label, const record::Recording& run,
                         const figure::RunData& data) {
  return {.label = label,
          .facts = facts_of(run.summary),
          .spec = run.spec,
          .record = &run.arrays,
          .fields = data.kernels(),
          .columns = data.view().columns,
          .channels = data.view().channels,
          .has_fields = data.has_fields(),
          .has_places = run.layout.has_places(),
          .evaluated_on = std::string(record::to_string(run.summary.on))};
}

/// The same with its record, where there is one by now; below `most_embedded` bytes it travels inside, for pages that are mailed.
figure::PageRun page_run(const std::string& label, const record::Recording& run, const fs::path& page,
                         const figure::RunData& data, std::uintmax_t most_embedded) {
  figure::PageRun given = page_run(label, run, data);
  const fs::path arrays = run.folder / "record.npz";
  if (run.folder.empty() || !fs::exists(arrays)) return given;
  given.record_link = beside_page(arrays, page);
  if (fs::file_size(arrays) <= most_embedded) given.record_bytes = file::read_text(arrays);
  return given;
}

/// The settings of a run as the viewer wants them.
void add_settings(figure::PageRun& given, const Recorded& run) {
  for (const Setting& setting : run.settings) given.settings.push_back({setting.name, setting.value});
}

std::string footer(const std::vector<const record::Recording*>& runs) {
  std::string text = fmt::format("sluice {}.", version());
  const bool fields = std::ranges::any_of(
      runs, [](const record::Recording* run) { return run->summary.find("ipr_mean_end").has_value(); });
  if (fields) text += " IPR is Σw⁴/(Σw²)².";
  return text + " Losses are means over a set; all arrays are in record.npz.";
}

figure::ReportSection section(std::string heading, std::string text, std::vector<figure::Figure> figures,
                              std::vector<figure::Fact> facts = {}) {
  return {.heading = std::move(heading),
          .text = std::move(text),
          .figures = std::move(figures),
          .facts = std::move(facts),
          .preformatted = ""};
}

figure::ReportSection spec_section(std::string text, const std::string& spec) {
  figure::ReportSection made = section("Spec", std::move(text), {});
  made.preformatted = spec;
  return made;
}

/// Fields, and everything that is one number over training.
bool in_viewer(const figure::Figure& figure) {
  static constexpr std::string_view kFields[] = {"receptive_fields", "evolution", "flow_comparison",
                                                 "unit_curves"};
  return std::ranges::find(kFields, figure.name) != std::end(kFields) || figure.name == "learning" ||
         std::ranges::find(curve_groups(), figure.name, &CurveGroup::name) != curve_groups().end();
}

/// A file or folder of a run, relative to its page; empty where there is none.
std::string link_to(const record::Recording& run, const char* name, const fs::path& page) {
  if (run.folder.empty() || !fs::exists(run.folder / name)) return "";
  return beside_page(run.folder / name, page);
}

/// The page of one run, with these figures.
std::string page_of(const fs::path& page, const record::Recording& run, const Experiment& experiment,
                    const figure::RunData& data, const std::vector<figure::Figure>& figures) {
  const figure::PageRun given = page_run(run.name, run, page, data, kMostEmbedded);
  figure::Report report{.title = experiment.title.empty() ? run.name : experiment.title,
                        .question = experiment.question,
                        .key_numbers = given.facts,
                        .table = {},
                        .sections = {},
                        .footer = footer({&run}),
                        .data = figure::page_data(std::span(&given, 1))};
  // What the viewer does not show stays beside it.
  figure::ReportSection shown = section(given.has_fields ? "Receptive fields" : "Training", "", {});
  figure::ReportSection others = section("Units, kernels and gates", "", {});
  for (const figure::Figure& figure : figures) (in_viewer(figure) ? shown : others).figures.push_back(figure);
  shown.also_in_viewer = true;
  shown.files = others.files = link_to(run, "figures", page);
  if (!shown.figures.empty()) report.sections.push_back(std::move(shown));
  if (!others.figures.empty()) report.sections.push_back(std::move(others));
  report.sections.push_back(spec_section(run.functions.empty()
                                             ? "The resolved spec: running it again gives the same bits."
                                             : "The resolved spec. " + missing_functions(run),
                                         run.spec));
  report.sections.push_back(reproduce_section({&run}, report.title, page));
  return figure::report_html(report);
}

/// "0.9712 ± 0.0013 (5)": mean, standard deviation and number of values.
std::string spread(const record::NumberKind& kind, const std::vector<double>& values) {
  const math::Statistics statistics(values);
  std::string mean = record::Number{&kind, statistics.mean()}.text();
  if (values.size() < 2) return mean;
  return fmt::format("{} ± {} ({})", mean, record::Number{&kind, statistics.deviation()}.text(),
                     values.size());
}

/// Where several runs differ in the seed alone: a section for each condition with what they come down to together.
std::vector<figure::ReportSection> seed_sections(const std::vector<Recorded>& runs) {
  std::vector<std::string> order;
  std::map<std::string, std::vector<const Recorded*>> by_label;
  for (const Recorded& run : runs) {
    const std::string label = label_of(condition_of(run));
    if (!by_label.contains(label)) order.push_back(label);
    by_label[label].push_back(&run);
  }
  std::vector<figure::ReportSection> sections;
  if (order.size() == runs.size()) return sections;
  const std::vector<const record::NumberKind*> kinds = kinds_in(runs, true);
  for (const std::string& label : order) {
    std::vector<figure::Fact> facts;
    for (const record::NumberKind* kind : kinds) {
      std::vector<double> values;
      for (const Recorded* run : by_label[label])
        if (const auto value = run->recording.summary.find(kind->key);
            value && std::isfinite(*value) && is_finished(*run))
          values.push_back(*value);
      if (!values.empty())
        facts.push_back({by_label[label].front()->recording.summary.title(*kind), spread(*kind, values)});
    }
    sections.push_back(section(label.empty() ? "All seeds" : label, "", {}, std::move(facts)));
  }
  return sections;
}

/// What stands above and below the runs of a comparison.
struct Heading {
  std::string title, question, spec_text, spec;
  std::string files = {};  ///< where the figures of all runs are written, relative to the page
};

/// What neither the viewer nor the curves of a comparison show.
bool about_units_and_gates(const figure::Figure& figure) {
  return figure.name == "biases" || figure.name == "unit_curves" || figure.name == "sign_flipping" ||
         figure.name == "gate_structure" || figure.name == "pair_covariance";
}

/// The page of several runs, and the figures that belong to all of them.
struct RunsPage {
  std::string html;
  std::vector<figure::Figure> shared;
};
RunsPage runs_page(const fs::path& page, const Heading& heading, const std::vector<Recorded>& runs) {
  constexpr std::size_t kMostShown = 6;  // runs with a section of their own
  std::vector<figure::RunData> data;
  std::vector<figure::PageRun> given;
  std::vector<const record::Recording*> recordings;
  data.reserve(runs.size());
  for (const Recorded& run : runs) {
    const std::string label = label_of(run.settings);
    data.emplace_back(label, run.arrays(), run.recording.layout);
    given.push_back(page_run(label, run.recording, page, data.back(), kMostEmbedded / runs.size()));
    add_settings(given.back(), run);
    // Pages of points are made when somebody asks for them.
    given.back().page_link = link_to(run.recording, "report.html", page);
    recordings.push_back(&run.recording);
  }
  const Comparison comparison = compare(runs, data);
  std::vector<figure::ReportSection> sections;
  if (!comparison.fields.empty()) {
    sections.push_back(section("Side by side", "", comparison.fields));
    sections.back().also_in_viewer = true;
  }
  std::vector<figure::ReportSection> seeds = seed_sections(runs);
  // Means over seeds are not in the viewer; the curves of single runs are.
  std::vector<figure::Figure> curves = comparison.curves;
  const auto shown = std::stable_partition(curves.begin(), curves.end(), [&](const figure::Figure& figure) {
    return !seeds.empty() || !in_viewer(figure);
  });
  const std::string about = comparison.fields.empty() ? "Side by side" : "Curves";
  if (shown != curves.begin())
    sections.push_back(section(about, seeds.empty() ? "" : "Means over seeds with standard errors.",
                               {curves.begin(), shown}));
  if (shown != curves.end()) {
    sections.push_back(section(about, "", {shown, curves.end()}));
    sections.back().also_in_viewer = true;
  }
  std::ranges::move(seeds, std::back_inserter(sections));
  if (!comparison.flow.empty())
    sections.push_back(section("Distance to the flow",
                               "Root mean square over time and, where there are several, over runs.",
                               comparison.flow));
  for (figure::ReportSection& each : sections) each.files = heading.files;
  std::vector<figure::ReportSection> single;
  for (const std::size_t i : representatives(settings_of(runs), kMostShown)) {
    std::vector<figure::Figure> figures = page_figures(runs[i].recording, data[i]);
    const auto gates =
        std::stable_partition(figures.begin(), figures.end(),
                              [](const figure::Figure& figure) { return !about_units_and_gates(figure); });
    if (gates != figures.end())
      sections.push_back(
          section(fmt::format("Units and gates at {}", given[i].label), "", {gates, figures.end()}));
    figures.erase(gates, figures.end());
    single.push_back(section(given[i].label, "", std::move(figures), given[i].facts));
    single.back().also_in_viewer = true;
    single.back().files = link_to(runs[i].recording, "figures", page);
  }
  std::ranges::move(single, std::back_inserter(sections));
  sections.push_back(spec_section(heading.spec_text, heading.spec));
  sections.push_back(reproduce_section(recordings, heading.title, page));
  const figure::Report report{.title = heading.title,
                              .question = heading.question,
                              .key_numbers = {},
                              .answer = comparison.answer,
                              .table = summary_table(runs),
                              .sections = std::move(sections),
                              .footer = footer(recordings),
                              .data = figure::page_data(given)};
  std::vector<figure::Figure> shared = comparison.answer;
  for (const auto* more : {&comparison.fields, &comparison.curves, &comparison.flow})
    shared.insert(shared.end(), more->begin(), more->end());
  return {figure::report_html(report), std::move(shared)};
}

/// Of the page of a sweep.
Heading sweep_heading(const std::string& name, const std::vector<Recorded>& runs) {
  const Experiment& first = *runs.front().experiment;
  return {.title = first.title.empty() ? name : first.title,
          .question = first.question,
          .spec_text =
              "The resolved spec of the first run; the others differ only in what the table's first columns "
              "name, and each run has its own.",
          .spec = runs.front().recording.spec};
}

}  // namespace

LiveReport live_report(const std::vector<Recorded>& runs, const figure::Live& live) {
  std::vector<figure::RunData> data;
  std::vector<figure::PageRun> given;
  std::vector<const record::Recording*> recordings;
  data.reserve(runs.size());
  for (const Recorded& run : runs) {
    const std::string label = run.settings.empty() ? run.recording.name : label_of(run.settings);
    data.emplace_back(label, run.arrays(), run.recording.layout);
    given.push_back(page_run(label, run.recording, data.back()));
    add_settings(given.back(), run);
    recordings.push_back(&run.recording);
  }
  const Experiment& first = *runs.front().experiment;
  figure::Report report{.title = first.title.empty() ? runs.front().recording.name : first.title,
                        .question = first.question,
                        .key_numbers = runs.size() == 1 ? given.front().facts : std::vector<figure::Fact>{},
                        .footer = footer(recordings),
                        .data = figure::page_data(given, kLiveBudget, live),
                        .live = true};
  report.sections.push_back(spec_section("The resolved spec of the first run.", runs.front().recording.spec));
  std::string html = figure::report_html(report);
  return {std::move(html), std::move(report.data)};
}

void write_run_report(const record::Recording& run, const Experiment& experiment, const Claim& claim,
                      math::Workers& workers) {
  const figure::RunData data(run.name, run.arrays, run.layout);
  const std::vector<figure::Figure> figures = page_figures(run, data);
  write_figures(figures, run.folder, claim, workers);
  const fs::path page = run.folder / "report.html";
  claim({page.filename().string()});
  file::write_atomically(page, page_of(page, run, experiment, data, figures));  // which links what is there
}

std::string run_page(const Recorded& run, const fs::path& page) {
  const figure::RunData data(run.recording.name, run.arrays(), run.recording.layout);
  return page_of(page, run.recording, *run.experiment, data, page_figures(run.recording, data));
}

void write_run_page(const fs::path& page, const Recorded& run, file::IfTaken if_taken) {
  file::write_atomically(page, run_page(run, page), if_taken);
}

figure::ReportTable summary_table(const std::vector<Recorded>& runs) {
  const std::vector<const record::NumberKind*> kinds = kinds_in(runs, true);
  figure::ReportTable table;
  for (const Setting& setting : runs.front().settings) table.header.push_back(setting.name);
  for (const record::NumberKind* kind : kinds)
    table.header.push_back(runs.front().recording.summary.title(*kind));
  for (const Recorded& run : runs) {
    std::vector<std::string>& row = table.rows.emplace_back();
    for (const Setting& setting : run.settings) row.push_back(setting.value);
    for (const record::NumberKind* kind : kinds) {
      const std::optional<double> value = run.recording.summary.find(kind->key);
      row.push_back(value ? record::Number{kind, *value}.text() : "");
    }
  }
  return table;
}

void write_sweep_report(const fs::path& folder, const std::string& name, const std::vector<Recorded>& runs,
                        const Claim& claim, math::Workers& workers) {
  Heading heading = sweep_heading(name, runs);
  heading.files = "figures";
  claim({"report.html", "summary.csv", "sweep.csv"});
  const RunsPage made = runs_page(folder / "report.html", heading, runs);
  file::write_atomically(folder / "report.html", made.html);
  write_figures(made.shared, folder, claim, workers);
  file::write_atomically(folder / "summary.csv", summary_csv(runs));
  file::write_atomically(folder / "sweep.csv", sweep_csv(runs));
}

std::string sweep_page(const std::string& name, const std::vector<Recorded>& runs) {
  return runs_page({}, sweep_heading(name, runs), runs).html;
}

void write_comparison_page(const fs::path& page, std::vector<Recorded> runs, file::IfTaken if_taken) {
  constexpr std::size_t kMostSettings = 4;  // a longer label names nothing
  tell_apart(runs);
  bool one_title = true;
  for (Recorded& run : runs) {
    if (run.settings.empty() || run.settings.size() > kMostSettings)
      run.settings = {{"run", fs::absolute(run.recording.folder).filename().string()}};
    one_title = one_title && run.experiment->title == runs.front().experiment->title;
  }
  const Experiment& first = *runs.front().experiment;
  const Heading heading{
      .title = one_title && !first.title.empty() ? first.title : fmt::format("{} runs compared", runs.size()),
      .question = one_title ? first.question : "",
      .spec_text = "The resolved spec of the first run; each run folder holds its own.",
      .spec = runs.front().recording.spec};
  file::write_atomically(page, runs_page(page, heading, runs).html, if_taken);
}

}  // namespace sluice::lab
