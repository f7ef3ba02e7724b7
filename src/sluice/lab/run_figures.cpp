#include "sluice/lab/run_figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include "sluice/figure/image_recipes.hpp"
#include "sluice/figure/recipes.hpp"
#include "sluice/file/errors.hpp"
#include "sluice/lab/column_figures.hpp"
#include "sluice/lab/curves.hpp"
#include "sluice/lab/gate_structure.hpp"
#include "sluice/lab/pair_covariance.hpp"
#include "sluice/lab/run_walk.hpp"
#include "sluice/lab/sweep_figures.hpp"
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
  figure::RunView shown;
  task::Layout layout = task::of_kernels(run.layout);  ///< of what is drawn

  const figure::RunView& view() const { return shown; }
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
      .layout = run.layout};
  return std::move(probe::revisit(trajectory, probes, workers).front().second);
}

figure::Figure draw_spectra(const Drawn& run) {
  if (run.layout.drawn_as_image()) {
    const file::Array power = probed(run, "power2");
    return figure::spectra_of_images(run.view(), power.as<float>(),
                                     run.layout.kind == task::Layout::Kind::torus);
  }
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
  const probe::Gabor2Fitter fitter(run.layout);
  std::vector<figure::GaborEllipse> ellipses;
  for (std::size_t k = 0; k < view.shown_units(); ++k) {
    const probe::Gabor2 fit = fitter.fit(view.field(view.times() - 1, k)).value;
    ellipses.push_back({fit.x, fit.y, fit.width_long, fit.width_short, fit.orientation,
                        std::hypot(fit.frequency_x, fit.frequency_y), fit.residual});
  }
  return figure::gabor_images(view, ellipses, run.layout.kind == task::Layout::Kind::torus);
}

