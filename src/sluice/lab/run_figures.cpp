#include "sluice/lab/run_figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <utility>

#include "sluice/figure/image_recipes.hpp"
#include "sluice/figure/recipes.hpp"
#include "sluice/figure/sweep_view.hpp"
#include "sluice/figure/table_view.hpp"
#include "sluice/file/errors.hpp"
#include "sluice/lab/curves.hpp"
#include "sluice/lab/gate_structure.hpp"
#include "sluice/lab/pair_covariance.hpp"
#include "sluice/math/statistics.hpp"
#include "sluice/probe/gabor.hpp"
#include "sluice/probe/gabor2.hpp"
#include "sluice/spec/suggest.hpp"

namespace sluice::lab {
namespace fs = std::filesystem;
namespace {

/// A run, and the view that recipes want of it.
struct Drawn {
  const record::Recording& run;
  const figure::RunData& data;

  const figure::RunView& view() const { return data.view(); }
  const file::Array* find(const char* name) const { return file::find(run.arrays, name); }
};

/// A probe of the fields, measured now; at the last so many times alone.
file::Array probed(const Drawn& run, std::string_view name, std::optional<std::size_t> last = {}) {
  math::Workers workers(math::hardware_threads());
  const std::vector<const probe::Probe*> probes{probe::find_probe(name)};
  const figure::RunView& view = run.view();
  const std::size_t times = last.value_or(view.times());
  const probe::Trajectory trajectory{
      .times = static_cast<std::int64_t>(times),
      .units = view.units,
      .inputs = view.sites,
      .step = view.step.last(times),
      .weights = view.weights.last(times * static_cast<std::size_t>(view.units * view.sites)),
      .layout = run.run.layout};
  return std::move(probe::revisit(trajectory, probes, workers).front().second);
}

figure::Figure draw_spectra(const Drawn& run) {
  const file::Array power = probed(run, "power");
  return figure::spectra(run.view(), {power.as<float>()});
}

figure::Figure draw_kinds(const Drawn& run) {
  const file::Array kinds = probed(run, "class");
  return figure::kinds(run.view(), kinds.as<std::int64_t>());
}

figure::Figure draw_biases(const Drawn& run) {
  const file::Array ipr = probed(run, "ipr", 1), frequency = probed(run, "mean_frequency", 1);
  return figure::biases(
      run.view(),
      {.bias = run.find("bias")->as<float>(), .ipr = ipr.as<float>(), .frequency = frequency.as<float>()});
}

/// What `unit_curves` shows, where it was watched. IPR has its place in `learning`.
constexpr std::array kUnitNumbers{
    std::pair{"weight_norm", "length  √Σw²"},
    std::pair{"shape_change", "change of shape per step"},
    std::pair{"mean_frequency", "mean frequency  (periods)"},
    std::pair{"gabor_width", "width of the Gabor  (sites)"},
    std::pair{"mean_frequency2", "mean frequency  (periods per site)"},
    std::pair{"gabor2_width_long", "long half-axis of the Gabor  (sites)"},
    std::pair{"gabor2_width_short", "short half-axis of the Gabor  (sites)"},
    std::pair{"uncertainty", "uncertainty  4πΔxΔf/n"},
    std::pair{"preactivation_kurtosis", "excess kurtosis of ⟨w, X⟩"},
    std::pair{"preactivation_ratio", "κ = E|⟨w, X⟩|/sd"},
    std::pair{"characteristic_distance", "distance from a normal law"},
};

std::vector<figure::UnitNumbers> unit_numbers(const Drawn& run) {
  const std::size_t count = run.view().times() * run.view().shown_units();
  std::vector<figure::UnitNumbers> numbers;
  for (const auto& [name, label] : kUnitNumbers) {
    const file::Array* array = run.find(name);
    if (array != nullptr && array->as<float>().size() == count && count > 0)
      numbers.push_back({label, array->as<float>()});
  }
  return numbers;
}

figure::Figure draw_plane_gabors(const Drawn& run) {
  const figure::RunView& view = run.view();
  const probe::Gabor2Fitter fitter(run.run.layout);
  std::vector<figure::GaborEllipse> ellipses;
  for (std::size_t k = 0; k < view.shown_units(); ++k) {
    const probe::Gabor2 fit = fitter.fit(view.field(view.times() - 1, k)).value;
    ellipses.push_back({fit.x, fit.y, fit.width_long, fit.width_short, fit.orientation,
                        std::hypot(fit.frequency_x, fit.frequency_y), fit.residual});
  }
  return figure::gabor_images(view, ellipses, run.run.layout.kind == task::Layout::Kind::torus);
}

figure::Figure draw_gabor_fits(const Drawn& run) {
  if (run.run.layout.drawn_as_image()) return draw_plane_gabors(run);
  const figure::RunView& view = run.view();
  const auto size = static_cast<std::size_t>(view.units * view.sites);
  const auto fits = std::make_shared<std::vector<probe::Gabor>>(
      probe::GaborFitter(view.sites).fit(view.weights.last(size)));
  figure::GaborView gabor;
  for (const probe::Gabor& fit : *fits) {
    gabor.width.push_back(fit.width);
    gabor.frequency.push_back(fit.frequency);
    gabor.residual.push_back(fit.residual);
  }
  gabor.value = [fits, sites = view.sites](std::size_t unit, double site) {
    return probe::value((*fits)[unit], site, sites);
  };
  return figure::gabor_fits(view, gabor);
}

figure::Figure draw_sign_flipping(const Drawn& run) {
  const file::Array* kurtosis = run.find("preactivation_kurtosis");
  return figure::sign_flipping(
      run.view(), {run.find("gate_flips")->as<float>(),
                   kurtosis == nullptr ? std::span<const float>() : std::span(kurtosis->as<float>())});
}

/// What a figure needs of a record; the reason when it does not have it, else nothing.
using Lack = std::function<std::string(const Drawn&)>;

std::string fields(const Drawn& run) {
  return run.data.has_fields() ? "" : "needs receptive fields: weights [T, K, n] over inputs in some order";
}
std::string a_ring(const Drawn& run) {
  std::string lack = fields(run);
  if (!lack.empty()) return lack;
  return run.run.layout.on_ring() ? ""
                                  : fmt::format("needs sites on a ring, task.dim = 1, found those of {}",
                                                task::place(run.run.layout.kind));
}
std::string learned_biases(const Drawn& run) {
  std::string lack = a_ring(run);
  if (!lack.empty()) return lack;
  const file::Array* bias = run.find("bias");
  const bool learned = bias != nullptr && bias->shape.size() == 2 && bias->shape[1] == run.view().units &&
                       !bias->as<float>().empty() &&
                       std::ranges::any_of(bias->as<float>(), [first = bias->as<float>().front()](float b) {
                         return b != first;
                       });
  return learned ? "" : "needs biases that are learned";
}
std::string gabor_sites(const Drawn& run) {
  if (const task::Layout& plane = run.run.layout; plane.drawn_as_image() && run.data.has_fields()) {
    using Fitter = probe::Gabor2Fitter;
    const bool fits = std::min(plane.rows, plane.columns) >= Fitter::kLeastSide &&
                      std::max(plane.rows, plane.columns) <= Fitter::kMostSide;
    return fits ? "" : fmt::format("needs {} to {} rows and columns", Fitter::kLeastSide, Fitter::kMostSide);
  }
  const std::int64_t n = run.view().sites;
  const bool fits = n >= probe::GaborFitter::kLeastSites && n <= probe::GaborFitter::kMostSites;
  return !a_ring(run).empty() || !fits
             ? fmt::format("needs a ring of {} to {} sites", probe::GaborFitter::kLeastSites,
                           probe::GaborFitter::kMostSites)
             : "";
}
std::string a_flow(const Drawn& run) {
  return run.view().flow.empty() ? "needs a run with probe.watch = [\"flow_weights\"]" : "";
}
std::string curves(const Drawn& run) {
  return run.view().step.empty() || (run.view().loss.empty() && !run.data.has_fields()) ? "needs a run" : "";
}
std::string one_gate(const Drawn& run) {
  const file::Array* gates = run.find("gates");
  return gates != nullptr && gates->shape.size() == 2 && gates->shape[0] == 1 && run.run.layout.on_ring()
             ? ""
             : "needs one gated linear unit on a ring, network.hidden = 1";
}
std::string flips(const Drawn& run) {
  std::string lack = fields(run);
  if (!lack.empty()) return lack;
  return run.find("gate_flips") != nullptr ? "" : "needs a run with probe.watch = [\"gate_flips\"]";
}
Lack array(const char* name) {
  return [name](const Drawn& run) {
    return run.find(name) != nullptr ? std::string()
                                     : fmt::format("needs a run with probe.watch = [\"{}\"]", name);
  };
}

struct RunFigure {
  std::string name;
  std::string meaning;
  bool on_page;
  Lack lack;
  std::function<figure::Figure(const Drawn&)> draw;
};

const std::vector<RunFigure>& run_figures() {
  static const std::vector<RunFigure> all = [] {
    std::vector<RunFigure> figures{
        {"receptive_fields", "final fields as small multiples, ordered by position", true, fields,
         [](const Drawn& run) { return figure::receptive_fields(run.view()); }},
        {"evolution", "the most localized fields over training: time as colour, or a row of images", true,
         fields, [](const Drawn& run) { return figure::evolution(run.view()); }},
        {"learning", "IPR, loss and accuracy over training", true, curves,
         [](const Drawn& run) { return figure::learning(run.view()); }},
        {"biases", "two populations by the sign of their bias: IPR and frequency over it", true,
         learned_biases, draw_biases},
        {"unit_curves",
         "length, shape, frequency, uncertainty, law of every unit over training: what was watched", true,
         [](const Drawn& run) {
           return unit_numbers(run).empty() ? "needs a run that watches weight_norm, mean_frequency, "
                                              "uncertainty, preactivation_kurtosis or the like"
                                            : std::string();
         },
         [](const Drawn& run) { return figure::unit_curves(run.view(), unit_numbers(run)); }},
        {"unit_map", "final weights, units × sites, or a mosaic of images", false, fields,
         [](const Drawn& run) { return figure::unit_map(run.view()); }},
        {"time_map", "weights of the most localized units, time × sites", false, a_ring,
         [](const Drawn& run) { return figure::time_map(run.view()); }},
        {"spectra", "power, time × frequency and units × frequency", false, a_ring, draw_spectra},
        {"kinds", "shares of flat, oscillatory and localized units over training", false, a_ring, draw_kinds},
        {"gabor_fits",
         "final fields and the nearest Gabor functions: points and lines, or images and ellipses", false,
         gabor_sites, draw_gabor_fits},
        {"sign_flipping", "how often gates flip: units over training, and their mean", true, flips,
         draw_sign_flipping},
        {"gate_structure", "of one gated linear unit: moments behind its gate, and the limit they give", true,
         one_gate, [](const Drawn& run) { return figure::gate_structure(gate_structure(run.run)); }},
        {"pair_covariance",
         "of two units behind opposite small-bump gates: Σ^xx as it is and as note 003 prints it", true,
         [](const Drawn& run) { return no_bump_pair(run.run); },
         [](const Drawn& run) { return figure::pair_covariance(pair_covariance(run.run)); }},
        {"flow_comparison", "training against its gradient flow, lines over points", true, a_flow,
         [](const Drawn& run) { return figure::flow_comparison(run.view()); }},
    };
    for (const CurveGroup& group : curve_groups()) {
      const std::string arrays = group.columns.front().first;
      figures.push_back(
          {group.name, group.title + " over training", true,
           [&group, arrays](const Drawn& run) {
             return group.in(run.run.arrays) ? std::string()
                                             : fmt::format("needs a run that watches {}", arrays);
           },
           [&group](const Drawn& run) { return draw_curves(group, run.run.name, run.run.arrays); }});
    }
    figures.push_back(
        {"tangent_spectrum", "cumulative eigenvalues of the tangent kernel, start and end", true,
         [](const Drawn& run) {
           const file::Array* spectrum = run.find("tangent_spectrum");
           return spectrum != nullptr && spectrum->shape[1] > 1 ? std::string()
                                                                : "needs a run that watches tangent_spectrum";
         },
         [](const Drawn& run) { return draw_tangent_spectrum(run.run.name, run.run.arrays); }});
    figures.push_back({"weight_norms", "norms of the layers over training", true, array("weight_norms"),
                       [](const Drawn& run) { return draw_weight_norms(run.run.name, run.run.arrays); }});
    return figures;
  }();
  return all;
}

}  // namespace

std::vector<Setting> condition_of(const Recorded& run) {
  std::vector<Setting> settings = run.settings;
  std::erase_if(settings, [](const Setting& setting) { return setting.name == "seed"; });
  return settings;
}

namespace {

/// The runs of a sweep with their views.
struct DrawnSweep {
  std::vector<Recorded> runs;
  std::vector<figure::RunData> data;

