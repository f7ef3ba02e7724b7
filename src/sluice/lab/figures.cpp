#include "sluice/lab/figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <memory>

#include "sluice/figure/recipes.hpp"
#include "sluice/figure/sweep_view.hpp"
#include "sluice/file/errors.hpp"
#include "sluice/lab/finished_sweep.hpp"
#include "sluice/lab/opened_record.hpp"
#include "sluice/probe/ipr.hpp"
#include "sluice/probe/revisit.hpp"
#include "sluice/probe/survey.hpp"
#include "sluice/spec/suggest.hpp"

namespace sluice::lab {
namespace fs = std::filesystem;
namespace {

/// A record with the view that recipes want of it. IPR is computed from the weights: a record need not have watched it.
class Drawn {
 public:
  explicit Drawn(const fs::path& source) : record_(open_record(source)) {
    const auto n = static_cast<std::size_t>(record_.inputs);
    for (std::size_t at = 0; at < record_.weights.size(); at += n)
      ipr_.push_back(static_cast<float>(probe::ipr(std::span(record_.weights).subspan(at, n))));
    view_ = {.title = record_.name,
             .units = record_.units,
             .sites = record_.inputs,
             .step = record_.step,
             .weights = record_.weights,
             .ipr = ipr_};
    if (!record_.experiment) return;  // in a file from elsewhere these names may mean anything
    view_.loss = array<double>("loss");
    view_.accuracy = array<double>("accuracy");
    view_.train_loss = array<double>("train_loss");
    view_.train_accuracy = array<double>("train_accuracy");
    view_.flow = array<float>("flow_weights");
    if (record_.dimensions() == 2) view_.side = std::lround(std::sqrt(static_cast<double>(record_.inputs)));
  }
  Drawn(const Drawn&) = delete;
  Drawn& operator=(const Drawn&) = delete;

  const figure::RunView& view() const { return view_; }
  bool on_ring() const { return record_.dimensions() == 1; }

  file::Array probed(std::string_view name) const {
    math::Workers workers(math::hardware_threads());
    const std::vector<const probe::Probe*> probes{probe::find_probe(name)};
    const probe::Trajectory trajectory{.times = record_.times,
                                       .units = record_.units,
                                       .inputs = record_.inputs,
                                       .step = record_.step,
                                       .weights = record_.weights};
    return std::move(probe::revisit(trajectory, probes, workers).front().second);
  }

 private:
  template <class T>
  std::span<const T> array(const std::string& name) const {
    const file::Array* found = file::find(record_.arrays, name);
    return found == nullptr ? std::span<const T>{} : std::span<const T>(found->as<T>());
  }

