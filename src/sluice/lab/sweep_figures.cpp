#include "sluice/lab/sweep_figures.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fnmatch.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

#include "sluice/figure/recipes.hpp"
#include "sluice/figure/sweep_view.hpp"
#include "sluice/figure/table_view.hpp"
#include "sluice/file/errors.hpp"
#include "sluice/lab/conditions.hpp"
#include "sluice/lab/curves.hpp"
#include "sluice/lab/sweep_curve.hpp"
#include "sluice/math/statistics.hpp"

namespace sluice::lab {
namespace fs = std::filesystem;

figure::RunData data_of(const Recorded& run) {
  return {run.settings.empty() ? run.recording.name : label_of(run.settings), run.arrays(),
          run.recording.layout};
}

namespace {

constexpr std::size_t kMostColumns = 6;  // what still reads on a page

/// Some runs with receptive fields side by side, and how they were chosen.
struct SideBySide {
  std::vector<figure::ComparedRun> runs;
  std::string choice;
};

SideBySide side_by_side(const std::vector<Recorded>& runs, const std::vector<figure::RunData>& data,
                        const std::vector<std::int64_t>& units = {}) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  std::vector<Settings> with_fields;
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (!data[i].has_fields()) continue;
    with_fields.push_back(runs[i].settings);
    places.push_back(i);
  }
  SideBySide shown;
  if (with_fields.empty()) return shown;
  const Conditions conditions(with_fields);
  const std::vector<figure::Color> colors = colors_of(conditions);
  const bool one_condition = conditions.all.size() == 1;
  const std::vector<std::size_t> chosen = representatives(with_fields, kMostColumns);
  for (const std::size_t i : chosen) {
    const record::Summary& summary = runs[places[i]].recording.summary;
    shown.runs.push_back(
        {.label = data[places[i]].view().title,
         .view = data[places[i]].view(),
         .localized_share = summary.find("localized_share").value_or(kNone),
         .kurtosis = summary.find("excess_kurtosis").value_or(kNone),
         .color = one_condition ? figure::category(shown.runs.size()) : colors[conditions.of_run[i]]});
    shown.runs.back().view.chosen.assign(units.begin(), units.end());
  }
  if (chosen.size() == with_fields.size()) return shown;
  const std::string of = fmt::format("{} of {} runs", chosen.size(), with_fields.size());
  if (one_condition) {
    shown.choice = fmt::format("The first {}.", of);
  } else if (chosen.size() == conditions.all.size()) {
    shown.choice = fmt::format("{}: one seed at each {}.", of, fmt::join(varied_keys(with_fields), " and "));
  } else {
    shown.choice = fmt::format("{}, chosen so that they go through the values of {}.", of,
                               fmt::join(varied_keys(with_fields), " and "));
  }
  return shown;
}

figure::Figure draw_comparison(const SideBySide& shown) {
  figure::Figure drawn = figure::comparison(shown.runs);
  if (!shown.choice.empty()) drawn.caption = shown.choice + " " + drawn.caption;
  return drawn;
}

std::size_t place_in(std::vector<std::string>& values, const std::string& value) {
  const auto found = std::ranges::find(values, value);
  if (found != values.end()) return static_cast<std::size_t>(found - values.begin());
  values.push_back(value);
  return values.size() - 1;
}

bool has_seeds(const DrawnSweep& sweep) {
  return condition_of(sweep.runs.front()).size() < sweep.runs.front().settings.size();
}

/// Leaves runs that diverged out, and unfinished ones where others have finished; says so.
std::string leave_out(std::vector<Recorded>& runs) {
  const std::size_t all = runs.size();
  const std::size_t diverged =
      std::erase_if(runs, [](const Recorded& run) { return run.recording.status == "diverged"; });
  std::size_t unfinished = 0;
  if (std::ranges::any_of(runs, is_finished))
    unfinished = std::erase_if(runs, [](const Recorded& run) { return !is_finished(run); });
  const std::string behind = fmt::format("{} not finished", unfinished == 1 ? "has" : "have");
  if (diverged > 0 && unfinished > 0)
    return fmt::format("{} of {} runs diverged, {} {}; they are left out", diverged, all, unfinished, behind);
  if (diverged + unfinished == 0) return "";
  return fmt::format("{} of {} runs {} and {} left out", diverged + unfinished, all,
                     diverged > 0 ? "diverged" : behind, diverged + unfinished == 1 ? "is" : "are");
}

