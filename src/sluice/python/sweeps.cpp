/// Sweeps: runs beside each other.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "sluice/file/errors.hpp"
#include "sluice/lab/report.hpp"
#include "sluice/lab/run_figures.hpp"
#include "sluice/lab/sweep.hpp"
#include "sluice/lab/sweep_simulation.hpp"
#include "sluice/python/attention.hpp"
#include "sluice/python/bindings.hpp"
#include "sluice/python/parts.hpp"
#include "sluice/python/require.hpp"
#include "sluice/python/runs.hpp"

namespace sluice::python {
namespace py = pybind11;
namespace {

/// What became of the points of a sweep.
struct Swept {
  std::vector<Kept> runs = {};
  std::map<std::string, std::string> failures = {};  ///< reasons, by label

  void keep(lab::Recorded run) { runs.push_back(std::make_shared<lab::Recorded>(std::move(run))); }
};

Swept in_memory(const lab::Source& source, const std::vector<lab::SweepAxis>& axes,
                const lab::RunOptions& options, Attention& attention) {
  Swept swept;
  const lab::Hooks hooks{.stop_requested = options.stop_requested,
                         .abandon_requested = options.abandon_requested,
                         .progress = attention.progress(),
                         .remark = attention.remark()};
  for (lab::SimulatedPoint& point :
       lab::simulate_sweep(source, axes, options.threads, hooks, options.place)) {
    if (point.run) swept.keep(std::move(*point.run));
    if (!point.failure.empty()) swept.failures[lab::label_of(point.point.settings)] = point.failure;
  }
  return swept;
}

/// As the program sweeps; then all of it is read, because an outcome has large arrays only of some runs.
Swept into_folder(const lab::Source& source, const std::vector<lab::SweepAxis>& axes,
                  const lab::RunOptions& options, Attention& attention) {
  constexpr std::int64_t kShares = 1'000'000;
  const lab::Advance progress = attention.progress();
  const lab::Remark remark = attention.remark();
  lab::SweepHooks hooks;
  hooks.advances = [&](const lab::SweepProgress& now) {
    progress(static_cast<std::int64_t>(now.share * kShares), kShares);
  };
  hooks.remarks = [&](const std::string& label, const std::string& said) {
    remark(fmt::format("{}: {}", label, said));
  };
  const lab::SweepOutcome outcome = lab::sweep(source, axes, options, hooks);
  if (!outcome.stopped_by.empty()) throw IoError(outcome.stopped_by);
  Swept swept;
  bool any = false;
  for (const lab::PointOutcome& each : outcome.points) {
    any = any || each.outcome.has_value();
    if (!each.failure.empty()) swept.failures[lab::label_of(each.point.settings)] = each.failure;
  }
  if (any)
    for (lab::Recorded& run : lab::read_sweep(options.out)) swept.keep(std::move(run));
  return swept;
}

py::tuple sweep(const lab::Source& source,
                const std::vector<std::pair<std::string, std::vector<std::string>>>& over,
                const std::vector<std::string>& typed, std::optional<std::int64_t> threads,
                const std::string& device, const std::optional<std::string>& out, bool resume, bool overwrite,
                py::object listener, const Parts& parts) {
  const std::vector<lab::SweepAxis> axes = axes_from(over, typed);
  const record::Existing existing = existing_of(resume, overwrite);
  const int team = threads_of(threads);
  const gpu::Place place = gpu::Place::of(device);
  Attention attention(std::move(listener), Attention::Interrupt::kept);
  const Serving serving(parts, attention);
  lab::RunOptions options{.existing = existing,
                          .threads = team,
                          .place = place,
                          .stop_requested = attention.stop_requested(),
                          .abandon_requested = attention.stop_requested()};
  if (out) options.out = *out;
  const Swept swept = attention.of([&] {
    return out ? into_folder(source, axes, options, attention) : in_memory(source, axes, options, attention);
  });
  return py::make_tuple(swept.runs, swept.failures, attention.remarks(), attention.interrupted());
}

std::vector<lab::Recorded> all_again(const std::vector<Kept>& runs) {
  if (runs.empty()) throw InputError("sweep: no run came to an end");
  std::vector<lab::Recorded> all;
  for (const Kept& run : runs) all.push_back(again(*run));
  return all;
}

template <class Choice>
Choice chosen(const char* name, const std::string& value, const std::map<std::string, Choice>& choices) {
  const auto found = choices.find(value);
  if (found != choices.end()) return found->second;
  std::vector<std::string> names;
  for (const auto& [each, choice] : choices) names.push_back(each);
  throw InputError(fmt::format("{} = \"{}\": expected one of {}", name, value, fmt::join(names, ", ")));
}

/// What figures over columns show: x, y, z, bars, log, boundaries.
using Columns =
    std::tuple<std::string, std::string, std::string, std::string, std::string, std::vector<std::string>>;

lab::FigureRequest request_of(const Columns& columns, const std::vector<std::int64_t>& units) {
  using Request = lab::CurveRequest;
  const auto& [x, y, z, bars, log, boundaries] = columns;
  return {.units = units,
          .curve = {x, y,
                    chosen<Request::Bars>("bars", bars,
                                          {{"se", Request::Bars::error},
                                           {"sd", Request::Bars::deviation},
                                           {"range", Request::Bars::range},
                                           {"none", Request::Bars::none}}),
                    chosen<Request::Log>("log", log,
                                         {{"auto", Request::Log::automatic},
                                          {"x", Request::Log::x},
                                          {"y", Request::Log::y},
                                          {"xy", Request::Log::xy},
                                          {"none", Request::Log::none}}),
                    boundaries},
          .phase = {x, y, z, boundaries}};
}

figure::Figure draw_of_runs(const std::vector<Kept>& runs, const std::string& name,
                            const std::vector<std::int64_t>& units, const Columns& columns) {
  const lab::FigureRequest request = request_of(columns, units);
  return unlocked([&] { return lab::draw_figure_of_runs(all_again(runs), name, request); });
}

figure::Figure draw_of_folders(const std::vector<std::string>& folders, const std::string& name,
                               const std::vector<std::int64_t>& units, const Columns& columns,
                               const std::vector<std::string>& runs, const std::string& where) {
  require_some("folders", folders);
  lab::FigureRequest request = request_of(columns, units);
  request.runs = runs;
  request.where = where;
  const lab::Sources sources(folders.begin(), folders.end());
  return unlocked([&] { return lab::draw_figure(sources, name, request); });
}

}  // namespace

void bind_sweeps(py::module_& module) {
  module.def("sweep", &sweep, py::arg("source"), py::arg("over"), py::arg("typed"), py::arg("threads"),
             py::arg("device"), py::arg("out"), py::arg("resume"), py::arg("overwrite"), py::arg("listener"),
             py::arg("parts"));
  module.def("sweep_figures", [](const std::vector<Kept>& runs) {
    return unlocked([&] { return lab::figures_of_runs(all_again(runs)); });
  });
  module.def("sweep_figure", &draw_of_runs, py::arg("runs"), py::arg("name"), py::arg("units"),
             py::arg("columns"));
  module.def("figure", &draw_of_folders, py::arg("folders"), py::arg("name"), py::arg("units"),
             py::arg("columns"), py::arg("runs"), py::arg("where"));
  module.def("sweep_page", [](const std::string& name, const std::vector<Kept>& runs) {
    return unlocked([&] { return lab::sweep_page(name, all_again(runs)); });
  });
}

}  // namespace sluice::python
