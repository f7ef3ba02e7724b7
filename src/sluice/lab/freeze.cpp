#include "sluice/lab/freeze.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <set>
#include <utility>

#include "sluice/figure/freeze_view.hpp"
#include "sluice/figure/report.hpp"
#include "sluice/file/errors.hpp"
#include "sluice/flow/gated_solution.hpp"
#include "sluice/lab/conditions.hpp"
#include "sluice/lab/run_batches.hpp"
#include "sluice/lab/samples.hpp"
#include "sluice/lab/setup.hpp"
#include "sluice/learn/engine.hpp"
#include "sluice/learn/evaluate.hpp"
#include "sluice/math/finite.hpp"
#include "sluice/math/statistics.hpp"
#include "sluice/net/gated_linear.hpp"
#include "sluice/net/two_layer_network.hpp"
#include "sluice/version.hpp"

namespace sluice::lab {
namespace {

constexpr double kTenth = 0.1, kHundredth = 0.01;  // what counts as close, and as the same
constexpr std::int64_t kMostWeights = 4096;        // a dense eigenproblem of this size takes a minute

/// ŷ = (1/K) Σ ReLU(⟨w_k, x⟩) under half-squared loss, moved by its gradient alone: only there does a frozen gate leave the rest linear.
void require_freezable(const Recorded& run) {
  const Experiment& experiment = *run.experiment;
  const auto* family = experiment.network.as<net::TwoLayerFamily>();
  run.need(family != nullptr, "network.kind", experiment.network.kind(),
           "\"two-layer\", whose ReLU units can be frozen");
  const net::TwoLayerOptions& layers = family->layers;
  run.need(layers.activation == "relu", "network.activation", layers.activation,
           "\"relu\", whose gates are open or shut");
  run.need(layers.bias == spec::WordOrNumber("none"), "network.bias",
           std::holds_alternative<double>(layers.bias) ? fmt::format("{}", std::get<double>(layers.bias))
                                                       : std::get<std::string>(layers.bias),
           "\"none\", for gates ⟨w, x⟩ ≥ 0");
  run.need(layers.readout == "mean", "network.readout", layers.readout, "\"mean\", for only w to move");
  run.need(layers.pathway == 0, "network.pathway", fmt::format("{}", layers.pathway),
           "0, for only w to move");
  const DynamicsOptions& dynamics = experiment.dynamics;
  run.need(dynamics.loss == "half-squared", "dynamics.loss", dynamics.loss,
           "\"half-squared\", whose gradient is linear");
  run.need(dynamics.kind == "sgd" || dynamics.kind == "flow", "dynamics.kind", dynamics.kind,
           "\"sgd\" or \"flow\": the solution has no momentum");
  run.need(dynamics.schedule.is_constant(), "dynamics.schedule.law", dynamics.schedule.law,
           "a constant rate: the solution has one");
  run.need(dynamics.optimizer.weight_decay == 0, "dynamics.weight_decay",
           fmt::format("{}", dynamics.optimizer.weight_decay), "0: the solution has none");
}

/// A run's weights over time.
class Course {
 public:
  explicit Course(const Recorded& run)
      : file_(run.file().string()),
        steps_(file::find(run.arrays(), "step")->as<std::int64_t>()),
        weights_(file::find(run.arrays(), "weights")->as<float>()),
        size_(weights_.size() / steps_.size()) {
    const std::string& kept = run.experiment->probe.weights;
    run.need(kept == "always", "probe.weights", kept, "\"always\", for weights at every probe time");
    if (!math::all_finite(at(times() - 1)))
      throw InputError(fmt::format("{}: weights: expected finite ones at the end", file_));
  }

  std::size_t times() const { return steps_.size(); }
  std::int64_t step(std::size_t time) const { return steps_[time]; }
  std::int64_t last_step() const { return steps_.back(); }
  std::span<const float> at(std::size_t time) const {
    return std::span(weights_).subspan(time * size_, size_);
  }
  std::span<const float> end() const { return at(times() - 1); }

  /// Those asked for, or the first, the last, and between them by logarithms of the distance to the nearer of both.
  std::vector<std::size_t> chosen(const FreezeOptions& options) const {
    std::set<std::size_t> chosen;
    for (const std::int64_t step : options.at) {
      const auto found = std::ranges::find(steps_, step);
      if (found == steps_.end())
        throw InputError(fmt::format("{}: step {}: expected a recorded one, such as {}", file_, step,
                                     steps_[times() / 2]));
      chosen.insert(static_cast<std::size_t>(found - steps_.begin()));
    }
    if (chosen.empty()) {
      chosen = {0, times() - 1};
      const std::int64_t half = options.count / 2 - 1;
      const double middle = std::max(1.0, static_cast<double>(times() - 1) / 2);
      for (std::int64_t i = 0; i < half; ++i) {
        const double share = half > 1 ? static_cast<double>(i) / static_cast<double>(half - 1) : 1;
        const auto away = static_cast<std::size_t>(std::lround(std::pow(middle, share)));
        chosen.insert(std::min(away, times() - 1));
        chosen.insert(times() - 1 - std::min(away, times() - 1));
      }
    }
    return {chosen.begin(), chosen.end()};
  }

