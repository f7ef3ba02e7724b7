#include "sluice/lab/branches.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <utility>

#include "sluice/file/errors.hpp"
#include "sluice/flow/branch_at.hpp"
#include "sluice/flow/flat_field.hpp"
#include "sluice/flow/flow.hpp"
#include "sluice/flow/modulation.hpp"
#include "sluice/lab/branch_start.hpp"
#include "sluice/math/fourier_basis.hpp"
#include "sluice/math/statistics.hpp"
#include "sluice/net/init.hpp"
#include "sluice/net/two_layer_network.hpp"

namespace sluice::lab {
namespace {

/// The unit of the spec, which must be one that the flow C.1 describes.
flow::UnitSpec require_unit(const Experiment& experiment) {
  const auto need = [](bool holds, const std::string& key, const std::string& found,
                       const std::string& expected) {
    if (!holds)
      throw InputError(fmt::format("{} = {}: expected {} to follow branches", key, found, expected));
  };
  const auto quoted = [](const std::string& word) { return fmt::format("\"{}\"", word); };
  const auto* task = dynamic_cast<const task::NlgpOptions*>(&experiment.task.options());
  need(task != nullptr, "task.kind", quoted(experiment.task.kind()), "\"nlgp\"");
  need(task->dim == 1, "task.dim", fmt::format("{}", task->dim), "1, a ring,");
  constexpr std::int64_t kMostSites = 128;  // dense matrices, an average over all shifts
  need(task->n >= 8 && task->n <= kMostSites, "task.n", fmt::format("{}", task->n),
       fmt::format("from 8 to {} sites", kMostSites));
  need(task->classes.balance == 0.5, "task.balance", fmt::format("{}", task->classes.balance), "0.5");
  const auto* family = experiment.network.as<net::TwoLayerFamily>();
  need(family != nullptr, "network.kind", quoted(experiment.network.kind()), "\"two-layer\"");
  const net::TwoLayerOptions& layers = family->layers;
  need(layers.hidden == 1 || layers.hidden == 2, "network.hidden", fmt::format("{}", layers.hidden),
       "1 or 2");
  need(layers.activation == "relu", "network.activation", quoted(layers.activation), "\"relu\"");
  need(layers.bias == spec::WordOrNumber("none"), "network.bias", "a bias", "\"none\"");
  need(layers.readout == "mean", "network.readout", quoted(layers.readout), "\"mean\"");
  need(layers.pathway == 0, "network.pathway", fmt::format("{}", layers.pathway), "0");
  need(experiment.dynamics.loss == "half-squared", "dynamics.loss", quoted(experiment.dynamics.loss),
       "\"half-squared\"");
  return {*task, 0, layers.hidden};
}

double norm_of(const std::vector<double>& w) {
  return std::sqrt(std::inner_product(w.begin(), w.end(), w.begin(), 0.0));
}

/// w at its best scale: ⟨w, −∂L(αw)⟩ = A − αB is 0.
std::vector<double> best_scaled(const flow::Landscape& landscape, std::vector<double> w) {
  std::vector<double> slope(w.size());
  const auto along = [&](double scale) {
    std::vector<double> at = w;
    for (double& value : at) value *= scale;
    landscape.downhill(at, slope);
    return std::inner_product(w.begin(), w.end(), slope.begin(), 0.0);
  };
  const double once = along(1), twice = along(2);
  const double scale = (2 * once - twice) / (once - twice);
  for (double& value : w) value *= scale;
  return w;
}

/// Down the flow for a while, without leaving its symmetry.
std::vector<double> relaxed(const flow::Landscape& landscape, const flow::Sectors& sectors,
                            std::vector<double> w) {
  constexpr double kWhile = 20;
  constexpr int kTimes = 15;
  for (int i = 0; i < kTimes; ++i) {
    flow::Flow unit(landscape, {.parameters = w}, {.tolerance = 1e-5});
    unit.advance(kWhile);
    std::ranges::fill(w, 0.0);
    for (std::size_t at = 0; at < sectors.inside.size(); at += w.size()) {
      const double part = std::inner_product(unit.parameters().begin(), unit.parameters().end(),
                                             sectors.inside.begin() + static_cast<std::ptrdiff_t>(at), 0.0);
      for (std::size_t k = 0; k < w.size(); ++k) w[k] += part * sectors.inside[at + k];
    }
  }
  return w;
}

/// Periods around the ring of a wave: of the longest, where it has a part for every unit.
std::int64_t frequency_of(const std::vector<double>& wave, std::int64_t n) {
  std::vector<double> longest;
  for (auto at = wave.begin(); at != wave.end(); at += n) {
    std::vector<double> part(at, at + n);
    if (longest.empty() || norm_of(part) > norm_of(longest)) longest = std::move(part);
  }
  const std::vector<double> u = math::FourierBasis(n).analyse(longest);
  const auto largest = std::ranges::max_element(u, {}, [](double value) { return std::abs(value); });
  return math::FourierBasis::frequency(largest - u.begin());
}

/// One flat field, or two of opposite signs: waves grow on both alike, because gates that never open together do not know of each other
/// (flow/unit_landscape.hpp).
bool flat(const std::vector<double>& fields, std::int64_t units) {
  const double first = fields.front(), last = units == 1 ? first : -first;
  const auto half = fields.begin() + std::ssize(fields) / units;
  const auto is = [first](double value) {
    return [value, first](double w) { return std::abs(w - value) < 1e-6 * std::abs(first); };
  };
  return std::all_of(fields.begin(), half, is(first)) && std::all_of(half, fields.end(), is(last));
}

/// Of a pitchfork the curvature decides, where it is further from 0 than two of its errors; on a single set, whether ε and ε/2 agree.
std::string kind_of(const flow::Critical& critical, const std::vector<flow::Offshoot>& offshoots,
                    const std::optional<Measured>& curvature) {
  if (critical.kind == flow::Critical::Kind::fold) return "fold";
  if (critical.kind == flow::Critical::Kind::crossing) return "crossing";
  if (offshoots.empty()) return "symmetry breaking";
  const bool clear = curvature && curvature->error
                         ? std::abs(curvature->value) > 2 * *curvature->error
                         : offshoots.front().criticality != flow::Criticality::undecided;
  if (!clear) return "pitchfork, undecided";
  const double bend = curvature ? curvature->value : offshoots.front().curvature;
  return bend * critical.slope > 0 ? "pitchfork, supercritical" : "pitchfork, subcritical";
}

/// The study while it is made.
class Study {
 public:
  Study(const Experiment& experiment, const BranchOptions& options, math::Workers& workers,
        const Advance& progress)
      : unit_(require_unit(experiment)),
        parameter_(flow::unit_parameter(options.parameter)),
        options_(options),
        seed_(static_cast<std::uint64_t>(experiment.seed)),
        workers_(workers),
        progress_(progress),
        low_(parameter_.coordinate(options.low.value_or(parameter_.usual_low))),
        high_(parameter_.coordinate(options.high.value_or(parameter_.usual_high))) {
    study_.spec = to_toml(experiment);
    study_.parameter = &parameter_;
    study_.options = options;
    study_.units = unit_.units;
    if (unit_.units > 1 && sampled())
      throw InputError("response diluted: expected conditioned or gaussian where network.hidden = 2");
    if (options.basins > 0 && sampled())
      throw InputError("response diluted: expected conditioned or gaussian for basins");
    if (options.basins > 0 && options.at.empty())
      throw InputError("basins: expected values to look for them at");
    for (const double value : options.at) {
      const double x = parameter_.coordinate(value);
      if (x < low_ || x > high_)
        throw InputError(fmt::format("at {:g}: expected a {} from {:g} to {:g}, where branches are followed",
                                     value, options.parameter, parameter_.value(low_),
                                     parameter_.value(high_)));
    }
    for (std::int64_t start = 0; start < options.basins; ++start) {
      const net::InitOptions& init = experiment.network.as<net::TwoLayerFamily>()->layers.init;
      if (init.law == "zero")
        throw InputError("network.init.law = \"zero\": expected a law that leaves zero, for basins");
      const std::vector<float> weights =
          net::initial_weights(init, unit_.units, unit_.task.n, seed_ + static_cast<std::uint64_t>(start));
      starts_.emplace_back(weights.begin(), weights.end());
    }
  }

