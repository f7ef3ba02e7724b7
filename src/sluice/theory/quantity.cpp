#include "sluice/theory/quantity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <stdexcept>

#include "sluice/file/errors.hpp"
#include "sluice/flow/advantage.hpp"
#include "sluice/flow/bumps.hpp"
#include "sluice/flow/elliptical.hpp"
#include "sluice/flow/mean_field.hpp"
#include "sluice/flow/operators.hpp"
#include "sluice/flow/sampled.hpp"
#include "sluice/flow/steady_states.hpp"
#include "sluice/math/fourier_basis.hpp"
#include "sluice/net/deep_network.hpp"
#include "sluice/net/two_layer_network.hpp"
#include "sluice/spec/suggest.hpp"
#include "sluice/task/nlgp.hpp"
#include "sluice/task/norta.hpp"
#include "sluice/theory/characteristic.hpp"
#include "sluice/theory/critical_gain.hpp"
#include "sluice/theory/cube_tables.hpp"
#include "sluice/theory/dominance_table.hpp"
#include "sluice/theory/field_panel.hpp"
#include "sluice/theory/flow_errors.hpp"
#include "sluice/theory/fourier.hpp"
#include "sluice/theory/gram_tables.hpp"
#include "sluice/theory/initial_loss.hpp"
#include "sluice/theory/mode_map.hpp"
#include "sluice/theory/modulation.hpp"
#include "sluice/theory/premises.hpp"
#include "sluice/theory/respond.hpp"
#include "sluice/theory/shape_losses.hpp"
#include "sluice/theory/start_loss.hpp"
#include "sluice/theory/uncertainty.hpp"

namespace sluice::theory {
namespace {

std::vector<std::string> numbered(const std::string& name, std::size_t count) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < count; ++i) names.push_back(fmt::format("{} {}", name, i));
  return names;
}
std::vector<double> row_of(const Vector& v) { return {std::begin(v), std::end(v)}; }

Ring covariance_of(const Request& request, int which_class) {
  return {vector_of(request.task.make()->moments(which_class).covariance)};
}

/// The class by its label, as the notes call it.
std::string class_title(const Request& request, const std::string& what) {
  return fmt::format("{} of {} data, class {}", what, request.task.kind(), request.which_class == 0 ? 1 : 0);
}

Table covariance(const Request& request) {
  const Ring c = covariance_of(request, request.which_class);
  Table table{{"distance", "covariance"}, {}};
  table.picture = {Picture::Kind::curves, class_title(request, "Covariance")};
  for (std::size_t d = 0; d < c.size(); ++d) table.rows.push_back({static_cast<double>(d), c.row[d]});
  return table;
}

Table spectrum(const Request& request) {
  const Vector lambda = eigenvalues(covariance_of(request, request.which_class));
  Table table{{"frequency", "eigenvalue"}, {}};
  table.picture = {Picture::Kind::curves, class_title(request, "Spectrum")};
  for (std::size_t k = 0; k < lambda.size(); ++k) table.rows.push_back({static_cast<double>(k), lambda[k]});
  return table;
}

template <class Answer>
Vector answered(const Request& request, std::size_t unit, const Answer& answer) {
  Vector made;
  require_answered(request.task, unit, [&] { made = answer(); });
  return made;
}

Table response(const Request& request) {
  const std::unique_ptr<flow::Response> f =
      flow::make_operator(request.response, request.task, request.which_class);
  const std::size_t sites = request.weights.front().size();
  Table table{numbered("site", sites), {}, numbered("unit", request.weights.size())};
  for (std::size_t k = 0; k < request.weights.size(); ++k) {
    table.rows.push_back(row_of(answered(request, k, [&] { return respond(*f, request.weights[k]); })));
  }
  return table;
}

Table pair_response(const Request& request) {
  const std::unique_ptr<flow::Response> f =
      flow::make_operator(request.response, request.task, request.which_class);
  const auto* pair = dynamic_cast<const flow::PairResponse*>(f.get());
  if (pair == nullptr) {
    throw InputError(
        fmt::format("pair-response: none is known for task.kind = {}; choose the operator gaussian",
                    request.task.kind()));
  }
  Table table{numbered("site", request.weights.front().size()), {}};
  for (std::size_t k = 0; k < request.weights.size(); ++k) {
    for (std::size_t l = 0; l < request.weights.size(); ++l) {
      table.labels.push_back(fmt::format("units {}, {}", k, l));
      table.rows.push_back(row_of(
          answered(request, k, [&] { return respond(*pair, request.weights[k], request.weights[l]); })));
    }
  }
  return table;
}

