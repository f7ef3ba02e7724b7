#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "sluice/kernel/spectrum.hpp"
#include "sluice/math/relative_distance.hpp"
#include "sluice/probe/change.hpp"
#include "sluice/probe/ipr.hpp"
#include "sluice/probe/kind.hpp"
#include "sluice/probe/kurtosis.hpp"
#include "sluice/probe/preactivation_law.hpp"
#include "sluice/probe/probe.hpp"
#include "sluice/probe/similarity.hpp"
#include "sluice/probe/survey.hpp"
#include "sluice/probe/uncertainty.hpp"

namespace sluice::probe {
namespace {

template <class T>
file::Array::Data empty() {
  return std::vector<T>();
}

template <class T>
std::vector<T>& values(file::Array::Data& data) {
  return std::get<std::vector<T>>(data);
}

void append(file::Array::Data& data, std::span<const float> more) {
  values<float>(data).insert(values<float>(data).end(), more.begin(), more.end());
}

/// One number per unit, in the element type of the probe.
template <class T, class Measure>
void per_unit(Survey& survey, file::Array::Data& data, const Measure& measure) {
  for (std::int64_t k = 0; k < survey.now().units; ++k)
    values<T>(data).push_back(static_cast<T>(measure(survey.now(), k)));
}

template <auto member>
void append_shape(Survey& survey, file::Array::Data& data) {
  for (const FieldShape& shape : survey.shapes())
    values<float>(data).push_back(static_cast<float>(shape.*member));
}

template <auto member>
void append_gabor(Survey& survey, file::Array::Data& data) {
  for (const Gabor& gabor : survey.gabors()) values<float>(data).push_back(static_cast<float>(gabor.*member));
}

template <auto member>
void append_gabor_error(Survey& survey, file::Array::Data& data) {
  for (const Gabor& error : survey.gabor_errors())
    values<float>(data).push_back(static_cast<float>(error.*member));
}

template <auto member>
void append_plane_shape(Survey& survey, file::Array::Data& data) {
  for (const PlaneShape& shape : survey.plane_shapes())
    values<float>(data).push_back(static_cast<float>(shape.*member));
}

template <auto member>
void append_waves(Survey& survey, file::Array::Data& data) {
  for (const PlaneWaves& waves : survey.plane_waves())
    values<float>(data).push_back(static_cast<float>(waves.*member));
}

/// `part` is Gabor2Fit::value or Gabor2Fit::error.
template <auto part, auto member>
void append_gabor2(Survey& survey, file::Array::Data& data) {
  for (const Gabor2Fit& fit : survey.gabors2())
    values<float>(data).push_back(static_cast<float>(fit.*part.*member));
}

template <auto member>
void append_scalar(Survey& survey, file::Array::Data& data) {
  using Value = std::remove_cvref_t<decltype(survey.now().*member)>;
  values<Value>(data).push_back(survey.now().*member);
}

template <auto member>
void append_all(Survey& survey, file::Array::Data& data) {
  append(data, survey.now().*member);
}

void append_ipr(Survey& survey, file::Array::Data& data) {
  per_unit<float>(survey, data, [](const Snapshot& now, std::int64_t k) { return ipr(now.field(k)); });
}

void append_flow_distance(Survey& survey, file::Array::Data& data) {
  values<double>(data).push_back(math::relative_distance(survey.now().weights, survey.now().flow));
}

void append_reference_distance(Survey& survey, file::Array::Data& data) {
  per_unit<float>(survey, data, [](const Snapshot& now, std::int64_t k) {
    return math::relative_distance(now.field(k), now.of_unit(now.reference, k));
  });
}

void append_power(Survey& survey, file::Array::Data& data) {
  for (std::int64_t k = 0; k < survey.now().units; ++k) append(data, survey.power_shares(k));
}

void append_power2(Survey& survey, file::Array::Data& data) {
  for (const PlaneWaves& waves : survey.plane_waves()) append(data, waves.shares);
}

void append_power_peak(Survey& survey, file::Array::Data& data) {
  per_unit<std::int64_t>(survey, data,
                         [&](const Snapshot&, std::int64_t k) { return power_peak(survey.power_shares(k)); });
}

void append_mean_frequency(Survey& survey, file::Array::Data& data) {
  per_unit<float>(survey, data,
                  [&](const Snapshot&, std::int64_t k) { return mean_frequency(survey.power_shares(k)); });
}

void append_class(Survey& survey, file::Array::Data& data) {
  per_unit<std::int64_t>(survey, data, [&](const Snapshot&, std::int64_t k) {
    return kind_of(survey.localized()[static_cast<std::size_t>(k)] != 0, survey.power_shares(k));
  });
}

void append_localized(Survey& survey, file::Array::Data& data) {
  for (const std::uint8_t flag : survey.localized()) values<std::int64_t>(data).push_back(flag);
}

void append_bias_norm(Survey& survey, file::Array::Data& data) {
  double square = 0;
  for (const float b : survey.now().bias) square += static_cast<double>(b) * b;
  values<double>(data).push_back(std::sqrt(square));
}

void append_shape_change(Survey& survey, file::Array::Data& data) {
  per_unit<float>(survey, data, [](const Snapshot& now, std::int64_t k) {
    return now.previous.empty()
               ? std::nan("")
               : shape_change(now.field(k), now.of_unit(now.previous, k), now.step - now.previous_step);
  });
}

void append_weight_sign_changes(Survey& survey, file::Array::Data& data) {
  per_unit<std::int64_t>(survey, data, [](const Snapshot& now, std::int64_t k) {
    return now.previous.empty() ? 0 : weight_sign_changes(now.field(k), now.of_unit(now.previous, k));
  });
}

void append_similarity(Survey& survey, file::Array::Data& data) {
  append(data, nearest_unit_similarity(survey.spectra(), survey.instruments().fourier().plan()));
}

void append_input_kurtosis(Survey& survey, file::Array::Data& data) {
  values<double>(data).push_back(survey.now().samples->input_kurtosis());
}

void append_preactivation_kurtosis(Survey& survey, file::Array::Data& data) {
  append(data, survey.now().samples->preactivation_kurtosis(survey.now().weights));
}

void append_preactivation_ratio(Survey& survey, file::Array::Data& data) {
  append(data, preactivation_ratio(*survey.now().samples, survey.now().weights));
}

void append_characteristic_distance(Survey& survey, file::Array::Data& data) {
  append(data, characteristic_distance(*survey.now().samples, survey.now().weights));
}

void append_uncertainty(Survey& survey, file::Array::Data& data) {
  per_unit<float>(survey, data, [&](const Snapshot&, std::int64_t k) {
    return uncertainty(survey.spectra(), k, survey.shapes()[static_cast<std::size_t>(k)]);
  });
}

void append_gate_flips(Survey& survey, file::Array::Data& data) {
  const Snapshot& now = survey.now();
  if (now.previous.empty())
    append(data, std::vector<float>(static_cast<std::size_t>(now.units), std::nanf("")));
  else
    append(data, now.samples->gate_flips({now.weights, now.bias}, {now.previous, now.previous_bias}));
}

void append_seen_entries(Survey& survey, file::Array::Data& data) {
  constexpr double kEpsilon = 0.01;
  const Snapshot& now = survey.now();
  for (const std::int64_t seen : now.samples->seen_entries({now.weights, now.bias}, kEpsilon))
    values<std::int64_t>(data).push_back(seen);
}

void append_error(Survey& survey, file::Array::Data& data) {
  values<double>(data).push_back(std::sqrt(survey.now().train_loss / survey.now().first_train_loss));
}

void append_weight_norms(Survey& survey, file::Array::Data& data) {
  const net::DeepGated<float>& layers = survey.now().kernels->layers();
  for (std::int64_t l = 1; l <= layers.depth(); ++l) {
    const auto theta = layers.weights(l).of(survey.now().parameters);
    values<double>(data).push_back(
        std::sqrt(std::inner_product(theta.begin(), theta.end(), theta.begin(), 0.0)));
  }
}

void append_tangent_trace(Survey& survey, file::Array::Data& data) {
  const kernel::SampleMatrix<double>& tangent = survey.tangent();
  values<double>(data).push_back(kernel::trace(tangent) / static_cast<double>(tangent.n));
}

void append_tangent_spectrum(Survey& survey, file::Array::Data& data) {
  const std::vector<double> rho = kernel::eigenvalues(survey.tangent());
  values<double>(data).insert(values<double>(data).end(), rho.begin(), rho.end());
}

/// ν = y'H⁻¹y of a kernel H and the labels y.
void append_alignment(Survey& survey, const kernel::SampleMatrix<double>& h, file::Array::Data& data) {
  values<double>(data).push_back(kernel::alignment(h, survey.now().kernels->labels()));
}

void append_nu_tangent(Survey& survey, file::Array::Data& data) {
  append_alignment(survey, kernel::trace_normalised(survey.tangent()), data);
}
void append_nu_gates(Survey& survey, file::Array::Data& data) {
  append_alignment(survey, kernel::trace_normalised(survey.gate_kernel()), data);
}
void append_nu_gates_raw(Survey& survey, file::Array::Data& data) {
  append_alignment(survey, survey.gate_kernel(), data);
}
void append_nu_paths(Survey& survey, file::Array::Data& data) {
  append_alignment(survey, kernel::trace_normalised(survey.passage().paths()), data);
}

template <auto member>
void append_active(Survey& survey, file::Array::Data& data) {
  values<double>(data).push_back(survey.active_counts().*member);
}

template <auto member>
void append_sensitive(Survey& survey, file::Array::Data& data) {
  values<double>(data).push_back(survey.gate_counts().*member);
}

void append_changed_gates(Survey& survey, file::Array::Data& data) {
  const KernelBench& bench = *survey.now().kernels;
  values<double>(data).push_back(kernel::changed_gates(survey.gates(), bench.gates(bench.start())));
}

void append_gate_overlap(Survey& survey, file::Array::Data& data) {
  values<double>(data).push_back(kernel::mean_overlap(survey.gates().overlap()));
}

/// One float per unit, watched when asked for.
constexpr Probe of_units(std::string_view name, std::string_view meaning, unsigned needs,
                         void (*measure)(Survey&, file::Array::Data&)) {
  return {{name, meaning}, {Axis::unit}, When::asked, needs, empty<float>, measure};
}
constexpr auto kFit = &Gabor2Fit::value;
constexpr auto kError = &Gabor2Fit::error;

// Adding a probe is adding a line here. What stands here is a public contract: add, do not rename.
constexpr std::array kTable{
    Probe{{"step", "training step of the entry"},
          {},
          When::always,
          kRun,
          empty<std::int64_t>,
          append_scalar<&Snapshot::step>},
    Probe{{"weights", "w, one receptive field per unit"},
          {Axis::unit, Axis::site},
          When::always,
          kRun,
          empty<float>,
          append_all<&Snapshot::weights>},
    Probe{{"bias", "b of every unit, zeros when the network has none"},
          {Axis::unit},
          When::always,
          kRun | kBias,
          empty<float>,
          append_all<&Snapshot::bias>},
    Probe{{"loss", "⟨½(ŷ-y)²⟩ over the evaluation set"},
          {},
          When::always,
          kRun,
          empty<double>,
          append_scalar<&Snapshot::loss>},
    Probe{{"accuracy", "share of the evaluation set on the right side of the labels' midpoint"},
          {},
          When::always,
          kRun,
          empty<double>,
          append_scalar<&Snapshot::accuracy>},
    Probe{{"train_loss", "the same over the training set, where it is finite"},
          {},
          When::always,
          kRun | kFiniteSet,
          empty<double>,
          append_scalar<&Snapshot::train_loss>},
    Probe{{"train_accuracy", "the same over the training set, where it is finite"},
          {},
          When::always,
          kRun | kFiniteSet,
          empty<double>,
          append_scalar<&Snapshot::train_accuracy>},
    Probe{{"rate", "what the next step multiplies its gradient with, where dynamics.schedule changes it"},
          {},
          When::always,
          kRun | kSchedule,
          empty<double>,
          append_scalar<&Snapshot::rate>},
    Probe{{"ipr", "Σw⁴/(Σw²)² of every unit: 1/n when spread out, 1 on a single site"},
          {Axis::unit},
          When::asked,
          kFields,
          empty<float>,
          append_ipr},
    Probe{{"flow_weights", "w of the gradient flow from the same start, at t = rate × step"},
          {Axis::unit, Axis::site},
          When::asked,
          kRun,
          empty<float>,
          append_all<&Snapshot::flow>},
    Probe{{"flow_distance", "‖w − w_flow‖/‖w_flow‖ over all units"},
          {},
          When::asked,
          kRun,
          empty<double>,
          append_flow_distance},
    Probe{{"readout", "a of every unit; kept when network.readout = \"learned\""},
          {Axis::unit},
          When::always,
          kRun | kReadout,
          empty<float>,
          append_all<&Snapshot::readout>},
    Probe{{"offset", "c, added to the output; kept when network.readout = \"learned\""},
          {},
          When::always,
          kRun | kReadout,
          empty<float>,
          append_all<&Snapshot::offset>},
    Probe{{"entropy", "−Σp ln p with p = w²/Σw²: ln n when spread out, 0 on a single site"},
          {Axis::unit},
          When::asked,
          kFields,
          empty<float>,
          append_shape<&FieldShape::entropy>},
    Probe{{"position", "(n/2π) arg Σp e^(2πij/n), the circular mean of the sites, from 0 to n"},
          {Axis::unit},
          When::asked,
          kRing,
          empty<float>,
          append_shape<&FieldShape::position>},
    Probe{{"position_variance", "1 − |Σp e^(2πij/n)|, circular: 0 on a single site, 1 nowhere in particular"},
          {Axis::unit},
          When::asked,
          kRing,
          empty<float>,
          append_shape<&FieldShape::variance>},
    Probe{{"position_spread", "(n/2π)√(−2 ln|Σp e^(2πij/n)|), the circular standard deviation in sites"},
          {Axis::unit},
          When::asked,
          kRing,
          empty<float>,
          append_shape<&FieldShape::spread>},
    Probe{{"power", "share of Σw² at every frequency of the real Fourier basis, 0 to n/2"},
          {Axis::unit, Axis::frequency},
          When::asked,
          kRing,
          empty<float>,
          append_power},
    Probe{{"power_peak", "dominant frequency: the one of largest power, in periods around the ring"},
          {Axis::unit},
          When::asked,
          kRing,
          empty<std::int64_t>,
          append_power_peak},
    Probe{{"mean_frequency", "Σ frequency × power share"},
          {Axis::unit},
          When::asked,
          kRing,
          empty<float>,
          append_mean_frequency},
    Probe{{"class",
           "2 localized, as the probe localized says; else 1 oscillatory: three frequencies from 2 on hold "
           "half of "
           "the power; else 0 flat"},
          {Axis::unit},
          When::asked,
          kRing | kPlaces,
          empty<std::int64_t>,
          append_class},
    Probe{{"gabor_centre", "c of the nearest A exp(−d²/2s²) cos(2πfd/n + φ), d = i − c, in sites"},
          {Axis::unit},
          When::asked,
          kRing | kGabor,
          empty<float>,
          append_gabor<&Gabor::centre>},
    Probe{{"gabor_width", "s of it, in sites"},
          {Axis::unit},
          When::asked,
          kRing | kGabor,
          empty<float>,
          append_gabor<&Gabor::width>},
    Probe{{"gabor_frequency", "f of it, in periods around the ring"},
          {Axis::unit},
          When::asked,
          kRing | kGabor,
          empty<float>,
          append_gabor<&Gabor::frequency>},
    Probe{{"gabor_phase", "φ of it, from −π to π"},
          {Axis::unit},
          When::asked,
          kRing | kGabor,
          empty<float>,
          append_gabor<&Gabor::phase>},
    Probe{{"gabor_amplitude", "A of it, at least 0"},
          {Axis::unit},
          When::asked,
          kRing | kGabor,
          empty<float>,
          append_gabor<&Gabor::amplitude>},
    Probe{{"gabor_residual", "√(Σ(w − g)²/Σw²) of it: 0 exact, 1 nothing explained"},
          {Axis::unit},
          When::asked,
          kRing | kGabor,
          empty<float>,
          append_gabor<&Gabor::residual>},
    Probe{{"weight_norm", "√Σw² of every unit"},
          {Axis::unit},
          When::asked,
          kFields,
          empty<float>,
          append_shape<&FieldShape::norm>},
    Probe{{"bias_norm", "√Σb² over units"}, {}, When::asked, kBias, empty<double>, append_bias_norm},
    Probe{{"shape_change", "|u(t) − u(t')|/(t − t') per step since the probe time before, u = w/|w|"},
          {Axis::unit},
          When::asked,
          kFields,
          empty<float>,
          append_shape_change},
    Probe{{"sign_flips", "the first name of weight_sign_changes; of gates there is gate_flips"},
          {Axis::unit},
          When::asked,
          kFields,
          empty<std::int64_t>,
          append_weight_sign_changes},
    Probe{{"nearest_unit_similarity", "largest |cosine| with another unit, over all shifts"},
          {Axis::unit},
          When::asked,
          kRing,
          empty<float>,
          append_similarity},
    Probe{{"input_kurtosis", "excess kurtosis of the inputs, sites pooled, mean over classes"},
          {},
          When::asked,
          kSamples,
          empty<double>,
          append_input_kurtosis},
    Probe{{"preactivation_kurtosis", "excess kurtosis of ⟨w, X⟩, mean over classes"},
          {Axis::unit},
          When::asked,
          kSamples,
          empty<float>,
          append_preactivation_kurtosis},
    Probe{{"gate_flips",
           "p = P(g(t, X) ≠ g(t', X)), g = 1(⟨w, X⟩ + b ≥ 0), t' the probe time before; mean over classes"},
          {Axis::unit},
          When::asked,
          kSamples,
          empty<float>,
          append_gate_flips},
    Probe{{"reference_distance", "‖w − w_ref‖/‖w_ref‖ of every unit, w_ref of another record"},
          {Axis::unit},
          When::asked,
          kReference,
          empty<float>,
          append_reference_distance},
    Probe{{"localized",
           "1 where energy is concentrated more than random phases of the field's spectrum would do, at 1 %; "
           "else 0"},
          {Axis::unit},
          When::asked,
          kPlaces,
          empty<std::int64_t>,
          append_localized},
    Probe{{"error", "‖e(t)‖/‖e(0)‖ on the training set, of the half-squared loss"},
          {},
          When::always,
          kRun | kFiniteSet | kSquares,
          empty<double>,
          append_error},
    Probe{{"weight_norms", "‖Θ_l‖ of every layer"},
          {Axis::layer},
          When::asked,
          kRun | kLayers,
          empty<double>,
          append_weight_norms},
    Probe{{"tangent_trace", "tr K/n, the mean of K(s,s)"},
          {},
          When::asked,
          kRun | kFiniteSet | kLayers | kKernels,
          empty<double>,
          append_tangent_trace},
    Probe{{"tangent_spectrum", "eigenvalues of the tangent kernel K, ascending"},
          {Axis::sample},
          When::asked,
          kRun | kFiniteSet | kLayers | kKernels,
          empty<double>,
          append_tangent_spectrum},
    Probe{{"nu_tangent", "ν = y'H⁻¹y of H = K/tr K"},
          {},
          When::asked,
          kRun | kFiniteSet | kLayers | kKernels,
          empty<double>,
          append_nu_tangent},
    Probe{{"nu_gates", "ν of H = K^a/tr K^a, soft gates"},
          {},
          When::asked,
          kRun | kFiniteSet | kLayers | kKernels | kSoftGates,
          empty<double>,
          append_nu_gates},
    Probe{{"nu_gates_raw", "ν of H = K^a, soft gates"},
          {},
          When::asked,
          kRun | kFiniteSet | kLayers | kKernels | kSoftGates,
          empty<double>,
          append_nu_gates_raw},
    Probe{{"nu_paths", "ν of H = M/tr M, M = (x'x)∘λ"},
          {},
          When::asked,
          kRun | kFiniteSet | kLayers | kKernels,
          empty<double>,
          append_nu_paths},
    Probe{{"active_gates", "share of gates above τ_A"},
          {},
          When::asked,
          kRun | kFiniteSet | kLayers,
          empty<double>,
          append_active<&kernel::GateCounts::active>},
    Probe{{"active_paths", "log10 of the paths through active gates alone"},
          {},
          When::asked,
          kRun | kFiniteSet | kLayers,
          empty<double>,
          append_active<&kernel::GateCounts::active_paths>,
          "active_gates"},
    Probe{{"sensitive_gates", "share of gates with a slope above τ_S"},
          {},
          When::asked,
          kRun | kFiniteSet | kLayers,
          empty<double>,
          append_sensitive<&kernel::GateCounts::sensitive>},
    Probe{{"sensitive_paths", "log10 of the paths with one sensitive gate, the others active"},
          {},
          When::asked,
          kRun | kFiniteSet | kLayers,
          empty<double>,
          append_sensitive<&kernel::GateCounts::sensitive_paths>,
          "sensitive_gates"},
    Probe{{"changed_gates", "share of gates that are not where they were at the start"},
          {},
          When::asked,
          kRun | kFiniteSet | kLayers,
          empty<double>,
          append_changed_gates},
    Probe{{"gate_overlap", "mean of λ(s,t)/√(λ(s,s)λ(t,t)) over pairs"},
          {},
          When::asked,
          kRun | kFiniteSet | kLayers,
          empty<double>,
          append_gate_overlap},
    Probe{{"seen_entries",
           "smallest k: the gate of the k largest |w_i| alone is that of all on 99 % of samples"},
          {Axis::unit},
          When::asked,
          kSamples,
          empty<std::int64_t>,
          append_seen_entries},
    Probe{{"uncertainty",
           "4πΔxΔf/n, spread over sites times spread over frequencies of w, or of its analytic signal where "
           "that is less: 1 of a Gabor function on a line"},
          {Axis::unit},
          When::asked,
          kRing,
          empty<float>,
          append_uncertainty},
    Probe{{"preactivation_ratio",
           "κ = E|z|, z = (⟨w, X⟩ − mean)/sd: 0.798 of a normal law, at most 1; mean over classes"},
          {Axis::unit},
          When::asked,
          kSamples,
          empty<float>,
          append_preactivation_ratio},
    Probe{{"characteristic_distance",
           "√∫(E cos tz − e^(−t²/2))²φ(t)dt, z = (⟨w, X⟩ − mean)/sd, φ the normal density: 0 of a normal "
           "law; mean over "
           "classes"},
          {Axis::unit},
          When::asked,
          kSamples,
          empty<float>,
          append_characteristic_distance},
    Probe{{"weight_sign_changes", "sites whose weight changed sign since the probe time before"},
          {Axis::unit},
          When::asked,
          kFields,
          empty<std::int64_t>,
          append_weight_sign_changes},
    of_units("gabor_centre_error",
             "standard error of gabor_centre, in sites; infinite where the field does not tell it",
             kRing | kGabor, append_gabor_error<&Gabor::centre>),
    of_units("gabor_width_error",
             "standard error of gabor_width, in sites; infinite where the field does not tell it",
             kRing | kGabor, append_gabor_error<&Gabor::width>),
    of_units("gabor_frequency_error",
             "standard error of gabor_frequency, in periods around the ring; infinite where the field does "
             "not tell it",
             kRing | kGabor, append_gabor_error<&Gabor::frequency>),
    of_units("gabor_phase_error", "standard error of gabor_phase; infinite where the field does not tell it",
             kRing | kGabor, append_gabor_error<&Gabor::phase>),
    of_units("gabor_amplitude_error",
             "standard error of gabor_amplitude; infinite where the field does not tell it", kRing | kGabor,
             append_gabor_error<&Gabor::amplitude>),
    of_units("position_x", "column of the centre of energy: circular mean on a torus, Σ p x on an image",
             kPlane, append_plane_shape<&PlaneShape::x>),
    of_units("position_y", "row of it", kPlane, append_plane_shape<&PlaneShape::y>),
    of_units("position_spread_x", "standard deviation of the energy over columns, circular on a torus",
             kPlane, append_plane_shape<&PlaneShape::spread_x>),
    of_units("position_spread_y", "the same over rows", kPlane, append_plane_shape<&PlaneShape::spread_y>),
    Probe{{"power2", "share of Σw² at every wave vector (k₁, k₂) of the plane, 0 ≤ k₁ < h, 0 ≤ k₂ ≤ w/2"},
          {Axis::unit, Axis::wave_y, Axis::wave_x},
          When::asked,
          kPlane,
          empty<float>,
          append_power2},
    of_units("mean_frequency2", "Σ|f| × power share, f = (k₂/w, k₁/h) in periods per site", kPlane,
             append_waves<&PlaneWaves::mean_frequency>),
    of_units("orientation2",
             "½ arg S, S = ΣP e^(2iφ) over f ≠ 0, φ the angle of f: direction of the waves, from 0 to π",
             kPlane, append_waves<&PlaneWaves::orientation>),
    of_units("orientation2_strength", "|S|/ΣP: 1 of one direction, 0 of none", kPlane,
             append_waves<&PlaneWaves::strength>),
    of_units("gabor2_x",
             "column x₀ of the centre of the nearest A exp(−½d'Md) cos(2πf·d + φ), d = (x − x₀, y − y₀)",
             kPlane | kGabor2, append_gabor2<kFit, &Gabor2::x>),
    of_units("gabor2_y", "row y₀ of it", kPlane | kGabor2, append_gabor2<kFit, &Gabor2::y>),
    of_units("gabor2_width_long", "longer half-axis of its envelope, in sites", kPlane | kGabor2,
             append_gabor2<kFit, &Gabor2::width_long>),
    of_units("gabor2_width_short", "shorter half-axis, in sites", kPlane | kGabor2,
             append_gabor2<kFit, &Gabor2::width_short>),
    of_units("gabor2_orientation", "angle of the longer half-axis, from 0 to π, from columns to rows",
             kPlane | kGabor2, append_gabor2<kFit, &Gabor2::orientation>),
    of_units("gabor2_frequency_x", "f along columns, in periods per site, at least 0", kPlane | kGabor2,
             append_gabor2<kFit, &Gabor2::frequency_x>),
    of_units("gabor2_frequency_y", "f along rows", kPlane | kGabor2,
             append_gabor2<kFit, &Gabor2::frequency_y>),
    of_units("gabor2_phase", "φ of it, from −π to π", kPlane | kGabor2, append_gabor2<kFit, &Gabor2::phase>),
    of_units("gabor2_amplitude", "A of it, at least 0", kPlane | kGabor2,
             append_gabor2<kFit, &Gabor2::amplitude>),
    of_units("gabor2_residual", "√(Σ(w − g)²/Σw²) of it: 0 exact, 1 nothing explained", kPlane | kGabor2,
             append_gabor2<kFit, &Gabor2::residual>),
    of_units("gabor2_x_error", "standard error of gabor2_x; infinite where the field does not tell it",
             kPlane | kGabor2, append_gabor2<kError, &Gabor2::x>),
    of_units("gabor2_y_error", "standard error of gabor2_y", kPlane | kGabor2,
             append_gabor2<kError, &Gabor2::y>),
    of_units("gabor2_width_long_error", "standard error of gabor2_width_long", kPlane | kGabor2,
             append_gabor2<kError, &Gabor2::width_long>),
    of_units("gabor2_width_short_error", "standard error of gabor2_width_short", kPlane | kGabor2,
             append_gabor2<kError, &Gabor2::width_short>),
    of_units("gabor2_orientation_error", "standard error of gabor2_orientation", kPlane | kGabor2,
             append_gabor2<kError, &Gabor2::orientation>),
    of_units("gabor2_frequency_x_error", "standard error of gabor2_frequency_x", kPlane | kGabor2,
             append_gabor2<kError, &Gabor2::frequency_x>),
    of_units("gabor2_frequency_y_error", "standard error of gabor2_frequency_y", kPlane | kGabor2,
             append_gabor2<kError, &Gabor2::frequency_y>),
    of_units("gabor2_phase_error", "standard error of gabor2_phase", kPlane | kGabor2,
             append_gabor2<kError, &Gabor2::phase>),
    of_units("gabor2_amplitude_error", "standard error of gabor2_amplitude", kPlane | kGabor2,
             append_gabor2<kError, &Gabor2::amplitude>),
};
constexpr auto kChoices = spec::choices_of(kTable);

}  // namespace

std::span<const Probe> probes() { return kTable; }
spec::Choices probe_choices() { return kChoices; }

const Probe* find_probe(std::string_view name) {
  for (const Probe& probe : kTable)
    if (probe.choice.name == name) return &probe;
  return nullptr;
}

std::string lack(const Probe& probe, const Subject& subject) {
  const auto needs = [&](unsigned what) { return (probe.needs & what) != 0; };
  const std::int64_t n = subject.extents.sites;
  const std::string_view place = task::place(subject.extents.layout.kind);
  if (needs(kReference) && !subject.reference)
    return subject.running ? "is measured after a run, against another record" : "needs another record";
  if (needs(kLayers) && !subject.deep)
    return "needs network.kind = \"deep-gated\"" + std::string(subject.running ? "" : ", while it runs");
  if (needs(kRun) && !subject.running) return "is seen by running experiments alone: name it in probe.watch";
  if (needs(kFiniteSet) && !subject.finite_set)
    return "needs a finite task: task.kind = \"dataset\", \"points\", \"mnist\" or \"cifar10\"";
  if (needs(kSquares) && !subject.squares) return "needs dynamics.loss = \"half-squared\"";
  if (needs(kReadout) && !subject.readout) return "needs network.readout = \"learned\"";
  if (needs(kBias) && !subject.bias) return "needs biases";
  if (needs(kSamples) && !subject.samples) return "needs inputs";
  if (const auto& kernel = subject.extents.layout.kernel; needs(kPlaces) && kernel)
    return fmt::format("needs fields over all sites, found kernels of {} × {}: localized by construction",
                       kernel->rows, kernel->columns);
  if (needs(kRing) && !subject.extents.layout.on_ring())
    return fmt::format("needs sites on a ring, task.dim = 1, found those of {}", place);
  if (needs(kPlaces) && !subject.extents.layout.has_places())
    return fmt::format("needs sites on a ring or a torus, found those of {}", place);
  if (needs(kGabor) && (n < GaborFitter::kLeastSites || n > GaborFitter::kMostSites))
    return fmt::format("needs {} to {} sites, found {}", GaborFitter::kLeastSites, GaborFitter::kMostSites,
                       n);
  if (needs(kPlane) && !subject.extents.layout.drawn_as_image())
    return fmt::format("needs sites of a torus or an image, found those of {}", place);
  if (const std::int64_t channels = subject.extents.layout.channels; needs(kPlane) && channels > 1)
    return fmt::format("needs images of one channel, found {}", channels);
  if (const task::Layout& plane = subject.extents.layout;
      needs(kGabor2) && (std::min(plane.rows, plane.columns) < Gabor2Fitter::kLeastSide ||
                         std::max(plane.rows, plane.columns) > Gabor2Fitter::kMostSide))
    return fmt::format("needs {} to {} rows and columns, found {} × {}", Gabor2Fitter::kLeastSide,
                       Gabor2Fitter::kMostSide, plane.rows, plane.columns);
  if (needs(kKernels) && subject.outputs != 1)
    return fmt::format("needs a network with one output, the task has {} classes", subject.outputs);
  if (needs(kSchedule) && !subject.schedule) return "needs a rate that changes, dynamics.schedule";
  if (needs(kSoftGates) && !subject.soft_gates) return "needs soft gates, network.beta below inf";
  return "";
}

}  // namespace sluice::probe