  BranchStudy make() {
    std::vector<BranchStart> starts;
    for (const std::string& from : options_.from)
      starts.push_back(branch_start(from, unit_.units, unit_.task.n));
    for (const auto& [name, fields] : options_.fields)
      starts.push_back(branch_start(name, fields, unit_.units, unit_.task.n));
    for (const BranchStart& start : starts) follow(start);
    find_exchanges();
    find_concentrated();
    tabulate();
    find_basins();
    if (options_.parameter == "gain" && unit_.task.classes.labels == std::array{1.0, 0.0})
      study_.modulation = flow::modulation_gain(unit_.task);
    return std::move(study_);
  }

 private:
  flow::UnitFamily family(std::int64_t set, double dilution) const {
    return {unit_,
            parameter_,
            options_.response,
            {.draws = options_.draws, .seed = seed_, .set = set, .dilution = dilution},
            workers_};
  }
  /// How much is still to come is not known: what has been done goes on record.
  void tell() {
    ++done_;
    progress_(done_, done_ + 1);
  }
  std::size_t rings() const { return static_cast<std::size_t>(unit_.units); }
  bool concentrated(const std::vector<double>& fields) const {
    return arrangement_of(fields, unit_.units).concentration >= kConcentratedFrom;
  }
  double still() const { return still_rate(options_.response); }
  bool sampled() const { return options_.response == "diluted"; }