/// φ(a) on 201 points of [−1, 1], beside the Gaussian's line a/√(2π).
Table amplifier(const Request& request) {
  std::string of_what = request.task.kind();
  const auto of_task = [&] {
    if (const auto* nlgp = dynamic_cast<const task::NlgpOptions*>(&request.task.options())) {
      of_what += fmt::format(", gain {}", nlgp->gain);
      return flow::nlgp_amplifier(nlgp->gain);
    }
    if (const auto* norta = dynamic_cast<const task::NortaOptions*>(&request.task.options())) {
      of_what += fmt::format(", {} sites", norta->marginal);
      return flow::norta_amplifier(norta->marginal, norta->order);
    }
    throw InputError(fmt::format("amplifier: task.kind = {}: expected nlgp or norta", request.task.kind()));
  };
  const flow::Amplifier phi = of_task();
  Table table{{"a", "amplifier", "gaussian"}, {}};
  table.picture = {Picture::Kind::curves, fmt::format("Amplifier: {}", of_what), "φ(a)"};
  for (int i = -100; i <= 100; ++i) {
    const double a = i / 100.0;
    table.rows.push_back({a, phi(a), flow::kGaussianConstant * a});
  }
  return table;
}

Table normalisation(const Request& request) {
  const auto* nlgp = dynamic_cast<const task::NlgpOptions*>(&request.task.options());
  if (nlgp == nullptr) {
    throw InputError(fmt::format("normalisation: task.kind = {}: expected nlgp", request.task.kind()));
  }
  return {{"gain", "q", "Z_g", "excess kurtosis"},
          {{nlgp->gain, task::nlgp_q(nlgp->gain), task::nlgp_variance(nlgp->gain),
            task::nlgp_excess_kurtosis(nlgp->gain)}}};
}

/// The network of a quantity that needs one of this family.
const net::TwoLayerOptions& two_layer(const Request& request) {
  return request.network.as<net::TwoLayerFamily>()->layers;
}

/// ŷ of one class.
OutputMoments output_moments(const Request& request, int which_class) {
  const std::string& kind = request.task.kind();
  if (kind == "teacher" || kind == "dataset")
    throw InputError(fmt::format("initial-loss: task.kind = {}: expected classes with a label each", kind));
  if (two_layer(request).learns_readout() && two_layer(request).readout_init.law != "mean")
    throw InputError("initial-loss: network.readout_init.law: expected \"mean\"");
  const Ring c = covariance_of(request, which_class);
  const std::optional<double> scale = flow::elliptical_constant(request.task.options());
  const std::string& activation = two_layer(request).activation;
  const bool biased =
      std::any_of(request.biases.begin(), request.biases.end(), [](double b) { return b != 0; });
  if (activation == "erf" && flow::is_gaussian(request.task.options()))
    return erf_output(c, request.weights, request.biases);
  if (activation == "relu" && !biased && scale) return relu_output(c, request.weights, *scale);
  if (activation == "relu" && !biased &&
      request.weights.size() == 1) {  // C.2: E|S| = 2⟨w,f⟩, E ReLU² = ½w'Cw
    const std::unique_ptr<flow::Response> f =
        flow::make_operator(request.response, request.task, which_class);
    const Vector& w = request.weights.front();
    const double mean = dot(w, answered(request, 0, [&] { return respond(*f, w); }));
    return {mean, form(w, c, w) / 2};
  }
  throw InputError(fmt::format(
      "initial-loss: no closed form for {} units{} on {} data; expected relu without bias on elliptical "
      "data (or one unit whose response is known), or erf on Gaussian data",
      activation, biased ? " with bias" : "", request.task.kind()));
}