 private:
  std::string file_;
  const std::vector<std::int64_t>& steps_;
  const std::vector<float>& weights_;
  std::size_t size_;
};

template <class A, class B>
double distance(const A& a, const B& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double off = static_cast<double>(a[i]) - static_cast<double>(b[i]);
    sum += off * off;
  }
  return std::sqrt(sum);
}
/// ⟨a − end, b − end⟩
double product(const std::vector<double>& a, const std::vector<double>& b, std::span<const float> end) {
  double sum = 0;
  for (std::size_t i = 0; i < end.size(); ++i)
    sum += (a[i] - static_cast<double>(end[i])) * (b[i] - static_cast<double>(end[i]));
  return sum;
}
double length(std::span<const float> a) { return distance(a, std::vector<float>(a.size())); }

/// Two samples' moments as one's.
flow::GateMoments mean_of(flow::GateMoments one, const flow::GateMoments& other) {
  for (std::size_t i = 0; i < one.b.size(); ++i) one.b[i] = (one.b[i] + other.b[i]) / 2;
  for (std::size_t i = 0; i < one.a.size(); ++i) one.a[i] = (one.a[i] + other.a[i]) / 2;
  return one;
}

/// Where the network with frozen gates ends, as the solution says.
struct FrozenEnd {
  std::vector<double> weights;
  double square = 0;  ///< of its distance from the run's end
  double error = 0;   ///< standard error of the weights, as a length
  std::string moments;
  std::int64_t samples = 0;
};

class Freezer {
 public:
  Freezer(const Setup& setup, std::int64_t samples, math::Workers& workers)
      : setup_(setup),
        workers_(workers),
        network_(gated(setup)),
        batches_(
            setup.experiment().dynamics.is_flow() || setup.experiment().dynamics.fast()
                ? nullptr
                : training_batches(setup.task(), setup.experiment().dynamics.batch, setup.sample_seed())),
        how_{.samples = samples / 2} {}

  const net::Network& network() const { return network_; }

  FrozenEnd solve(std::span<const float> weights, std::int64_t steps_left,
                  std::span<const float> run_end) const {
    flow::GateMoments one = moments(weights, setup_.seed());
    FrozenEnd end{.weights = end_of(one, weights, steps_left), .moments = one.method, .samples = one.samples};
    end.square = product(end.weights, end.weights, run_end);
    if (one.samples == 0) return end;
    // Sampled moments twice. The product of two independent misses has no square of the sampling error in it; half of what the two ends
    // differ by is the standard error of the end that the mean of both moments gives.
    const flow::GateMoments other = moments(weights, setup_.seed() ^ (std::uint64_t{1} << 63U));
    const std::vector<double> again = end_of(other, weights, steps_left);
    end.square = std::max(0.0, product(end.weights, again, run_end));
    end.error = distance(end.weights, again) / 2;
    end.samples += other.samples;
    end.weights = end_of(mean_of(std::move(one), other), weights, steps_left);
    return end;
  }

  /// Where it ends on the run's own batches from this step on; nothing of a flow, which has none, and of
  /// a fast run, whose batches a device alone can draw.
  std::optional<std::vector<float>> replay(std::span<const float> weights, std::int64_t step,
                                           std::int64_t last) const {
    if (!batches_) return std::nullopt;
    learn::State state{.step = step, .parameters = {weights.begin(), weights.end()}};
    state.parameters.insert(state.parameters.end(), weights.begin(), weights.end());  // the gates
    const auto trainer = learn::make_trainer(*batches_, network_, setup_.loss(), setup_.experiment().dynamics,
                                             setup_.seed(), std::move(state), workers_);
    while (trainer->state().step < last) trainer->move();
    const std::vector<float>& end = trainer->state().parameters;
    return std::vector<float>(end.begin(), end.begin() + static_cast<std::ptrdiff_t>(weights.size()));
  }

