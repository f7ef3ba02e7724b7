/// sluice predict: from the initial weights, where training will end.
#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "sluice/cli/check_number.hpp"
#include "sluice/cli/one_of.hpp"
#include "sluice/cli/print.hpp"
#include "sluice/cli/shared_options.hpp"
#include "sluice/cli/source_options.hpp"
#include "sluice/cli/verbs.hpp"
#include "sluice/file/errors.hpp"
#include "sluice/file/json.hpp"
#include "sluice/file/npz.hpp"
#include "sluice/file/place.hpp"
#include "sluice/lab/predict.hpp"
#include "sluice/probe/ipr.hpp"

namespace sluice::cli {
namespace of_predict {
namespace {

struct Arguments {
  lab::Source source;
  std::string response = "auto";
  std::string pairs = "auto";
  std::string against;
  std::string out;
  bool overwrite = false;
  bool train = false;
  bool again = false;
  bool json = false;
  std::int64_t seeds = 1;
  std::int64_t samples = 0;
  int threads = math::hardware_threads();
};

std::string percent(double share) { return std::isnan(share) ? "–" : fmt::format("{:.1f} %", 100 * share); }

void print_scores(const std::vector<lab::Guess>& guesses, const lab::Fields& trained, bool json) {
  file::Json scores;
  if (!json) {
    print(fmt::format(
        "{:<26} distance  cosine  cosine > 0.9  peak ± 1 site  localized or not  IPR ranks  same kind  "
        "centre ± 1 site  sign of bias\n",
        fmt::format("against {} trained units", trained.units)));
  }
  for (const lab::Guess& guess : guesses) {
    const lab::Score score = lab::score(guess.fields, trained);
    scores[guess.name] = lab::to_json(score);
    if (!json) {
      print(fmt::format("  {:<24} {:>8} {:>7.3f} {:>13} {:>14} {:>17} {:>10.3f} {:>10} {:>16} {:>13}\n",
                        guess.name, percent(score.distance), score.correlation, percent(score.close),
                        percent(score.peaks), percent(score.localized), score.ipr_rank, percent(score.kinds),
                        percent(score.centres), percent(score.bias_signs)));
    }
  }
  if (json) print(fmt::format("{}\n", file::Json{{"units", trained.units}, {"scores", scores}}.dump(2)));
}

void print_units(const lab::Fields& fields) {
  const std::vector<std::uint8_t> localized = lab::localized(fields);
  print("unit  peak  IPR     localizes\n");
  for (std::int64_t k = 0; k < fields.units; ++k) {
    const double ipr = probe::ipr(fields.field(k));
    print(fmt::format("{:>4}  {:>4}  {:.4f}  {}\n", k, lab::peak(fields.field(k)), ipr,
                      localized.empty()                             ? "–"
                      : localized[static_cast<std::size_t>(k)] != 0 ? "yes"
                                                                    : "no"));
  }
}

int predict(const Arguments& arguments) {
  if (!arguments.against.empty() && (arguments.train || arguments.seeds > 1))
    throw InputError("--against: expected neither --train nor --seeds with it");
  if (!arguments.out.empty()) file::require_place(arguments.out, {".npy"}, arguments.overwrite);
  math::Workers workers(arguments.threads);
  const lab::Prediction prediction = lab::predict({.source = arguments.source,
                                                   .response = arguments.response,
                                                   .pairs = arguments.pairs,
                                                   .samples = arguments.samples,
                                                   .against = arguments.against,
                                                   .train = arguments.train,
                                                   .again = arguments.again,
                                                   .seeds = arguments.seeds},
                                                  workers);
  const lab::Fields& fields = prediction.guesses[0].fields;
  if (!arguments.out.empty()) {
    file::write_npy(arguments.out, {{fields.units, fields.inputs}, fields.weights},
                    file::if_taken(arguments.overwrite));
  }
  if (prediction.trained) {
    print_scores(prediction.guesses, *prediction.trained, arguments.json);
  } else if (arguments.json) {
    file::Json units;
    const std::vector<std::uint8_t> localized = lab::localized(fields);
    for (std::int64_t k = 0; k < fields.units; ++k) {
      const double ipr = probe::ipr(fields.field(k));
      file::Json unit{{"unit", k}, {"peak", lab::peak(fields.field(k))}, {"ipr", ipr}};
      if (!localized.empty()) unit["localizes"] = localized[static_cast<std::size_t>(k)] != 0;
      units.push_back(unit);
    }
    print(fmt::format("{}\n", units.dump(2)));
  } else {
    print_units(fields);
  }
  return kSuccess;
}

}  // namespace
}  // namespace of_predict

void add_predict(App& app, Action& action) {
  using namespace of_predict;
  App* verb = app.add_subcommand("predict", "Predict final receptive fields from the initial weights");
  auto arguments = std::make_shared<Arguments>();
  add_source(*verb, arguments->source, "SPEC")->required();
  add_seed(*verb, arguments->source);
  verb->add_option("--operator", arguments->response, "Response operator of the flow, as dynamics.operator")
      ->check(one_of(flow::engine_operators()))
      ->type_name("NAME")
      ->capture_default_str();
  verb->add_option("--pairs", arguments->pairs, "How units answer together, as dynamics.pairs")
      ->check(one_of(flow::engine_pairs()))
      ->type_name("NAME")
      ->capture_default_str();
  verb->add_option("--samples", arguments->samples, "Samples of a sampled flow, as dynamics.samples")
      ->check([](const std::string& text) {
        return check_number<std::int64_t>(text, 1024, 100'000'000, "an integer from 1024 to 100000000");
      })
      ->type_name("N");
  verb->add_option("--against", arguments->against, "Score the prediction on a trained run")
      ->type_name("RUN");
  verb->add_flag("--train", arguments->train, "Train too, in memory, and score the prediction on the result");
  verb->add_flag(
      "--again", arguments->again,
      "Train once more from the same start on other samples: what can be expected of a prediction");
  verb->add_option("--seeds", arguments->seeds, "Train and predict this many seeds, from the spec's on")
      ->check([](const std::string& text) {
        return check_number<std::int64_t>(text, 1, 100'000, "an integer from 1 to 100000");
      })
      ->type_name("N");
  verb->add_option("--out", arguments->out, "Write the predicted fields [K, n] as npy")
      ->type_name("FILE.npy");
  add_overwrite(*verb, arguments->overwrite);
  add_threads(*verb, arguments->threads);
  verb->add_flag("--json", arguments->json, "Print as JSON");
  verb->footer(
      "Examples:\n"
      "  sluice predict localization\n"
      "  sluice predict localization --against runs/localization\n"
      "  sluice predict single-unit --seeds 200\n"
      "  sluice predict populations --again");
  verb->callback([&action, arguments] { action = [arguments] { return predict(*arguments); }; });
}

}  // namespace sluice::cli
