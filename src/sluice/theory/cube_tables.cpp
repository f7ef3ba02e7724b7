#include "sluice/theory/cube_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "sluice/file/errors.hpp"
#include "sluice/flow/bumps.hpp"
#include "sluice/flow/sampled.hpp"
#include "sluice/math/quantile.hpp"
#include "sluice/math/random.hpp"
#include "sluice/task/nlgp.hpp"
#include "sluice/theory/cube_gate.hpp"
#include "sluice/theory/seen_entries.hpp"
#include "sluice/theory/shapes.hpp"
#include "sluice/theory/sign_sums.hpp"
#include "sluice/theory/trained_unit.hpp"
#include "sluice/theory/vector_relaxation.hpp"

namespace sluice::theory {
namespace {

constexpr std::size_t kMostMargins = 40;  // entries: 0.1 s each

/// Over |w_1|, of the k = 1, 2, … largest entries.
struct Margins {
  std::vector<double> delta, tail, relaxation;
};
Margins margins_of(const Vector& w, math::Workers& workers) {
  std::vector<double> sorted;
  for (const std::size_t i : by_size(view(w))) sorted.push_back(std::abs(w[i]) / std::abs(w).max());
  Margins margins;
  for (std::size_t k = 1; k <= std::min(sorted.size(), kMostMargins); ++k) {
    const std::span<const double> first = std::span(sorted).first(k);
    double tail = 0;
    for (std::size_t i = sorted.size(); i-- > k;) tail += sorted[i];
    margins.delta.push_back(SignSums(first, workers).margin().value);
    margins.tail.push_back(tail);
    margins.relaxation.push_back(relaxed_margin(first));
  }
  return margins;
}

/// What vanishes, or all but, has no place in the picture.
double logarithm(double value) {
  constexpr double kLeast = 1e-12;
  return value > kLeast ? std::log10(value) : std::numeric_limits<double>::quiet_NaN();
}

Vector normal_entries(std::size_t n, std::uint64_t seed, std::uint32_t row) {
  math::RowNumbers numbers({.seed = seed, .purpose = math::Purpose::initial_weights, .row = row}, 0);
  Vector w(n);
  for (double& value : w) value = numbers.normal();
  return w;
}

/// Samples of both classes.
class TaskSamples {
 public:
  static constexpr std::int64_t kCount = 10'000;

  TaskSamples(const task::Task& task, std::uint64_t seed) {
    for (int c = 0; c < 2; ++c) {
      math::LanesBuffer<float>& x = storage_.emplace_back(task.inputs(), kCount);
      math::LanesBuffer<float> scratch(task.inputs(), kCount);
      task.sample({.seed = seed, .purpose = math::Purpose::evaluation, .step = static_cast<std::uint64_t>(c)},
                  c, x.lanes(kCount), scratch.lanes(kCount));
      const math::Lanes lanes = x.lanes(kCount);
      classes.push_back({lanes.data, lanes.sites, lanes.samples, lanes.stride});
    }
  }

  std::vector<ConstLanes> classes;