 private:
  static net::GatedLinearNetwork gated(const Setup& setup) {
    net::GatedLinearFamily family;
    family.hidden = setup.network().units();
    family.gate.law = "file";  // half-spaces, given
    return {family, {.inputs = setup.task().inputs(), .dimensions = setup.task().dimensions()}};
  }
  flow::GateMoments moments(std::span<const float> gates, std::uint64_t seed) const {
    flow::MomentOptions how = how_;
    how.seed = seed;
    return flow::gate_moments(network_, gates, setup_.experiment().task, setup_.task(), how, workers_);
  }
  std::vector<double> end_of(const flow::GateMoments& moments, std::span<const float> weights,
                             std::int64_t steps_left) const {
    const DynamicsOptions& dynamics = setup_.experiment().dynamics;
    const std::vector<double> start(weights.begin(), weights.end());
    const flow::GatedSolution solution(moments, start, setup_.task().side(), setup_.task().dimensions());
    return solution.weights({&steps_left, 1}, dynamics.optimizer.rate,
                            dynamics.is_flow() ? flow::Pace::flow : flow::Pace::steps);
  }

  const Setup& setup_;
  math::Workers& workers_;
  net::GatedLinearNetwork network_;
  std::unique_ptr<learn::Batches> batches_;  // null for a flow
  flow::MomentOptions how_;
};

/// Every condition once, in the order of the runs.
std::vector<std::string> conditions_of(const std::vector<FrozenRun>& runs) {
  std::vector<std::string> all;
  for (const FrozenRun& run : runs)
    if (std::ranges::find(all, run.condition) == all.end()) all.push_back(run.condition);
  return all;
}

/// "430", "100–430" over several runs; "–" where one does not get there before its end.
std::string from_text(const std::vector<FrozenRun>& runs, const std::string& condition, double Miss::*share,
                      double below) {
  std::int64_t first = std::numeric_limits<std::int64_t>::max(), last = 0;
  for (const FrozenRun& run : runs) {
    if (run.condition != condition) continue;
    const std::optional<std::int64_t> from = run.from(share, below);
    if (!from) return "–";
    first = std::min(first, *from);
    last = std::max(last, *from);
  }
  return first == last ? fmt::format("{}", first) : fmt::format("{}–{}", first, last);
}

/// In per cent: the mean over runs, and the standard deviation where there are several, "12.3 ± 0.4".
std::string percent(const std::vector<double>& shares) {
  constexpr double kRounding = 1e-9;  // less is what is left of an identity in double
  const math::Statistics statistics(shares);
  if (shares.empty() || !std::isfinite(statistics.mean())) return "";
  if (statistics.mean() < kRounding) return "0";
  return shares.size() == 1
             ? fmt::format("{:.3g}", 100 * statistics.mean())
             : fmt::format("{:.3g} ± {:.2g}", 100 * statistics.mean(), 100 * statistics.deviation());
}

/// How to read table, key numbers and figure.
std::string page_text(const std::vector<FrozenRun>& runs) {
  const FrozenRun& first = runs.front();
  std::string text = fmt::format(
      "At every step s of the table the gates 1(⟨w, x⟩ ≥ 0) of all {} units are frozen; what is left is "
      "linear in the "
      "weights, and goes on to the run's end at step {}. Solved: exactly, by the moments behind the gates, "
      "which are {}",
      first.units, first.steps, first.moments);
  if (first.samples > 0)
    text += fmt::format(" ({} samples; column ±: the standard error of the end they leave, of ‖w(end)‖)",
                        first.samples);
  text +=
      ". Replayed: trained on the very batches that the run saw, so that both ends have the same noise; key "
      "numbers and "
      "figure have these where there are any. Both are distances of the end from the run's own, as a share "
      "of the way "
      "that was left, ‖w(end) − w(s)‖, and of ‖w(end)‖.";
  if (conditions_of(runs).size() < runs.size())
    text += "\n\nOver several seeds the table has means and standard deviations, key numbers have the range.";
  return text;
}

/// What the runs of one condition saw at one step.
struct AtStep {
  std::string condition;
  std::int64_t step = 0;
  double time = 0;
  std::vector<double> solved_way, solved_end, error, replayed_way, replayed_end, loss, relu_loss, flips;
};

std::vector<AtStep> by_step(const std::vector<FrozenRun>& runs) {
  std::vector<AtStep> all;
  for (const std::string& condition : conditions_of(runs)) {
    std::map<std::int64_t, AtStep> rows;
    for (const FrozenRun& run : runs) {
      if (run.condition != condition) continue;
      for (const Freeze& freeze : run.freezes) {
        AtStep& row = rows[freeze.step];
        row.condition = condition;
        row.step = freeze.step;
        row.time = freeze.time;
        row.solved_way.push_back(freeze.solved.of_way);
        row.solved_end.push_back(freeze.solved.of_end);
        row.error.push_back(freeze.error);
        if (freeze.replayed) {
          row.replayed_way.push_back(freeze.replayed->of_way);
          row.replayed_end.push_back(freeze.replayed->of_end);
        }
        row.loss.push_back(freeze.loss);
        row.relu_loss.push_back(run.loss);
        row.flips.push_back(freeze.flips);
      }
    }
    for (auto& [step, row] : rows) all.push_back(std::move(row));
  }
  return all;
}

}  // namespace

