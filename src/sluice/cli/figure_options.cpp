#include "sluice/cli/figure_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "sluice/cli/numbers_in.hpp"
#include "sluice/cli/one_of.hpp"
#include "sluice/file/errors.hpp"
#include "sluice/theory/critical_gain.hpp"

namespace sluice::cli {
namespace {

lab::CurveRequest::Bars bars_of(const std::string& name) {
  using Bars = lab::CurveRequest::Bars;
  static const std::map<std::string, Bars> all{
      {"se", Bars::error}, {"sd", Bars::deviation}, {"range", Bars::range}, {"none", Bars::none}};
  return name.empty() ? Bars::error : all.at(name);
}

lab::CurveRequest::Log log_of(const std::string& name) {
  using Log = lab::CurveRequest::Log;
  static const std::map<std::string, Log> all{
      {"none", Log::none}, {"x", Log::x}, {"y", Log::y}, {"xy", Log::xy}};
  return name.empty() ? Log::automatic : all.at(name);
}

}  // namespace

const std::vector<std::string>& bar_names() {
  static const std::vector<std::string> all{"se", "sd", "range", "none"};
  return all;
}

const std::vector<std::string>& log_names() {
  static const std::vector<std::string> all{"x", "y", "xy", "none"};
  return all;
}

const std::vector<std::string>& boundary_names() {
  static const std::vector<std::string> all = [] {
    std::vector<std::string> names;
    for (const theory::GainBoundary& boundary : theory::gain_boundaries())
      names.emplace_back(boundary.choice.name);
    return names;
  }();
  return all;
}

void FigureOptions::add_to(App& verb) {
  verb.add_option("--runs", runs,
                  "Which runs of a sweep: names of their folders, * and ? as in a shell (repeatable)")
      ->allow_extra_args(false)
      ->type_name("NAME");
  verb.add_option("--units", units, "Which units, where a figure shows some: 3,17,40")->type_name("K,…");
  verb.add_option("--where", where,
                  "curve, phase_diagram: only runs for which this holds, as in 'sluice runs'")
      ->type_name("FILTER");
  verb.add_option(
          "--x", x,
          "curve, phase_diagram: a column of 'sluice runs' (default: a key that differs and has numbers)")
      ->type_name("COLUMN");
  verb.add_option("--y", y,
                  "curve: a number (default: ipr_mean_end, else accuracy); phase_diagram: a column, as --x")
      ->type_name("COLUMN");
  verb.add_option("--z", z, "phase_diagram: the number in the cells (default: three of them)")
      ->type_name("COLUMN");
  verb.add_option("--boundary", boundaries,
                  "curve, phase_diagram over task.gain: theory's boundary, flat or bump (repeatable)")
      ->allow_extra_args(false)
      ->check(one_of(boundary_names()))
      ->type_name("NAME");
  verb.add_option("--bars", bars, "curve: se, sd, range or none (default: se)")
      ->check(one_of(bar_names()))
      ->type_name("NAME");
  verb.add_option("--log", log,
                  "curve: logarithmic axes, x, y, xy or none (default: x where it spans a decade)")
      ->check(one_of(log_names()))
      ->type_name("AXES");
  style.add_to(verb);
}

std::string FigureOptions::first_typed() const {
  if (!runs.empty()) return "--runs";
  if (!units.empty()) return "--units";
  if (fields.weights != lab::FieldsIn{}.weights) return "--weights";
  for (const Owned& option : owned())
    if (option.typed) return option.name;
  return style.first_typed();
}

std::vector<FigureOptions::Owned> FigureOptions::owned() const {
  const std::vector<std::string> both{"curve", "phase_diagram"};
  return {{"--where", !where.empty(), both},
          {"--x", !x.empty(), both},
          {"--y", !y.empty(), both},
          {"--z", !z.empty(), {"phase_diagram"}},
          {"--bars", !bars.empty(), {"curve"}},
          {"--log", !log.empty(), {"curve"}},
          {"--boundary", !boundaries.empty(), both}};
}

figure::Style FigureOptions::style_of(const std::string& name) const {
  figure::Style asked = style.style();
  if ((asked.x || asked.y) && name.empty())
    throw InputError(
        fmt::format("{}: expected the NAME of one figure with it", asked.x ? "--xlim" : "--ylim"));
  return asked;
}

lab::FigureRequest FigureOptions::request(const std::string& name) const {
  for (const Owned& option : owned())
    if (option.typed && std::ranges::find(option.figures, name) == option.figures.end())
      throw InputError(fmt::format("{}: an option of the figure{} {}{}", option.name,
                                   option.figures.size() > 1 ? "s" : "", fmt::join(option.figures, " and "),
                                   name.empty() ? "; expected its name" : ", not of " + name));
  if (!units.empty() && name.empty()) throw InputError("--units: expected the NAME of one figure with it");
  return {.runs = runs,
          .where = where,
          .units = numbers_in<std::int64_t>("--units", units, "numbers of units, 3,17,40"),
          .curve = {x, y, bars_of(bars), log_of(log), boundaries},
          .phase = {x, y, z, boundaries},
          .fields = fields};
}

}  // namespace sluice::cli