Table initial_loss(const Request& request) {
  const OutputMoments one = output_moments(request, 0);
  const OutputMoments zero = output_moments(request, 1);
  return {{"loss", "mean output 1", "mean output 0", "mean square 1", "mean square 0"},
          {{half_squared_loss(one, zero, request.task.make()->classes()), one.mean, zero.mean, one.square,
            zero.square}}};
}

/// N0.25, N0.31, D.5: where one ReLU unit comes to rest on elliptical data, and how long the first unit of the spec takes to the
/// stable place.
Table steady_states(const Request& request) {
  const std::optional<double> c = flow::elliptical_constant(request.task.options());
  if (!c) {
    throw InputError(
        fmt::format("steady-states: task.kind = {}: expected elliptical data (gaussian, gaussian-clone, "
                    "student-t, shell, "
                    "scale-mixture)",
                    request.task.kind()));
  }
  const std::unique_ptr<task::Task> task = request.task.make();
  if (task->dimensions() != 1) throw InputError("steady-states: task.dim = 2: expected a ring, task.dim = 1");
  require_even_classes(task->classes(), "steady-states", task->classes().labels);  // of any labels
  require_plain_relu(two_layer(request), "steady-states");
  const flow::DiagonalProblem problem = flow::ring_problem(
      {task->moments(0).covariance, task->moments(1).covariance}, {*c, *c}, task->classes().labels);
  const std::vector<double> start =
      math::FourierBasis(task->inputs()).analyse(row_of(request.weights.front()));
  Table table{{"frequency", "ratio", "amplitude", "loss", "own rate", "fastest growth", "stable", "time"},
              {}};
  constexpr double kWithin = 0.01;
  constexpr double kLongest = 1e9;
  for (const flow::SteadyState& state : flow::steady_states(problem)) {
    const double time = state.stable ? flow::time_to_reach(problem, state, start, kWithin, kLongest)
                                     : std::numeric_limits<double>::infinity();
    table.rows.push_back({static_cast<double>(math::FourierBasis::frequency(state.modes.front())),
                          state.ratio, state.amplitude, state.loss, state.own_rate, state.fastest_growth,
                          state.stable ? 1.0 : 0.0, time});
    table.labels.push_back(state.modes.size() == 1   ? "one mode"
                           : state.modes.size() == 2 ? "cos/sin pair"
                                                     : fmt::format("{} modes tie", state.modes.size()));
  }
  return table;
}

/// C.6. By the named operator, the exact one where there is one for every w, else sampled.
Table advantage(const Request& request) {
  const std::unique_ptr<task::Task> task = request.task.make();
  if (!task->even())
    throw InputError(fmt::format("advantage: task.kind = {}: expected X ~ −X", request.task.kind()));
  require_even_classes(task->classes(), "advantage");
  require_plain_start(two_layer(request), "advantage");
  const bool closed = flow::elliptical_constant(request.task.options()).has_value();
  math::Workers workers(1);
  std::unique_ptr<flow::Response> named;
  std::unique_ptr<flow::SampledResponse> sampled;
  if (!request.response.empty() || closed) {
    named = flow::make_operator(request.response, request.task, 0);
  } else {
    sampled = std::make_unique<flow::SampledResponse>(*task, 0, flow::SampledOptions{}, workers);
  }
  Table table{{"kappa", "s0²/s1²", "R", "best scale", "best loss", "standard error"},
              {},
              numbered("unit", request.weights.size())};
  for (std::size_t k = 0; k < request.weights.size(); ++k) {
    const std::vector<double> w = row_of(request.weights[k]);
    flow::Advantage found;
    if (sampled) {
      found = flow::advantage(*task, w, *sampled);
    } else {
      answered(request, k, [&] {
        found = flow::advantage(*task, w, *named);
        return Vector();
      });
    }
    table.rows.push_back({found.kappa, found.variance_ratio, found.value, found.best_scale, found.best_loss,
                          found.loss_error});
  }
  return table;
}

