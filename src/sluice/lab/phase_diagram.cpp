#include "sluice/lab/phase_diagram.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <utility>

#include "sluice/figure/sweep_view.hpp"
#include "sluice/file/errors.hpp"
#include "sluice/lab/boundary.hpp"
#include "sluice/lab/half_crossing.hpp"
#include "sluice/math/statistics.hpp"

namespace sluice::lab {
namespace {

constexpr double kEmpty = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kMostCells = 24;  // in a row or column that can be read

/// A number that cells show.
struct PhaseNumber {
  std::string column;
  std::string name;
  int decimals;
  double factor = 1;
};

/// Keys beside the seed in which runs differ, those included that were left out.
std::vector<std::string> keys_of_plan(const RunPoints& points) {
  std::vector<std::string> keys;
  for (const Setting& setting : without_seed(points.planned.front())) keys.push_back(setting.name);
  return keys;
}

std::pair<std::string, std::string> axes_of(const RunPoints& points, const PhaseRequest& request) {
  if (!request.x.empty() && !request.y.empty()) return {points.meant(request.x), points.meant(request.y)};
  const std::vector<std::string> keys = keys_of_plan(points);
  return {keys.at(0), keys.at(1)};
}

/// Three digits of the largest.
int decimals_for(const std::vector<double>& values) {
  double most = 0;
  for (const double value : values) most = std::max(most, std::abs(value));
  return most == 0 ? 0 : std::clamp(2 - static_cast<int>(std::floor(std::log10(most))), 0, 4);
}

/// What is shown unless somebody asks for a number, as far as any run has it.
std::vector<PhaseNumber> usual_numbers(const RunPoints& points) {
  std::vector<PhaseNumber> numbers;
  for (const PhaseNumber& each : {PhaseNumber{"ipr_mean_end", "mean IPR", 2},
                                  {"localized_share", "localized  (%)", 0, 100},
                                  {"accuracy", "accuracy", 3},
                                  {"error", "‖e(t)‖/‖e(0)‖", 3}})
    if (points.columns.holds(each.column) && numbers.size() < 3) numbers.push_back(each);
  return numbers;
}

PhaseNumber number_asked(const RunPoints& points, const std::string& word) {
  const std::string column = points.columns.require(word);
  std::vector<double> values;
  for (const RunPoint& run : points.runs)
    if (const std::optional<double> number = run.number(column)) values.push_back(*number);
  if (values.empty()) throw InputError(fmt::format("phase_diagram: {}: no run has a number there", column));
  const record::NumberKind* kind = points.columns.number(column);
  if (kind != nullptr && kind->style == record::Style::percent)
    return {column, std::string(kind->title) + "  (%)", 0, 100};
  return {column, kind == nullptr ? points.short_name(column) : std::string(kind->title),
          decimals_for(values)};
}

/// The values of an axis, those of runs that were left out among them: a column without results is one.
std::vector<std::string> places_of(const RunPoints& points, const std::string& name) {
  RunPoints all = points;
  for (const Settings& settings : points.planned) all.runs.push_back({{}, settings, {}});
  std::vector<std::string> values = all.values(name);
  if (values.size() > kMostCells)
    throw InputError(fmt::format("phase_diagram: {} has {} different values; expected at most {}",
                                 points.short_name(name), values.size(), kMostCells));
  return values;
}

/// Keys beside the two in which runs of a cell differ.
std::vector<std::string> varied_within(const RunPoints& points, const std::string& x, const std::string& y) {
  std::map<std::pair<std::string, std::string>, const RunPoint*> first;
  std::vector<std::string> keys;
  for (const RunPoint& run : points.runs) {
    const RunPoint& other = *first.try_emplace({run.text(x), run.text(y)}, &run).first->second;
    for (const Setting& setting : run.settings)
      if (setting.value != other.text(setting.name) && std::ranges::find(keys, setting.name) == keys.end())
        keys.push_back(setting.name);
  }
  std::ranges::replace(keys, std::string(), std::string("folder"));
  return keys;
}

/// "means over 3 runs each, which differ in seed; in small type their standard deviation"
std::string averaged(std::size_t fewest, std::size_t most, const std::vector<std::string>& varied) {
  if (most <= 1) return "";
  return fmt::format("means over {} runs each{}; in small type their standard deviation",
                     fewest == most ? fmt::format("{}", most) : fmt::format("{} to {}", fewest, most),
                     varied.empty() ? "" : fmt::format(", which differ in {}", fmt::join(varied, " and ")));
}

/// The boundary through the middles of rows, and to both ends of the grid; where the gain goes up, the same with x and y exchanged.
class DrawnBoundaries {
 public:
  DrawnBoundaries(const RunPoints& points, std::string x, std::string y)
      : points_(points),
        upward_(points.whole_name(x) != "task.gain"),
        gain_(upward_ ? std::move(y) : x),
        other_(upward_ ? std::move(x) : std::move(y)) {
    require_gain(points, gain_);
  }