  /// Numbers on every set, at both dilutions; nothing where they are missing on one.
  using Numbers = std::function<std::optional<std::vector<double>>(const flow::Family&)>;
  std::optional<std::vector<Measured>> measure_all(const Numbers& numbers) {
    std::vector<Measured> measured;
    if (!sampled()) {
      const std::optional<std::vector<double>> values = numbers(family(0, options_.dilution));
      if (!values) return std::nullopt;
      for (const double value : *values) measured.push_back({value, std::nullopt, std::nullopt});
      return measured;
    }
    std::vector<std::vector<double>> values, changes;  // [number][set]
    for (std::int64_t set = 0; set < options_.sets; ++set) {
      tell();
      const auto coarse = numbers(family(set, options_.dilution));
      const auto fine = coarse ? numbers(family(set, options_.dilution / 2)) : std::nullopt;
      if (!fine) return std::nullopt;
      values.resize(fine->size());
      changes.resize(fine->size());
      for (std::size_t k = 0; k < fine->size(); ++k) {
        values[k].push_back((4 * (*fine)[k] - (*coarse)[k]) / 3);
        changes[k].push_back(values[k].back() - (*fine)[k]);
      }
    }
    for (std::size_t k = 0; k < values.size(); ++k)
      measured.push_back(over_sets(values[k], math::Statistics(changes[k]).mean()));
    return measured;
  }
  using Number = std::function<std::optional<double>(const flow::Family&)>;
  std::optional<Measured> measure(const Number& number) {
    const auto one = measure_all([&](const flow::Family& other) -> std::optional<std::vector<double>> {
      const std::optional<double> value = number(other);
      return value ? std::optional(std::vector{*value}) : std::nullopt;
    });
    return one ? std::optional(one->front()) : std::nullopt;
  }
  static Measured over_sets(const std::vector<double>& values, std::optional<double> dilution) {
    const math::Statistics over(values);
    return {over.mean(), values.size() > 1 ? std::optional(over.error()) : std::nullopt, dilution};
  }

