#include "sluice/lab/sweep_figures.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

#include "sluice/figure/recipes.hpp"
#include "sluice/figure/sweep_view.hpp"
#include "sluice/figure/table_view.hpp"
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

bool has_seeds(const DrawnSweep& sweep) {
  return condition_of(sweep.runs.front()).size() < sweep.runs.front().settings.size();
}

const std::string& status_in(const Recorded& run) { return run.recording.status; }

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

figure::Figure with_note(figure::Figure figure, const std::string& left_out) {
  if (!left_out.empty()) figure.caption += fmt::format(" {}.", left_out);
  return figure;
}

const std::vector<SweepFigure>& sweep_figures() {
  static const std::vector<SweepFigure> all = [] {
    std::vector<SweepFigure> figures{
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
  keep_chosen(sweep.runs, request.runs, [](const Recorded& run) {
    return run.recording.folder.empty() ? fs::path(run.recording.name) : run.recording.folder;
  });
  sweep.left_out = leave_out(sweep.runs, status_in);
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
    const std::string left_out = leave_out(results, status_in);
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
  if (const RunPoints points = points_of(runs);
      no_curve(points).empty() && !varied_keys(settings_of(runs)).empty())
    comparison.answer.push_back(draw_curve(points, {}));
  const SideBySide shown = side_by_side(runs, data);
  if (!shown.runs.empty()) comparison.fields.push_back(draw_comparison(shown));
  comparison.curves =
      compare_curves(labelled(runs), shown.runs.empty() || Conditions(settings_of(runs)).with_seeds());
  if (const std::optional<figure::Figure> flow = flow_distances(runs)) comparison.flow.push_back(*flow);
  return comparison;
}

}  // namespace sluice::lab
