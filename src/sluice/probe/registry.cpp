#include <array>
#include <vector>

#include "sluice/math/relative_distance.hpp"
#include "sluice/probe/ipr.hpp"
#include "sluice/probe/probe.hpp"

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

void append_ipr(const Snapshot& now, file::Array::Data& data) {
  const auto n = static_cast<std::size_t>(now.inputs);
  for (std::size_t k = 0; k < static_cast<std::size_t>(now.units); ++k) {
    values<float>(data).push_back(static_cast<float>(ipr(now.weights.subspan(k * n, n))));
  }
}

void append_flow_distance(const Snapshot& now, file::Array::Data& data) {
  values<double>(data).push_back(math::relative_distance(now.weights, now.flow));
}

// Adding a probe is adding a line here. What stands here is a public contract: add, do not rename.
constexpr std::array kTable{
    Probe{
        {"step", "training step of the entry"},
        Extent::scalar,
        When::always,
        empty<std::int64_t>,
        [](const Snapshot& now, file::Array::Data& data) { values<std::int64_t>(data).push_back(now.step); }},
    Probe{{"weights", "w, one receptive field per unit"},
          Extent::per_weight,
          When::always,
          empty<float>,
          [](const Snapshot& now, file::Array::Data& data) { append(data, now.weights); }},
    Probe{{"bias", "b of every unit, zeros when the network has none"},
          Extent::per_unit,
          When::always,
          empty<float>,
          [](const Snapshot& now, file::Array::Data& data) { append(data, now.bias); }},
    Probe{{"loss", "⟨½(ŷ-y)²⟩ over the evaluation set"},
          Extent::scalar,
          When::always,
          empty<double>,
          [](const Snapshot& now, file::Array::Data& data) { values<double>(data).push_back(now.loss); }},
    Probe{{"accuracy", "share of the evaluation set on the right side of the labels' midpoint"},
          Extent::scalar,
          When::always,
          empty<double>,
          [](const Snapshot& now, file::Array::Data& data) { values<double>(data).push_back(now.accuracy); }},
    Probe{
        {"train_loss", "the same over the training set, where it is finite"},
        Extent::scalar,
        When::finite_set,
        empty<double>,
        [](const Snapshot& now, file::Array::Data& data) { values<double>(data).push_back(now.train_loss); }},
    Probe{{"train_accuracy", "the same over the training set, where it is finite"},
          Extent::scalar,
          When::finite_set,
          empty<double>,
          [](const Snapshot& now, file::Array::Data& data) {
            values<double>(data).push_back(now.train_accuracy);
          }},
    Probe{{"ipr", "Σw⁴/(Σw²)² of every unit: 1/n when spread out, 1 on a single site"},
          Extent::per_unit,
          When::asked,
          empty<float>,
          append_ipr},
    Probe{{"flow_weights", "w of the gradient flow from the same start, at t = rate × step"},
          Extent::per_weight,
          When::asked,
          empty<float>,
          [](const Snapshot& now, file::Array::Data& data) { append(data, now.flow); }},
    Probe{{"flow_distance", "‖w − w_flow‖/‖w_flow‖ over all units"},
          Extent::scalar,
          When::asked,
          empty<double>,
          append_flow_distance},
    Probe{{"readout", "a of every unit; kept when network.readout = \"learned\""},
          Extent::per_unit,
          When::learned_readout,
          empty<float>,
          [](const Snapshot& now, file::Array::Data& data) { append(data, now.readout); }},
    Probe{{"offset", "c, added to the output; kept when network.readout = \"learned\""},
          Extent::scalar,
          When::learned_readout,
          empty<float>,
          [](const Snapshot& now, file::Array::Data& data) { append(data, now.offset); }},
};
constexpr auto kChoices = spec::choices_of(kTable);
constexpr std::array<std::string_view, 3> kAxes{"step", "unit", "site"};

}  // namespace

std::span<const Probe> probes() { return kTable; }
spec::Choices probe_choices() { return kChoices; }

file::Shape shape_of(Extent extent, std::int64_t times, std::int64_t units, std::int64_t inputs) {
  const file::Shape all{times, units, inputs};
  return {all.begin(), all.begin() + 1 + static_cast<int>(extent)};
}

std::span<const std::string_view> axes_of(Extent extent) {
  return std::span(kAxes).first(1 + static_cast<std::size_t>(extent));
}

}  // namespace sluice::probe