  void add_to(figure::PhaseView& view, const std::string& name, math::Workers& workers) const {
    const theory::GainBoundary& boundary = theory::gain_boundary(name);
    std::vector<double> gains;
    for (const std::string& value : places_of(points_, gain_))
      if (const std::optional<double> gain = number_in(value); gain && std::isfinite(*gain))
        gains.push_back(*gain);
    const std::vector<std::string> rows = places_of(points_, other_);
    std::vector<std::optional<task::NlgpOptions>> tasks;  // what is wrong is said before anything is computed
    for (const std::string& row : rows) tasks.push_back(task_of_row(boundary, row));
    figure::PhaseView::Boundary drawn{std::string(boundary.label)};
    std::vector<std::string> places, beyond;
    for (std::size_t j = 0; j < rows.size(); ++j) {
      const theory::CriticalGain critical =
          tasks[j] ? boundary.at(*tasks[j], kBoundarySeed, workers) : theory::CriticalGain{};
      const double across = place_among(gains, critical.gain), along = static_cast<double>(j) + 0.5;
      if (j == 0) add(drawn, across, along - 0.5);
      add(drawn, across, along);
      if (j + 1 == rows.size()) add(drawn, across, along + 0.5);
      places.push_back(fmt::format("{} at {}", to_text(critical), rows[j]));
      if (std::isfinite(critical.gain) && !std::isfinite(across)) beyond.push_back(rows[j]);
    }
    view.boundaries.push_back(std::move(drawn));
    view.note += fmt::format(
        "{}Line \"{}\": {}, theory of one ReLU unit without bias, mean and standard error over sets of "
        "draws: {}{}.",
        view.note.empty() ? "" : " ", boundary.label, boundary.choice.meaning, fmt::join(places, "; "),
        beyond.empty() ? "" : fmt::format("; beyond the gains here at {}", fmt::join(beyond, "; ")));
  }

  /// Where the share in a panel passes one half along the gain, row by row: the measured boundary beside theory's.
  void add_halves(figure::PhaseView& view, const std::string& share) const {
    std::vector<double> gains;
    std::vector<std::string> places;
    for (const std::string& value : places_of(points_, gain_))
      if (const std::optional<double> gain = number_in(value); gain && std::isfinite(*gain))
        gains.push_back(*gain);
    const std::vector<std::string> rows = places_of(points_, other_);
    for (std::size_t j = 0; j < rows.size(); ++j) {
      std::vector<const RunPoint*> runs;
      for (const RunPoint& run : points_.runs)
        if (run.text(other_) == rows[j]) runs.push_back(&run);
      const std::vector<ShareAt> along = shares_along(runs, gain_, share, "excess_kurtosis");
      const std::optional<HalfCrossing> half = half_crossing(along, span_decades(gains));
      if (!half) continue;
      const double across = place_among(gains, half->x), upward = static_cast<double>(j) + 0.5;
      view.dots.push_back(upward_ ? figure::PhaseView::Boundary::Place{upward, across}
                                  : figure::PhaseView::Boundary::Place{across, upward});
      places.push_back(std::isfinite(half->error)
                           ? fmt::format("{:.3g} ± {:.1g} at {}", half->x, half->error, rows[j])
                           : fmt::format("{:.3g} at {}", half->x, rows[j]));
    }
    if (!places.empty())
      view.note += fmt::format(
          "{}Dots: one half, measured: interpolated between cells, standard errors over runs: {}.",
          view.note.empty() ? "" : " ", fmt::join(places, "; "));
  }

 private:
  /// Nothing where all runs of the row were left out.
  std::optional<task::NlgpOptions> task_of_row(const theory::GainBoundary& boundary,
                                               const std::string& row) const {
    std::vector<const RunPoint*> runs;
    for (const RunPoint& run : points_.runs)
      if (run.text(other_) == row) runs.push_back(&run);
    if (runs.empty()) return std::nullopt;
    return task_of_theory(boundary, runs, fmt::format("runs at {} = {}", points_.short_name(other_), row));
  }
  void add(figure::PhaseView::Boundary& drawn, double across, double along) const {
    drawn.places.push_back(upward_ ? figure::PhaseView::Boundary::Place{along, across}
                                   : figure::PhaseView::Boundary::Place{across, along});
  }

