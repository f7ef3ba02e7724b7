#include <array>
#include <cmath>
#include <vector>

#include "sluice/math/relative_distance.hpp"
#include "sluice/probe/change.hpp"
#include "sluice/probe/ipr.hpp"
#include "sluice/probe/kind.hpp"
#include "sluice/probe/kurtosis.hpp"
#include "sluice/probe/probe.hpp"
#include "sluice/probe/similarity.hpp"
#include "sluice/probe/survey.hpp"

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

void append_power_peak(Survey& survey, file::Array::Data& data) {
  per_unit<std::int64_t>(survey, data,
                         [&](const Snapshot&, std::int64_t k) { return power_peak(survey.power_shares(k)); });
}

void append_mean_frequency(Survey& survey, file::Array::Data& data) {
  per_unit<float>(survey, data,
                  [&](const Snapshot&, std::int64_t k) { return mean_frequency(survey.power_shares(k)); });
}

void append_class(Survey& survey, file::Array::Data& data) {
  per_unit<std::int64_t>(survey, data, [&](const Snapshot& now, std::int64_t k) {
    return kind_of(ipr(now.field(k)), survey.power_shares(k), now.inputs);
  });
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

void append_sign_flips(Survey& survey, file::Array::Data& data) {
  per_unit<std::int64_t>(survey, data, [](const Snapshot& now, std::int64_t k) {
    return now.previous.empty() ? 0 : sign_flips(now.field(k), now.of_unit(now.previous, k));
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

// Adding a probe is adding a line here. What stands here is a public contract: add, do not rename.
constexpr std::array kTable{
    Probe{{"step", "training step of the entry"},
          Extent::scalar,
          When::always,
          Needs::run,
          empty<std::int64_t>,
          append_scalar<&Snapshot::step>},
    Probe{{"weights", "w, one receptive field per unit"},
          Extent::per_weight,
          When::always,
          Needs::run,
          empty<float>,
          append_all<&Snapshot::weights>},
    Probe{{"bias", "b of every unit, zeros when the network has none"},
          Extent::per_unit,
          When::always,
          Needs::run,
          empty<float>,
          append_all<&Snapshot::bias>},
    Probe{{"loss", "⟨½(ŷ-y)²⟩ over the evaluation set"},
          Extent::scalar,
          When::always,
          Needs::run,
          empty<double>,
          append_scalar<&Snapshot::loss>},
    Probe{{"accuracy", "share of the evaluation set on the right side of the labels' midpoint"},
          Extent::scalar,
          When::always,
          Needs::run,
          empty<double>,
          append_scalar<&Snapshot::accuracy>},
    Probe{{"train_loss", "the same over the training set, where it is finite"},
          Extent::scalar,
          When::finite_set,
          Needs::run,
          empty<double>,
          append_scalar<&Snapshot::train_loss>},
    Probe{{"train_accuracy", "the same over the training set, where it is finite"},
          Extent::scalar,
          When::finite_set,
          Needs::run,
          empty<double>,
          append_scalar<&Snapshot::train_accuracy>},
    Probe{{"ipr", "Σw⁴/(Σw²)² of every unit: 1/n when spread out, 1 on a single site"},
          Extent::per_unit,
          When::asked,
          Needs::weights,
          empty<float>,
          append_ipr},
    Probe{{"flow_weights", "w of the gradient flow from the same start, at t = rate × step"},
          Extent::per_weight,
          When::asked,
          Needs::run,
          empty<float>,
          append_all<&Snapshot::flow>},
    Probe{{"flow_distance", "‖w − w_flow‖/‖w_flow‖ over all units"},
          Extent::scalar,
          When::asked,
          Needs::run,
          empty<double>,
          append_flow_distance},
    Probe{{"readout", "a of every unit; kept when network.readout = \"learned\""},
          Extent::per_unit,
          When::learned_readout,
          Needs::run,
          empty<float>,
          append_all<&Snapshot::readout>},
    Probe{{"offset", "c, added to the output; kept when network.readout = \"learned\""},
          Extent::scalar,
          When::learned_readout,
          Needs::run,
          empty<float>,
          append_all<&Snapshot::offset>},
    Probe{{"entropy", "−Σp ln p with p = w²/Σw²: ln n when spread out, 0 on a single site"},
          Extent::per_unit,
          When::asked,
          Needs::weights,
          empty<float>,
          append_shape<&FieldShape::entropy>},
    Probe{{"position", "(n/2π) arg Σp e^(2πij/n), the circular mean of the sites, from 0 to n"},
          Extent::per_unit,
          When::asked,
          Needs::ring,
          empty<float>,
          append_shape<&FieldShape::position>},
    Probe{{"position_variance", "1 − |Σp e^(2πij/n)|, circular: 0 on a single site, 1 nowhere in particular"},
          Extent::per_unit,
          When::asked,
          Needs::ring,
          empty<float>,
          append_shape<&FieldShape::variance>},
    Probe{{"position_spread", "(n/2π)√(−2 ln|Σp e^(2πij/n)|), the circular standard deviation in sites"},
          Extent::per_unit,
          When::asked,
          Needs::ring,
          empty<float>,
          append_shape<&FieldShape::spread>},
    Probe{{"power", "share of Σw² at every frequency of the real Fourier basis, 0 to n/2"},
          Extent::per_frequency,
          When::asked,
          Needs::ring,
          empty<float>,
          append_power},
    Probe{{"power_peak", "dominant frequency: the one of largest power, in periods around the ring"},
          Extent::per_unit,
          When::asked,
          Needs::ring,
          empty<std::int64_t>,
          append_power_peak},
    Probe{{"mean_frequency", "Σ frequency × power share"},
          Extent::per_unit,
          When::asked,
          Needs::ring,
          empty<float>,
          append_mean_frequency},
    Probe{{"class",
           "2 localized: IPR ≥ 8/n; else 1 oscillatory: three frequencies from 2 on hold half of the power; "
           "else 0 flat"},
          Extent::per_unit,
          When::asked,
          Needs::ring,
          empty<std::int64_t>,
          append_class},
    Probe{{"gabor_centre", "c of the nearest A exp(−d²/2s²) cos(2πfd/n + φ), d = i − c, in sites"},
          Extent::per_unit,
          When::asked,
          Needs::gabor,
          empty<float>,
          append_gabor<&Gabor::centre>},
    Probe{{"gabor_width", "s of it, in sites"},
          Extent::per_unit,
          When::asked,
          Needs::gabor,
          empty<float>,
          append_gabor<&Gabor::width>},
    Probe{{"gabor_frequency", "f of it, in periods around the ring"},
          Extent::per_unit,
          When::asked,
          Needs::gabor,
          empty<float>,
          append_gabor<&Gabor::frequency>},
    Probe{{"gabor_phase", "φ of it, from −π to π"},
          Extent::per_unit,
          When::asked,
          Needs::gabor,
          empty<float>,
          append_gabor<&Gabor::phase>},
    Probe{{"gabor_amplitude", "A of it, at least 0"},
          Extent::per_unit,
          When::asked,
          Needs::gabor,
          empty<float>,
          append_gabor<&Gabor::amplitude>},
    Probe{{"gabor_residual", "√(Σ(w − g)²/Σw²) of it: 0 exact, 1 nothing explained"},
          Extent::per_unit,
          When::asked,
          Needs::gabor,
          empty<float>,
          append_gabor<&Gabor::residual>},
    Probe{{"weight_norm", "√Σw² of every unit"},
          Extent::per_unit,
          When::asked,
          Needs::weights,
          empty<float>,
          append_shape<&FieldShape::norm>},
    Probe{{"bias_norm", "√Σb² over units"},
          Extent::scalar,
          When::asked,
          Needs::bias,
          empty<double>,
          append_bias_norm},
    Probe{{"shape_change", "|u(t) − u(t')|/(t − t') per step since the probe time before, u = w/|w|"},
          Extent::per_unit,
          When::asked,
          Needs::weights,
          empty<float>,
          append_shape_change},
    Probe{{"sign_flips", "sites whose weight changed sign since the probe time before"},
          Extent::per_unit,
          When::asked,
          Needs::weights,
          empty<std::int64_t>,
          append_sign_flips},
    Probe{{"nearest_unit_similarity", "largest |cosine| with another unit, over all shifts"},
          Extent::per_unit,
          When::asked,
          Needs::ring,
          empty<float>,
          append_similarity},
    Probe{{"input_kurtosis", "excess kurtosis of the inputs, sites pooled, mean over classes"},
          Extent::scalar,
          When::asked,
          Needs::samples,
          empty<double>,
          append_input_kurtosis},
    Probe{{"preactivation_kurtosis", "excess kurtosis of ⟨w, X⟩, mean over classes"},
          Extent::per_unit,
          When::asked,
          Needs::samples,
          empty<float>,
          append_preactivation_kurtosis},
    Probe{{"reference_distance", "‖w − w_ref‖/‖w_ref‖ of every unit, w_ref of another record"},
          Extent::per_unit,
          When::asked,
          Needs::reference,
          empty<float>,
          append_reference_distance},
};
constexpr auto kChoices = spec::choices_of(kTable);
constexpr std::array<std::string_view, 3> kAxes{"step", "unit", "site"};
constexpr std::array<std::string_view, 3> kFrequencyAxes{"step", "unit", "frequency"};

}  // namespace

std::span<const Probe> probes() { return kTable; }
spec::Choices probe_choices() { return kChoices; }

const Probe* find_probe(std::string_view name) {
  for (const Probe& probe : kTable)
    if (probe.choice.name == name) return &probe;
  return nullptr;
}

file::Shape shape_of(Extent extent, std::int64_t times, std::int64_t units, std::int64_t inputs) {
  if (extent == Extent::per_frequency) return {times, units, inputs / 2 + 1};
  const file::Shape all{times, units, inputs};
  return {all.begin(), all.begin() + 1 + static_cast<int>(extent)};
}

std::span<const std::string_view> axes_of(Extent extent) {
  if (extent == Extent::per_frequency) return kFrequencyAxes;
  return std::span(kAxes).first(1 + static_cast<std::size_t>(extent));
}

}  // namespace sluice::probe