  flow::ContinuationOptions continuation(double size, double step) const {
    return {.step = step, .size = size, .still = still()};
  }

  flow::Branch follow_once(const flow::Family& family, const flow::Sectors& sectors,
                           const flow::FixedPoint& start, const flow::Direction& towards, double step) const {
    return flow::Continuation(family, sectors, continuation(norm_of(start.field), step))
        .follow(start, towards, low_, high_);
  }

  void follow(const BranchStart& seed) {
    const flow::UnitFamily family_of_seed = family(0, options_.dilution);
    const double x = seed.wave ? low_ : high_;
    const flow::Sectors sectors = flow::isotropy(seed.fields, rings());
    const std::shared_ptr<const flow::CurvedLandscape> landscape = family_of_seed.at(x);
    std::vector<double> w = best_scaled(*landscape, seed.fields);
    if (!seed.wave) w = relaxed(*landscape, sectors, std::move(w));
    const flow::Continuation here(family_of_seed, sectors, continuation(norm_of(w), options_.step));
    const std::optional<flow::FixedPoint> start = here.settle(w, x);
    if (!start)
      throw InputError(fmt::format("start {}: no fixed point was found at {} = {:.4g}", seed.name,
                                   options_.parameter, parameter_.value(x)));
    const flow::Direction towards{std::vector<double>(w.size(), 0.0), seed.wave ? 1.0 : -1.0};
    add(seed.name, family_of_seed, sectors, *start, towards);
  }

  /// A branch, followed twice to see what the step does, and those that break off where it loses its stability.
  void add(const std::string& name, const flow::Family& family_here, const flow::Sectors& sectors,
           const flow::FixedPoint& start, const flow::Direction& towards) {
    tell();
    NamedBranch named{name, follow_once(family_here, sectors, start, towards, options_.step), {}, {}};
    const flow::Branch halved = follow_once(family_here, sectors, start, towards, options_.step / 2);
    for (const flow::FixedPoint& point : named.branch.points) {
      named.parameter.push_back(parameter_.value(point.coordinate));
      named.concentration.push_back(arrangement_of(point.field, unit_.units).concentration);
    }
    const flow::Branch branch = named.branch;
    study_.branches.push_back(std::move(named));
    for (const flow::Critical& critical : branch.critical) judge(name, family_here, branch, critical, halved);
  }

  /// Of the flat field, whose onset needs no dilution (flow/flat_field.hpp).
  std::optional<Measured> measure_flat(const flow::Critical& critical) {
    const std::int64_t periods = frequency_of(critical.vectors.front(), unit_.task.n);
    std::vector<double> values;
    for (std::int64_t set = 0; set < options_.sets; ++set) {
      tell();
      constexpr std::int64_t kCheaper = 4;  // than a draw with all its shifts
      const std::optional<double> value =
          flow::flat_onset(unit_, parameter_, parameter_.value(critical.at.coordinate), periods,
                           {.draws = kCheaper * options_.draws, .seed = seed_, .set = set}, workers_);
      if (!value) return std::nullopt;
      values.push_back(*value);
    }
    return over_sets(values, std::nullopt);
  }

  std::optional<Measured> measure_critical(const flow::Branch& branch, const flow::Critical& critical,
                                           const flow::ContinuationOptions& how) {
    const bool known = unit_.units == 1 || options_.parameter != "pathway";  // κ is that of one unit
    if (known && flat(critical.at.field, unit_.units) && options_.response != "gaussian" &&
        critical.kind == flow::Critical::Kind::breaking && std::isfinite(unit_.task.gain))
      return measure_flat(critical);
    return measure([&](const flow::Family& other) -> std::optional<double> {
      const auto found = flow::Continuation(other, branch.sectors, how).relocate(critical);
      return found ? std::optional(parameter_.value(found->at.coordinate)) : std::nullopt;
    });
  }

