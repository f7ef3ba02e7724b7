#include "sluice/lab/reduce.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "sluice/file/errors.hpp"
#include "sluice/lab/setup.hpp"
#include "sluice/net/two_layer_network.hpp"
#include "sluice/task/dataset.hpp"
#include "sluice/theory/vector.hpp"
#include "sluice/version.hpp"

namespace sluice::lab {
namespace {

constexpr std::size_t kDots = 600;  // of the picture

net::TwoLayerOptions require_reducible(const Recorded& run) {
  const Experiment& experiment = *run.experiment;
  const auto* family = experiment.network.as<net::TwoLayerFamily>();
  run.need(family != nullptr, "network.kind", experiment.network.kind(), "\"two-layer\"");
  const net::TwoLayerOptions& layers = family->layers;
  run.need(theory::ReducedNetwork::saturates(layers.activation), "network.activation", layers.activation,
           "\"erf\", \"sigmoid\" or \"tanh\", whose pairs of opposite units fold");
  run.need(layers.bias != spec::WordOrNumber("none"), "network.bias", "none",
           "biases, whose signs tell the populations apart");
  run.need(layers.readout == "mean", "network.readout", layers.readout, "\"mean\"");
  run.need(layers.pathway == 0, "network.pathway", fmt::format("{}", layers.pathway), "0");
  return layers;
}

PopulationNumbers numbers_of(const theory::UnitPopulation& population) {
  PopulationNumbers numbers{
      .units = std::ssize(population.units), .bias = population.bias, .bias_spread = population.bias_spread};
  if (!population.tiling) return numbers;
  const theory::Tiling& tiling = *population.tiling;
  numbers.similarity = tiling.similarity;
  numbers.coverage = tiling.coverage;
  numbers.filters = tiling.filters;
  numbers.ipr = theory::participation(theory::vector_of(tiling.filter));
  for (const theory::Placement& place : tiling.placements)
    numbers.negative_signs += (place.sign < 0 ? 1.0 : 0.0) / static_cast<double>(tiling.placements.size());
  return numbers;
}

figure::AlignedUnits aligned(const theory::UnitPopulation& population, std::span<const float> weights,
                             const char* sign) {
  const theory::Tiling& tiling = *population.tiling;
  const std::size_t n = tiling.filter.size();
  figure::AlignedUnits units{.name = fmt::format("{}: {} units", sign, population.units.size()),
                             .filter = tiling.filter};
  for (std::size_t i = 0; i < population.units.size(); ++i) {
    const auto field = weights.subspan(population.units[i] * n, n);
    const theory::Placement& place = tiling.placements[i];
    std::vector<double>& moved = units.fields.emplace_back(n);
    for (std::size_t site = 0; site < n; ++site)
      moved[site] =
          place.sign * static_cast<double>(field[(site + static_cast<std::size_t>(place.shift)) % n]);
  }
  return units;
}

/// Answers of all models to all samples, [model][sample].
std::vector<std::vector<double>> answers_to(const theory::ReducedNetwork& network, const task::FiniteSet& set,
                                            math::Workers& workers) {
  std::vector<std::vector<double>> answers(theory::kReductions.size(),
                                           std::vector<double>(static_cast<std::size_t>(set.size())));
  constexpr std::int64_t kChunks = 48;
  workers.run(kChunks, [&](std::int64_t chunk, int) {
    for (std::int64_t s = set.size() * chunk / kChunks; s < set.size() * (chunk + 1) / kChunks; ++s) {
      const auto x = std::span(set.x).subspan(static_cast<std::size_t>(s * set.inputs),
                                              static_cast<std::size_t>(set.inputs));
      for (std::size_t m = 0; m < answers.size(); ++m)
        answers[m][static_cast<std::size_t>(s)] = network.output(theory::kReductions[m], x);
    }
  });
  return answers;
}

ReducedModel judged(theory::Reduction reduction, const std::vector<double>& answers,
                    const std::vector<double>& full, const std::vector<float>& labels, double boundary) {
  const auto count = static_cast<double>(answers.size());
  ReducedModel model{.reduction = reduction};
  double mean = 0, full_mean = 0;
  for (std::size_t s = 0; s < answers.size(); ++s) {
    const auto y = static_cast<double>(labels[s]);
    model.loss += (answers[s] - y) * (answers[s] - y) / 2 / count;
    model.accuracy += ((answers[s] > boundary) == (y > boundary) ? 1 : 0) / count;
    model.difference += (answers[s] - full[s]) * (answers[s] - full[s]) / count;
    mean += answers[s] / count;
    full_mean += full[s] / count;
  }
  model.difference = std::sqrt(model.difference);
  double own = 0, other = 0, product = 0;
  for (std::size_t s = 0; s < answers.size(); ++s) {
    own += (answers[s] - mean) * (answers[s] - mean);
    other += (full[s] - full_mean) * (full[s] - full_mean);
    product += (answers[s] - mean) * (full[s] - full_mean);
  }
  model.correlation = product / std::sqrt(own * other);
  return model;
}

}  // namespace

ReducedRun reduce(Recorded run, const ReduceOptions& options, math::Workers& workers) {
  const net::TwoLayerOptions layers = require_reducible(run);
  const Setup setup(std::move(*run.experiment));
  run.need(setup.some_units().empty(), "probe.units", fmt::format("{} units", setup.some_units().size()),
           "all of them recorded");
  run.need(setup.task().layout().on_ring() && setup.task().training_set() == nullptr, "task.kind",
           setup.experiment().task.kind(), "samples without end on a ring");
  const auto n = static_cast<std::size_t>(setup.task().inputs());
  const auto k = static_cast<std::size_t>(setup.network().units());
  const std::span<const float> weights =
      std::span(file::find(run.arrays(), "weights")->as<float>()).last(k * n);
  const file::Array* recorded = file::find(run.arrays(), "bias");
  const std::vector<float> biases =
      recorded != nullptr ? std::vector<float>(recorded->as<float>().end() - static_cast<std::ptrdiff_t>(k),
                                               recorded->as<float>().end())
                          : std::vector<float>(k, static_cast<float>(layers.initial_bias(0)));  // fixed
  const theory::ReducedNetwork network(layers.activation, weights, biases);
  const task::FiniteSet set =
      task::draw_set(setup.task(), options.samples, setup.sample_seed(), math::Purpose::evaluation);
  const std::vector<std::vector<double>> answers = answers_to(network, set, workers);

  ReducedRun reduced{.label = run.settings.empty() ? run.recording.name : label_of(run.settings),
                     .units = setup.network().units(),
                     .samples = set.size(),
                     .negative = numbers_of(network.negative()),
                     .positive = numbers_of(network.positive())};
  for (std::size_t m = 0; m < answers.size(); ++m)
    reduced.models.push_back(
        judged(theory::kReductions[m], answers[m], answers[0], set.y, setup.task().midpoint()));
  if (network.negative().tiling) reduced.aligned.push_back(aligned(network.negative(), weights, "b < 0"));
  if (network.positive().tiling) reduced.aligned.push_back(aligned(network.positive(), weights, "b > 0"));
  for (const theory::Reduction shown : {theory::Reduction::tiled, theory::Reduction::folded_as_printed}) {
    const std::vector<double>& all = answers[static_cast<std::size_t>(shown)];
    const std::size_t dots = std::min(kDots, all.size());
    figure::AnswersView view{
        .model = std::string(to_string(shown)), .full = {}, .reduced = {}, .which_class = {}};
    const std::size_t stride = all.size() / dots;
    for (std::size_t i = 0; i < dots; ++i) {
      view.full.push_back(answers[0][i * stride]);
      view.reduced.push_back(all[i * stride]);
      view.which_class.push_back(set.which_class[i * stride]);
    }
    reduced.answers.push_back(std::move(view));
  }
  return reduced;
}

figure::ReportTable reduce_table(const std::vector<ReducedRun>& runs) {
  figure::ReportTable table{{"K", "model", "accuracy", "loss", "correlation", "off by"}, {}};
  if (runs.size() > 1) table.header.insert(table.header.begin(), "run");
  for (const ReducedRun& run : runs)
    for (const ReducedModel& model : run.models) {
      std::vector<std::string>& row = table.rows.emplace_back();
      if (runs.size() > 1) row.push_back(run.label);
      row.insert(row.end(),
                 {fmt::format("{}", run.units), std::string(to_string(model.reduction)),
                  fmt::format("{:.2f} %", 100 * model.accuracy), fmt::format("{:.4f}", model.loss),
                  fmt::format("{:.4f}", model.correlation), fmt::format("{:.3f}", model.difference)});
    }
  return table;
}

figure::ReportTable population_table(const std::vector<ReducedRun>& runs) {
  figure::ReportTable table{
      {"K", "population", "units", "bias", "IPR", "similarity", "coverage", "filters", "sign −"}, {}};
  if (runs.size() > 1) table.header.insert(table.header.begin(), "run");
  for (const ReducedRun& run : runs)
    for (const bool negative : {true, false}) {
      const PopulationNumbers& numbers = negative ? run.negative : run.positive;
      if (numbers.units == 0) continue;
      std::vector<std::string>& row = table.rows.emplace_back();
      if (runs.size() > 1) row.push_back(run.label);
      row.insert(row.end(), {fmt::format("{}", run.units), negative ? "b < 0" : "b > 0",
                             fmt::format("{}", numbers.units),
                             fmt::format("{:.2f} ± {:.2f}", numbers.bias, numbers.bias_spread),
                             fmt::format("{:.3f}", numbers.ipr), fmt::format("{:.3f}", numbers.similarity),
                             fmt::format("{:.2f}", numbers.coverage), fmt::format("{:.2f}", numbers.filters),
                             fmt::format("{:.0f} %", 100 * numbers.negative_signs)});
    }
  return table;
}

figure::Figure reduce_figure(const ReducedRun& run) { return figure::reduction(run.aligned, run.answers); }

file::Json to_json(const std::vector<ReducedRun>& runs) {
  const auto population = [](const PopulationNumbers& numbers) {
    return file::Json{{"units", numbers.units},
                      {"bias", numbers.bias},
                      {"bias_spread", numbers.bias_spread},
                      {"ipr", numbers.ipr},
                      {"similarity", numbers.similarity},
                      {"coverage", numbers.coverage},
                      {"filters", numbers.filters},
                      {"negative_signs", numbers.negative_signs}};
  };
  file::Json all = file::Json::array();
  for (const ReducedRun& run : runs) {
    file::Json models = file::Json::array();
    for (const ReducedModel& model : run.models)
      models.push_back({{"model", std::string(to_string(model.reduction))},
                        {"loss", model.loss},
                        {"accuracy", model.accuracy},
                        {"correlation", model.correlation},
                        {"difference", model.difference}});
    all.push_back({{"run", run.label},
                   {"units", run.units},
                   {"samples", run.samples},
                   {"negative", population(run.negative)},
                   {"positive", population(run.positive)},
                   {"models", models}});
  }
  return all;
}

std::string reduce_csv(const std::vector<ReducedRun>& runs) {
  std::string csv = "run,units,model,loss,accuracy,correlation,difference\n";
  for (const ReducedRun& run : runs)
    for (const ReducedModel& model : run.models)
      csv += fmt::format("\"{}\",{},\"{}\",{},{},{},{}\n", run.label, run.units, to_string(model.reduction),
                         model.loss, model.accuracy, model.correlation, model.difference);
  return csv;
}

std::string reduce_page(const std::vector<ReducedRun>& runs) {
  const ReducedRun& first = runs.front();
  const auto model = [&](theory::Reduction reduction) -> const ReducedModel& {
    return first.models[static_cast<std::size_t>(reduction)];
  };
  std::vector<figure::ReportSection> sections{
      {.heading = "The populations",
       .text =
           "Units by the sign of their bias, moved around the ring and signed to lie on the mean of all, "
           "their filter. Similarity: mean correlation of a unit with the filter. Coverage: how evenly the "
           "units lie on the ring, 1 as evenly as can be. Filters: effective number of different shapes, 1 "
           "to the number of units. IPR: of the filter."},
      {.heading = "The models",
       .text = fmt::format(
           "One bias each: biases replaced by the population's mean. Tiled: every population is its filter, "
           "at "
           "all positions, with both signs, weighted by its size; as printed in document 002, by a half. "
           "Folded: of every pair of opposite units the term that is not saturated; as printed, ½σ(|h|+b) "
           "for "
           "both populations. Correlation, and off by (root mean square): of a model's answers and the full "
           "network's, on {} samples that training did not see.",
           first.samples)}};
  for (const ReducedRun& run : runs) {
    sections[1].figures.push_back(reduce_figure(run));
    if (sections[1].figures.size() == 4) break;  // a sweep's first four
  }
  for (const ReducedRun& run : runs)
    for (const bool negative : {true, false}) {
      const PopulationNumbers& numbers = negative ? run.negative : run.positive;
      if (numbers.units == 0) continue;
      sections[0].facts.push_back(
          {fmt::format("{}{}", runs.size() > 1 ? run.label + ", " : "", negative ? "b < 0" : "b > 0"),
           fmt::format(
               "{} of {} units, bias {:.2f} ± {:.2f}, IPR {:.3f}, similarity {:.3f}, coverage {:.2f}, "
               "filters {:.2f}, {:.0f} % turned",
               numbers.units, run.units, numbers.bias, numbers.bias_spread, numbers.ipr, numbers.similarity,
               numbers.coverage, numbers.filters, 100 * numbers.negative_signs)});
    }
  return figure::report_html(
      {.title = "A network and its reduced models",
       .question = "How much of a trained network is two filters, moved over the ring?",
       .key_numbers = {{"accuracy, full",
                        fmt::format("{:.1f} %", 100 * model(theory::Reduction::full).accuracy)},
                       {"tiled", fmt::format("{:.1f} %", 100 * model(theory::Reduction::tiled).accuracy)},
                       {"correlation, tiled",
                        fmt::format("{:.3f}", model(theory::Reduction::tiled).correlation)}},
       .table = reduce_table(runs),
       .sections = std::move(sections),
       .footer = fmt::format("sluice {}", version()),
       .data = ""});
}

}  // namespace sluice::lab