  const RunPoints& points_;
  bool upward_;
  std::string gain_, other_;
};

}  // namespace

double place_among(const std::vector<double>& values, double value) {
  if (values.size() < 2 || !std::isfinite(value)) return kEmpty;
  const bool logarithmic = span_decades(values);
  if (logarithmic && value <= 0) return kEmpty;
  const auto coordinate = [&](double at) { return logarithmic ? std::log(at) : at; };
  const auto above = std::ranges::upper_bound(values, value) - values.begin();
  const auto i = static_cast<std::size_t>(
      std::clamp<std::ptrdiff_t>(above - 1, 0, static_cast<std::ptrdiff_t>(values.size()) - 2));
  const double place =
      static_cast<double>(i) + 0.5 +
      (coordinate(value) - coordinate(values[i])) / (coordinate(values[i + 1]) - coordinate(values[i]));
  return place < 0 || place > static_cast<double>(values.size()) ? kEmpty : place;
}

std::string no_phase_diagram(const RunPoints& points, const PhaseRequest& request) {
  const bool finished =
      std::ranges::any_of(points.runs, [](const RunPoint& run) { return run.text("status") == "finished"; });
  if (!finished) return "needs a run that finished";
  if (!request.x.empty() && !request.y.empty()) return "";
  if (request.x.empty() != request.y.empty()) return "needs both columns, x and y";
  const std::vector<std::string> keys = keys_of_plan(points);
  const bool two = keys.size() == 2 && !keys.front().empty();
  if (!two) return "needs a sweep over two keys beside seed, or the names of two columns, x and y";
  return usual_numbers(points).empty() && request.z.empty() ? "needs numbers that runs have" : "";
}

figure::Figure draw_phase_diagram(const RunPoints& points, const PhaseRequest& request) {
  const auto [x, y] = axes_of(points, request);
  if (x == y) throw InputError(fmt::format("phase_diagram: {}: expected two different columns", x));
  const std::vector<PhaseNumber> numbers =
      request.z.empty() ? usual_numbers(points) : std::vector{number_asked(points, request.z)};
  const std::vector<std::string> columns = places_of(points, x), rows = places_of(points, y);
  figure::PhaseView view{.title = "",
                         .x_label = axis_label(points.short_name(x)),
                         .y_label = axis_label(points.short_name(y)),
                         .x = {},
                         .y = {}};
  std::ranges::transform(columns, std::back_inserter(view.x), value_label);
  std::ranges::transform(rows, std::back_inserter(view.y), value_label);
  std::map<std::pair<std::string, std::string>, std::vector<const RunPoint*>> cells;
  std::size_t fewest = points.runs.size(), most = 0, placed = 0;
  for (const RunPoint& run : points.runs) {
    const std::pair where{run.text(x), run.text(y)};
    if (where.first == kNoValue || where.second == kNoValue) continue;
    cells[where].push_back(&run);
    ++placed;
  }
  for (const auto& [where, runs] : cells) {
    fewest = std::min(fewest, runs.size());
    most = std::max(most, runs.size());
  }
  for (const PhaseNumber& number : numbers) {
    figure::PhaseView::Panel panel{number.name, number.decimals};
    for (const std::string& column : columns)
      for (const std::string& row : rows) {
        std::vector<double> values;
        for (const RunPoint* run : cells[{column, row}])
          if (const std::optional<double> value = run->number(number.column))
            values.push_back(number.factor * *value);
        const math::Statistics over(values);
        panel.value.push_back(values.empty() ? kEmpty : over.mean());
        panel.spread.push_back(values.size() > 1 ? over.deviation() : kEmpty);
      }
    view.panels.push_back(std::move(panel));
  }
  view.title = averaged(fewest, most, varied_within(points, x, y));
  if (placed < points.runs.size())
    view.note = fmt::format("{} of {} runs do not have both columns.", points.runs.size() - placed,
                            points.runs.size());
  if (request.boundaries.empty()) return figure::phase_diagram(view);
  math::Workers workers(math::hardware_threads());
  const DrawnBoundaries boundaries(points, x, y);
  for (const std::string& name : request.boundaries) boundaries.add_to(view, name, workers);
  if (numbers.size() == 1 && numbers.front().factor == 100)
    boundaries.add_halves(view, numbers.front().column);
  return figure::phase_diagram(view);
}

}  // namespace sluice::lab