  OpenedRecord record_;
  std::vector<float> ipr_;
  figure::RunView view_;
};

figure::Figure draw_spectra(const Drawn& run) {
  const file::Array power = run.probed("power");
  return figure::spectra(run.view(), {power.as<float>()});
}

figure::Figure draw_kinds(const Drawn& run) {
  const file::Array kinds = run.probed("class");
  return figure::kinds(run.view(), kinds.as<std::int64_t>());
}

figure::Figure draw_gabor_fits(const Drawn& run) {
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

/// What a figure needs of a record; the reason when it does not have it, else nothing.
using Lack = std::string (*)(const Drawn&);
std::string nothing(const Drawn&) { return ""; }
std::string a_ring(const Drawn& run) { return run.on_ring() ? "" : "needs sites on a ring, task.dim = 1"; }
std::string gabor_sites(const Drawn& run) {
  const std::int64_t n = run.view().sites;
  const bool fits = n >= probe::GaborFitter::kLeastSites && n <= probe::GaborFitter::kMostSites;
  return !run.on_ring() || !fits
             ? fmt::format("needs a ring of {} to {} sites", probe::GaborFitter::kLeastSites,
                           probe::GaborFitter::kMostSites)
             : "";
}
std::string a_flow(const Drawn& run) {
  return run.view().flow.empty() ? "needs a run with probe.watch = [\"flow_weights\"]" : "";
}

struct RunFigure {
  spec::Choice choice;
  Lack lack;
  figure::Figure (*draw)(const Drawn&);
};

constexpr std::array kOfRuns{
    RunFigure{{"receptive_fields", "final fields as small multiples, ordered by position"},
              nothing,
              [](const Drawn& run) { return figure::receptive_fields(run.view()); }},
    RunFigure{{"evolution", "the most localized fields over training, time as colour"},
              nothing,
              [](const Drawn& run) { return figure::evolution(run.view()); }},
    RunFigure{{"learning", "IPR, loss and accuracy over training"},
              nothing,
              [](const Drawn& run) { return figure::learning(run.view()); }},
    RunFigure{{"unit_map", "final weights, units × sites"},
              nothing,
              [](const Drawn& run) { return figure::unit_map(run.view()); }},
    RunFigure{{"time_map", "weights of the most localized units, time × sites"},
              nothing,
              [](const Drawn& run) { return figure::time_map(run.view()); }},
    RunFigure{{"spectra", "power, time × frequency and units × frequency"}, a_ring, draw_spectra},
    RunFigure{{"kinds", "shares of flat, oscillatory and localized units over training"}, a_ring, draw_kinds},
    RunFigure{{"gabor_fits", "final fields as points, the nearest Gabor functions as lines"},
              gabor_sites,
              draw_gabor_fits},
    RunFigure{{"flow_comparison", "training against its gradient flow, lines over points"},
              a_flow,
              [](const Drawn& run) { return figure::flow_comparison(run.view()); }},
};

/// The settings of a run but the seed.
std::vector<Setting> condition_of(const FinishedRun& run) {
  std::vector<Setting> settings = run.settings;
  std::erase_if(settings, [](const Setting& setting) { return setting.name == "seed"; });
  return settings;
}

bool has_seeds(const std::vector<FinishedRun>& runs) {
  return condition_of(runs.front()).size() < runs.front().settings.size();
}

figure::Figure draw_comparison(const std::vector<FinishedRun>& all) {
  constexpr std::size_t kMostColumns = 6;  // what still reads on a page
  std::vector<std::unique_ptr<Drawn>> runs;
  std::vector<figure::ComparedRun> compared;
  for (std::size_t i = 0; i < std::min(kMostColumns, all.size()); ++i) {
    runs.push_back(std::make_unique<Drawn>(all[i].folder));
    compared.push_back({.label = label_of(all[i].settings),
                        .view = runs.back()->view(),
                        .localized_share = all[i].localized,
                        .kurtosis = all[i].excess_kurtosis});
  }
  return figure::comparison(compared);
}

std::size_t place_in(std::vector<std::string>& values, const std::string& value) {
  const auto found = std::ranges::find(values, value);
  if (found != values.end()) return static_cast<std::size_t>(found - values.begin());
  values.push_back(value);
  return values.size() - 1;
}

figure::Figure draw_phase_diagram(const std::vector<FinishedRun>& runs) {
  const std::vector<Setting> axes = condition_of(runs.front());
  figure::PhaseView view{.title = "Runs at their end",
                         .x_label = axes[0].name,
                         .y_label = axes[1].name,
                         .x = {},
                         .y = {},
                         .panels = {{"median IPR", 2}, {"localized  (%)", 0}, {"accuracy", 3}}};
  struct Cell {
    std::array<double, 3> sums{};
    double runs = 0;
  };
  std::map<std::pair<std::size_t, std::size_t>, Cell> cells;
  for (const FinishedRun& run : runs) {
    const std::vector<Setting> at = condition_of(run);
    Cell& cell = cells[{place_in(view.x, at[0].value), place_in(view.y, at[1].value)}];
    const std::array numbers{run.ipr_end, 100 * run.localized, run.accuracy};
    for (std::size_t i = 0; i < numbers.size(); ++i) cell.sums[i] += numbers[i];
    ++cell.runs;
  }
  for (std::size_t i = 0; i < view.panels.size(); ++i) {
    for (std::size_t x = 0; x < view.x.size(); ++x)
      for (std::size_t y = 0; y < view.y.size(); ++y) {
        const Cell& cell = cells[{x, y}];
        view.panels[i].value.push_back(cell.sums[i] / cell.runs);
      }
  }
  if (has_seeds(runs)) view.title += ", means over seeds";
  return figure::phase_diagram(view);
}

figure::Figure draw_seeds(const std::vector<FinishedRun>& all) {
  std::vector<std::unique_ptr<Drawn>> runs;
  std::vector<std::string> labels;
  std::vector<figure::SeedsView> conditions;
  for (const FinishedRun& run : all) {
    runs.push_back(std::make_unique<Drawn>(run.folder));
    const std::size_t which = place_in(labels, label_of(condition_of(run)));
    if (which == conditions.size()) conditions.push_back({labels.back()});
    conditions[which].runs.push_back(runs.back()->view());
  }
  return figure::seeds(conditions);
}

struct SweepFigure {
  spec::Choice choice;
  std::string (*lack)(const std::vector<FinishedRun>&);
  figure::Figure (*draw)(const std::vector<FinishedRun>&);
};

constexpr std::array kOfSweeps{
    SweepFigure{{"comparison", "of a sweep: final fields and IPR side by side, the first six runs"},
                [](const std::vector<FinishedRun>&) { return std::string(); },
                draw_comparison},
    SweepFigure{{"phase_diagram", "of a sweep over two keys (and seeds): IPR, localized share, accuracy"},
                [](const std::vector<FinishedRun>& runs) {
                  return condition_of(runs.front()).size() == 2 ? std::string()
                                                                : "needs a sweep over two keys beside seed";
                },
                draw_phase_diagram},
    SweepFigure{{"seeds", "of a sweep over seed: learning curves, mean and standard deviation"},
                [](const std::vector<FinishedRun>& runs) {
                  std::vector<std::string> labels;
                  for (const FinishedRun& run : runs) place_in(labels, label_of(condition_of(run)));
                  return has_seeds(runs) && labels.size() <= 7
                             ? std::string()
                             : "needs a sweep with --over seed=…, of at most seven conditions";
                },
                draw_seeds},
};

constexpr auto kChoices = [] {
  std::array<spec::Choice, kOfRuns.size() + kOfSweeps.size()> choices;
  for (std::size_t i = 0; i < kOfRuns.size(); ++i) choices[i] = kOfRuns[i].choice;
  for (std::size_t i = 0; i < kOfSweeps.size(); ++i) choices[kOfRuns.size() + i] = kOfSweeps[i].choice;
  return choices;
}();

template <class Table, class Source>
std::vector<std::string> available(const Table& table, const Source& source) {
  std::vector<std::string> names;
  for (const auto& entry : table)
    if (entry.lack(source).empty()) names.emplace_back(entry.choice.name);
  return names;
}

template <class Table, class Source>
figure::Figure draw(const Table& table, const Source& source, const fs::path& path, const std::string& name) {
  for (const auto& entry : table) {
    if (entry.choice.name != name) continue;
    if (const std::string lack = entry.lack(source); !lack.empty())
      throw InputError(fmt::format("{}: {} {}", path.string(), name, lack));
    return entry.draw(source);
  }
  std::vector<std::string> known;
  for (const spec::Choice& choice : kChoices) known.emplace_back(choice.name);
  if (std::ranges::find(known, name) == known.end())
    throw InputError(
        fmt::format("{}: no such figure, see sluice figure --list{}", name, spec::hint(name, known)));
  throw InputError(fmt::format("{}: {} is a figure of {}", path.string(), name,
                               is_sweep(path) ? "single runs; name one of those in the folder" : "sweeps"));
}

}  // namespace

spec::Choices figure_choices() { return kChoices; }

std::vector<std::string> figures_of(const fs::path& source) {
  if (is_sweep(source)) return available(kOfSweeps, read_sweep(source));
  return available(kOfRuns, Drawn(source));
}

figure::Figure draw_figure(const fs::path& source, const std::string& name) {
  if (is_sweep(source)) return draw(kOfSweeps, read_sweep(source), source, name);
  return draw(kOfRuns, Drawn(source), source, name);
}

}  // namespace sluice::lab