  bool has_seeds() const { return condition_of(runs.front()).size() < runs.front().settings.size(); }
};

figure::RunData data_of(const Recorded& run) {
  return {run.settings.empty() ? run.recording.name : label_of(run.settings), run.arrays(),
          run.recording.layout};
}

constexpr std::size_t kMostColumns = 6;  // what still reads on a page

/// The first runs that have receptive fields, side by side.
std::vector<figure::ComparedRun> compared(const std::vector<Recorded>& runs,
                                          const std::vector<figure::RunData>& data) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  std::vector<figure::ComparedRun> chosen;
  for (std::size_t i = 0; i < runs.size() && chosen.size() < kMostColumns; ++i) {
    if (!data[i].has_fields()) continue;
    const record::Summary& summary = runs[i].recording.summary;
    chosen.push_back({.label = data[i].view().title,
                      .view = data[i].view(),
                      .localized_share = summary.find("localized_share").value_or(kNone),
                      .kurtosis = summary.find("excess_kurtosis").value_or(kNone)});
  }
  return chosen;
}

std::size_t place_in(std::vector<std::string>& values, const std::string& value) {
  const auto found = std::ranges::find(values, value);
  if (found != values.end()) return static_cast<std::size_t>(found - values.begin());
  values.push_back(value);
  return values.size() - 1;
}

/// Means over seeds of up to three numbers that all runs have.
figure::Figure draw_phase_diagram(const DrawnSweep& sweep) {
  struct Panel {
    const char* key;
    figure::PhaseView::Panel panel;
    double factor;
  };
  std::vector<Panel> panels;
  for (const Panel& each :
       {Panel{"ipr_mean_end", {"mean IPR", 2}, 1}, Panel{"localized_share", {"localized  (%)", 0}, 100},
        Panel{"accuracy", {"accuracy", 3}, 1}, Panel{"error", {"‖e(t)‖/‖e(0)‖", 3}, 1}}) {
    const bool everywhere = std::ranges::all_of(
        sweep.runs, [&](const Recorded& run) { return run.recording.summary.find(each.key).has_value(); });
    if (everywhere && panels.size() < 3) panels.push_back(each);
  }
  const std::vector<Setting> axes = condition_of(sweep.runs.front());
  figure::PhaseView view{.title = "Runs at their end",
                         .x_label = axes[0].name,
                         .y_label = axes[1].name,
                         .x = {},
                         .y = {},
                         .panels = {}};
  struct Cell {
    std::array<double, 3> sums{};
    double runs = 0;
  };
  std::map<std::pair<std::size_t, std::size_t>, Cell> cells;
  for (const Recorded& run : sweep.runs) {
    const std::vector<Setting> at = condition_of(run);
    Cell& cell = cells[{place_in(view.x, at[0].value), place_in(view.y, at[1].value)}];
    for (std::size_t i = 0; i < panels.size(); ++i)
      cell.sums.at(i) += panels[i].factor * *run.recording.summary.find(panels[i].key);
    ++cell.runs;
  }
  for (std::size_t i = 0; i < panels.size(); ++i) {
    view.panels.push_back(panels[i].panel);
    for (std::size_t x = 0; x < view.x.size(); ++x)
      for (std::size_t y = 0; y < view.y.size(); ++y) {
        const Cell& cell = cells[{x, y}];
        view.panels[i].value.push_back(cell.sums.at(i) / cell.runs);
      }
  }
  if (sweep.has_seeds()) view.title += ", means over seeds";
  return figure::phase_diagram(view);
}

figure::Figure draw_seeds(const DrawnSweep& sweep) {
  std::vector<std::string> labels;
  std::vector<figure::SeedsView> conditions;
  for (std::size_t i = 0; i < sweep.runs.size(); ++i) {
    const std::size_t which = place_in(labels, label_of(condition_of(sweep.runs[i])));
    if (which == conditions.size()) conditions.push_back({labels.back()});
    conditions[which].runs.push_back(sweep.data[i].view());
  }
  return figure::seeds(conditions);
}

std::optional<double> number_in(const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// Distance to the flow against the first axis of a sweep, where every run watched it and the axis is a number: root mean
/// square over time and over the other axes. Over the batch also the law of independent noise, 1/√batch.
std::optional<figure::Figure> flow_distances(const std::vector<Recorded>& points) {
  std::map<double, std::vector<double>> squares;  // of each run, by x
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (points[i].settings.empty()) return std::nullopt;
    const std::optional<double> x = number_in(points[i].settings.front().value);
    const file::Array* watched = file::find(points[i].arrays(), "flow_distance");
    if (!x || watched == nullptr) return std::nullopt;
    const std::vector<double>& distance = watched->as<double>();
    squares[*x].push_back(std::inner_product(distance.begin(), distance.end(), distance.begin(), 0.0) /
                          static_cast<double>(distance.size()));
  }
  if (squares.size() < 2) return std::nullopt;
  const std::string& axis = points.front().settings.front().name;
  figure::LinesView view{.name = "flow_distance",
                         .title = "Distance of training from its flow",
                         .x_label = axis,
                         .y_label = "relative distance (%)",
                         .x = {},
                         .curves = {{"training", {}, {}}},
                         .power_law = axis == "batch"};
  double level = 0;  // mean of log(distance·√x)
  for (const auto& [x, of_runs] : squares) {
    const math::Statistics statistics(of_runs);
    const double rms = 100 * std::sqrt(statistics.mean());
    view.x.push_back(x);
    view.curves[0].y.push_back(rms);
    view.curves[0].error.push_back(rms / 2 * statistics.error() / statistics.mean());
    level += std::log(rms * std::sqrt(x)) / static_cast<double>(squares.size());
  }
  if (axis == "batch") {
    view.curves.push_back({"1/√batch", {}, {}});
    for (const double x : view.x) view.curves[1].y.push_back(std::exp(level) / std::sqrt(x));
  }
  return figure::table_lines(view);
}

/// The runs by their conditions, for curves.
std::vector<LabelledRecord> labelled(const std::vector<Recorded>& runs) {
  std::vector<LabelledRecord> records;
  for (const Recorded& run : runs)
    records.push_back({label_of(condition_of(run)), &run.arrays(), run.recording.summary.on});
  return records;
}

struct SweepFigure {
  std::string name;
  std::string meaning;
  std::function<std::string(const DrawnSweep&)> lack;
  std::function<figure::Figure(const DrawnSweep&)> draw;
};

const std::vector<SweepFigure>& sweep_figures() {
  static const std::vector<SweepFigure> all = [] {
    std::vector<SweepFigure> figures{
        {"comparison", "of a sweep: final fields and IPR side by side, the first six runs",
         [](const DrawnSweep& sweep) {
           return compared(sweep.runs, sweep.data).empty() ? "needs runs with receptive fields"
                                                           : std::string();
         },
         [](const DrawnSweep& sweep) { return figure::comparison(compared(sweep.runs, sweep.data)); }},
        {"phase_diagram", "of a sweep over two keys (and seeds): IPR, localized share, accuracy",
         [](const DrawnSweep& sweep) {
           const auto over_two_keys = [](const Recorded& run) {
             const std::vector<Setting> at = condition_of(run);
             return at.size() == 2 && !at[0].name.empty();
           };
           return std::ranges::all_of(sweep.runs, over_two_keys) ? std::string()
                                                                 : "needs a sweep over two keys beside seed";
         },
         draw_phase_diagram},
        {"seeds", "of a sweep over seed: learning curves, mean and standard deviation",
         [](const DrawnSweep& sweep) {
           std::vector<std::string> labels;
           for (const Recorded& run : sweep.runs) place_in(labels, label_of(condition_of(run)));
           return sweep.has_seeds() && labels.size() <= 7
                      ? std::string()
                      : "needs a sweep over seed, of at most seven conditions";
         },
         draw_seeds},
    };
    for (const CurveComparison& curves : curve_comparisons()) {
      figures.push_back({curves.name, curves.meaning,
                         [&curves](const DrawnSweep& sweep) {
                           return curves.draw(labelled(sweep.runs))
                                      ? std::string()
                                      : "needs numbers that all runs hold at the same steps";
                         },
                         [&curves](const DrawnSweep& sweep) { return *curves.draw(labelled(sweep.runs)); }});
    }
    return figures;
  }();
  return all;
}

bool is_comparison(const Sources& sources) { return sources.size() > 1 || is_sweep(sources.front()); }

template <class Table, class Source>
std::vector<std::string> available(const Table& table, const Source& source) {
  std::vector<std::string> names;
  for (const auto& entry : table)
    if (entry.lack(source).empty()) names.push_back(entry.name);
  return names;
}

template <class Table, class Source>
figure::Figure draw(const Table& table, const Source& source, const Sources& paths, const std::string& name) {
  const std::string path = paths.front().string();
  for (const auto& entry : table) {
    if (entry.name != name) continue;
    if (const std::string lack = entry.lack(source); !lack.empty())
      throw InputError(fmt::format("{}: {} {}", path, name, lack));
    return entry.draw(source);
  }
  std::vector<std::string> known;
  for (const spec::Choice& choice : figure_choices()) known.emplace_back(choice.name);
  if (std::ranges::find(known, name) == known.end())
    throw InputError(fmt::format("{}: no such figure{}", name, spec::hint(name, known)));
  throw InputError(
      fmt::format("{}: {} is a figure of {}", path, name,
                  is_comparison(paths) ? "single runs; name one of those in the folder" : "sweeps"));
}

/// What folders are called beside each other: their own names, or whole paths where two have one name.
std::vector<std::string> distinct_names(const Sources& folders) {
  std::vector<std::string> names, paths;
  for (const fs::path& folder : folders) {
    const fs::path path = fs::absolute(folder).lexically_normal();
    paths.push_back((path.has_filename() ? path : path.parent_path()).string());
    if (std::ranges::count(paths, paths.back()) > 1)
      throw InputError(fmt::format("{}: comes twice", folder.string()));
    names.push_back(fs::path(paths.back()).filename().string());
  }
  const bool alike = std::ranges::any_of(
      names, [&](const std::string& name) { return std::ranges::count(names, name) > 1; });
  return alike ? paths : names;
}

/// The runs of these folders: of a sweep by the settings their folders are named after; of several folders by the folder's name first.
DrawnSweep open_sweep(const Sources& folders) {
  DrawnSweep sweep;
  const std::vector<std::string> names = distinct_names(folders);
  for (std::size_t i = 0; i < folders.size(); ++i) {
    const fs::path& folder = folders[i];
    for (Recorded& run : is_sweep(folder) ? read_sweep(folder) : read_runs(folder)) {
      if (folders.size() > 1) run.settings.insert(run.settings.begin(), {"", names[i]});
      sweep.runs.push_back(std::move(run));
    }
  }
  for (const Recorded& run : sweep.runs) sweep.data.push_back(data_of(run));
  return sweep;
}

template <class Result, class Of>
Result of_sources(const Sources& sources, const FieldsIn& in, const Of& of) {
  if (is_comparison(sources)) return of(sweep_figures(), open_sweep(sources));
  const Recorded run = open_run_or_file(sources.front(), in);
  const figure::RunData data = data_of(run);
  return of(run_figures(), Drawn{run.recording, data});
}

}  // namespace