/// C.6: the gain of the spec gives way to a row of gains.
Table landscape(const Request& request) {
  const auto* spec = dynamic_cast<const task::NlgpOptions*>(&request.task.options());
  if (spec == nullptr)
    throw InputError(fmt::format("landscape: task.kind = {}: expected nlgp", request.task.kind()));
  require_even_classes(spec->classes, "landscape");
  constexpr std::int64_t kSamples = 1 << 16;
  constexpr double kWorst =
      0.2125;  // one site of Gaussian data has ¼ − 1/(8π) = 0.2102: what is worse only takes room
  Table table{{"gain"}, {}};
  table.picture = {
      .kind = Picture::Kind::curves,
      .title = fmt::format("Loss of one ReLU unit by the shape of its field: nlgp, n = {}, ξ = {} against {}",
                           spec->n, spec->xi[0], spec->xi[1]),
      .y = "loss at the best scale  ¼ − R/8",
      .most = kWorst,
      .lowest_wins = true,
      .beside = "trained"};
  for (const std::string& name : landscape_names()) {
    table.columns.push_back(name);
    table.columns.push_back("± " + name);
  }
  for (const double gain : {0.01, 0.03, 0.1, 0.2, 0.3, 0.5, 0.7, 1.0, 1.5, 2.0, 3.0, 5.0, 10.0, 30.0, 100.0,
                            std::numeric_limits<double>::infinity()}) {
    task::NlgpOptions options = *spec;
    options.gain = gain;
    table.rows.push_back({gain});
    for (const ShapeLoss& each : shape_losses(options, kSamples)) {
      table.rows.back().push_back(each.loss);
      table.rows.back().push_back(each.standard_error);
    }
  }
  return table;
}

/// C.7: the gain of the spec gives way to a row of gains; its first units are the starts.
Table flow_error(const Request& request) {
  const auto* spec = dynamic_cast<const task::NlgpOptions*>(&request.task.options());
  if (spec == nullptr || spec->normalize != "unit" || spec->scale != 1)
    throw InputError("flow-error: expected task.kind = nlgp with normalize = \"unit\" and scale = 1");
  require_even_classes(spec->classes, "flow-error");
  require_plain_relu(two_layer(request), "flow-error");
  constexpr std::size_t kMostStarts = 5;
  constexpr double kTime = 200;
  const std::vector<Vector> starts(
      request.weights.begin(),
      request.weights.begin() + static_cast<std::ptrdiff_t>(std::min(kMostStarts, request.weights.size())));
  Table table{{"gain", "gaussian", "mean field", "conditioned"}, {}};
  table.picture = {
      .kind = Picture::Kind::curves,
      .title = fmt::format("Flow of one ReLU unit by approximate responses: nlgp, n = {}, ξ = {} against {}",
                           spec->n, spec->xi[0], spec->xi[1]),
      .y = "distance from the sampled flow"};
  for (const double gain :
       {0.01, 0.1, 0.3, 0.5, 1.0, 2.0, 3.0, 10.0, 100.0, std::numeric_limits<double>::infinity()}) {
    task::NlgpOptions options = *spec;
    options.gain = gain;
    const std::array<double, 3> errors = flow_errors(options, starts, kTime);
    table.rows.push_back({gain, errors[0], errors[1], errors[2]});
  }
  return table;
}

/// Where the flat field of one unit gives way to one wave (docs/theory/branches.md).
Table modulation(const Request& request) {
  const task::NlgpOptions& spec = task_of_one_unit(request.task, "modulation");
  Table table{{"ratio", "critical gain", "± critical gain", "leading order"}, {}};
  table.picture = {
      .kind = Picture::Kind::curves,
      .title = fmt::format("Where the flat field is modulated: n = {}, ξ₂ = {}", spec.n, spec.xi[1]),
      .y = "gain",
      .x = "ξ₁/ξ₂"};
  for (const ModulationOnset& each : modulation_onsets(spec, request.seed))
    table.rows.push_back({each.ratio, each.gain, each.error, each.leading});
  return table;
}

/// D.5, N0.c6: only the number of sites of the spec counts.
Table mode_map(const Request& request) {
  constexpr std::int64_t kMostSites = 512;  // 1296 pairs of lengths, n² operations each
  const std::int64_t n = request.task.make()->inputs();
  if (n > kMostSites)
    throw InputError(fmt::format("mode-map: task.n = {}: expected at most {}", n, kMostSites));
  Table table{{"xi1", "xi2", "frequency", "amplitude", "loss"}, {}};
  table.picture = {
      .kind = Picture::Kind::map,
      .title = fmt::format("Where one ReLU unit ends on Gaussian data, n = {} (white: all modes tie)", n),
      .y = "ξ₂",
      .x = "ξ₁"};
  for (const WinningMode& each : theory::mode_map(n))
    table.rows.push_back({each.xi_one, each.xi_two, each.frequency, each.amplitude, each.loss});
  return table;
}

