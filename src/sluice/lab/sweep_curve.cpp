#include "sluice/lab/sweep_curve.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "sluice/figure/sweep_view.hpp"
#include "sluice/file/errors.hpp"
#include "sluice/lab/conditions.hpp"
#include "sluice/math/statistics.hpp"

namespace sluice::lab {
namespace {

constexpr std::size_t kMostLines = 12;  // that can be named beside a plot

std::string value_in(const Recorded& run, const std::string& key) {
  const auto at = std::ranges::find(run.settings, key, &Setting::name);
  return at == run.settings.end() ? std::string("–") : at->value;
}

bool is_numeric(const std::vector<Recorded>& runs, const std::string& key) {
  return std::ranges::all_of(swept_values(settings_of(runs), key),
                             [](const std::string& value) { return number_in(value).has_value(); });
}

/// What is swept and has two values or more; the seed where there is nothing else.
std::vector<std::string> keys_for_x(const std::vector<Recorded>& runs) {
  std::vector<std::string> keys = varied_keys(settings_of(runs));
  if (swept_values(settings_of(runs), "seed").size() > 1) keys.emplace_back("seed");
  return keys;
}

/// The setting that is meant by "gain" or "task.gain".
std::string x_key(const std::vector<Recorded>& runs, const std::string& asked) {
  const std::vector<std::string> keys = keys_for_x(runs);
  if (asked.empty()) {
    const auto first = std::ranges::find_if(keys, [&](const auto& key) { return is_numeric(runs, key); });
    return first != keys.end() && *first != "seed" ? *first : keys.front();
  }
  for (const std::string& key : keys) {
    if (key == asked) return key;
    const bool whole = asked.ends_with("." + key) && runs.front().experiment &&
                       std::ranges::any_of(keys_of(*runs.front().experiment),
                                           [&](const spec::KeyInfo& info) { return info.path == asked; });
    if (whole) return key;
  }
  throw InputError(
      fmt::format("{}: not a key of this sweep; expected one of {}", asked, fmt::join(keys, ", ")));
}

std::vector<const record::NumberKind*> kinds_everywhere(const std::vector<Recorded>& runs) {
  std::vector<const record::NumberKind*> kinds;
  for (const record::NumberKind& kind : record::number_kinds())
    if (std::ranges::any_of(
            runs, [&](const Recorded& run) { return run.recording.summary.find(kind.key).has_value(); }))
      kinds.push_back(&kind);
  return kinds;
}

/// Localization where units have places to localize in; else how well it is learned.
const record::NumberKind* question_of(const std::vector<Recorded>& runs,
                                      const std::vector<const record::NumberKind*>& kinds) {
  const bool places = runs.front().recording.layout.has_places();
  for (const char* key : {"ipr_mean_end", "accuracy", "error", "loss", "train_loss"}) {
    const auto found = std::ranges::find(kinds, std::string_view(key), &record::NumberKind::key);
    const bool about_fields = std::string_view(key) == "ipr_mean_end";
    if (found != kinds.end() && (places || !about_fields)) return *found;
  }
  return kinds.front();
}

const record::NumberKind* y_kind(const std::vector<Recorded>& runs, const std::string& asked) {
  const std::vector<const record::NumberKind*> kinds = kinds_everywhere(runs);
  if (asked.empty()) return question_of(runs, kinds);
  if (const record::NumberKind* kind = record::meant_by(asked, kinds)) return kind;
  std::vector<std::string> names;
  for (const record::NumberKind* kind : kinds) names.emplace_back(kind->key);
  throw InputError(
      fmt::format("{}: not a number of these runs; expected one of {}", asked, fmt::join(names, ", ")));
}

/// Positive and more than a decade apart: on a linear axis all but the largest would stand in one place.
bool wide(const std::vector<figure::CurveView::Place>& places) {
  double least = std::numeric_limits<double>::infinity(), most = 0;
  for (const auto& place : places) {
    if (std::isinf(place.value)) continue;
    least = std::min(least, place.value);
    most = std::max(most, place.value);
  }
  return least > 0 && most > 10 * least;
}

void choose_axes(figure::CurveView& view, const CurveRequest& request) {
  using Log = CurveRequest::Log;
  view.log_y = request.log == Log::y || request.log == Log::xy;
  const bool asked = request.log == Log::x || request.log == Log::xy;
  view.log_x = !view.categories && (asked || (request.log == Log::automatic && wide(view.places)));
  const bool positive = std::ranges::all_of(view.places, [](const auto& place) { return place.value > 0; });
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

/// "IPR" of "IPR end": that it is the end's is said elsewhere.
std::string name_of_number(std::string title) {
  for (const std::string_view ending : {", end", " end"})
    if (title.ends_with(ending)) title.resize(title.size() - ending.size());
  return title;
}

}  // namespace

std::string no_curve(const std::vector<Recorded>& runs) {
  if (std::ranges::none_of(runs, is_finished)) return "needs a run that finished";
  const std::vector<std::string> keys = keys_for_x(runs);
  const bool named = std::ranges::none_of(keys, [](const std::string& key) { return key.empty(); });
  return keys.empty() || !named ? "needs a sweep over a key with two values or more" : "";
}

figure::Figure draw_curve(const std::vector<Recorded>& runs, const CurveRequest& request) {
  const std::string key = x_key(runs, request.x);
  const record::NumberKind& kind = *y_kind(runs, request.y);
  const bool percent = kind.style == record::Style::percent;
  const std::string title = name_of_number(runs.front().recording.summary.title(kind));
  figure::CurveView view{.x_label = axis_label(key),
                         .y_label = percent ? title + "  (%)" : title,
                         .categories = !is_numeric(runs, key),
                         .caption = {}};
  const std::vector<std::string> values = swept_values(settings_of(runs), key);
  std::size_t finite = 0;
  for (const std::string& value : values) {
    view.places.push_back({number_in(value).value_or(0), value_label(value)});
    if (std::isfinite(view.places.back().value)) ++finite;
  }
  if (finite < 2) view.categories = true;  // one number beside ∞ makes no axis

  std::vector<std::string> labels;  // of lines: further keys
  std::vector<std::string> further = varied_keys(settings_of(runs));
  std::erase(further, key);
  std::map<std::pair<std::size_t, std::size_t>, std::vector<double>> groups;  // line, place
  for (const Recorded& run : runs) {
    std::vector<Setting> others;
    for (const std::string& name : further) others.push_back({name, value_in(run, name)});
    const std::string label = label_of(others);
    const auto line = static_cast<std::size_t>(std::ranges::find(labels, label) - labels.begin());
    if (line == labels.size()) labels.push_back(label);
    const std::optional<double> number = run.recording.summary.find(kind.key);
    if (!number || !std::isfinite(*number)) continue;
    const auto place =
        static_cast<std::size_t>(std::ranges::find(values, value_in(run, key)) - values.begin());
    groups[{line, place}].push_back(percent ? 100 * *number : *number);
  }
  if (labels.size() > kMostLines)
    throw InputError(
        fmt::format("curve: {} lines, one for each value of {}; expected at most {}: choose runs",
                    labels.size(), fmt::join(further, ", "), kMostLines));
  const bool ordered = further.size() == 1 && is_numeric(runs, further.front()) && labels.size() > 2;
  const std::vector<std::string> line_values =
      ordered ? swept_values(settings_of(runs), further.front()) : std::vector<std::string>{};
  for (std::size_t k = 0; k < labels.size(); ++k) {
    figure::Color color = figure::category(k);
    for (std::size_t i = 0; i < line_values.size(); ++i)
      if (labels[k] == label_of({{further.front(), line_values[i]}}))
        color = ordered_color(i, line_values.size());
    view.lines.push_back({.label = labels[k], .color = color});
  }
  std::size_t fewest = runs.size(), most = 0;
  for (const auto& [where, numbers] : groups) {
    figure::CurveView::Line& line = view.lines[where.first];
    line.dots.push_back(dot_of(where.second, numbers, request.bars));
    for (const double number : numbers)
      if (numbers.size() > 1) line.singles.push_back({where.second, number, number, number});
    fewest = std::min(fewest, numbers.size());
    most = std::max(most, numbers.size());
  }
  choose_axes(view, request);
  const bool early = kind.key.ends_with("_start") || kind.key.ends_with("_early");
  view.caption = fmt::format("{}{} against {}", title, early ? "" : " at the end of training", key);
  if (most > 1) {
    view.caption +=
        fmt::format(": mean over {} seeds (dots on a line), single runs as faint points. {}.",
                    fewest == most ? fmt::format("{}", most) : fmt::format("{} to {}", fewest, most),
                    bars_in_words(request.bars));
  } else {
    view.caption += ", one run at each point: no bars.";
  }
  if (!further.empty()) view.caption += fmt::format(" One line for each {}.", fmt::join(further, " and "));
  if (view.log_x) view.caption += fmt::format(" Logarithmic in {}.", key);
  return figure::curve(view);
}

}  // namespace sluice::lab
