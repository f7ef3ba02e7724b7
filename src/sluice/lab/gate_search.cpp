#include "sluice/lab/gate_search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include "sluice/file/errors.hpp"
#include "sluice/flow/gate_library.hpp"
#include "sluice/lab/recorded.hpp"
#include "sluice/net/gated_linear.hpp"
#include "sluice/probe/ipr.hpp"
#include "sluice/probe/localized.hpp"

namespace sluice::lab {
namespace {

constexpr double kMostMemory = 2e9;  // bytes
constexpr std::int64_t kJudges = 4;  // held-out draws per draw of the search
constexpr const char* kRelu = "relu";
constexpr std::int64_t kCompared = 20'000;

/// The final fields of a two-layer ReLU run, whose gates are half-spaces through 0.
std::vector<float> relu_units(const Recorded& run, std::int64_t inputs) {
  const auto refuse = [&](const std::string& expected) {
    throw InputError(fmt::format("{}: expected {}", run.file().string(), expected));
  };
  if (!run.experiment || run.experiment->network.kind() != "two-layer")
    refuse("a run of a two-layer network");
  const file::Array* weights = file::find(run.arrays(), "weights");
  if (weights == nullptr || weights->shape.size() != 3 || weights->shape[0] == 0 ||
      weights->shape[2] != inputs)
    refuse(fmt::format("weights of units on {} sites, as the search has them", inputs));
  if (const file::Array* bias = file::find(run.arrays(), "bias"))
    if (std::ranges::any_of(bias->as<float>(), [](float b) { return b != 0; }))
      refuse("a run without biases: gates are half-spaces through 0");
  const std::vector<float>& all = weights->as<float>();
  return {all.end() - weights->shape[1] * inputs, all.end()};
}

void require_memory(std::int64_t candidates, const GateSearch& search) {
  if (flow::greedy_memory(candidates, search.units, search.inputs) <= kMostMemory) return;
  throw InputError(fmt::format(
      "network.hidden = {}: expected fewer gates, or fewer than {} candidates, for {} GB of memory",
      search.units, candidates, kMostMemory / 1e9));
}

/// Everything that gates are tried on.
class Bench {
 public:
  Bench(const SearchRequest& request, const task::Task& task, math::Workers& workers)
      : workers_(workers),
        seed_(static_cast<std::uint64_t>(request.experiment.seed)),
        kind_(request.experiment.task.kind()),
        fit_(points(request, task, flow::PointSet::fit, request.samples)),
        held_out_(points(request, task, flow::PointSet::held_out, kJudges * request.samples)) {}

  const flow::GatePoints& fit_points() const { return fit_; }
  const flow::GatePoints& held_out() const { return held_out_; }

  flow::GateFit fit(std::span<const float> gates) {
    ++fits_;
    const flow::GateMoments moments =
        flow::point_moments(fit_, flow::open_bits(fit_, gates, workers_), workers_);
    if (!moments.are_finite())
      throw InputError(
          fmt::format("task.kind = \"{}\": a moment of its samples is not a finite number", kind_));
    return flow::fit_gates(moments);
  }
  double loss(double objective) const { return std::max(0.0, (fit_.label_square - objective) / 2); }
  std::int64_t fits() const { return fits_; }
  void count(std::int64_t fits) { fits_ += fits; }

  std::vector<double> held_out_losses(std::span<const float> gates) {
    return flow::draw_losses(held_out_, gates, fit(gates), workers_);
  }

 private:
  flow::GatePoints points(const SearchRequest& request, const task::Task& task, flow::PointSet which,
                          std::int64_t draws) const {
    return flow::draw_points(request.experiment.task, task, which, draws, seed_, workers_);
  }

