#include "sluice/lab/curves.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <span>

#include "sluice/figure/table_view.hpp"
#include "sluice/kernel/spectrum.hpp"
#include "sluice/math/statistics.hpp"

namespace sluice::lab {
namespace {

/// Loss and accuracy, which the figure `learning` shows of one run.
const CurveGroup& learning_group() {
  static const CurveGroup group{"learning",
                                "Loss and accuracy",
                                "",
                                {{"train_loss", "training loss"},
                                 {"train_accuracy", "training error  1 − accuracy"},
                                 {"loss", "loss"},
                                 {"accuracy", "error  1 − accuracy"}},
                                true};
  return group;
}

std::vector<double> steps_of(const file::NamedArrays& record) {
  const auto& steps = file::find(record, "step")->as<std::int64_t>();
  return {steps.begin(), steps.end()};
}

/// Cumulative eigenvalues at one probe time: Σ_(i≤k) ρ_i/ρ_max.
std::vector<double> cumulative_spectrum(const file::Array& spectrum, std::int64_t time) {
  const auto n = static_cast<std::size_t>(spectrum.shape[1]);
  const auto values = std::span(spectrum.as<double>()).subspan(static_cast<std::size_t>(time) * n, n);
  std::vector<double> sums = kernel::cumulative(values);
  for (double& sum : sums) sum /= values.back();
  return sums;
}

std::vector<double> counting(std::size_t n) {
  std::vector<double> k(n);
  std::iota(k.begin(), k.end(), 1.0);
  return k;
}

std::vector<double> norms_of_layer(const file::Array& norms, std::size_t layer) {
  const auto depth = static_cast<std::size_t>(norms.shape[1]);
  std::vector<double> values;
  for (std::size_t at = layer; at < norms.as<double>().size(); at += depth)
    values.push_back(norms.as<double>()[at]);
  return values;
}

/// Σ‖Θ_l(t)‖² − Σ‖Θ_l(0)‖² over all layers: gradient flow gives every layer of a homogeneous network the same, however large it is.
std::optional<std::vector<double>> growth_of_weights(const file::NamedArrays& record) {
  const file::Array* norms = file::find(record, "weight_norms");
  if (norms == nullptr) return std::nullopt;
  std::vector<double> total(static_cast<std::size_t>(norms->shape[0]));
  for (std::size_t l = 0; l < static_cast<std::size_t>(norms->shape[1]); ++l) {
    const std::vector<double> layer = norms_of_layer(*norms, l);
    for (std::size_t t = 0; t < total.size(); ++t) total[t] += layer[t] * layer[t];
  }
  const double start = total.front();
  for (double& square : total) square -= start;
  return total;
}

/// One curve per label, the mean over its runs; none at all when a run lacks the numbers or has another count of them.
template <class Numbers>
std::vector<figure::TableCurve> mean_curves(const std::vector<LabelledRecord>& runs, const Numbers& numbers) {
  std::vector<std::string> order;
  std::map<std::string, std::vector<std::vector<double>>> by_label;
  std::map<std::string, std::optional<figure::Color>> colors;
  std::size_t length = 0;
  for (const LabelledRecord& run : runs) {
    const std::optional<std::vector<double>> found = numbers(*run.record);
    if (!found || (length != 0 && found->size() != length)) return {};
    length = found->size();
    if (!by_label.contains(run.label)) order.push_back(run.label);
    by_label[run.label].push_back(*found);
    colors[run.label] = run.color;
  }
  std::vector<figure::TableCurve> curves;
  for (const std::string& label : order) {
    const std::vector<std::vector<double>>& all = by_label[label];
    figure::TableCurve curve{.name = label, .y = {}, .color = colors[label]};
    std::vector<double> at_one_place(all.size());
    for (std::size_t i = 0; i < length; ++i) {
      std::ranges::transform(all, at_one_place.begin(), [i](const auto& one) { return one[i]; });
      const math::Statistics statistics(at_one_place);
      curve.y.push_back(statistics.mean());
      if (all.size() > 1) curve.error.push_back(statistics.error());
    }
    curves.push_back(std::move(curve));
  }
  return curves;
}

}  // namespace

const std::vector<CurveGroup>& curve_groups() {
  static const std::vector<CurveGroup> all{
      {"error", "Error on the training set", "‖e(t)‖/‖e(0)‖", {{"error", ""}}, true},
      {"alignment",
       "Alignment of kernels with the labels",
       "ν = y'H⁻¹y",
       {{"nu_tangent", "K/tr K"}, {"nu_paths", "M/tr M"}, {"nu_gates", "Kᵃ/tr Kᵃ"}}},
      {"alignment_raw", "Alignment of the gates' kernel", "ν = y'H⁻¹y", {{"nu_gates_raw", "Kᵃ"}}},
      {"tangent_trace", "Size of the tangent kernel", "tr K/n", {{"tangent_trace", ""}}},
      {"gates",
       "Gates",
       "share of gates",
       {{"active_gates", "active"}, {"sensitive_gates", "sensitive"}, {"changed_gates", "changed"}}},
      {"gate_overlap",
       "Overlap of active sub-networks",
       "mean λ(s,t)/√(λ(s,s) λ(t,t))",
       {{"gate_overlap", ""}}},
      {"gate_paths",
       "Sub-networks",
       "log₁₀ paths",
       {{"active_paths", "active"}, {"sensitive_paths", "sensitive"}}},
  };
  return all;
}

bool CurveGroup::in(const file::NamedArrays& record) const {
  return std::ranges::any_of(columns,
                             [&](const auto& column) { return file::find(record, column.first) != nullptr; });
}

figure::Figure draw_curves(const CurveGroup& group, const std::string& title,
                           const file::NamedArrays& record) {
  figure::LinesView view{.name = group.name,
                         .title = fmt::format("{}: {}", group.title, title),
                         .x_label = "training step",
                         .y_label = group.y_label,
                         .x = steps_of(record),
                         .curves = {}};
  for (const auto& [array, label] : group.columns) {
    if (const file::Array* found = file::find(record, array))
      view.curves.push_back({label, found->as<double>()});
  }
  return figure::table_lines(view);
}

figure::Figure draw_tangent_spectrum(const std::string& title, const file::NamedArrays& record) {
  const file::Array& spectrum = *file::find(record, "tangent_spectrum");
  return figure::table_lines({.name = "tangent_spectrum",
                              .title = fmt::format("Cumulative eigenvalues of the tangent kernel: {}", title),
                              .x_label = "number of eigenvalues k",
                              .y_label = "Σ ρᵢ/ρₘₐₓ, i ≤ k",
                              .x = counting(static_cast<std::size_t>(spectrum.shape[1])),
                              .curves = {{"start", cumulative_spectrum(spectrum, 0)},
                                         {"end", cumulative_spectrum(spectrum, spectrum.shape[0] - 1)}}});
}

figure::Figure draw_weight_norms(const std::string& title, const file::NamedArrays& record) {
  const file::Array& norms = *file::find(record, "weight_norms");
  figure::LinesView view{.name = "weight_norms",
                         .title = fmt::format("Norms of the layers: {}", title),
                         .x_label = "training step",
                         .y_label = "‖Θ‖",
                         .x = steps_of(record),
                         .curves = {}};
  for (std::size_t l = 0; l < static_cast<std::size_t>(norms.shape[1]); ++l)
    view.curves.push_back({fmt::format("layer {}", l + 1), norms_of_layer(norms, l)});
  return figure::table_lines(view);
}

namespace {

/// "test loss" where all runs measured it on a test set.
std::string panel_label(const CurveGroup& group, const std::string& array, const std::string& label,
                        const std::vector<LabelledRecord>& runs) {
  const bool measured = array == "loss" || array == "accuracy";
  const bool tested = std::ranges::all_of(
      runs, [](const LabelledRecord& run) { return run.on == record::Evaluated::test_set; });
  if (measured && tested) return "test " + label;
  if (group.y_label.empty()) return label;
  return label.empty() ? group.y_label : fmt::format("{},  {}", group.y_label, label);
}

std::optional<figure::Figure> compare_group(const CurveGroup& group,
                                            const std::vector<LabelledRecord>& runs) {
  const std::vector<double> steps = steps_of(*runs.front().record);
  figure::PanelsView view{
      .name = group.name, .title = group.title, .x_label = "training step", .x = steps, .panels = {}};
  const bool on_training_set = std::ranges::all_of(
      runs, [](const LabelledRecord& run) { return run.on == record::Evaluated::training_set; });
  for (const auto& column : group.columns) {
    const std::string& array = column.first;
    if (on_training_set && (array == "loss" || array == "accuracy")) continue;  // there already
    const auto numbers = [&](const file::NamedArrays& record) -> std::optional<std::vector<double>> {
      const file::Array* found = file::find(record, array);
      if (found == nullptr || found->as<double>().size() != steps.size()) return std::nullopt;
      std::vector<double> values = found->as<double>();
      if (array.ends_with("accuracy"))  // 98.5 and 99.5 % are one line; 1.5 and 0.5 % are not
        for (double& value : values) value = 1 - value;
      return values;
    };
    std::vector<figure::TableCurve> curves = mean_curves(runs, numbers);
    if (!curves.empty())
      view.panels.push_back(
          {panel_label(group, array, column.second, runs), std::move(curves), group.decays});
  }
  if (view.panels.empty()) return std::nullopt;
  return figure::table_panels(view);
}

std::optional<figure::Figure> compare_spectra(const std::vector<LabelledRecord>& runs) {
  std::vector<figure::TableCurve> spectra =
      mean_curves(runs, [](const file::NamedArrays& record) -> std::optional<std::vector<double>> {
        const file::Array* found = file::find(record, "tangent_spectrum");
        if (found == nullptr || found->shape[1] < 2) return std::nullopt;
        return cumulative_spectrum(*found, 0);
      });
  if (spectra.empty()) return std::nullopt;
  const std::size_t count = spectra.front().y.size();
  return figure::table_panels({.name = "tangent_spectrum",
                               .title = "Cumulative eigenvalues of the tangent kernel at the start",
                               .x_label = "number of eigenvalues k",
                               .x = counting(count),
                               .panels = {{"Σ ρᵢ/ρₘₐₓ, i ≤ k", std::move(spectra)}}});
}

std::optional<figure::Figure> compare_norms(const std::vector<LabelledRecord>& runs) {
  std::vector<figure::TableCurve> norms = mean_curves(runs, growth_of_weights);
  if (norms.empty()) return std::nullopt;
  return figure::table_panels({.name = "weight_norms",
                               .title = "Growth of the weights, all layers",
                               .x_label = "training step",
                               .x = steps_of(*runs.front().record),
                               .panels = {{"‖Θ(t)‖² − ‖Θ(0)‖²", std::move(norms)}}});
}

}  // namespace

const std::vector<CurveComparison>& curve_comparisons() {
  static const std::vector<CurveComparison> all = [] {
    std::vector<CurveComparison> comparisons;
    const auto add = [&](const CurveGroup& group, bool learning) {
      comparisons.push_back(
          {group.name, group.title + " over training", learning,
           [&group](const std::vector<LabelledRecord>& runs) { return compare_group(group, runs); }});
    };
    add(learning_group(), true);
    for (const CurveGroup& group : curve_groups()) add(group, false);
    comparisons.push_back({"tangent_spectrum", "cumulative eigenvalues of the tangent kernel at the start",
                           false, compare_spectra});
    comparisons.push_back({"weight_norms", "growth of all weights over training", false, compare_norms});
    return comparisons;
  }();
  return all;
}

std::vector<figure::Figure> compare_curves(const std::vector<LabelledRecord>& runs, bool learning) {
  std::vector<figure::Figure> figures;
  for (const CurveComparison& each : curve_comparisons()) {
    if (each.learning && !learning) continue;
    if (const std::optional<figure::Figure> drawn = each.draw(runs)) figures.push_back(*drawn);
  }
  return figures;
}

}  // namespace sluice::lab