  /// How the first offshoot bends, on every set where it is found, at the dilution that is followed.
  std::optional<Measured> measure_curvature(const flow::Branch& branch, const flow::Critical& critical,
                                            const flow::Offshoot& offshoot,
                                            const flow::ContinuationOptions& how) {
    std::vector<double> values;
    for (std::int64_t set = 0; set < (sampled() ? options_.sets : 1); ++set) {
      tell();
      const flow::UnitFamily other = family(set, options_.dilution);
      const auto found = flow::Continuation(other, branch.sectors, how).relocate(critical);
      const auto bent =
          found ? flow::branch_off(other, *found, offshoot.along.field, offshoot.sectors, how) : std::nullopt;
      if (bent) values.push_back(bent->curvature);
    }
    return values.empty() ? std::nullopt : std::optional(over_sets(values, std::nullopt));
  }

  void judge(const std::string& name, const flow::Family& family_here, const flow::Branch& branch,
             const flow::Critical& critical, const flow::Branch& halved) {
    const flow::ContinuationOptions how = continuation(norm_of(critical.at.field), options_.step);
    const std::optional<Measured> value = measure_critical(branch, critical, how);
    const double here = parameter_.value(critical.at.coordinate);
    double nearest = std::numeric_limits<double>::infinity();
    for (const flow::Critical& other : halved.critical) {
      if (other.kind == critical.kind && other.index == critical.index)
        nearest = std::min(nearest, std::abs(parameter_.value(other.at.coordinate) - here));
    }
    std::vector<flow::Offshoot> offshoots;
    const bool first_to_grow = critical.kind == flow::Critical::Kind::breaking && critical.index == 0;
    if (first_to_grow) offshoots = flow::branch_off(family_here, critical, how, rings());
    std::optional<Measured> curvature;
    if (!offshoots.empty()) curvature = measure_curvature(branch, critical, offshoots.front(), how);
    const double scale = parameter_.logarithmic ? here : 1;
    CriticalValue critical_value{.branch = name,
                                 .kind = kind_of(critical, offshoots, curvature),
                                 .parameter = value.value_or(Measured{here, std::nullopt, std::nullopt}),
                                 .followed = here,
                                 .halved = nearest,
                                 .loss = critical.at.loss,
                                 .slope = critical.slope / scale,
                                 .directions = std::ssize(critical.vectors),
                                 .offshoots = offshoots,
                                 .curvature = curvature};
    study_.critical.push_back(std::move(critical_value));
    if (branch.sectors.dimensions() > 1) return;  // only a wave's offshoots: theirs would be as many as sites
    for (const flow::Offshoot& offshoot : offshoots)
      add(offshoot.name, family_here, offshoot.sectors, offshoot.start, offshoot.along);
  }

  const NamedBranch* find(const std::string& name) const {
    const auto found = std::ranges::find(study_.branches, name, &NamedBranch::name);
    return found == study_.branches.end() ? nullptr : &*found;
  }

  std::optional<flow::FixedPoint> settled(const flow::Family& family_here, const NamedBranch& named,
                                          double x) const {
    return flow::branch_at(family_here, named.branch, x, anywhere());
  }
  flow::ContinuationOptions anywhere() const { return continuation(1, options_.step); }

  void find_exchanges() {
    const flow::UnitFamily here = family(0, options_.dilution);
    for (std::size_t i = 0; i < study_.branches.size(); ++i) {
      for (std::size_t j = i + 1; j < study_.branches.size(); ++j) {
        const NamedBranch &first = study_.branches[i], &second = study_.branches[j];
        const auto bracket = flow::exchange_bracket(here, first.branch, second.branch, anywhere());
        if (!bracket) continue;
        const auto value = measure([&](const flow::Family& other) -> std::optional<double> {
          const auto found = flow::exchange(other, first.branch, second.branch, *bracket, anywhere());
          return found ? std::optional(parameter_.value(*found)) : std::nullopt;
        });
        const double between = parameter_.value((bracket->first + bracket->second) / 2);
        study_.exchanges.push_back(
            {first.name, second.name, value.value_or(Measured{between, std::nullopt, std::nullopt})});
      }
    }
  }