 private:
  std::vector<math::LanesBuffer<float>> storage_;
};

}  // namespace

Table cube_margins(const Request& request) {
  const auto* nlgp = dynamic_cast<const task::NlgpOptions*>(&request.task.options());
  if (nlgp == nullptr)
    throw InputError(fmt::format("margins: task.kind = {}: expected nlgp", request.task.kind()));
  constexpr std::uint32_t kDraws = 15;
  constexpr double kWidth = 2;
  math::Workers workers(math::hardware_threads());
  const auto n = static_cast<std::size_t>(nlgp->n);
  const std::size_t entries = std::min(n, kMostMargins);
  std::vector<Margins> normal;
  for (std::uint32_t draw = 0; draw < kDraws; ++draw)
    normal.push_back(margins_of(normal_entries(n, request.seed, draw), workers));
  const auto median = [&](const auto& member, std::size_t k) {
    std::vector<double> values;
    for (const Margins& each : normal) values.push_back((each.*member)[k]);
    return math::quantile(values, 0.5);
  };
  const Margins of_bump = margins_of(bump(n, kWidth), workers);
  const Margins of_trained = margins_of(trained_field(*nlgp), workers);
  Table table{{"k", "normal: δ", "normal: tail", "bump: δ", "bump: tail", "bump: relaxation", "trained: δ",
               "trained: tail"},
              {}};
  table.picture = {.kind = Picture::Kind::curves,
                   .title = fmt::format("Margin of the k largest of {} entries, and the tail they leave", n),
                   .y = "log₁₀ over the largest entry"};
  for (std::size_t k = 0; k < entries; ++k) {
    std::vector<double> row{static_cast<double>(k + 1)};
    for (const double value :
         {median(&Margins::delta, k), median(&Margins::tail, k), of_bump.delta[k], of_bump.tail[k],
          of_bump.relaxation[k], of_trained.delta[k], of_trained.tail[k]})
      row.push_back(logarithm(value));
    table.rows.push_back(std::move(row));
  }
  return table;
}

Table cube_gates(const Request& request) {
  math::Workers workers(math::hardware_threads());
  const TaskSamples samples(*request.task.make(), request.seed);
  Table table{{"entries", "delta", "relaxation", "deciding", "first alone", "seen 90 %", "seen 95 %",
               "seen 99 %", "1/ipr"},
              {}};
  for (std::size_t unit = 0; unit < request.weights.size(); ++unit) {
    const Vector& w = request.weights[unit];
    const std::vector<float> single(std::begin(w), std::end(w));
    const std::vector<double> agreement =
        gate_agreement(single, static_cast<float>(request.biases[unit]), samples.classes);
    if (agreement.empty()) throw InputError(fmt::format("unit {}: expected weights other than zero", unit));
    const auto seen = [&](double share) {
      return static_cast<double>(
          std::ranges::find_if(agreement, [share](double each) { return each >= share; }) -
          agreement.begin() + 1);
    };
    const SignSums sums(view(w), workers);
    const std::optional<std::size_t> deciding = deciding_entries(view(w), workers);
    table.labels.push_back(fmt::format("unit {}", unit));
    table.rows.push_back(
        {static_cast<double>(sums.entries()), sums.margin().value, relaxed_margin(view(w)),
         deciding ? static_cast<double>(*deciding) : std::numeric_limits<double>::quiet_NaN(),
         agreement.front(), seen(0.9), seen(0.95), seen(0.99), 1 / participation(w)});
  }
  return table;
}

Table bump_responses(const Request& request) {
  const auto* spec = dynamic_cast<const task::NlgpOptions*>(&request.task.options());
  if (spec == nullptr || spec->normalize != "unit" || spec->scale != 1)
    throw InputError("bumps: expected task.kind = nlgp with normalize = \"unit\" and scale = 1");
  constexpr std::int64_t kSamples = 1 << 15;
  constexpr std::size_t kSite = 2;
  constexpr std::int64_t kLeastSites = 8;
  if (spec->n < kLeastSites)
    throw InputError(fmt::format("bumps: task.n = {}: expected at least {}", spec->n, kLeastSites));
  const auto n = static_cast<std::size_t>(spec->n);
  const auto e = [n](std::size_t i) { return unit(n, i); };
  const std::vector<std::pair<std::string, Vector>> fields{
      {"e₀", e(0)},
      {"e₀ + e₄", e(0) + e(4)},
      {"1.5e₀ + e₄", 1.5 * e(0) + e(4)},
      {"1.5e₀ − e₄", 1.5 * e(0) - e(4)},
      {"2.5e₀ + 2e₁ + e₄", 2.5 * e(0) + 2.0 * e(1) + e(4)}};
  const auto closed = [&](double gain) {
    return flow::BumpResponse(
        math::ring_kernel(spec->n, spec->xi.at(static_cast<std::size_t>(request.which_class))), gain);
  };
  const flow::BumpResponse signs = closed(std::numeric_limits<double>::infinity());
  Table table{{"gain"}, {}};
  table.picture = {.kind = Picture::Kind::curves,
                   .title = fmt::format("Response to few bumps at site {}: nlgp, n = {}", kSite, spec->n),
                   .y = "f₂(w)"};
  for (const auto& [name, w] : fields)
    for (const char* kind : {"", "± ", "ideal "}) table.columns.push_back(kind + name);
  math::Workers workers(math::hardware_threads());
  for (const double gain :
       {0.1, 0.2, 0.5, 1.0, 2.0, 3.0, 5.0, 10.0, 30.0, 100.0, std::numeric_limits<double>::infinity()}) {
    task::NlgpOptions options = *spec;
    options.gain = gain;
    const flow::SampledResponse sampled(*options.make(), request.which_class,
                                        {.samples = kSamples, .seed = request.seed}, workers);
    const flow::BumpResponse exact = closed(gain);
    table.rows.push_back({gain});
    for (const auto& [name, w] : fields) {
      const flow::SampledResponse::Estimate f = sampled.single_estimate(view(w));
      Vector stated(n);
      (exact.covers(view(w)) ? exact : signs).single(view(w), view(stated));
      table.rows.back().insert(table.rows.back().end(),
                               {f.value[kSite], f.standard_error[kSite], stated[kSite]});
    }
  }
  return table;
}

Table chow_parameters(const Request& request) {
  const std::unique_ptr<task::Task> task = request.task.make();
  if (!task->even())
    throw InputError(fmt::format("chow: task.kind = {}: expected X ~ −X", request.task.kind()));
  constexpr std::int64_t kSamples = 1 << 16;
  math::Workers workers(math::hardware_threads());
  const Vector& w = request.weights.front();
  const flow::SampledResponse response(*task, request.which_class,
                                       {.samples = kSamples, .seed = request.seed}, workers);
  const flow::SampledResponse::Estimate f = response.single_estimate(view(w));
  const CubeGate cube = cube_gate(view(w), workers);
  Table table{{"site", "weight", "uniform law", "law of the task", "± law of the task"}, {}};
  table.picture = {.kind = Picture::Kind::curves,
                   .title = fmt::format("Chow parameters of one gate: {}", request.task.kind()),
                   .y = "E[sgn⟨w,x⟩ x_j]; weights over the largest"};
  for (std::size_t j = 0; j < w.size(); ++j)
    table.rows.push_back({static_cast<double>(j), w[j] / std::abs(w).max(), cube.chow[j], 2 * f.value[j],
                          2 * f.standard_error[j]});
  return table;
}

}  // namespace sluice::theory
