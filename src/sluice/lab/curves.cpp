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
const std::vector<CurveGroup>& learning_groups() {
  static const std::vector<CurveGroup> all{
      {"loss", "Loss", "loss", {{"train_loss", "training set"}, {"loss", ""}}},
      {"accuracy", "Accuracy", "accuracy", {{"train_accuracy", "training set"}, {"accuracy", ""}}},
  };
  return all;
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

/// One curve per label, the mean over its runs; none at all when a run lacks the numbers or has another count of them.
template <class Numbers>
std::vector<figure::TableCurve> mean_curves(const std::vector<LabelledRecord>& runs, const Numbers& numbers) {
  std::vector<std::string> order;
  std::map<std::string, std::vector<std::vector<double>>> by_label;
  std::size_t length = 0;
  for (const LabelledRecord& run : runs) {
    const std::optional<std::vector<double>> found = numbers(*run.record);
    if (!found || (length != 0 && found->size() != length)) return {};
    length = found->size();
    if (!by_label.contains(run.label)) order.push_back(run.label);
    by_label[run.label].push_back(*found);
  }
  std::vector<figure::TableCurve> curves;
  for (const std::string& label : order) {
    const std::vector<std::vector<double>>& all = by_label[label];
    figure::TableCurve curve{label, {}, {}};
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
      {"error", "Error on the training set", "‖e(t)‖/‖e(0)‖", {{"error", ""}}},
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

std::vector<figure::Figure> compare_curves(const std::vector<LabelledRecord>& runs, bool learning) {
  std::vector<figure::Figure> figures;
  const std::vector<double> steps = steps_of(*runs.front().record);
  const auto scalar = [&](const std::string& name) {
    return [&, name](const file::NamedArrays& record) -> std::optional<std::vector<double>> {
      const file::Array* found = file::find(record, name);
      if (found == nullptr || found->as<double>().size() != steps.size()) return std::nullopt;
      return found->as<double>();
    };
  };
  std::vector<CurveGroup> groups = learning ? learning_groups() : std::vector<CurveGroup>{};
  groups.insert(groups.end(), curve_groups().begin(), curve_groups().end());
  for (const CurveGroup& group : groups) {
    for (const auto& [array, label] : group.columns) {
      figure::LinesView view{.name = array,
                             .title = label.empty() ? group.title : fmt::format("{}, {}", group.title, label),
                             .x_label = "training step",
                             .y_label = group.y_label,
                             .x = steps,
                             .curves = mean_curves(runs, scalar(array))};
      if (!view.curves.empty()) figures.push_back(figure::table_lines(view));
    }
  }
  const std::vector<figure::TableCurve> spectra =
      mean_curves(runs, [](const file::NamedArrays& record) -> std::optional<std::vector<double>> {
        const file::Array* found = file::find(record, "tangent_spectrum");
        if (found == nullptr || found->shape[1] < 2) return std::nullopt;
        return cumulative_spectrum(*found, 0);
      });
  if (!spectra.empty()) {
    figures.push_back(
        figure::table_lines({.name = "tangent_spectrum",
                             .title = "Cumulative eigenvalues of the tangent kernel at the start",
                             .x_label = "number of eigenvalues k",
                             .y_label = "Σ ρᵢ/ρₘₐₓ, i ≤ k",
                             .x = counting(spectra.front().y.size()),
                             .curves = spectra}));
  }
  return figures;
}

}  // namespace sluice::lab
