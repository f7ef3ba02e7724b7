#include "sluice/lab/sweep_curve.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "sluice/figure/sweep_view.hpp"
#include "sluice/file/errors.hpp"
#include "sluice/lab/boundary.hpp"
#include "sluice/lab/half_crossing.hpp"
#include "sluice/math/statistics.hpp"

namespace sluice::lab {
namespace {

constexpr std::size_t kMostLines = 12;  // that can be named beside a plot

/// What is set and has two values or more; the seed where there is nothing else.
std::vector<std::string> keys_for_x(const RunPoints& points) {
  std::vector<std::string> keys = varied_keys(points.settings());
  if (points.values("seed").size() > 1) keys.emplace_back("seed");
  return keys;
}

struct CurveX {
  std::string name;       // a setting or column
  bool measured = false;  // a number of the runs, not a key
};

CurveX x_of(const RunPoints& points, const std::string& asked) {
  const std::vector<std::string> keys = keys_for_x(points);
  if (asked.empty()) {
    const auto first =
        std::ranges::find_if(keys, [&](const auto& key) { return all_numbers(points.values(key)); });
    return {first != keys.end() && *first != "seed" ? *first : keys.front()};
  }
  CurveX x{points.meant(asked)};
  const std::vector<std::string> values = points.values(x.name);
  x.measured = !points.is_key(x.name) && all_numbers(values);
  if (values.size() < 2)
    throw InputError(fmt::format(
        "curve: {} has one value in these runs, {}; {}", x.name, values.empty() ? kNoValue : values.front(),
        keys.empty() ? "expected runs with several values of something"
                     : fmt::format("expected a column with more: {}", fmt::join(keys, ", "))));
  return x;
}

/// A number of the runs, and how it is shown.
struct CurveNumber {
  std::string column;
  std::string title;
  double factor = 1;        // 100: in percent
  bool of_the_end = false;  // of training

  std::string label() const { return factor == 100 ? title + "  (%)" : title; }
};

/// "IPR" of "IPR end": that it is the end's is said elsewhere.
std::string name_of_number(std::string title) {
  for (const std::string_view ending : {", end", " end"})
    if (title.ends_with(ending)) title.resize(title.size() - ending.size());
  return title;
}

CurveNumber number_of(const RunPoints& points, const std::string& column) {
  const record::NumberKind* kind = points.columns.number(column);
  if (kind == nullptr) return {column, points.short_name(column)};
  record::Summary named;
  named.on = points.on;
  const bool early = kind->key.ends_with("_start") || kind->key.ends_with("_early");
  return {column, name_of_number(named.title(*kind)), kind->style == record::Style::percent ? 100.0 : 1.0,
          !early};
}

/// Localization where units have places to localize in; else how well it is learned.
CurveNumber question_of(const RunPoints& points) {
  const RunColumns& columns = points.columns;
  for (const char* key : {"ipr_mean_end", "accuracy", "error", "loss", "train_loss"}) {
    const bool about_fields = std::string_view(key) == "ipr_mean_end";
    if (columns.holds(key) && (columns.holds("localized_share") || !about_fields))
      return number_of(points, key);
  }
  return number_of(points, std::string(columns.numbers().front()->key));
}

CurveNumber y_of(const RunPoints& points, const std::string& asked) {
  if (asked.empty()) return question_of(points);
  const RunColumns::Meant meant = points.columns.find(asked);
  if (meant.column.empty()) {
    std::vector<std::string_view> names;
    for (const record::NumberKind* kind : points.columns.numbers()) names.push_back(kind->key);
    throw InputError(
        fmt::format("{}; numbers of these runs are {}", meant.complaint, fmt::join(names, ", ")));
  }
  const bool numbers = std::ranges::any_of(
      points.runs, [&](const RunPoint& run) { return run.number(meant.column).has_value(); });
  if (!numbers) throw InputError(fmt::format("curve: {}: no run has a number there", meant.column));
  return number_of(points, meant.column);
}

void choose_axes(figure::CurveView& view, const CurveRequest& request) {
  using Log = CurveRequest::Log;
  view.log_y = request.log == Log::y || request.log == Log::xy;
  const bool asked = request.log == Log::x || request.log == Log::xy;
  std::vector<double> values;
  for (const auto& place : view.places) values.push_back(place.value);
  view.log_x = !view.categories && (asked || (request.log == Log::automatic && span_decades(values)));
  const bool positive = std::ranges::all_of(values, [](double value) { return value > 0; });
  if (asked && (view.categories || !positive))
    throw InputError(
        fmt::format("curve: a logarithmic axis needs positive numbers, which {} are not", view.x_label));
  if (!view.log_y) return;
  for (const auto& line : view.lines)
    for (const auto& dot : line.dots)
      if (dot.mean <= 0)
        throw InputError(
            fmt::format("curve: a logarithmic axis needs positive numbers, which {} is not", view.y_label));
}

figure::CurveView::Dot dot_of(std::size_t place, const std::vector<double>& values, CurveRequest::Bars bars) {
  const math::Statistics statistics(values);
  const double mean = statistics.mean();
  switch (bars) {
    case CurveRequest::Bars::error:
      return {place, mean - statistics.error(), mean, mean + statistics.error()};
    case CurveRequest::Bars::deviation:
      return {place, mean - statistics.deviation(), mean, mean + statistics.deviation()};
    case CurveRequest::Bars::range:
      return {place, std::ranges::min(values), mean, std::ranges::max(values)};
    case CurveRequest::Bars::none:
      break;
  }
  return {place, mean, mean, mean};
}

std::string bars_in_words(CurveRequest::Bars bars) {
  switch (bars) {
    case CurveRequest::Bars::error:
      return "Bars, one standard error of the mean to both sides";
    case CurveRequest::Bars::deviation:
      return "Bars, one standard deviation over seeds to both sides";
    case CurveRequest::Bars::range:
      return "Bars, from the least to the largest seed";
    case CurveRequest::Bars::none:
      break;
  }
  return "No bars";
}

/// Which line a run belongs to, and what runs along lines without making one.
class CurveLines {
 public:
  CurveLines(const RunPoints& points, const CurveX& x) : points_(points) {
    for (const std::string& key : varied_keys(points.settings()))
      if (key != x.name && (x.measured || !goes_with(key, x.name))) further_.push_back(key);
    if (x.measured) let_run_along();
  }