/// A.2, figure 2 of note 000, sorted by frequency: only the number of sites of the spec counts.
Table basis(const Request& request) {
  const std::int64_t n = request.task.make()->inputs();
  Table table{{"site"}, std::vector<std::vector<double>>(static_cast<std::size_t>(n))};
  table.picture = {.kind = Picture::Kind::matrix,
                   .title = fmt::format("Sine and cosine basis of a ring of {} sites, by frequency", n),
                   .y = "mode: 1, cos 1, sin 1, cos 2, …",
                   .value = "F"};
  for (std::size_t i = 0; i < table.rows.size(); ++i) table.rows[i].push_back(static_cast<double>(i));
  const math::FourierBasis fourier(n);
  for (std::int64_t mode = 0; mode < n; ++mode) {
    const std::int64_t frequency = math::FourierBasis::frequency(mode);
    table.columns.push_back(mode == 0 ? "constant"
                                      : fmt::format("{} {}", mode % 2 == 1 ? "cos" : "sin", frequency));
    const std::vector<double> wave =
        fourier.synthesise(view(unit(static_cast<std::size_t>(n), static_cast<std::size_t>(mode))));
    for (std::size_t i = 0; i < wave.size(); ++i) table.rows[i].push_back(wave[i]);
  }
  return table;
}

/// docs/theory/localized.md: nothing of the spec counts.
Table localized_panel(const Request&) {
  Table table{{"torus", "n", "must count", "localized", "shuffled"}, {}};
  table.picture.kind = Picture::Kind::fields;
  const auto add = [&](std::span<const PanelKind> panel, std::int64_t n, bool torus, std::uint32_t counting,
                       std::uint32_t nulls) {
    for (const PanelKind& kind : panel) {
      const PanelShare found = panel_share(kind, n, torus, kind.counts ? counting : nulls);
      table.rows.push_back(
          {torus ? 1.0 : 0.0, static_cast<double>(n), kind.counts ? 1.0 : 0.0, found.share, found.shuffled});
      table.labels.push_back(kind.name);
    }
  };
  for (const std::int64_t n : {40, 100, 200, 400}) add(ring_panel(), n, false, 300, 1000);
  for (const std::int64_t n : {8, 16, 32}) add(torus_panel(), n, true, 100, 300);
  return table;
}

