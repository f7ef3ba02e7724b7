#include "sluice/cli/figure_options.hpp"

#include <fmt/format.h>

#include <map>
#include <utility>

#include "sluice/cli/numbers_in.hpp"
#include "sluice/cli/one_of.hpp"
#include "sluice/file/errors.hpp"

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

void FigureOptions::add_to(App& verb) {
  verb.add_option("--runs", runs,
                  "Which runs of a sweep: names of their folders, * and ? as in a shell (repeatable)")
      ->allow_extra_args(false)
      ->type_name("NAME");
  verb.add_option("--units", units, "Which units, where a figure shows some: 3,17,40")->type_name("K,…");
  verb.add_option("--x", x, "curve: the key along x (default: the first whose values are numbers)")
      ->type_name("KEY");
  verb.add_option("--y", y, "curve: a number of summary.csv (default: ipr_mean_end, else accuracy)")
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
  for (const auto& [option, value] :
       {std::pair{"--units", &units}, {"--x", &x}, {"--y", &y}, {"--bars", &bars}, {"--log", &log}})
    if (!value->empty()) return option;
  return style.first_typed();
}

figure::Style FigureOptions::style_of(const std::string& name) const {
  figure::Style asked = style.style();
  if ((asked.x || asked.y) && name.empty())
    throw InputError(
        fmt::format("{}: expected the NAME of one figure with it", asked.x ? "--xlim" : "--ylim"));
  return asked;
}

lab::FigureRequest FigureOptions::request(const std::string& name) const {
  for (const auto& [option, value] : {std::pair{"--x", &x}, {"--y", &y}, {"--bars", &bars}, {"--log", &log}})
    if (!value->empty() && name != "curve")
      throw InputError(fmt::format("{}: an option of the figure curve{}", option,
                                   name.empty() ? "; expected its name" : ", not of " + name));
  if (!units.empty() && name.empty()) throw InputError("--units: expected the NAME of one figure with it");
  return {.runs = runs,
          .units = numbers_in<std::int64_t>("--units", units, "numbers of units, 3,17,40"),
          .curve = {x, y, bars_of(bars), log_of(log)},
          .fields = fields};
}

}  // namespace sluice::cli
