#include "sluice/lab/race.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "sluice/figure/race_view.hpp"
#include "sluice/figure/report.hpp"
#include "sluice/file/errors.hpp"
#include "sluice/flow/gated_solution.hpp"
#include "sluice/lab/setup.hpp"
#include "sluice/lab/sweep_plan.hpp"
#include "sluice/net/gated_linear.hpp"
#include "sluice/version.hpp"

namespace sluice::lab {
namespace {

constexpr double kNothing = 1e-12;  // share of L(0): less was not learned

/// L(t) from w = 0 of modes that carry ½c²/λ each.
double loss_at(const Lap& lap, double time) {
  double loss = lap.limit;
  const auto k = static_cast<double>(lap.units);
  for (std::size_t i = 0; i < lap.lambda.size(); ++i)
    loss += lap.carried[i] * std::exp(-2 * lap.lambda[i] * time / (k * k));
  return loss;
}

/// L falls in t: bisection, until no number lies between.
double half_time(const Lap& lap) {
  const double reduction = lap.initial_loss - lap.limit;
  if (!(reduction > kNothing * lap.initial_loss)) return std::numeric_limits<double>::infinity();
  const double half = lap.limit + reduction / 2;
  double low = 0, high = 1;
  while (loss_at(lap, high) > half) high *= 2;
  for (double middle = high / 2; low < middle && middle < high; middle = (low + high) / 2)
    (loss_at(lap, middle) > half ? low : high) = middle;
  return high;
}

std::optional<double> mean_cosine(std::span<const float> gates, std::span<const double> weights,
                                  std::int64_t units) {
  const std::size_t n = weights.size() / static_cast<std::size_t>(units);
  double sum = 0;
  std::int64_t count = 0;
  for (std::size_t from = 0; from < weights.size(); from += n) {
    double vv = 0, vw = 0, ww = 0;
    for (std::size_t i = from; i < from + n; ++i) {
      const auto v = static_cast<double>(gates[i]);
      vv += v * v;
      vw += v * weights[i];
      ww += weights[i] * weights[i];
    }
    if (vv == 0 || ww == 0) continue;
    sum += vw / std::sqrt(vv * ww);
    ++count;
  }
  return count == 0 ? std::nullopt : std::optional(sum / static_cast<double>(count));
}

Lap lap_of(Entrant entrant, math::Workers& workers) {
  // Half-squared loss and a start at 0, whatever the spec trains with: the race is about gates.
  const Setup setup(std::move(entrant.experiment));
  const auto* network = dynamic_cast<const net::GatedLinearNetwork*>(&setup.network());
  if (network == nullptr)
    throw InputError(fmt::format("{}: network.kind = \"{}\": expected \"gated-linear\" in a race",
                                 entrant.label, setup.experiment().network.kind()));
  flow::MomentOptions how = setup.experiment().dynamics.flow.moments;
  how.seed = setup.seed();
  const flow::GateMoments moments = flow::gate_moments(*network, network->gate_vectors(setup.start()),
                                                       setup.experiment().task, setup.task(), how, workers);
  if (!moments.are_finite())
    throw InputError(fmt::format("{}: a moment behind its gates is not a finite number", entrant.label));
  const flow::GatedSolution solution(moments, std::vector<double>(moments.b.size()), setup.task().side(),
                                     setup.task().dimensions());
  if (!std::isfinite(solution.limiting_loss()))
    throw InputError(fmt::format("{}: its loss is not a finite number", entrant.label));
  Lap lap{
      .label = entrant.label, .units = moments.units, .moments = moments.method, .samples = moments.samples};
  lap.initial_loss = moments.label_square / 2;
  lap.limit = solution.limiting_loss();
  lap.kept = mean_cosine(network->gate_vectors(setup.start()), solution.limit(), moments.units);
  for (const flow::GatedSolution::Mode& mode : solution.modes()) {
    if (mode.lambda <= 0) {
      ++lap.null_modes;
      continue;
    }
    lap.lambda.push_back(mode.lambda);
    lap.carried.push_back(mode.c * mode.c / mode.lambda / 2);
  }
  const auto k = static_cast<double>(lap.units);
  for (const double b : moments.b) lap.initial_rate += b * b / (k * k);
  lap.half_time = half_time(lap);
  std::vector<double> sorted = lap.carried;
  std::ranges::sort(sorted, std::greater{});
  const double all = std::accumulate(sorted.begin(), sorted.end(), 0.0);
  for (double sum = 0; all > 0 && sum < 0.9 * all; ++lap.carriers)
    sum += sorted[static_cast<std::size_t>(lap.carriers)];
  for (std::size_t i = 0; all > 0 && i < lap.lambda.size(); ++i)
    lap.carrier_lambda += lap.lambda[i] * lap.carried[i] / all;
  return lap;
}

/// Ranks by rising value; equal values (to 1e-9) share one.
template <class Value>
void rank(std::vector<Lap>& laps, const Value& value, int Lap::*place) {
  for (Lap& lap : laps) {
    lap.*place = 1;
    for (const Lap& other : laps)
      if (value(other) < value(lap) - 1e-9 * std::abs(value(lap))) ++(lap.*place);
  }
}

/// Large labels do not get three hundred digits.
std::string loss_text(double loss) {
  return std::abs(loss) < 1e6 ? fmt::format("{:.4f}", loss) : fmt::format("{:.4g}", loss);
}
std::string time_text(double time) { return std::isfinite(time) ? fmt::format("{:.3g}", time) : "never"; }

}  // namespace

std::vector<Entrant> entrants(const std::vector<Source>& sources, const std::vector<SweepAxis>& axes) {
  std::vector<Entrant> all;
  for (const Source& source : sources) {
    const std::string name = short_name(source.name_or_file);
    for (const SweepPoint& point : sweep_points(axes)) {
      Source moved = source;
      moved.swept = point.assignments;
      // Of one key that varies the value says it all.
      std::string label =
          point.settings.size() == 1 ? point.settings.front().value : label_of(point.settings);
      if (sources.size() > 1) label = fmt::format("{}{}{}", name, label.empty() ? "" : ", ", label);
      all.push_back({label.empty() ? name : label, load(moved)});
    }
  }
  return all;
}

Race race(std::vector<Entrant> entrants, math::Workers& workers, const Advance& progress) {
  constexpr int kTimes = 160;
  Race race;
  if (!entrants.empty()) race.spec = to_toml(entrants.front().experiment);
  for (Entrant& entrant : entrants) {
    progress(std::ssize(race.laps), std::ssize(entrants));
    race.laps.push_back(lap_of(std::move(entrant), workers));
  }
  double first = std::numeric_limits<double>::infinity(), last = 0;
  for (const Lap& lap : race.laps) {
    if (!std::isfinite(lap.half_time)) continue;
    first = std::min(first, lap.half_time);
    last = std::max(last, lap.half_time);
  }
  if (last == 0) first = last = 1;
  for (int i = 0; i < kTimes; ++i)
    race.times.push_back(first / 10 * std::pow(100 * last / first, static_cast<double>(i) / (kTimes - 1)));
  for (Lap& lap : race.laps)
    for (const double time : race.times) lap.loss.push_back(loss_at(lap, time));
  rank(
      race.laps, [](const Lap& lap) { return std::min(lap.half_time, 1e300); }, &Lap::speed_rank);
  rank(
      race.laps, [](const Lap& lap) { return lap.limit; }, &Lap::limit_rank);
  return race;
}

figure::ReportTable race_table(const Race& race) {
  figure::ReportTable table{{"gates", "K", "speed", "limit", "t half", "L ∞", "−dL/dt at 0", "λ max",
                             "mean λ", "90 % in", "null", "cos(v, w)", "moments"},
                            {}};
  for (const Lap& lap : race.laps)
    table.rows.push_back(
        {lap.label, fmt::format("{}", lap.units),
         std::isfinite(lap.half_time) ? fmt::format("{}", lap.speed_rank) : "",
         std::isfinite(lap.half_time) ? fmt::format("{}", lap.limit_rank) : "", time_text(lap.half_time),
         loss_text(lap.limit), fmt::format("{:.3g}", lap.initial_rate),
         lap.lambda.empty() ? "" : fmt::format("{:.3g}", lap.lambda.front()),
         lap.carriers == 0 ? "" : fmt::format("{:.3g}", lap.carrier_lambda),
         lap.carriers == 0 ? "" : fmt::format("{}", lap.carriers), fmt::format("{}", lap.null_modes),
         lap.kept ? fmt::format("{:.2f}", *lap.kept) : "", lap.moments});
  return table;
}

figure::Figure race_figure(const Race& race) {
  std::vector<figure::Racer> racers;
  for (const Lap& lap : race.laps)
    racers.push_back({lap.label, lap.lambda, lap.carried, lap.loss, lap.half_time, lap.limit});
  return figure::race(race.times, racers);
}

file::Json to_json(const Race& race) {
  file::Json laps = file::Json::array();
  for (const Lap& lap : race.laps) {
    file::Json kept;  // null where no gate is a half-space
    if (lap.kept) kept = *lap.kept;
    laps.push_back({{"gates", lap.label},
                    {"units", lap.units},
                    {"moments", lap.moments},
                    {"lambda", lap.lambda},
                    {"carried", lap.carried},
                    {"null_modes", lap.null_modes},
                    {"initial_loss", lap.initial_loss},
                    {"initial_rate", lap.initial_rate},
                    {"half_time", lap.half_time},
                    {"limit", lap.limit},
                    {"carriers", lap.carriers},
                    {"carrier_lambda", lap.carrier_lambda},
                    {"kept", kept},
                    {"speed_rank", lap.speed_rank},
                    {"limit_rank", lap.limit_rank},
                    {"loss", lap.loss}});
  }
  return {{"times", race.times}, {"laps", laps}};
}

std::string race_csv(const Race& race) {
  std::string csv =
      "gates,units,moments,null_modes,initial_loss,initial_rate,half_time,limit,carriers,carrier_lambda,"
      "kept,speed_rank,limit_rank\n";
  for (const Lap& lap : race.laps)
    csv += fmt::format("\"{}\",{},{},{},{},{},{},{},{},{},{},{},{}\n", lap.label, lap.units, lap.moments,
                       lap.null_modes, lap.initial_loss, lap.initial_rate, lap.half_time, lap.limit,
                       lap.carriers, lap.carrier_lambda, lap.kept ? fmt::format("{}", *lap.kept) : "",
                       lap.speed_rank, lap.limit_rank);
  return csv;
}

std::string race_page(const Race& race, const std::string& title) {
  const auto best = [&](int Lap::*place) {
    const auto at = std::ranges::find(race.laps, 1, place);
    return at == race.laps.end() ? std::string() : at->label;
  };
  std::int64_t samples = 0;
  for (const Lap& lap : race.laps) samples = std::max(samples, lap.samples);
  std::string text =
      "Every structure is solved exactly from w = 0. Speed and limit: ranks, by the time to half of the "
      "reduction that is achievable with these gates (t half), and by the loss in the end (L ∞); gates that "
      "learn nothing have none. λ: eigenvalues of A, the second moments behind the gates; mean λ: weighted "
      "with what the modes carry; 90 % in: so many modes carry 90 % of the reduction; null: modes that "
      "cannot learn. cos(v, w): of the gates and where their weights go; a ReLU unit is its own gate and "
      "could keep only those near 1.";
  if (samples > 0) text += fmt::format(" Sampled moments come from {} samples.", samples);
  return figure::report_html(
      {.title = title,
       .question = "Which gating structure learns fastest, and which gets furthest?",
       .key_numbers = {{"fastest", best(&Lap::speed_rank)}, {"lowest limit", best(&Lap::limit_rank)}},
       .table = race_table(race),
       .sections = {{.heading = "The race", .text = text, .figures = {race_figure(race)}},
                    {.heading = "Spec",
                     .text = "Of the first structure; the others differ from it in what their names say.",
                     .preformatted = race.spec}},
       .footer = fmt::format("sluice {}. L = ½E(ŷ − Y)²; time is rate × step.", version()),
       .data = ""});
}

}  // namespace sluice::lab
