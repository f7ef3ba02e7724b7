/// sluice branch.
#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sluice/cli/answer.hpp"
#include "sluice/cli/check_number.hpp"
#include "sluice/cli/one_of.hpp"
#include "sluice/cli/progress.hpp"
#include "sluice/cli/source_options.hpp"
#include "sluice/cli/verbs.hpp"
#include "sluice/file/errors.hpp"
#include "sluice/lab/branches.hpp"

namespace sluice::cli {
namespace of_branch {
namespace {

struct Arguments {
  lab::Source source{.name_or_file = "single-unit"};
  lab::BranchOptions options;
  std::string range;
  std::vector<std::string> from, at, against;
  AnswerOptions answer;
};

/// A number of the command line, within what the parameter may be.
double value_of(const std::string& text, const flow::UnitParameter& parameter, const std::string& option) {
  const std::string complaint = check_number(
      text, parameter.low, parameter.high,
      fmt::format("a {} from {:g} to {:g}", parameter.choice.name, parameter.low, parameter.high));
  if (!complaint.empty()) throw InputError(option + " " + complaint);
  return std::stod(text);
}

lab::BranchOptions options_of(const Arguments& arguments) {
  lab::BranchOptions options = arguments.options;
  const flow::UnitParameter& parameter = flow::unit_parameter(options.parameter);
  if (!arguments.from.empty()) options.from = arguments.from;
  if (!arguments.range.empty()) {
    const std::size_t colon = arguments.range.find(':');
    if (colon == std::string::npos)
      throw InputError(fmt::format("--range {}: expected LOW:HIGH", arguments.range));
    options.low = value_of(arguments.range.substr(0, colon), parameter, "--range");
    options.high = value_of(arguments.range.substr(colon + 1), parameter, "--range");
    if (!(*options.low < *options.high))
      throw InputError(fmt::format("--range {}: expected LOW < HIGH", arguments.range));
  }
  for (const std::string& text : arguments.at) options.at.push_back(value_of(text, parameter, "--at"));
  return options;
}

int branch(const Arguments& arguments) {
  require_place(arguments.answer);
  const lab::BranchOptions options = options_of(arguments);
  const lab::Experiment experiment = lab::load(arguments.source);
  std::vector<lab::Recorded> trained;
  if (!arguments.against.empty()) trained = lab::read_all(arguments.against);
  std::optional<lab::Onset> concentrated, localized;  // before the study: it takes a second, and may refuse
  if (!trained.empty()) {
    const flow::UnitParameter& parameter = flow::unit_parameter(options.parameter);
    concentrated = lab::trained_onset(trained, parameter, lab::OnsetOf::concentrated);
    localized = lab::trained_onset(trained, parameter, lab::OnsetOf::localized);
  }
  math::Workers workers(arguments.answer.threads);
  const auto run = [&] {
    Progress progress("branch", arguments.answer.quiet, "branches and sets");
    return lab::study_branches(experiment, options, workers,
                               [&](std::int64_t done, std::int64_t of) { progress.update(done, of); });
  };
  lab::BranchStudy study = run();
  study.trained_concentrated = std::move(concentrated);
  study.trained_localized = std::move(localized);
  give({.text =
            [&] {
              std::string text = in_columns(lab::critical_table(study), "llr");
              if (!study.rows.empty()) text += "\n" + in_columns(lab::branch_table(study), "rlr");
              if (!study.basins.empty()) text += "\n" + in_columns(lab::basin_table(study), "rrr");
              text += "\n";
              for (const std::string& remark : lab::branch_remarks(study)) text += remark + "\n";
              return text;
            },
        .json = [&] { return lab::to_json(study); },
        .csv = [&] { return lab::branch_csv(study); },
        .page = [&] { return lab::branch_page(study, "Branches of fixed points"); },
        .picture = [&] { return lab::branch_figure(study); }},
       arguments.answer);
  return kSuccess;
}

}  // namespace
}  // namespace of_branch

void add_branch(App& app, Action& action) {
  using namespace of_branch;
  App* verb = app.add_subcommand("branch",
                                 "Follow the fixed points of one or two ReLU units as a parameter changes: "
                                 "where does the flat field lose?");
  auto arguments = std::make_shared<Arguments>();
  add_source(*verb, arguments->source, "SPEC")->capture_default_str();
  add_seed(*verb, arguments->source);
  std::vector<std::string> names;
  for (const flow::UnitParameter& parameter : flow::unit_parameters())
    names.emplace_back(parameter.choice.name);
  verb->add_option("--parameter", arguments->options.parameter,
                   "What changes: gain, xi (of the first class), label (of the second class), pathway")
      ->check(one_of(names))
      ->type_name("NAME")
      ->capture_default_str();
  verb->add_option("--range", arguments->range, "From where to where it is followed (gain: 0.05:10)")
      ->type_name("LOW:HIGH");
  verb->add_option("--from", arguments->from,
                   "Where to begin: flat (the default), mode:K, site[:I], bond[:I], or weights [n] in a "
                   ".npy; of two units A,B, else "
                   "A and −A (repeatable)")
      ->allow_extra_args(false)
      ->type_name("START");
  verb->add_option("--at", arguments->at, "Tabulate all branches at this value (repeatable)")
      ->allow_extra_args(false)
      ->type_name("VALUE");
  const auto whole = [](std::int64_t low, std::int64_t high) {
    return [low, high](const std::string& text) {
      return check_number(text, low, high, fmt::format("an integer from {} to {}", low, high));
    };
  };
  verb->add_option(
          "--basins", arguments->options.basins,
          "Starts of the spec's network at every --at: where does the flow take them? (seeds from --seed on)")
      ->check(whole(1, 100000))
      ->type_name("N");
  verb->add_option(
          "--against", arguments->against,
          "Runs or sweeps of trained units: from where on are half of them concentrated, or localized?")
      ->allow_extra_args(false)
      ->type_name("RUN");
  verb->add_option("--response", arguments->options.response,
                   "How f(w) is computed: conditioned (a closed form), diluted (samples), gaussian")
      ->check(one_of(flow::curved_responses()))
      ->type_name("NAME")
      ->capture_default_str();
  verb->add_option(
          "--draws", arguments->options.draws,
          "Samples of a set, each with all its shifts and signs (four times as many for the flat field)")
      ->check(whole(48, 1 << 20))
      ->type_name("N")
      ->capture_default_str();
  verb->add_option("--sets", arguments->options.sets, "Independent sets of draws, for standard errors")
      ->check(whole(1, 1000))
      ->type_name("N")
      ->capture_default_str();
  verb->add_option(
          "--dilution", arguments->options.dilution,
          "h: how much Gaussian clone smooths the data; results are extrapolated from h and h/2 to 0")
      ->check(
          [](const std::string& text) { return check_number(text, 0.02, 1.0, "a number from 0.02 to 1"); })
      ->type_name("H")
      ->capture_default_str();
  verb->add_option("--step", arguments->options.step, "The largest step along a branch")
      ->check(
          [](const std::string& text) { return check_number(text, 1e-3, 1.0, "a number from 0.001 to 1"); })
      ->type_name("S")
      ->capture_default_str();
  add_answer(*verb, arguments->answer);
  verb->footer(
      "Examples:\n"
      "  sluice branch\n"
      "  sluice branch single-unit --at 0.3 --at 1 --at 3 --out branches.svg\n"
      "  sluice branch --set task.xi=[3,1] --range 0.05:1\n"
      "  sluice branch --parameter xi --set task.gain=0.3 --out branches.html\n"
      "  sluice branch --set network.hidden=2 --from site,site:10 --at 3 --basins 20");
  verb->callback([&action, arguments] { action = [arguments] { return branch(*arguments); }; });
}

}  // namespace sluice::cli
