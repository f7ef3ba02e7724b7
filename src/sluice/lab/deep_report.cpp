#include "sluice/lab/deep_report.hpp"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <span>

#include "sluice/figure/page_data.hpp"
#include "sluice/figure/table_view.hpp"
#include "sluice/file/atomic_file.hpp"
#include "sluice/lab/write_figure.hpp"
#include "sluice/version.hpp"

namespace sluice::lab {
namespace {

/// Curves that belong on one pair of axes.
struct Group {
  const char* name;
  const char* title;
  const char* y_label;
  std::vector<std::pair<const char*, const char*>> columns;  ///< array, what the figure calls it
};

const std::vector<Group>& groups() {
  static const std::vector<Group> all{
      {"loss", "Loss", "loss", {{"train_loss", "training set"}, {"loss", "test set"}}},
      {"accuracy", "Accuracy", "accuracy", {{"train_accuracy", "training set"}, {"accuracy", "test set"}}},
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

std::vector<double> steps_of(const file::NamedArrays& record) {
  const auto& steps = file::find(record, "step")->as<std::int64_t>();
  return {steps.begin(), steps.end()};
}

/// Cumulative eigenvalues at one probe time: Σ_(i≤k) ρ_i/ρ_max.
std::vector<double> cumulative_spectrum(const file::Array& spectrum, std::int64_t time) {
  const auto n = static_cast<std::size_t>(spectrum.shape[1]);
  const auto values = std::span(spectrum.as<double>()).subspan(static_cast<std::size_t>(time) * n, n);
  std::vector<double> sums(n);
  std::partial_sum(values.begin(), values.end(), sums.begin());
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
    const auto count = static_cast<double>(all.size());
    figure::TableCurve curve{label, std::vector<double>(length), {}};
    for (const std::vector<double>& one : all) {
      for (std::size_t i = 0; i < length; ++i) curve.y[i] += one[i] / count;
    }
    if (all.size() > 1) {
      curve.error.resize(length);
      for (std::size_t i = 0; i < length; ++i) {
        double spread = 0;
        for (const std::vector<double>& one : all) spread += (one[i] - curve.y[i]) * (one[i] - curve.y[i]);
        curve.error[i] = std::sqrt(spread / (count - 1) / count);
      }
    }
    curves.push_back(std::move(curve));
  }
  return curves;
}

}  // namespace

std::vector<figure::Figure> deep_figures(const std::string& title, const file::NamedArrays& record) {
  std::vector<figure::Figure> figures;
  const std::vector<double> steps = steps_of(record);
  const auto add = [&](figure::LinesView view) {
    view.title = fmt::format("{}: {}", view.title, title);
    figures.push_back(figure::table_lines(view));
  };
  for (const Group& group : groups()) {
    figure::LinesView view{.name = group.name,
                           .title = group.title,
                           .x_label = "training step",
                           .y_label = group.y_label,
                           .x = steps,
                           .curves = {}};
    for (const auto& [array, label] : group.columns) {
      if (const file::Array* found = file::find(record, array))
        view.curves.push_back({label, found->as<double>()});
    }
    if (!view.curves.empty()) add(view);
  }
  if (const file::Array* spectrum = file::find(record, "tangent_spectrum");
      spectrum != nullptr && spectrum->shape[1] > 1) {
    add({.name = "tangent_spectrum",
         .title = "Cumulative eigenvalues of the tangent kernel",
         .x_label = "number of eigenvalues k",
         .y_label = "Σ ρᵢ/ρₘₐₓ, i ≤ k",
         .x = counting(static_cast<std::size_t>(spectrum->shape[1])),
         .curves = {{"start", cumulative_spectrum(*spectrum, 0)},
                    {"end", cumulative_spectrum(*spectrum, spectrum->shape[0] - 1)}}});
  }
  if (const file::Array* norms = file::find(record, "weight_norms")) {
    figure::LinesView view{.name = "weight_norms",
                           .title = "Norms of the layers",
                           .x_label = "training step",
                           .y_label = "‖Θ‖",
                           .x = steps,
                           .curves = {}};
    for (std::size_t l = 0; l < static_cast<std::size_t>(norms->shape[1]); ++l)
      view.curves.push_back({fmt::format("layer {}", l + 1), norms_of_layer(*norms, l)});
    add(view);
  }
  return figures;
}

std::vector<figure::Figure> deep_comparison(const std::vector<LabelledRecord>& runs) {
  std::vector<figure::Figure> figures;
  const std::vector<double> steps = steps_of(*runs.front().record);
  const auto scalar = [&](const char* name) {
    return [&, name](const file::NamedArrays& record) -> std::optional<std::vector<double>> {
      const file::Array* found = file::find(record, name);
      if (found == nullptr || found->as<double>().size() != steps.size()) return std::nullopt;
      return found->as<double>();
    };
  };
  for (const Group& group : groups()) {
    for (const auto& [array, label] : group.columns) {
      figure::LinesView view{
          .name = array,
          .title = *label == '\0' ? group.title : fmt::format("{}, {}", group.title, label),
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

std::vector<figure::Fact> deep_key_numbers(const Summary& summary) {
  std::vector<figure::Fact> facts{{"steps", fmt::format("{}", summary.steps)}};
  const auto add = [&](const char* name, double value, const char* format) {
    if (std::isfinite(value)) facts.push_back({name, fmt::format(fmt::runtime(format), value)});
  };
  add("test loss", summary.loss, "{:.4g}");
  add("test accuracy", 100 * summary.accuracy, "{:.2f} %");
  add("training loss", summary.train_loss, "{:.4g}");
  add("training accuracy", 100 * summary.train_accuracy, "{:.2f} %");
  add("‖e(t)‖/‖e(0)‖", summary.error, "{:.4g}");
  return facts;
}

void write_deep_report(record::RunFolder& folder, const std::string& name, Experiment& experiment,
                       const file::NamedArrays& record, const Summary& summary) {
  const std::vector<figure::Figure> figures = deep_figures(name, record);
  const figure::PageRun run{.label = name,
                            .facts = deep_key_numbers(summary),
                            .spec = to_toml(experiment),
                            .record = &record,
                            .record_link = "record.npz"};
  const figure::Report report{
      .title = experiment.title.empty() ? name : experiment.title,
      .question = experiment.question,
      .key_numbers = run.facts,
      .table = {},
      .sections = {{.heading = "Training", .text = "", .figures = figures, .facts = {}, .preformatted = ""},
                   {.heading = "Spec",
                    .text = "The resolved spec: running it again gives the same bits.",
                    .figures = {},
                    .facts = {},
                    .preformatted = to_toml(experiment)}},
      .footer = fmt::format(
          "sluice {}. Losses are means over a set; weights and gates of the end are in record.npz.",
          version()),
      .data = figure::page_data(std::span(&run, 1)),
  };
  file::write_atomically(folder.report(), figure::report_html(report));
  write_figures(figures, folder.path(), [&](const std::vector<std::string>& names) { folder.claim(names); });
}

}  // namespace sluice::lab