  /// Where R₁ of the site branch passes ½, by halving between its points.
  void find_concentrated() {
    const NamedBranch* site = find("site");
    if (site == nullptr) return;
    const std::vector<flow::FixedPoint>& points = site->branch.points;
    for (std::size_t p = 1; p < points.size(); ++p) {
      if (concentrated(points[p - 1].field) == concentrated(points[p].field)) continue;
      const bool rises = concentrated(points[p].field);
      study_.concentrated_from = measure([&](const flow::Family& other) -> std::optional<double> {
        constexpr double kReach = 0.1;  // another set turns a little earlier or later
        const double forward = points[p].coordinate > points[p - 1].coordinate ? 1 : -1;
        double left = points[p - 1].coordinate - forward * kReach;
        double right = points[p].coordinate + forward * kReach;
        constexpr int kHalvings = 14;
        for (int k = 0; k < kHalvings; ++k) {
          const double middle = (left + right) / 2;
          const std::optional<flow::FixedPoint> found = settled(other, *site, middle);
          if (!found) return std::nullopt;
          (concentrated(found->field) == rises ? right : left) = middle;
        }
        return parameter_.value((left + right) / 2);
      });
      return;
    }
  }

  void tabulate() {
    const flow::UnitFamily here = family(0, options_.dilution);
    for (const double value : options_.at) {
      const double x = parameter_.coordinate(value);
      std::vector<const NamedBranch*> present;
      for (const NamedBranch& named : study_.branches) {
        const std::optional<flow::FixedPoint> point = settled(here, named, x);
        if (!point) continue;
        present.push_back(&named);
        study_.rows.push_back({value, named.name, Measured{point->loss, std::nullopt, std::nullopt},
                               point->fastest(), point->growing(still()),
                               arrangement_of(point->field, unit_.units), point->field});
      }
      const NamedBranch *site = find("site"), *bond = find("bond");
      const auto measured = measure_all([&](const flow::Family& other) -> std::optional<std::vector<double>> {
        std::vector<double> losses;
        double barrier = 0;
        for (const NamedBranch* named : present) {
          const std::optional<flow::FixedPoint> point = settled(other, *named, x);
          if (!point) return std::nullopt;
          losses.push_back(point->loss);
          if (named == site) barrier -= point->loss;
          if (named == bond) barrier += point->loss;
        }
        losses.push_back(barrier);
        return losses;
      });
      if (!measured) continue;
      const std::size_t first = study_.rows.size() - present.size();
      for (std::size_t k = 0; k < present.size(); ++k) {
        study_.rows[first + k].loss = (*measured)[k];
        if (present[k] == bond && std::ranges::find(present, site) != present.end())
          study_.barriers.push_back({value, measured->back(), study_.rows[first + k].fastest});
      }
    }
  }

  void find_basins() {
    if (starts_.empty()) return;
    const flow::UnitFamily here = family(0, options_.dilution);
    for (const double value : options_.at) {
      tell();
      for (Basin& basin :
           basins_of(*here.at(parameter_.coordinate(value)), unit_.units, starts_, still(), workers_)) {
        basin.parameter = value;
        study_.basins.push_back(std::move(basin));
      }
    }
  }

  flow::UnitSpec unit_;
  const flow::UnitParameter& parameter_;
  BranchOptions options_;
  std::uint64_t seed_;
  math::Workers& workers_;
  const Advance& progress_;
  double low_, high_;
  std::vector<std::vector<double>> starts_;  // of basins
  std::int64_t done_ = 0;
  BranchStudy study_;
};

}  // namespace

double still_rate(const std::string& response) { return response == "diluted" ? 2e-6 : 1e-4; }

BranchStudy study_branches(const Experiment& experiment, const BranchOptions& options, math::Workers& workers,
                           const Advance& progress) {
  return Study(experiment, options, workers, progress).make();
}

}  // namespace sluice::lab