std::optional<std::int64_t> FrozenRun::from(double Miss::*share, double below) const {
  std::optional<std::int64_t> from;
  for (const Freeze& freeze : freezes) {
    if (freeze.step == steps) break;  // nothing is left to be wrong about
    if (freeze.miss().*share < below) {
      if (!from) from = freeze.step;
    } else {
      from.reset();
    }
  }
  return from;
}

FrozenRun freeze(Recorded run, const FreezeOptions& options, math::Workers& workers) {
  require_freezable(run);
  const Course course(run);
  const std::vector<std::size_t> times = course.chosen(options);
  const std::string name = run.settings.empty() ? run.recording.name : label_of(run.settings);
  const std::vector<Setting> condition = condition_of(run);
  FrozenRun frozen{.label = name,
                   .condition = condition.empty() ? name : label_of(condition),
                   .steps = course.last_step()};
  const Setup setup(std::move(*run.experiment));
  run.need(setup.some_units().empty(), "probe.units", fmt::format("{} units", setup.some_units().size()),
           "all of them recorded");
  if (static_cast<std::int64_t>(course.end().size()) > kMostWeights)
    throw InputError(fmt::format("{}: weights: expected at most {} of them to solve for, found {}",
                                 run.file().string(), kMostWeights, course.end().size()));
  frozen.units = setup.network().units();
  const Freezer freezer(setup, options.samples, workers);
  const auto samples = probe_samples(setup.task(), setup.experiment().probe.samples, setup.sample_seed());
  learn::Evaluator relu(setup.evaluation(), setup.network(), setup.loss(), setup.seed(), workers);
  learn::Evaluator linear(setup.evaluation(), freezer.network(), setup.loss(), setup.seed(), workers);
  std::vector<float> parameters = setup.start();
  std::ranges::copy(course.end(), setup.network().find_part("weights")->of(std::span(parameters)).begin());
  frozen.loss = relu.evaluate(parameters).loss;
  const double rate = setup.experiment().dynamics.optimizer.rate;
  std::int64_t done = 0, of = 0;
  for (const std::size_t t : times) of += course.last_step() - course.step(t);
  for (const std::size_t t : times) {
    options.progress(done, of);
    const std::span<const float> now = course.at(t);
    const FrozenEnd end = freezer.solve(now, course.last_step() - course.step(t), course.end());
    frozen.moments = end.moments;
    frozen.samples = end.samples;
    Freeze freeze{.step = course.step(t), .time = rate * static_cast<double>(course.step(t))};
    const double left = distance(now, course.end()), whole = length(course.end());
    const auto miss = [&](double off) {
      return Miss{off, left > 0 ? off / left : std::numeric_limits<double>::quiet_NaN(), off / whole};
    };
    freeze.solved = miss(std::sqrt(end.square));
    freeze.error = end.error / whole;
    if (const auto replayed = freezer.replay(now, course.step(t), course.last_step()))
      freeze.replayed = miss(distance(*replayed, course.end()));
    parameters.assign(end.weights.begin(), end.weights.end());
    parameters.insert(parameters.end(), now.begin(), now.end());  // the gates
    freeze.loss = linear.evaluate(parameters).loss;
    const std::vector<float> flips = samples->gate_flips({course.end(), {}}, {now, {}});
    freeze.flips = math::Statistics(std::vector<double>(flips.begin(), flips.end())).mean();
    frozen.freezes.push_back(freeze);
    done += course.last_step() - course.step(t);
  }
  return frozen;
}

figure::ReportTable freeze_table(const std::vector<FrozenRun>& runs) {
  const bool several = conditions_of(runs).size() > 1;
  figure::ReportTable table{{"step", "time", "solved, % of way", "% of w", "± %", "replayed, % of way",
                             "% of w", "loss frozen", "loss ReLU", "gates ≠ end, %"},
                            {}};
  if (several) table.header.insert(table.header.begin(), "runs");
  const auto loss = [](const std::vector<double>& losses) {
    return fmt::format("{:.4f}", math::Statistics(losses).mean());
  };
  for (const AtStep& at : by_step(runs)) {
    std::vector<std::string>& row = table.rows.emplace_back();
    if (several) row.push_back(at.condition);
    row.insert(row.end(), {fmt::format("{}", at.step), fmt::format("{:.4g}", at.time), percent(at.solved_way),
                           percent(at.solved_end), percent({math::Statistics(at.error).mean()}),
                           percent(at.replayed_way), percent(at.replayed_end), loss(at.loss),
                           loss(at.relu_loss), percent(at.flips)});
  }
  return table;
}