  std::string label(const RunPoint& run) const { return label_of(settings(run, further_, along(run))); }
  /// Runs of one dot, where x does not say it.
  std::string condition(const RunPoint& run) const { return label_of(settings(run, further_, "")); }
  /// The keys that make lines.
  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const std::string& key : further_)
      if (std::ranges::any_of(points_.runs, [&](const RunPoint& run) {
            return run.text(key) != kNoValue && along(run) != key;
          }))
        names.push_back(key);
    return names;
  }

 private:
  /// One value of the key at every value of x and the other way round, as a rate that is chosen by the number of units.
  bool goes_with(const std::string& key, const std::string& x) const {
    std::map<std::string, std::set<std::string>> of_x, of_key;
    for (const RunPoint& run : points_.runs) {
      of_x[run.text(x)].insert(run.text(key));
      of_key[run.text(key)].insert(run.text(x));
    }
    const auto one = [](const auto& entry) { return entry.second.size() == 1; };
    return std::ranges::all_of(of_x, one) && std::ranges::all_of(of_key, one);
  }

  /// Runs of one kind agree in all keys that are words; of the others the one with most values among them.
  void let_run_along() {
    for (const std::string& key : further_)
      if (!all_numbers(points_.values(key))) words_.push_back(key);
    std::map<std::string, std::map<std::string, std::set<std::string>>> values;  // kind, key
    for (const RunPoint& run : points_.runs)
      for (const std::string& key : further_)
        if (std::ranges::find(words_, key) == words_.end() && run.text(key) != kNoValue)
          values[kind(run)][key].insert(run.text(key));
    for (const auto& [kind, of_keys] : values)
      along_[kind] =
          std::ranges::max_element(of_keys, {}, [](const auto& each) { return each.second.size(); })->first;
  }
  std::string kind(const RunPoint& run) const { return label_of(settings(run, words_, "")); }
  std::string along(const RunPoint& run) const {
    const auto found = along_.find(kind(run));
    return found == along_.end() ? "" : found->second;
  }

  static Settings settings(const RunPoint& run, const std::vector<std::string>& keys,
                           const std::string& left_out) {
    Settings settings;
    for (const std::string& key : keys)
      if ((key.empty() || key != left_out) && run.text(key) != kNoValue)
        settings.push_back({key, run.text(key)});
    return settings;
  }

  const RunPoints& points_;
  std::vector<std::string> further_, words_;
  std::map<std::string, std::string> along_;  // by kind
};

std::string too_many(std::size_t lines, const CurveLines& of) {
  return fmt::format("needs at most {} lines, found {}, one for each value of {}: choose runs", kMostLines,
                     lines, fmt::join(of.names(), ", "));
}

struct DotGroup {
  std::vector<double> x, y;
};
/// The runs of one dot, by line and by what they share: a value of x, or of a measured x their condition.
using DotGroups = std::map<std::pair<std::size_t, std::size_t>, DotGroup>;

std::size_t place_in(std::vector<std::string>& values, const std::string& value) {
  const auto found = std::ranges::find(values, value);
  const auto place = static_cast<std::size_t>(found - values.begin());
  if (found == values.end()) values.push_back(value);
  return place;
}