  math::Workers& workers_;
  std::uint64_t seed_;
  std::string kind_;
  flow::GatePoints fit_, held_out_;
  std::int64_t fits_ = 0;
};

/// Of every law the tiling that fits best, the best first.
std::vector<Structure> best_tilings(Bench& bench, std::int64_t units, std::int64_t inputs,
                                    std::uint64_t seed) {
  std::vector<Structure> best;
  for (const flow::Tiling& tiling : flow::tilings(inputs, units)) {
    Structure one{.name = tiling.options.law, .detail = tiling.name};
    one.gates = net::gate_vectors(tiling.options, units, {.inputs = inputs}, seed);
    one.fitted = bench.loss(bench.fit(one.gates).objective);
    const auto rival = std::ranges::find(best, one.name, &Structure::name);
    if (rival == best.end())
      best.push_back(std::move(one));
    else if (one.fitted < rival->fitted)
      *rival = std::move(one);
  }
  std::ranges::stable_sort(best, {}, &Structure::fitted);
  return best;
}

/// From the greedy gates and from the best tiling; whichever fits better.
Structure refined(Bench& bench, const Structure& greedy, const Structure& tiling, math::Workers& workers) {
  Structure best{.name = "refined", .detail = {}, .gates = {}, .fitted = INFINITY};
  for (const Structure* start : {&greedy, &tiling}) {
    flow::Refined end = flow::refine_gates(bench.fit_points(), start->gates, {}, workers);
    bench.count(end.evaluations);
    if (bench.loss(end.objective) >= best.fitted) continue;
    best.detail = "from " + (start == &greedy ? start->name : start->detail);
    best.gates = std::move(end.gates);
    best.fitted = bench.loss(end.objective);
  }
  return best;
}

void judge(std::vector<Structure>& structures, Bench& bench, std::int64_t inputs) {
  const std::vector<double> winner = bench.held_out_losses(structures.back().gates);
  for (Structure& one : structures) {
    std::vector<double> losses = bench.held_out_losses(one.gates);
    one.held_out = flow::estimate(bench.held_out(), losses);
    for (std::size_t draw = 0; draw < losses.size(); ++draw) losses[draw] -= winner[draw];
    one.behind = flow::estimate(bench.held_out(), losses);
    const auto n = static_cast<std::size_t>(inputs);
    const std::size_t units = one.gates.size() / n;
    for (std::size_t k = 0; k < units; ++k)
      one.ipr += probe::ipr(std::span(one.gates).subspan(k * n, n)) / static_cast<double>(units);
    for (const std::uint8_t flag : probe::localized_flags(one.gates, inputs, 0)) one.localized += flag;
  }
}

AgreementRow by_chance(const std::string& name, const std::vector<flow::Agreement>& draws) {
  AgreementRow row{.name = name, .mean = {}, .spread = flow::Agreement{}};
  const auto count = static_cast<double>(draws.size());
  for (const auto number : {&flow::Agreement::best, &flow::Agreement::matched, &flow::Agreement::shifted}) {
    for (const flow::Agreement& draw : draws) row.mean.*number += draw.*number / count;
    double squares = 0;
    for (const flow::Agreement& draw : draws) squares += std::pow(draw.*number - row.mean.*number, 2);
    (*row.spread).*number = std::sqrt(squares / (count - 1));
  }
  return row;
}

std::vector<AgreementRow> agreements(const GateSearch& search, const std::vector<float>& units,
                                     const flow::GatePoints& points, std::uint64_t seed,
                                     math::Workers& workers) {
  const auto with = [&](std::span<const float> gates) {
    return flow::agreement(points, gates, units, workers);
  };
  std::vector<AgreementRow> rows{{search.refined().name, with(search.refined().gates), {}},
                                 {search.greedy().name, with(search.greedy().gates), {}},
                                 {search.best_tiling().detail, with(search.best_tiling().gates), {}}};
  std::vector<flow::Agreement> phases, normals;
  for (std::int64_t draw = 0; draw < GateSearch::kChances; ++draw) {
    phases.push_back(with(flow::random_phases(search.refined().gates, search.inputs, seed, draw)));
    normals.push_back(with(flow::random_gates(search.units, search.inputs, seed, draw)));
  }
  rows.push_back(by_chance("refined, random phases", phases));
  rows.push_back(by_chance("random normals", normals));
  return rows;
}

}  // namespace

const Structure& GateSearch::best_tiling() const {
  return *std::ranges::min_element(structures, {}, [](const Structure& one) {
    const bool found = one.name == kRelu || one.name == "greedy" || one.name == "refined";
    return found ? INFINITY : one.held_out.mean;
  });
}

GateSearch search_gates(const SearchRequest& request, math::Workers& workers) {
  const auto begin = std::chrono::steady_clock::now();
  const Experiment& experiment = request.experiment;
  if (experiment.network.kind() != "gated-linear")
    throw InputError(fmt::format("network.kind = \"{}\": expected \"gated-linear\" to search gates for",
                                 experiment.network.kind()));
  const std::unique_ptr<task::Task> task = experiment.task.make();
  if (!task->layout().on_ring())
    throw InputError("task: expected inputs on a ring, where gates have translates");
  GateSearch search;
  search.inputs = task->inputs();
  search.spec = to_toml(experiment);
  search.units = experiment.network.make({.inputs = search.inputs, .outputs = task->outputs()})->units();
  const auto seed = static_cast<std::uint64_t>(experiment.seed);
  std::vector<float> units;
  if (request.against != nullptr) units = relu_units(*request.against, search.inputs);

  const std::int64_t shapes = std::max(request.candidates, search.units);
  require_memory(2 * shapes, search);  // a library has the opposite of each
  const flow::GateLibrary library = flow::gate_library(search.inputs, shapes, seed);
  require_memory(library.size(), search);
  Bench bench(request, *task, workers);
  search.initial_loss = bench.loss(0);
  search.exact = bench.fit_points().exact;
  request.remark("fitting tilings");
  search.structures = best_tilings(bench, search.units, search.inputs, seed);

  request.remark(fmt::format("adding gates one by one, from {} half-spaces", library.size()));
  const flow::Greedy found =
      flow::greedy_gates(bench.fit_points(), flow::open_bits(bench.fit_points(), library.vectors, workers),
                         search.units, workers);
  Structure greedy{.name = "greedy", .detail = "from the library"};
  for (const std::int64_t candidate : found.chosen) {
    const auto v = library.vector(candidate);
    greedy.gates.insert(greedy.gates.end(), v.begin(), v.end());
    search.chosen.push_back(library.shapes[static_cast<std::size_t>(candidate)]);
  }
  for (const double objective : found.objective) search.rounds.push_back(bench.loss(objective));
  greedy.fitted = search.rounds.back();
  request.remark("refining them, and the best tiling");
  Structure best = refined(bench, greedy, search.structures.front(), workers);
  if (units.size() == greedy.gates.size())
    search.structures.push_back({.name = kRelu,
                                 .detail = "the frozen gates of the run",
                                 .gates = units,
                                 .fitted = bench.loss(bench.fit(units).objective)});
  search.structures.push_back(std::move(greedy));
  search.structures.push_back(std::move(best));
  search.budget = {.candidates = library.size(),
                   .gains = found.evaluations,
                   .fits = bench.fits(),
                   .points = bench.fit_points().count,
                   .held_out = bench.held_out().count};
  judge(search.structures, bench, search.inputs);

  if (!units.empty()) {
    const record::Recording& run = request.against->recording;
    search.run = run.folder.empty() ? run.name : run.folder.string();
    search.run_units = static_cast<std::int64_t>(units.size()) / search.inputs;
    const flow::GatePoints points =
        flow::draw_points(experiment.task, *task, flow::PointSet::comparison, kCompared, seed, workers);
    search.agreements = agreements(search, units, points, seed, workers);
  }
  search.budget.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return search;
}

}  // namespace sluice::lab