figure::Figure freeze_figure(const std::vector<FrozenRun>& runs) {
  std::vector<figure::FrozenCurves> curves;
  const std::vector<std::string> conditions = conditions_of(runs);
  for (const FrozenRun& run : runs) {
    const auto condition =
        static_cast<std::size_t>(std::ranges::find(conditions, run.condition) - conditions.begin());
    figure::FrozenCurves& drawn = curves.emplace_back(figure::FrozenCurves{run.condition, condition});
    for (const Freeze& freeze : run.freezes) {
      drawn.step.push_back(static_cast<double>(freeze.step));
      drawn.of_way.push_back(freeze.miss().of_way);
      drawn.of_end.push_back(freeze.miss().of_end);
      drawn.flips.push_back(freeze.flips);
    }
  }
  return figure::freezing(curves);
}

file::Json to_json(const std::vector<FrozenRun>& runs) {
  const auto miss = [](const Miss& off) {
    return file::Json{{"distance", off.distance}, {"of_way", off.of_way}, {"of_end", off.of_end}};
  };
  file::Json all = file::Json::array();
  for (const FrozenRun& run : runs) {
    file::Json freezes = file::Json::array();
    for (const Freeze& freeze : run.freezes)
      freezes.push_back({{"step", freeze.step},
                         {"time", freeze.time},
                         {"solved", miss(freeze.solved)},
                         {"error", freeze.error},
                         {"replayed", freeze.replayed ? miss(*freeze.replayed) : file::Json()},
                         {"loss", freeze.loss},
                         {"flips", freeze.flips}});
    all.push_back({{"run", run.label},
                   {"units", run.units},
                   {"steps", run.steps},
                   {"moments", run.moments},
                   {"samples", run.samples},
                   {"loss", run.loss},
                   {"freezes", freezes}});
  }
  return all;
}

std::string freeze_csv(const std::vector<FrozenRun>& runs) {
  std::string csv =
      "run,step,time,solved_distance,solved_of_way,solved_of_end,error,replayed_distance,replayed_of_way,"
      "replayed_of_end,loss_frozen,loss_relu,flips\n";
  for (const FrozenRun& run : runs) {
    for (const Freeze& freeze : run.freezes) {
      const Miss& solved = freeze.solved;
      csv += fmt::format("\"{}\",{},{},{},{},{},{},", run.label, freeze.step, freeze.time, solved.distance,
                         solved.of_way, solved.of_end, freeze.error);
      csv += freeze.replayed ? fmt::format("{},{},{}", freeze.replayed->distance, freeze.replayed->of_way,
                                           freeze.replayed->of_end)
                             : ",,";
      csv += fmt::format(",{},{},{}\n", freeze.loss, run.loss, freeze.flips);
    }
  }
  return csv;
}

std::string freeze_page(const std::vector<FrozenRun>& runs) {
  const std::vector<std::string> conditions = conditions_of(runs);
  std::vector<figure::Fact> facts;
  for (const std::string& condition : conditions) {
    const auto named = [&](const char* what) {
      return conditions.size() > 1 ? fmt::format("{}: {}", condition, what) : std::string(what);
    };
    for (const auto& [below, text] : {std::pair{kTenth, "10 %"}, std::pair{kHundredth, "1 %"}}) {
      facts.push_back({named(fmt::format("within {} of w(end) from step", text).c_str()),
                       from_text(runs, condition, &Miss::of_end, below)});
      facts.push_back({named(fmt::format("within {} of the way left from step", text).c_str()),
                       from_text(runs, condition, &Miss::of_way, below)});
    }
  }
  return figure::report_html(
      {.title = "A ReLU network with frozen gates",
       .question = "From when on is a ReLU network a gated linear one?",
       .key_numbers = std::move(facts),
       .table = freeze_table(runs),
       .sections = {{.heading = "Frozen at step s, gone on to the end",
                     .text = page_text(runs),
                     .figures = {freeze_figure(runs)}}},
       .footer = fmt::format("sluice {}. Losses are ½E(ŷ − Y)² on held-out samples; time is rate × step.",
                             version()),
       .data = ""});
}

}  // namespace sluice::lab
