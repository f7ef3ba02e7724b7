/// Studies: verbs of the program that answer a question, with tables, a page and a picture.
#include <fmt/format.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sluice/file/errors.hpp"
#include "sluice/lab/branches.hpp"
#include "sluice/lab/freeze.hpp"
#include "sluice/lab/gate_search_report.hpp"
#include "sluice/lab/race.hpp"
#include "sluice/lab/reduce.hpp"
#include "sluice/python/arrays.hpp"
#include "sluice/python/attention.hpp"
#include "sluice/python/bindings.hpp"
#include "sluice/python/parts.hpp"
#include "sluice/python/require.hpp"
#include "sluice/python/runs.hpp"

namespace sluice::python {
namespace py = pybind11;
namespace {

/// An answer in every form that the program has for it; each is made when it is asked for.
struct Study {
  std::function<file::Json()> numbers;
  std::function<std::string()> csv, page;
  std::function<figure::Figure()> picture;
};

/// What a study looks at: those forms may outlive the call.
template <class Found>
std::shared_ptr<const Found> kept(Found found) {
  return std::make_shared<const Found>(std::move(found));
}

/// Lists of numbers as arrays.
py::object with_arrays(const file::Json& json) {
  if (const file::Json::Object* members = json.members()) {
    py::dict dict;
    for (const auto& [name, value] : *members) dict[py::str(name)] = with_arrays(value);
    return dict;
  }
  const file::Json::Array* elements = json.elements();
  if (elements == nullptr) return to_python(json);
  const auto all = [&](const auto& test) {
    return !elements->empty() && std::ranges::all_of(*elements, test);
  };
  const file::Shape shape{static_cast<std::int64_t>(elements->size())};
  if (all([](const file::Json& each) { return each.integer() != nullptr; })) {
    std::vector<std::int64_t> integers;
    for (const file::Json& each : *elements) integers.push_back(*each.integer());
    return array_from({shape, std::move(integers)});
  }
  if (all([](const file::Json& each) { return each.is_number(); })) {
    std::vector<double> values;
    for (const file::Json& each : *elements) values.push_back(*each.number());
    return array_from({shape, std::move(values)});
  }
  py::list list;
  for (const file::Json& each : *elements) list.append(with_arrays(each));
  return list;
}

std::vector<lab::Recorded> runs_again(const std::vector<Kept>& runs) {
  std::vector<lab::Recorded> all;
  for (const Kept& run : runs) {
    if (!run->experiment)
      throw InputError(run->recording.name + ": weights without a spec; expected a run, which has one");
    all.push_back(again(*run));
  }
  return all;
}

struct BranchArguments {
  std::string parameter;
  std::optional<std::pair<double, double>> range;
  std::vector<std::string> from;
  std::vector<py::object> fields;
  std::vector<double> at;
  std::string response;
  std::int64_t draws, sets, basins;
  double dilution, step;
};

lab::BranchOptions options_of(const BranchArguments& arguments) {
  const flow::UnitParameter& parameter = flow::unit_parameter(arguments.parameter);
  const auto require_value = [&](const char* name, double value) {
    require_within(name, value, parameter.low, parameter.high);
  };
  require_one_of("response", arguments.response, flow::curved_responses());
  require_within("draws", arguments.draws, 48, 1 << 20);
  require_within("sets", arguments.sets, 1, 1000);
  require_within("basins", arguments.basins, 0, 100'000);
  require_within("dilution", arguments.dilution, 0.02, 1);
  require_within("step", arguments.step, 1e-3, 1);
  for (const double value : arguments.at) require_value("at", value);
  lab::BranchOptions options{.parameter = arguments.parameter,
                             .low = {},
                             .high = {},
                             .from = arguments.from,
                             .fields = {},
                             .at = arguments.at,
                             .response = arguments.response,
                             .draws = arguments.draws,
                             .sets = arguments.sets,
                             .dilution = arguments.dilution,
                             .step = arguments.step,
                             .basins = arguments.basins};
  if (arguments.range) {
    const auto [low, high] = *arguments.range;
    require_value("range", low);
    require_value("range", high);
    if (!(low < high))
      throw InputError(fmt::format("range = ({:g}, {:g}): expected the smaller first", low, high));
    options.low = low;
    options.high = high;
  }
  for (std::size_t i = 0; i < arguments.fields.size(); ++i)
    options.fields.emplace_back(fmt::format("start {}", i + 1), numbers_in(arguments.fields[i], "start"));
  return options;
}

Study branch(const lab::Source& source, const BranchArguments& arguments, const std::vector<Kept>& against,
             std::optional<std::int64_t> threads, py::object listener) {
  if (arguments.fields.empty()) require_some("start", arguments.from);
  const lab::BranchOptions options = options_of(arguments);
  const int team = threads_of(threads);
  Attention attention(std::move(listener));
  const auto found = kept(attention.of([&] {
    const lab::Experiment experiment = lab::load(source);
    const flow::UnitParameter& parameter = flow::unit_parameter(options.parameter);
    std::optional<lab::Onset> concentrated, localized;
    if (const std::vector<lab::Recorded> trained = runs_again(against); !trained.empty()) {
      concentrated = lab::trained_onset(trained, parameter, lab::OnsetOf::concentrated);
      localized = lab::trained_onset(trained, parameter, lab::OnsetOf::localized);
    }
    math::Workers workers(team);
    lab::BranchStudy study = lab::study_branches(experiment, options, workers, attention.progress_or_stop());
    study.trained_concentrated = std::move(concentrated);
    study.trained_localized = std::move(localized);
    return study;
  }));
  return {.numbers = [found] { return lab::to_json(*found); },
          .csv = [found] { return lab::branch_csv(*found); },
          .page = [found] { return lab::branch_page(*found, "Branches of fixed points"); },
          .picture = [found] { return lab::branch_figure(*found); }};
}

Study race(const std::vector<lab::Source>& sources, const std::vector<lab::SweepAxis>& axes,
           std::optional<std::int64_t> threads, py::object listener, const Parts& parts) {
  const int team = threads_of(threads);
  Attention attention(std::move(listener));
  const Serving serving(parts, attention);
  const auto found = kept(attention.of([&] {
    math::Workers workers(team);
    return lab::race(lab::entrants(sources, axes), workers, attention.progress_or_stop());
  }));
  return {.numbers = [found] { return lab::to_json(*found); },
          .csv = [found] { return lab::race_csv(*found); },
          .page = [found] { return lab::race_page(*found, "A race of gating structures"); },
          .picture = [found] { return lab::race_figure(*found); }};
}

Study search(const lab::Source& source, const std::string& name, std::int64_t candidates,
             std::int64_t samples, const lab::Recorded* against, std::optional<std::int64_t> threads,
             const Parts& parts) {
  require_within("candidates", candidates, 1, 1'000'000);
  require_within("samples", samples, 1000, 10'000'000);
  const int team = threads_of(threads);
  Attention attention;
  const Serving serving(parts, attention);
  const auto found = kept(attention.of([&] {
    math::Workers workers(team);
    return lab::search_gates({.experiment = lab::load(source),
                              .candidates = candidates,
                              .samples = samples,
                              .against = against,
                              .remark = attention.remark_or_stop()},
                             workers);
  }));
  return {.numbers = [found] { return lab::to_json(*found); },
          .csv = [found] { return lab::search_csv(*found); },
          .page = [found, name] { return lab::search_page(*found, "A search for gates: " + name); },
          .picture = [found] { return lab::search_figure(*found); }};
}

/// Runs one after the other; progress is told of all together.
template <class Each>
auto of_each(const std::vector<Kept>& runs, Attention& attention, const Each& each) {
  constexpr std::int64_t kShares = 1'000'000;
  require_some("runs", runs);
  const lab::Advance tell = attention.progress_or_stop();
  std::vector<decltype(each(lab::Recorded{}, lab::tell_nobody))> found;
  for (lab::Recorded& run : runs_again(runs)) {
    const std::int64_t before = std::ssize(found) * kShares;
    const lab::Advance here = [&](std::int64_t done, std::int64_t of) {
      tell(before + (of > 0 ? kShares * done / of : 0), std::ssize(runs) * kShares);
    };
    here(0, 1);
    found.push_back(each(std::move(run), here));
  }
  return found;
}

Study freeze(const std::vector<Kept>& runs, std::int64_t count, const std::vector<std::int64_t>& at,
             std::int64_t samples, std::optional<std::int64_t> threads, py::object listener,
             const Parts& parts) {
  require_within("count", count, 2, 1000);
  require_within("samples", samples, 1000, 1'000'000'000);
  for (const std::int64_t step : at) require_within("at", step, 0, std::numeric_limits<std::int64_t>::max());
  const int team = threads_of(threads);
  Attention attention(std::move(listener));
  const Serving serving(parts, attention);
  const auto found = kept(attention.of([&] {
    math::Workers workers(team);
    return of_each(runs, attention, [&](lab::Recorded run, const lab::Advance& progress) {
      return lab::freeze(std::move(run), {.count = count, .at = at, .samples = samples, .progress = progress},
                         workers);
    });
  }));
  return {.numbers = [found] { return lab::to_json(*found); },
          .csv = [found] { return lab::freeze_csv(*found); },
          .page = [found] { return lab::freeze_page(*found); },
          .picture = [found] { return lab::freeze_figure(*found); }};
}

Study reduce(const std::vector<Kept>& runs, std::int64_t samples, std::optional<std::int64_t> threads,
             py::object listener, const Parts& parts) {
  require_within("samples", samples, 100, 10'000'000);
  const int team = threads_of(threads);
  Attention attention(std::move(listener));
  const Serving serving(parts, attention);
  const auto found = kept(attention.of([&] {
    math::Workers workers(team);
    return of_each(runs, attention, [&](lab::Recorded run, const lab::Advance&) {
      return lab::reduce(std::move(run), {.samples = samples}, workers);
    });
  }));
  return {.numbers = [found] { return lab::to_json(*found); },
          .csv = [found] { return lab::reduce_csv(*found); },
          .page = [found] { return lab::reduce_page(*found); },
          .picture = [found] { return lab::reduce_figure(found->front()); }};
}

}  // namespace

void bind_studies(py::module_& module) {
  py::class_<Study>(module, "Study")
      .def("numbers", [](const Study& study) { return with_arrays(unlocked(study.numbers)); })
      .def("csv", [](const Study& study) { return unlocked(study.csv); })
      .def("page", [](const Study& study) { return unlocked(study.page); })
      .def("figure", [](const Study& study) { return unlocked(study.picture); });
  module.def(
      "branch",
      [](const lab::Source& source, const std::string& parameter,
         const std::optional<std::pair<double, double>>& range, const std::vector<std::string>& from,
         const std::vector<py::object>& fields, const std::vector<double>& at,
         const std::vector<Kept>& against, const std::string& response, std::int64_t draws, std::int64_t sets,
         double dilution, double step, std::int64_t basins, std::optional<std::int64_t> threads,
         py::object listener) {
        return branch(source,
                      {parameter, range, from, fields, at, response, draws, sets, basins, dilution, step},
                      against, threads, std::move(listener));
      },
      py::arg("source"), py::arg("parameter"), py::arg("range"), py::arg("start"), py::arg("fields"),
      py::arg("at"), py::arg("against"), py::arg("response"), py::arg("draws"), py::arg("sets"),
      py::arg("dilution"), py::arg("step"), py::arg("basins"), py::arg("threads"), py::arg("listener"));
  module.def(
      "race",
      [](const std::vector<lab::Source>& sources,
         const std::vector<std::pair<std::string, std::vector<std::string>>>& over,
         const std::vector<std::string>& typed, std::optional<std::int64_t> threads, py::object listener,
         const Parts& parts) {
        return race(sources, axes_from(over, typed), threads, std::move(listener), parts);
      },
      py::arg("sources"), py::arg("over"), py::arg("typed"), py::arg("threads"), py::arg("listener"),
      py::arg("parts"));
  module.def("search", &search, py::arg("source"), py::arg("name"), py::arg("candidates"), py::arg("samples"),
             py::arg("against").none(true), py::arg("threads"), py::arg("parts"));
  module.def("freeze", &freeze, py::arg("runs"), py::arg("count"), py::arg("at"), py::arg("samples"),
             py::arg("threads"), py::arg("listener"), py::arg("parts"));
  module.def("reduce", &reduce, py::arg("runs"), py::arg("samples"), py::arg("threads"), py::arg("listener"),
             py::arg("parts"));
}

}  // namespace sluice::python