void add_dots(figure::CurveView& view, const DotGroups& groups, CurveRequest::Bars bars) {
  const auto place_at = [&](double x) {
    view.places.push_back({x, ""});
    return view.places.size() - 1;
  };
  for (const auto& [where, group] : groups) {
    figure::CurveView::Line& line = view.lines[where.first];
    const std::size_t place = view.measured ? place_at(math::Statistics(group.x).mean()) : where.second;
    line.dots.push_back(dot_of(place, group.y, bars));
    if (group.y.size() < 2) continue;
    for (std::size_t i = 0; i < group.y.size(); ++i)
      line.singles.push_back(
          {view.measured ? place_at(group.x[i]) : place, group.y[i], group.y[i], group.y[i]});
  }
  if (!view.measured) return;
  for (figure::CurveView::Line& line : view.lines)
    std::ranges::sort(line.dots, {}, [&](const auto& dot) { return view.places[dot.place].value; });
}

/// Of every line, or once where the lines share their task.
void add_boundaries(figure::CurveView& view, const RunPoints& points, const CurveLines& lines,
                    const CurveX& x, const std::vector<std::string>& names) {
  if (names.empty()) return;
  require_gain(points, x.name);
  if (view.categories)
    throw InputError("curve: a boundary has its place among gains; expected two finite ones or more");
  std::map<std::string, std::vector<const RunPoint*>> runs_of;  // by line
  for (const RunPoint& run : points.runs) runs_of[lines.label(run)].push_back(&run);
  math::Workers workers(math::hardware_threads());
  for (const std::string& name : names) {
    const theory::GainBoundary& boundary = theory::gain_boundary(name);
    std::vector<task::NlgpOptions> tasks;  // what is wrong is said before anything is computed
    for (const figure::CurveView::Line& line : view.lines)
      tasks.push_back(task_of_theory(boundary, runs_of[line.label],
                                     line.label.empty() ? "these runs" : "runs at " + line.label));
    std::map<std::string, theory::CriticalGain> known;  // by task
    std::vector<std::string> places;
    for (std::size_t k = 0; k < view.lines.size(); ++k) {
      const figure::CurveView::Line& line = view.lines[k];
      const std::string task = task_but_gain(*runs_of[line.label].front());
      if (known.contains(task)) continue;
      const theory::CriticalGain critical = known[task] = boundary.at(tasks[k], kBoundarySeed, workers);
      places.push_back(line.label.empty() ? to_text(critical)
                                          : fmt::format("{} at {}", to_text(critical), line.label));
      if (std::isfinite(critical.gain))
        view.boundaries.push_back({std::string(boundary.label), critical.gain, critical.error, line.color});
    }
    if (known.size() == 1) {
      if (!view.boundaries.empty()) view.boundaries.back().color = figure::ink;
      places = {to_text(known.begin()->second)};
    }
    view.caption += fmt::format(
        " Dashed, \"{}\": {}, theory of one ReLU unit without bias, mean and (band) standard error over sets "
        "of draws: {}.",
        boundary.label, boundary.choice.meaning, fmt::join(places, "; "));
  }
}

/// Where half of the units are localized along every line, in the caption; where the curve is of their share, on it as well.
void add_half_crossings(figure::CurveView& view, const RunPoints& points, const CurveLines& lines,
                        const CurveX& x, const CurveNumber& y) {
  const std::string share = "localized_share", kurtosis = "excess_kurtosis";
  if (view.categories || x.measured || !points.columns.holds(share)) return;
  std::vector<std::string> said;
  for (const figure::CurveView::Line& line : view.lines) {
    std::vector<const RunPoint*> runs;
    for (const RunPoint& run : points.runs)
      if (lines.label(run) == line.label) runs.push_back(&run);
    const std::vector<ShareAt> along = shares_along(runs, x.name, share, kurtosis);
    const std::optional<HalfCrossing> half = half_crossing(along, view.log_x);
    if (!half) continue;
    const auto with_error = [](double value, double error) {
      return std::isfinite(error) ? fmt::format("{:.3g} ± {:.1g}", value, error)
                                  : fmt::format("{:.3g}", value);
    };
    std::string where = fmt::format("{} = {} (between {:g} and {:g})", points.short_name(x.name),
                                    with_error(half->x, half->error), half->from, half->to);
    if (std::isfinite(half->another) && along.front().another != along.back().another)
      where += fmt::format(", excess kurtosis {}", with_error(half->another, half->another_error));
    said.push_back(line.label.empty() ? where : fmt::format("{} at {}", where, line.label));
    if (y.column == share)
      view.crossings.push_back({half->x, std::isfinite(half->error) ? half->error : 0, 50, line.color});
  }
  if (said.empty()) return;
  view.caption +=
      fmt::format(" Half of the units are localized at {}; interpolated, standard errors over seeds{}.",
                  fmt::join(said, "; "), view.crossings.empty() ? "" : " (rings with bars)");
}

}  // namespace