std::vector<spec::Choice> figure_choices() {
  std::vector<spec::Choice> choices;
  for (const RunFigure& figure : run_figures()) choices.push_back({figure.name, figure.meaning});
  for (const SweepFigure& figure : sweep_figures())  // some are there of single runs, too
    if (std::ranges::find(choices, figure.name, &spec::Choice::name) == choices.end())
      choices.push_back({figure.name, figure.meaning});
  return choices;
}

std::vector<std::string> figures_of(const Sources& sources, const FieldsIn& in) {
  return of_sources<std::vector<std::string>>(
      sources, in, [](const auto& table, const auto& opened) { return available(table, opened); });
}

figure::Figure draw_figure(const Sources& sources, const std::string& name, const FieldsIn& in) {
  return of_sources<figure::Figure>(
      sources, in, [&](const auto& table, const auto& opened) { return draw(table, opened, sources, name); });
}

std::vector<figure::Figure> page_figures(const record::Recording& run, const figure::RunData& data) {
  const Drawn drawn{run, data};
  std::vector<figure::Figure> figures;
  for (const RunFigure& figure : run_figures())
    if (figure.on_page && figure.lack(drawn).empty()) figures.push_back(figure.draw(drawn));
  return figures;
}

Comparison compare(const std::vector<Recorded>& runs, const std::vector<figure::RunData>& data) {
  Comparison comparison;
  const std::vector<figure::ComparedRun> with_fields = compared(runs, data);
  if (!with_fields.empty()) comparison.fields.push_back(figure::comparison(with_fields));
  if (with_fields.size() == kMostColumns && runs.size() > kMostColumns)
    comparison.note = fmt::format("The first {} runs of {}.", kMostColumns, runs.size());
  const std::vector<LabelledRecord> records = labelled(runs);
  std::vector<std::string> labels;
  for (const LabelledRecord& run : records) place_in(labels, run.label);
  comparison.curves = compare_curves(records, with_fields.empty() || labels.size() < runs.size());
  if (const std::optional<figure::Figure> flow = flow_distances(runs)) comparison.flow.push_back(*flow);
  return comparison;
}

}  // namespace sluice::lab