constexpr std::array<Quantity, 27> kQuantities{{
    {{"covariance", "first row of Cov X of one class"}, Needs::nothing, covariance},
    {{"spectrum", "its eigenvalues λ_k, k = 0 … n−1"}, Needs::nothing, spectrum},
    {{"response", "f(w) = E[1(⟨w,X⟩ ≥ 0)X] of one class, one row per unit"}, Needs::units, response},
    {{"pair-response", "E[1(⟨w_k,X⟩ ≥ 0) ReLU⟨w_l,X⟩ X] of one class, one row per pair (k, l)"},
     Needs::units,
     pair_response},
    {{"amplifier", "φ(a) = E[x Φ(ax/√(1−a²))] of the mean field, beside the Gaussian's line"},
     Needs::nothing,
     amplifier},
    {{"normalisation", "q, Z_g and excess kurtosis of nlgp data"}, Needs::nothing, normalisation},
    {{"initial-loss", "½E(ŷ−Y)² at the given weights, where it is closed"}, Needs::units, initial_loss},
    {{"start-loss",
      "½E(ŷ−Y)² of ReLU and erf units, mean over weights N(0, v), for gains 0.01 … 100 and inf"},
     Needs::units,
     start_loss_table},
    {{"steady-states", "where one ReLU unit comes to rest on elliptical data, lowest loss first"},
     Needs::units,
     steady_states},
    {{"advantage", "R(w) = κ²/(1 + s0²/s1²): at its best scale a ReLU unit's loss is ¼ − R/8"},
     Needs::units,
     advantage},
    {{"landscape", "¼ − R/8 of nine shapes of receptive field on nlgp data, for gains 0.01 … 100 and inf"},
     Needs::nothing,
     landscape},
    {{"flow-error",
      "how far approximate flows of one unit are from the sampled one at t = 200, for gains 0.01 … inf"},
     Needs::units,
     flow_error},
    {{"dominance", "P(|⟨w,X₁⟩| > |⟨w,X₀⟩|) of every unit, and P(∫σ(|w∗X₁|+b) > ∫σ(|w∗X₀|+b)), b of the spec"},
     Needs::units,
     dominance_of_units},
    {{"dominance-shapes",
      "the same of the best constant, wave, bump, Gabor and free field, at unit spread and b = −1"},
     Needs::nothing,
     dominance_of_shapes},
    {{"characteristic", "E cos(t⟨w,X⟩/sd) of both classes for the first units, beside the normal e^(−t²/2)"},
     Needs::units,
     characteristic_functions},
    {{"uncertainty", "least 4πΔxΔf/n of a field on the ring over its spread Δx, and that of a Gabor"},
     Needs::nothing,
     uncertainty_table},
    {{"modulation",
      "the gain from which on the flat field of one unit is modulated, for ξ₁/ξ₂ from 1.25 to 4"},
     Needs::nothing,
     modulation},
    {{"mode-map", "the mode that wins on Gaussian data, for ξ₁ and ξ₂ from 0.5 to 4"},
     Needs::nothing,
     mode_map},
    {{"basis", "the real sine and cosine modes of the ring, sorted by frequency"}, Needs::nothing, basis},
    {{"localized-panel", "which share of drawn fields of every kind is localized, on rings and tori"},
     Needs::nothing,
     localized_panel},
    {{"gram-entries", "K₀/d of deep networks on and off the diagonal, for depths 2 … 20"},
     Needs::deep_network,
     gram_entries},
    {{"gram-spectrum", "sums of the smallest eigenvalues of K₀/d, for depths 2 … 20"},
     Needs::deep_network,
     gram_spectrum},
    {{"gram-variance", "Var K₀/d² of deep linear networks, for depths 3 … 14 and two widths"},
     Needs::nothing,
     gram_variance},
    {{"margins",
      "δ = min_x |Σ w_i x_i| of the k largest entries, x = ±1, beside the tail: normal, a bump, trained"},
     Needs::nothing,
     cube_margins},
    {{"cube-gates", "δ of every unit, its relaxation, and how many entries decide its gate"},
     Needs::units,
     cube_gates},
    {{"bumps", "f(w) of one, two, three bumps at one site, for gains 0.1 … 100 and inf, beside closed forms"},
     Needs::nothing,
     bump_responses},
    {{"chow", "E[sgn⟨w,x⟩ x_j] of the first unit, x uniform on ±1 and of one class"},
     Needs::units,
     chow_parameters},
}};

}  // namespace

void require_answered(const task::Section& task, std::size_t unit, const std::function<void()>& ask) {
  try {
    ask();
  } catch (const std::invalid_argument&) {
    throw InputError(
        fmt::format("unit {}: no exact response of {} is known for these weights; choose the operator "
                    "mean-field or gaussian",
                    unit, task.kind()));
  }
}

std::span<const Quantity> quantities() { return kQuantities; }

const Quantity& quantity(const std::string& name) {
  std::vector<std::string> names;
  for (const Quantity& each : kQuantities) {
    if (each.choice.name == name) return each;
    names.emplace_back(each.choice.name);
  }
  throw InputError(fmt::format("{}: no such quantity{}", name, spec::hint(name, names)));
}

void require_fitting_network(const Quantity& quantity, const net::Section& network) {
  const bool needs_deep = quantity.needs == Needs::deep_network;
  const bool fits =
      quantity.needs == Needs::nothing ||
      (needs_deep ? network.as<net::DeepFamily>() != nullptr : network.as<net::TwoLayerFamily>() != nullptr);
  if (fits) return;
  throw InputError(fmt::format("{}: network.kind = {}: expected {}", quantity.choice.name, network.kind(),
                               needs_deep ? "deep-gated" : "two-layer"));
}

}  // namespace sluice::theory