figure::Figure draw_gabor_fits(const Drawn& run) {
  if (run.layout.drawn_as_image()) return draw_plane_gabors(run);
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
std::string a_history(const Drawn& run) {
  return run.view().has_history()
             ? ""
             : "needs weights at every probe time: a run with probe.weights = \"always\"";
}
std::string a_ring(const Drawn& run) {
  std::string lack = fields(run);
  if (!lack.empty()) return lack;
  if (run.layout.on_ring() && run.layout.kernel)
    return fmt::format("needs fields over all sites, found kernels of {}", run.layout.columns);
  return run.layout.on_ring() ? ""
                              : fmt::format("needs sites on a ring, task.dim = 1, found those of {}",
                                            task::place(run.layout.kind));
}
std::string one_channel(const Drawn& run) {
  const std::int64_t channels = run.layout.channels;
  return channels > 1 ? fmt::format("needs images of one channel, found {}", channels) : "";
}
std::string a_ring_or_plane(const Drawn& run) {
  return run.data.has_fields() && run.layout.drawn_as_image() ? one_channel(run) : a_ring(run);
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
  if (const task::Layout& plane = run.layout; plane.drawn_as_image() && run.data.has_fields()) {
    using Fitter = probe::Gabor2Fitter;
    const bool fits = std::min(plane.rows, plane.columns) >= Fitter::kLeastSide &&
                      std::max(plane.rows, plane.columns) <= Fitter::kMostSide;
    return fits ? one_channel(run)
                : fmt::format("needs {} to {} rows and columns", Fitter::kLeastSide, Fitter::kMostSide);
  }
  const std::int64_t n = run.view().sites;
  const bool fits = n >= probe::GaborFitter::kLeastSites && n <= probe::GaborFitter::kMostSites;
  return !a_ring(run).empty() || !fits
             ? fmt::format("needs a ring of {} to {} sites", probe::GaborFitter::kLeastSites,
                           probe::GaborFitter::kMostSites)
             : "";
}
/// The lack of the one, or else of the other.
Lack both(const Lack& one, const Lack& other) {
  return [one, other](const Drawn& run) {
    std::string lack = one(run);
    return lack.empty() ? other(run) : lack;
  };
}
std::string a_flow(const Drawn& run) {
  return run.view().flow.empty() ? "needs a run with probe.watch = [\"flow_weights\"]" : "";
}
std::string curves(const Drawn& run) {
  return run.view().step.empty() || (run.view().loss.empty() && !run.data.has_fields()) ? "needs a run" : "";
}
std::string one_gate(const Drawn& run) {
  const file::Array* gates = run.find("gates");
  const bool one =
      gates != nullptr && gates->shape.size() == 2 && gates->shape[0] == 1 && run.layout.on_ring();
  if (!one) return "needs one gated linear unit on a ring, network.hidden = 1";
  return run.run.functions.empty() ? "" : "needs a task and a gate of sluice's own";
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
  std::size_t most_units = 0;            ///< of the units it shows some; 0: it shows all, or none
  std::size_t most_images = most_units;  ///< the same where fields are images
};

const std::vector<RunFigure>& run_figures() {
  static const std::vector<RunFigure> all = [] {
    std::vector<RunFigure> figures{
        {"receptive_fields", "final fields as small multiples, ordered by position", true, fields,
         [](const Drawn& run) { return figure::receptive_fields(run.view()); }, 100},
        {"evolution", "the most localized fields over training: time as colour, or a row of images", true,
         both(fields, a_history), [](const Drawn& run) { return figure::evolution(run.view()); }, 4},
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
        {"time_map", "weights of the most localized units, time × sites", false, both(a_ring, a_history),
         [](const Drawn& run) { return figure::time_map(run.view()); }, 4},
        {"spectra", "power, time × frequency and units × frequency, or over the wave vectors of images",
         false, both(a_ring_or_plane, a_history), draw_spectra, 0, 8},
        {"kinds", "shares of flat, oscillatory and localized units over training", false,
         both(a_ring, a_history), draw_kinds},
        {"gabor_fits",
         "final fields and the nearest Gabor functions: points and lines, or images and ellipses", false,
         gabor_sites, draw_gabor_fits, 12},
        {"sign_flipping", "how often gates flip: units over training, and their mean", true, flips,
         draw_sign_flipping, 12},
        {"gate_structure", "of one gated linear unit: moments behind its gate, and the limit they give", true,
         one_gate, [](const Drawn& run) { return figure::gate_structure(gate_structure(run.run)); }},
        {"pair_covariance",
         "of two units behind opposite small-bump gates: Σ^xx as it is and as note 003 prints it", true,
         [](const Drawn& run) { return no_bump_pair(run.run); },
         [](const Drawn& run) { return figure::pair_covariance(pair_covariance(run.run)); }},
        {"flow_comparison", "training against its gradient flow, lines over points", true,
         both(a_history, a_flow), [](const Drawn& run) { return figure::flow_comparison(run.view()); }, 1},
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

/// Are there figures of several runs?
bool is_comparison(const Sources& sources) {
  return sources.size() > 1 || is_sweep(sources.front()) || holds_runs(sources.front());
}
/// Can they be read one by one, as those of a sweep?
bool is_sweep_or_runs(const Sources& sources) { return std::ranges::none_of(sources, holds_runs); }

template <class Table>
bool in_table(const Table& table, const std::string& name) {
  return std::ranges::any_of(table, [&](const auto& entry) { return entry.name == name; });
}

template <class Table, class Source>
std::vector<std::string> available(const Table& table, const Source& source) {
  std::vector<std::string> names;
  for (const auto& entry : table)
    if (entry.lack(source).empty()) names.push_back(entry.name);
  return names;
}

/// Of how many units a figure shows some.
std::size_t most_units(const RunFigure& figure, const Drawn& run) {
  return run.layout.drawn_as_image() ? figure.most_images : figure.most_units;
}
std::size_t most_units(const SweepFigure& figure, const DrawnSweep&) { return figure.most_units; }
std::size_t most_units(const ColumnFigure&, const DrawnPoints&) { return 0; }

/// The least number of units that a run of them has.
std::int64_t units_of(const Drawn& run) { return run.view().units; }
std::int64_t units_of(const DrawnSweep& sweep) {
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  for (const figure::RunData& data : sweep.data)
    if (data.has_fields()) least = std::min(least, data.view().units);
  return least;
}

std::int64_t units_of(const DrawnPoints&) { return 0; }

void require_units(const std::string& name, std::size_t most, std::int64_t there_are,
                   const std::vector<std::int64_t>& asked) {
  if (asked.empty()) return;
  if (most == 0) throw InputError(fmt::format("{}: does not choose units", name));
  if (asked.size() > most)
    throw InputError(fmt::format("{}: {} units, expected at most {}", name, asked.size(), most));
  for (const std::int64_t unit : asked) {
    if (unit < 0 || unit >= there_are)
      throw InputError(fmt::format("{}: unit {}: expected 0 to {}", name, unit, there_are - 1));
    if (std::ranges::count(asked, unit) > 1)
      throw InputError(fmt::format("{}: unit {} comes twice", name, unit));
  }
}

/// How messages call what a figure is drawn of.
std::string called(const Recorded& run) {
  return run.recording.folder.empty() ? run.recording.name : run.recording.folder.string();
}
std::string called(const Drawn& run) {
  return run.run.folder.empty() ? run.run.name : run.run.folder.string();
}
std::string called(const DrawnSweep& sweep) { return sweep.name; }
std::string called(const DrawnPoints& drawn) { return drawn.name; }

template <class Table, class Source>
figure::Figure draw(const Table& table, const Source& source, const std::string& name,
                    const FigureRequest& request) {
  const std::string path = called(source);
  for (const auto& entry : table) {
    if (entry.name != name) continue;
    if (const std::string lack = entry.lack(source); !lack.empty())
      throw InputError(fmt::format("{}: {} {}", path, name, lack));
    require_units(name, most_units(entry, source), units_of(source), request.units);
    return entry.draw(source);
  }
  std::vector<std::string> known;
  for (const spec::Choice& choice : figure_choices()) known.emplace_back(choice.name);
  if (std::ranges::find(known, name) == known.end())
    throw InputError(fmt::format("{}: no such figure{}", name, spec::hint(name, known)));
  throw InputError(fmt::format("{}: {} is a figure of {}", path, name,
                               !std::is_same_v<Source, Drawn> && in_table(run_figures(), name)
                                   ? "single runs; name one of those in the folder"
                                   : "sweeps"));
}

DrawnPoints open_points(const Sources& sources, const FigureRequest& request) {
  return {read_points(sources, request.where, request.runs), request, sources.front().string()};
}

/// Of runs at hand.
DrawnPoints as_points(const DrawnSweep& sweep) {
  DrawnPoints drawn{points_of(sweep.runs), sweep.request, sweep.name};
  drawn.points.left_out = sweep.left_out;
  return drawn;
}

/// What is asked of a single run, or of a file of weights.
template <class Of>
auto of_run(const Recorded& run, const FigureRequest& request, const Of& of) {
  if (!request.runs.empty())
    throw InputError(fmt::format("{}: a single run; runs are chosen of a sweep", called(run)));
  const figure::RunData data = data_of(run);
  Drawn drawn{run.recording, data, data.view()};
  drawn.shown.chosen.assign(request.units.begin(), request.units.end());
  return of(drawn);
}

/// Runs beside each other are shown by the weights that they have.
void require_own_weights(const Sources& sources, const FieldsIn& fields) {
  const auto require = [&](const char* name, const std::string& typed, const std::string& own) {
    if (typed != own)
      throw InputError(fmt::format("{} = {}: expected a run or a file with it, found several runs in {}",
                                   name, typed, sources.front().string()));
  };
  require("weights", fields.weights, FieldsIn{}.weights);
  require("layout", fields.layout, FieldsIn{}.layout);
}

}  // namespace

std::vector<spec::Choice> figure_choices() {
  std::vector<spec::Choice> choices;
  for (const RunFigure& figure : run_figures()) choices.push_back({figure.name, figure.meaning});
  for (const ColumnFigure& figure : column_figures()) choices.push_back({figure.name, figure.meaning});
  for (const SweepFigure& figure : sweep_figures())  // some are there of single runs, too
    if (std::ranges::find(choices, figure.name, &spec::Choice::name) == choices.end())
      choices.push_back({figure.name, figure.meaning});
  return choices;
}

bool holds_runs(const fs::path& folder) {
  if (!fs::is_directory(folder) || is_sweep(folder)) return false;
  const std::vector<FoundRun> found = find_runs(folder).runs;
  return !found.empty() && std::ranges::find(found, ".", &FoundRun::path) == found.end();
}

std::vector<std::string> figures_of(const Sources& sources, const FigureRequest& request) {
  if (!is_comparison(sources))
    return figures_of_run(open_run_or_file(sources.front(), request.fields), request);
  require_own_weights(sources, request.fields);
  std::vector<std::string> names = available(column_figures(), open_points(sources, request));
  if (is_sweep_or_runs(sources))
    for (std::string& name : available(sweep_figures(), open_sweep(sources, request)))
      names.push_back(std::move(name));
  return names;
}
std::vector<std::string> figures_of_run(const Recorded& run, const FigureRequest& request) {
  return of_run(run, request, [](const Drawn& drawn) { return available(run_figures(), drawn); });
}
std::vector<std::string> figures_of_runs(std::vector<Recorded> runs, const FigureRequest& request) {
  const DrawnSweep sweep = beside_each_other(std::move(runs), request);
  std::vector<std::string> names = available(column_figures(), as_points(sweep));
  for (std::string& name : available(sweep_figures(), sweep)) names.push_back(std::move(name));
  return names;
}

figure::Figure draw_figure(const Sources& sources, const std::string& name, const FigureRequest& request) {
  if (!is_comparison(sources))
    return draw_figure_of_run(open_run_or_file(sources.front(), request.fields), name, request);
  require_own_weights(sources, request.fields);
  if (in_table(column_figures(), name) || !is_sweep_or_runs(sources))
    return draw(column_figures(), open_points(sources, request), name, request);
  return draw(sweep_figures(), open_sweep(sources, request), name, request);
}
figure::Figure draw_figure_of_run(const Recorded& run, const std::string& name,
                                  const FigureRequest& request) {
  return of_run(run, request, [&](const Drawn& drawn) { return draw(run_figures(), drawn, name, request); });
}
figure::Figure draw_figure_of_runs(std::vector<Recorded> runs, const std::string& name,
                                   const FigureRequest& request) {
  const DrawnSweep sweep = beside_each_other(std::move(runs), request);
  if (in_table(column_figures(), name)) return draw(column_figures(), as_points(sweep), name, request);
  return draw(sweep_figures(), sweep, name, request);
}

std::vector<figure::Figure> page_figures(const record::Recording& run, const figure::RunData& data) {
  const Drawn drawn{run, data, data.view()};
  std::vector<figure::Figure> figures;
  for (const RunFigure& figure : run_figures())
    if (figure.on_page && figure.lack(drawn).empty()) figures.push_back(figure.draw(drawn));
  return figures;
}

}  // namespace sluice::lab