figure::Figure with_note(figure::Figure figure, const std::string& left_out) {
  if (!left_out.empty()) figure.caption += fmt::format(" {}.", left_out);
  return figure;
}

/// Means over seeds of up to three numbers, empty where no run has them.
figure::Figure draw_phase_diagram(const DrawnSweep& sweep) {
  struct Panel {
    const char* key;
    figure::PhaseView::Panel panel;
    double factor;
  };
  std::vector<Panel> panels;
  for (const Panel& each :
       {Panel{"ipr_mean_end", {"mean IPR", 2}, 1}, Panel{"localized_share", {"localized  (%)", 0}, 100},
        Panel{"accuracy", {"accuracy", 3}, 1}, Panel{"error", {"‖e(t)‖/‖e(0)‖", 3}, 1}}) {
    const bool somewhere = std::ranges::any_of(
        sweep.runs, [&](const Recorded& run) { return run.recording.summary.find(each.key).has_value(); });
    if (somewhere && panels.size() < 3) panels.push_back(each);
  }
  const std::vector<Setting> axes = condition_of(sweep.runs.front());
  figure::PhaseView view{.title = "",
                         .x_label = axis_label(axes[0].name),
                         .y_label = axis_label(axes[1].name),
                         .x = {},
                         .y = {},
                         .panels = {}};
  for (const Settings& settings : sweep.planned) {
    const Settings at = without_seed(settings);
    place_in(view.x, value_label(at[0].value));
    place_in(view.y, value_label(at[1].value));
  }
  struct Cell {
    std::array<double, 3> sums{}, runs{};
  };
  std::map<std::pair<std::size_t, std::size_t>, Cell> cells;
  for (const Recorded& run : sweep.runs) {
    const std::vector<Setting> at = condition_of(run);
    Cell& cell =
        cells[{place_in(view.x, value_label(at[0].value)), place_in(view.y, value_label(at[1].value))}];
    for (std::size_t i = 0; i < panels.size(); ++i) {
      const std::optional<double> number = run.recording.summary.find(panels[i].key);
      if (!number) continue;
      cell.sums.at(i) += panels[i].factor * *number;
      ++cell.runs.at(i);
    }
  }
  for (std::size_t i = 0; i < panels.size(); ++i) {
    view.panels.push_back(panels[i].panel);
    for (std::size_t x = 0; x < view.x.size(); ++x)
      for (std::size_t y = 0; y < view.y.size(); ++y) {
        const Cell& cell = cells[{x, y}];
        view.panels[i].value.push_back(cell.sums.at(i) / cell.runs.at(i));
      }
  }
  if (has_seeds(sweep)) view.title = "means over seeds";
  return figure::phase_diagram(view);
}

figure::Figure draw_seeds(const DrawnSweep& sweep) {
  const Conditions conditions(settings_of(sweep.runs));
  const std::vector<figure::Color> colors = colors_of(conditions);
  std::vector<figure::SeedsView> views;
  for (std::size_t c = 0; c < conditions.all.size(); ++c)
    views.push_back({label_of(conditions.all[c]), {}, colors[c]});
  for (std::size_t i = 0; i < sweep.runs.size(); ++i)
    views[conditions.of_run[i]].runs.push_back(sweep.data[i].view());
  return figure::seeds(views);
}

/// Distance to the flow against the first axis of a sweep, where every run watched it and the axis is a number: root mean
/// square over time and over the other axes. Over the batch also the law of independent noise, 1/√batch.
std::optional<figure::Figure> flow_distances(const std::vector<Recorded>& points) {
  std::map<double, std::vector<double>> squares;  // of each run, by x
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (points[i].settings.empty()) return std::nullopt;
    const std::optional<double> x = number_in(points[i].settings.front().value);
    const file::Array* watched = file::find(points[i].arrays(), "flow_distance");
    if (!x || watched == nullptr) return std::nullopt;
    const std::vector<double>& distance = watched->as<double>();
    squares[*x].push_back(std::inner_product(distance.begin(), distance.end(), distance.begin(), 0.0) /
                          static_cast<double>(distance.size()));
  }
  if (squares.size() < 2) return std::nullopt;
  const std::string& axis = points.front().settings.front().name;
  figure::LinesView view{.name = "flow_distance",
                         .title = "Distance of training from its flow",
                         .x_label = axis,
                         .y_label = "relative distance (%)",
                         .x = {},
                         .curves = {{"training", {}, {}}},
                         .power_law = axis == "batch"};
  double level = 0;  // mean of log(distance·√x)
  for (const auto& [x, of_runs] : squares) {
    const math::Statistics statistics(of_runs);
    const double rms = 100 * std::sqrt(statistics.mean());
    view.x.push_back(x);
    view.curves[0].y.push_back(rms);
    view.curves[0].error.push_back(rms / 2 * statistics.error() / statistics.mean());
    level += std::log(rms * std::sqrt(x)) / static_cast<double>(squares.size());
  }
  if (axis == "batch") {
    view.curves.push_back({"1/√batch", {}, {}});
    for (const double x : view.x) view.curves[1].y.push_back(std::exp(level) / std::sqrt(x));
  }
  return figure::table_lines(view);
}