std::string no_curve(const RunPoints& points, const CurveRequest& request) {
  const bool finished =
      std::ranges::any_of(points.runs, [](const RunPoint& run) { return run.text("status") == "finished"; });
  if (!finished) return "needs a run that finished";
  if (points.columns.numbers().empty()) return "needs numbers that runs have";
  if (!request.x.empty()) return "";
  const std::vector<std::string> keys = keys_for_x(points);
  const bool named = std::ranges::none_of(keys, [](const std::string& key) { return key.empty(); });
  if (keys.empty() || !named) return "needs a sweep over a key with two values or more";
  const CurveLines lines(points, x_of(points, ""));
  std::set<std::string> labels;
  for (const RunPoint& run : points.runs) labels.insert(lines.label(run));
  return labels.size() > kMostLines ? too_many(labels.size(), lines) : "";
}

figure::Figure draw_curve(const RunPoints& points, const CurveRequest& request) {
  const CurveX x = x_of(points, request.x);
  const CurveNumber y = y_of(points, request.y);
  const std::vector<std::string> values = x.measured ? std::vector<std::string>{} : points.values(x.name);
  const std::string x_name = points.short_name(x.name);
  const CurveNumber across = number_of(points, x.name);  // where x is measured
  figure::CurveView view{.x_label = x.measured ? across.label() : axis_label(x_name),
                         .y_label = y.label(),
                         .categories = !x.measured && !all_numbers(values),
                         .measured = x.measured,
                         .caption = {}};
  std::size_t finite = 0;
  for (const std::string& value : values) {
    view.places.push_back({number_in(value).value_or(0), value_label(value)});
    if (std::isfinite(view.places.back().value)) ++finite;
  }
  if (finite < 2 && !x.measured) view.categories = true;  // one number beside ∞ makes no axis

  std::map<std::string, std::size_t> place_of;
  for (const std::string& value : values) place_of.emplace(value, place_of.size());
  const CurveLines lines(points, x);
  std::vector<std::string> labels, conditions;
  DotGroups groups;
  std::size_t placed = 0;
  for (const RunPoint& run : points.runs) {
    const std::size_t line = place_in(labels, lines.label(run));
    const std::optional<double> number = run.number(y.column);
    const std::optional<double> at = x.measured ? run.number(x.name) : std::nullopt;
    const auto place = place_of.find(run.text(x.name));
    if (!number || (x.measured ? !at : place == place_of.end())) continue;
    const std::size_t dot = x.measured ? place_in(conditions, lines.condition(run)) : place->second;
    DotGroup& group = groups[{line, dot}];
    group.x.push_back(across.factor * at.value_or(0));
    group.y.push_back(y.factor * *number);
    ++placed;
  }
  const std::vector<std::string> further = lines.names();
  if (labels.size() > kMostLines) throw InputError("curve: " + too_many(labels.size(), lines));
  const bool ordered =
      further.size() == 1 && all_numbers(points.values(further.front())) && labels.size() > 2;
  const std::vector<std::string> line_values =
      ordered ? points.values(further.front()) : std::vector<std::string>{};
  for (std::size_t k = 0; k < labels.size(); ++k) {
    figure::Color color = figure::category(k);
    for (std::size_t i = 0; i < line_values.size(); ++i)
      if (labels[k] == label_of({{further.front(), line_values[i]}}))
        color = ordered_color(i, line_values.size());
    view.lines.push_back({.label = labels[k], .color = color});
  }
  add_dots(view, groups, request.bars);
  std::size_t fewest = points.runs.size(), most = 0;
  for (const auto& [where, group] : groups) {
    fewest = std::min(fewest, group.y.size());
    most = std::max(most, group.y.size());
  }
  choose_axes(view, request);
  view.caption = fmt::format("{}{} against {}", y.title, y.of_the_end ? " at the end of training" : "",
                             x.measured ? across.title : x_name);
  if (most > 1) {
    view.caption +=
        fmt::format(": mean over {} seeds (dots on a line), single runs as faint points. {}.",
                    fewest == most ? fmt::format("{}", most) : fmt::format("{} to {}", fewest, most),
                    bars_in_words(request.bars));
  } else {
    view.caption += ", one run at each point: no bars.";
  }
  if (!further.empty()) view.caption += fmt::format(" One line for each {}.", fmt::join(further, " and "));
  if (view.log_x) view.caption += fmt::format(" Logarithmic in {}.", x_name);
  if (placed < points.runs.size())
    view.caption += fmt::format(" {} of {} runs do not have both columns.", points.runs.size() - placed,
                                points.runs.size());
  add_half_crossings(view, points, lines, x, y);
  add_boundaries(view, points, lines, x, request.boundaries);
  return figure::curve(view);
}

}  // namespace sluice::lab
