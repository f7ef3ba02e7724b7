/// Runs: in memory, into a folder, and back from one.
#include "sluice/python/runs.hpp"

#include <pybind11/stl.h>

#include <utility>
#include <vector>

#include "sluice/file/errors.hpp"
#include "sluice/lab/report.hpp"
#include "sluice/lab/run.hpp"
#include "sluice/lab/run_figures.hpp"
#include "sluice/lab/simulation.hpp"
#include "sluice/python/arrays.hpp"
#include "sluice/python/attention.hpp"
#include "sluice/python/bindings.hpp"
#include "sluice/python/parts.hpp"
#include "sluice/python/texts.hpp"
#include "sluice/record/metrics.hpp"

namespace sluice::python {
namespace py = pybind11;
namespace {

/// The run, what was said of it, and whether KeyboardInterrupt ended it.
py::tuple run(const lab::Source& source, const std::string& name, std::optional<std::int64_t> threads,
              const std::string& device, const std::optional<std::string>& out, bool resume, bool overwrite,
              py::object listener, const Parts& parts) {
  const record::Existing existing = existing_of(resume, overwrite);
  const int team = threads_of(threads);
  const gpu::Place place = gpu::Place::of(device);
  Attention attention(std::move(listener), Attention::Interrupt::kept);
  const Serving serving(parts, attention);
  const auto in_memory = [&] {
    return lab::simulate(lab::load(source), name, team,
                         {.stop_requested = attention.stop_requested(),
                          .abandon_requested = attention.stop_requested(),
                          .progress = attention.progress(),
                          .remark = attention.remark()},
                         place);
  };
  const auto into_folder = [&] {
    lab::Experiment experiment =
        existing == record::Existing::resume ? lab::load_resumed(source, *out) : lab::load(source);
    return lab::run(std::move(experiment), name,
                    {.out = *out,
                     .existing = existing,
                     .threads = team,
                     .place = place,
                     .stop_requested = attention.stop_requested(),
                     .abandon_requested = attention.stop_requested(),
                     .progress = attention.progress(),
                     .remark = attention.remark()})
        .recording;
  };
  Kept kept = attention.of([&] {
    record::Recording recording = out ? into_folder() : in_memory();
    lab::Experiment experiment = lab::parse_spec(recording.spec, name);
    return std::make_shared<lab::Recorded>(lab::Recorded{std::move(recording), std::move(experiment)});
  });
  return py::make_tuple(std::move(kept), attention.remarks(), attention.interrupted());
}

/// What `run` would refuse of the device, for whoever has files to write before.
void require_trainable(const lab::Source& source, const std::string& device, const Parts& parts) {
  const gpu::Place place = gpu::Place::of(device);
  Attention attention;
  const Serving serving(parts, attention);
  attention.of([&] {
    lab::Experiment experiment = lab::load(source);
    if (!place.on_device && !experiment.dynamics.fast()) return true;  // the CPU knows all others
    lab::Setup(std::move(experiment)).require_known_at(place);
    place.require_there();
    return true;
  });
}

py::object load(const std::string& path) {
  if (!lab::is_sweep(path))
    return py::cast(unlocked([&] { return std::make_shared<lab::Recorded>(lab::open_run_or_file(path)); }));
  std::vector<Kept> runs;
  for (lab::Recorded& run : unlocked([&] { return lab::read_sweep(path); }))
    runs.push_back(std::make_shared<lab::Recorded>(std::move(run)));
  return py::cast(std::move(runs));
}

py::array array_of(const py::object& self, const std::string& name) {
  const file::Array* array = file::find(self.cast<const lab::Recorded&>().arrays(), name);
  if (array == nullptr) throw py::key_error(name);
  return view_of(*array, self);
}

std::vector<std::string> names_of(const lab::Recorded& run) {
  std::vector<std::string> names;
  for (const auto& [name, array] : run.arrays()) names.push_back(name);
  return names;
}

py::dict summary_of(const lab::Recorded& run) {
  py::dict numbers;
  for (const record::Number& number : run.recording.summary.numbers()) {
    const py::str key{std::string(number.kind->key)};
    if (number.kind->style == record::Style::count)
      numbers[key] = static_cast<std::int64_t>(number.value);
    else
      numbers[key] = number.value;
  }
  return numbers;
}

std::string page_of(const lab::Recorded& run, const std::string& place) {
  if (!run.experiment)
    throw InputError(run.file().string() + ": a file of weights; expected a run, which has a page");
  return unlocked([&] { return lab::run_page(run, place); });
}

}  // namespace

lab::Recorded again(const lab::Recorded& run) {
  lab::Recorded copy{.recording = run.recording, .experiment = {}, .settings = run.settings};
  if (run.experiment) copy.experiment = lab::parse_spec(run.recording.spec, run.recording.name);
  return copy;
}

std::vector<lab::SweepAxis> axes_from(
    const std::vector<std::pair<std::string, std::vector<std::string>>>& over,
    const std::vector<std::string>& typed) {
  std::vector<lab::SweepAxis> axes;
  for (const auto& [key, values] : over) axes.push_back({key, values});
  for (const std::string& text : typed) axes.push_back(lab::parse_axis(text));
  return axes;
}

record::Existing existing_of(bool resume, bool overwrite) {
  if (resume && overwrite) throw InputError("resume and overwrite: expected one of them");
  return resume      ? record::Existing::resume
         : overwrite ? record::Existing::overwrite
                     : record::Existing::refuse;
}

void bind_runs(py::module_& module) {
  using lab::Recorded;
  const auto text = [](std::string record::Recording::*member) {
    return [member](const Recorded& run) { return text_from(run.recording.*member); };
  };
  py::class_<Recorded, Kept>(module, "Recorded")
      .def_property_readonly("name", text(&record::Recording::name))
      .def_property_readonly("device", text(&record::Recording::device))
      .def_property_readonly("status", text(&record::Recording::status))
      .def_property_readonly("toml", text(&record::Recording::spec))
      .def_property_readonly("folder",
                             [](const Recorded& run) { return text_from(run.recording.folder.string()); })
      .def_property_readonly("names", &names_of)
      .def_property_readonly("axes", [](const Recorded& run) { return run.recording.axes; })
      .def_property_readonly("settings",
                             [](const Recorded& run) {
                               std::vector<std::pair<std::string, std::string>> all;
                               for (const lab::Setting& each : run.settings)
                                 all.emplace_back(each.name, each.value);
                               return all;
                             })
      .def_property_readonly("seconds", [](const Recorded& run) { return run.recording.seconds; })
      .def_property_readonly("summary", &summary_of)
      .def_property_readonly("functions", [](const Recorded& run) { return run.recording.functions; })
      .def("metrics",
           [](const Recorded& run) { return record::metrics_csv(run.arrays(), run.recording.axes); })
      .def("array", &array_of, py::arg("name"))
      .def("page", &page_of, py::arg("place"))
      .def("figures", [](const Recorded& run) { return lab::figures_of_run(run); })
      .def(
          "figure",
          [](const Recorded& run, const std::string& name, const std::vector<std::int64_t>& units) {
            return unlocked([&] { return lab::draw_figure_of_run(run, name, {.units = units}); });
          },
          py::arg("name"), py::arg("units"));
  module.def("run", &run, py::arg("source"), py::arg("name"), py::arg("threads"), py::arg("device"),
             py::arg("out"), py::arg("resume"), py::arg("overwrite"), py::arg("listener"), py::arg("parts"));
  module.def("require_trainable", &require_trainable, py::arg("source"), py::arg("device"), py::arg("parts"));
  module.def("load", &load, py::arg("path"));
}

}  // namespace sluice::python