/// The runs by their conditions, for curves.
std::vector<LabelledRecord> labelled(const std::vector<Recorded>& runs) {
  const Conditions conditions(settings_of(runs));
  const std::vector<figure::Color> colors = colors_of(conditions);
  std::vector<LabelledRecord> records;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const std::size_t which = conditions.of_run[i];
    records.push_back({label_of(conditions.all[which]), &runs[i].arrays(), runs[i].recording.summary.on,
                       conditions.all.size() > 1 ? std::optional(colors[which]) : std::nullopt});
  }
  return records;
}

}  // namespace

const std::vector<SweepFigure>& sweep_figures() {
  static const std::vector<SweepFigure> all = [] {
    std::vector<SweepFigure> figures{
        {"curve", "of a sweep: a number at the end against a key, mean over seeds with bars",
         [](const DrawnSweep& sweep) { return no_curve(sweep.runs); },
         [](const DrawnSweep& sweep) { return draw_curve(sweep.runs, sweep.request.curve); }},
        {"comparison", "of a sweep: final fields and IPR side by side, six runs that stand for all",
         [](const DrawnSweep& sweep) {
           return std::ranges::any_of(sweep.data, &figure::RunData::has_fields)
                      ? std::string()
                      : "needs runs with receptive fields";
         },
         [](const DrawnSweep& sweep) {
           return draw_comparison(side_by_side(sweep.runs, sweep.data, sweep.request.units));
         },
         16},
        {"phase_diagram", "of a sweep over two keys (and seeds): IPR, localized share, accuracy",
         [](const DrawnSweep& sweep) {
           const auto over_two_keys = [](const Settings& settings) {
             const Settings at = without_seed(settings);
             return at.size() == 2 && !at[0].name.empty();
           };
           if (std::ranges::none_of(sweep.runs, is_finished)) return std::string("needs a run that finished");
           return std::ranges::all_of(sweep.planned, over_two_keys)
                      ? std::string()
                      : "needs a sweep over two keys beside seed";
         },
         draw_phase_diagram},
        {"seeds", "of a sweep over seed: learning curves, mean and standard deviation",
         [](const DrawnSweep& sweep) {
           return has_seeds(sweep) && Conditions(settings_of(sweep.runs)).all.size() <= 7
                      ? std::string()
                      : "needs a sweep over seed, of at most seven conditions";
         },
         draw_seeds},
    };
    for (const CurveComparison& curves : curve_comparisons()) {
      figures.push_back({curves.name, curves.meaning,
                         [&curves](const DrawnSweep& sweep) {
                           return curves.draw(labelled(sweep.runs))
                                      ? std::string()
                                      : "needs numbers that all runs hold at the same steps";
                         },
                         [&curves](const DrawnSweep& sweep) { return *curves.draw(labelled(sweep.runs)); }});
    }
    for (SweepFigure& each : figures) {  // of results, and of what is none they say so
      each.lack = [lack = each.lack](const DrawnSweep& sweep) {
        const std::string why = sweep.runs.empty() ? "needs a run that finished" : lack(sweep);
        return why.empty() || sweep.left_out.empty() ? why : why + "; " + sweep.left_out;
      };
      each.draw = [draw = each.draw](const DrawnSweep& sweep) {
        return with_note(draw(sweep), sweep.left_out);
      };
    }
    return figures;
  }();
  return all;
}

namespace {

/// What folders are called beside each other: their own names, or whole paths where two have one name.
std::vector<std::string> distinct_names(const Sources& folders) {
  std::vector<std::string> names, paths;
  for (const fs::path& folder : folders) {
    const fs::path path = fs::absolute(folder).lexically_normal();
    paths.push_back((path.has_filename() ? path : path.parent_path()).string());
    if (std::ranges::count(paths, paths.back()) > 1)
      throw InputError(fmt::format("{}: comes twice", folder.string()));
    names.push_back(fs::path(paths.back()).filename().string());
  }
  const bool alike = std::ranges::any_of(
      names, [&](const std::string& name) { return std::ranges::count(names, name) > 1; });
  return alike ? paths : names;
}

/// Those whose folders have one of these names, in which * and ? stand for any text and any letter.
void keep_only(std::vector<Recorded>& runs, const std::vector<std::string>& patterns) {
  if (patterns.empty()) return;
  const auto name_of_run = [](const Recorded& run) {
    const fs::path& folder = run.recording.folder;
    return folder.empty() ? run.recording.name : folder.filename().string();
  };
  const auto fits = [&](const std::string& pattern, const Recorded& run) {
    return ::fnmatch(pattern.c_str(), name_of_run(run).c_str(), FNM_NOESCAPE) == 0 ||
           pattern == name_of_run(run);  // "xi=[2,1]" is a name before it is a pattern
  };
  for (const std::string& pattern : patterns) {
    if (std::ranges::any_of(runs, [&](const Recorded& run) { return fits(pattern, run); })) continue;
    std::vector<std::string> names;
    for (const Recorded& run : runs) names.push_back(name_of_run(run));
    throw InputError(fmt::format("{}: no such run; there are {}", pattern, fmt::join(names, " ")));
  }
  std::erase_if(runs, [&](const Recorded& run) {
    return std::ranges::none_of(patterns, [&](const std::string& pattern) { return fits(pattern, run); });
  });
}

}  // namespace

DrawnSweep open_sweep(const Sources& folders, const FigureRequest& request) {
  std::vector<Recorded> runs;
  const std::vector<std::string> names = distinct_names(folders);
  for (std::size_t i = 0; i < folders.size(); ++i) {
    const fs::path& folder = folders[i];
    for (Recorded& run : is_sweep(folder) ? read_sweep(folder) : read_runs(folder)) {
      if (folders.size() > 1) run.settings.insert(run.settings.begin(), {"", names[i]});
      runs.push_back(std::move(run));
    }
  }
  DrawnSweep sweep = beside_each_other(std::move(runs), request);
  sweep.name = folders.front().string();
  return sweep;
}

DrawnSweep beside_each_other(std::vector<Recorded> runs, const FigureRequest& request) {
  DrawnSweep sweep{.name = "sweep", .runs = std::move(runs)};
  keep_only(sweep.runs, request.runs);
  sweep.planned = settings_of(sweep.runs);
  sweep.left_out = leave_out(sweep.runs);
  sweep.request = request;
  for (const Recorded& run : sweep.runs) sweep.data.push_back(data_of(run));
  return sweep;
}

Comparison compare(const std::vector<Recorded>& runs, const std::vector<figure::RunData>& data) {
  Comparison comparison;
  if (!std::ranges::all_of(runs, is_finished)) {
    std::vector<Recorded> results;
    for (const Recorded& run : runs)
      results.push_back({.recording = run.recording, .experiment = {}, .settings = run.settings});
    const std::string left_out = leave_out(results);
    if (results.empty()) return comparison;
    if (results.size() < runs.size()) {
      std::vector<figure::RunData> of_results;
      for (const Recorded& run : results) of_results.push_back(data_of(run));
      comparison = compare(results, of_results);
      for (auto* figures : {&comparison.answer, &comparison.fields, &comparison.curves, &comparison.flow})
        for (figure::Figure& figure : *figures) figure = with_note(std::move(figure), left_out);
      return comparison;
    }
  }
  if (no_curve(runs).empty() && !varied_keys(settings_of(runs)).empty())
    comparison.answer.push_back(draw_curve(runs, {}));
  const SideBySide shown = side_by_side(runs, data);
  if (!shown.runs.empty()) comparison.fields.push_back(draw_comparison(shown));
  comparison.curves =
      compare_curves(labelled(runs), shown.runs.empty() || Conditions(settings_of(runs)).with_seeds());
  if (const std::optional<figure::Figure> flow = flow_distances(runs)) comparison.flow.push_back(*flow);
  return comparison;
}

}  // namespace sluice::lab
