#include "sluice/lab/recorded.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <numeric>
#include <set>

#include "sluice/file/atomic_file.hpp"
#include "sluice/file/errors.hpp"
#include "sluice/file/json.hpp"
#include "sluice/file/npz.hpp"
#include "sluice/file/system.hpp"
#include "sluice/lab/fingerprint.hpp"
#include "sluice/lab/unfinished.hpp"
#include "sluice/math/finite.hpp"
#include "sluice/net/two_layer_network.hpp"
#include "sluice/record/fitting.hpp"
#include "sluice/task/dataset.hpp"

namespace sluice::lab {
namespace fs = std::filesystem;
namespace {

/// n, where the spec itself says it.
std::int64_t sites_of(const task::Section& task) {
  if (const auto* ring = dynamic_cast<const task::RingOptions*>(&task.options())) return ring->sites();
  if (const auto* sites = dynamic_cast<const task::SiteOptions*>(&task.options())) return sites->n;
  return record::kSome;
}

/// What the arrays of a record must look like, by its spec, by the table of probes and by each other.
void require_fitting_record(const Recorded& run) {
  const file::Array* weights = file::find(run.arrays(), "weights");
  const bool shaped = weights != nullptr && weights->shape.size() == 3;
  probe::Extents extents{.units = shaped ? weights->shape[1] : record::kSome,
                         .sites = shaped ? weights->shape[2] : record::kSome,
                         .layers = record::kSome,
                         .samples = record::kSome,
                         .layout = run.recording.layout};
  if (extents.layout.columns == 0) extents.layout.rows = extents.layout.columns = record::kSome;
  const auto* two_layer = run.experiment->network.as<net::TwoLayerFamily>();
  if (two_layer != nullptr) extents.units = two_layer->layers.hidden;
  if (const std::int64_t sites = sites_of(run.experiment->task); sites != record::kSome)
    extents.sites = sites;
  const std::vector<std::string> of_the_end = run.experiment->probe.of_the_end();
  std::vector<record::ArrayForm> forms;
  for (const probe::Probe& probe : probe::probes()) {
    const std::string name(probe.choice.name);
    const bool contract = name == "step" || name == "loss" || name == "accuracy" ||
                          (two_layer != nullptr && (name == "weights" || name == "bias"));
    file::Shape axes = probe.axes.shape(record::kTimes, extents);
    for (std::int64_t& axis : axes)
      if (axis < record::kTimes) axis = record::kSome;
    if (std::ranges::find(of_the_end, name) != of_the_end.end()) axes.front() = 1;
    forms.push_back({name, probe.empty().index(), std::move(axes), contract});
  }
  record::require_fitting(run.arrays(), forms, run.file(), record::Others::allowed,
                          run.experiment->dynamics.steps);
}

/// How inputs lie, by run.json, and the fields that lie there.
void require_fitting_layout(const Recorded& run) {
  const file::Array* weights = file::find(run.arrays(), "weights");
  const task::Layout& layout = run.recording.layout;
  if (weights == nullptr || weights->shape.size() != 3 || weights->shape[2] == layout.inputs()) return;
  throw InputError(
      fmt::format("{}: inputs: {} rows, {} columns and {} channels, expected {} in all, as weights has sites",
                  (run.recording.folder / "run.json").string(), layout.rows, layout.columns, layout.channels,
                  weights->shape[2]));
}

/// What version 0.1.0 did not write down: how inputs lie, what loss was measured on, the axes of the arrays.
void complete(Recorded& run, bool has_layout) {
  using Kind = task::Layout::Kind;
  record::Recording& recording = run.recording;
  for (const probe::Probe& probe : probe::probes())
    recording.axes.try_emplace(std::string(probe.choice.name), probe.axes.names());
  if (has_layout) return;
  const task::Section& task = run.experiment->task;
  const file::Array* weights = file::find(recording.arrays, "weights");
  const std::int64_t n = weights == nullptr || weights->shape.empty() ? 0 : weights->shape.back();
  const auto side = static_cast<std::int64_t>(std::lround(std::sqrt(static_cast<double>(n))));
  recording.layout = {Kind::ring, 1, n};
  if (task.dimensions() == 2) recording.layout = {Kind::torus, side, side};
  if (task.kind() == "points") recording.layout = {Kind::plain, 1, n};
  if (task.kind() == "mnist") recording.layout = {Kind::image, side, side};
  if (task.kind() == "points") recording.summary.on = record::Evaluated::training_set;
  if (task.kind() == "mnist") recording.summary.on = record::Evaluated::test_set;
  if (const auto* set = dynamic_cast<const task::DatasetOptions*>(&task.options());
      set != nullptr && !set->path.empty())
    recording.summary.on = set->test > 0 ? record::Evaluated::test_set : record::Evaluated::training_set;
}

std::string names_in(const file::NamedArrays& arrays) {
  std::string names;
  for (const auto& [name, array] : arrays)
    names += fmt::format("{}{} {}", names.empty() ? "" : ", ", name, file::to_string(array.shape));
  return names.empty() ? "no array" : names;
}

/// [T, K, n] and how the n sites lie, of a shape that a file has.
struct Fields {
  file::Shape shape;
  task::Layout layout;
};
Fields fields_of(file::Shape shape, const std::string& layout) {
  using Kind = task::Layout::Kind;
  const bool plane = layout == "torus" || layout == "image" || (layout == "auto" && shape.size() == 4);
  const std::size_t sites = plane ? 2 : 1;
  const bool fits =
      (shape.size() == sites + 1 || shape.size() == sites + 2) && file::element_count(shape) > 0;
  if (!fits) return {};
  if (shape.size() == sites + 1) shape.insert(shape.begin(), 1);
  if (!plane) return {shape, {Kind::ring, 1, shape[2]}};
  if (layout == "torus" && shape[2] != shape[3]) return {};
  return {{shape[0], shape[1], shape[2] * shape[3]},
          {layout == "torus" ? Kind::torus : Kind::image, shape[2], shape[3]}};
}

std::string expected_fields(const std::string& layout) {
  if (layout == "ring") return "weights [T, K, n] or [K, n]";
  if (layout == "image") return "weights [T, K, h, w] or [K, h, w]";
  if (layout == "torus") return "weights [T, K, h, h] or [K, h, h]";
  return "weights [T, K, n], [K, n] or [T, K, h, w]";
}

/// weights [T, K, n] from what the file has under this name, and how their sites lie.
std::pair<file::Array, task::Layout> weights_in(const file::NamedArrays& arrays, const fs::path& file,
                                                const FieldsIn& in) {
  const std::string& asked = in.weights;
  const bool only_one = arrays.size() == 1 && asked == "weights";
  const std::string name = only_one ? arrays.front().first : asked;
  const file::Array* weights = file::find(arrays, name);
  if (weights == nullptr)
    throw InputError(fmt::format("{}: no array '{}'; it has {}", file.string(), name, names_in(arrays)));
  const std::string expected = "float32 or float64 " + expected_fields(in.layout);
  const Fields fields = fields_of(weights->shape, in.layout);
  if (fields.shape.empty())
    throw InputError(fmt::format("{}: {}: expected {}, found {}", file.string(), name, expected,
                                 file::to_string(weights->shape)));
  return {{fields.shape, floats_of(*weights, file, name, expected)}, fields.layout};
}

file::Array steps_in(const file::NamedArrays& arrays, const fs::path& file, std::int64_t times) {
  const file::Array* step = file::find(arrays, "step");
  if (step == nullptr) {
    std::vector<std::int64_t> counted(static_cast<std::size_t>(times));
    std::iota(counted.begin(), counted.end(), std::int64_t{0});
    return {{times}, counted};
  }
  const auto* steps = std::get_if<std::vector<std::int64_t>>(&step->data);
  const auto refuse = [&](const std::string& found) {
    throw InputError(
        fmt::format("{}: step: expected [{}] increasing integers, as weights has times, found {}",
                    file.string(), times, found));
  };
  if (steps == nullptr) refuse("floats " + file::to_string(step->shape));
  if (step->shape != file::Shape{times}) refuse(file::to_string(step->shape));
  const auto pair = std::ranges::adjacent_find(*steps, std::greater_equal{});
  if (pair != steps->end()) refuse(fmt::format("{} after {}", pair[1], pair[0]));
  return *step;
}

file::Array bias_in(const file::Array& bias, const fs::path& file, std::int64_t times, std::int64_t units) {
  const std::string expected = fmt::format("floats [{}, {}], as weights has times and units", times, units);
  const bool fits =
      bias.shape == file::Shape{times, units} || (times == 1 && bias.shape == file::Shape{units});
  if (!fits)
    throw InputError(
        fmt::format("{}: bias: expected {}, found {}", file.string(), expected, file::to_string(bias.shape)));
  return {{times, units}, floats_of(bias, file, "bias", expected)};
}

/// "runs/x/" is "runs/x"
fs::path without_slash(const fs::path& path) { return path.has_filename() ? path : path.parent_path(); }

template <class T>
std::span<const T> values_of(const file::NamedArrays& arrays, const std::string& name) {
  const file::Array* array = file::find(arrays, name);
  return array == nullptr ? std::span<const T>{} : std::span<const T>(array->as<T>());
}

}  // namespace

std::string label_of(const std::vector<Setting>& settings) {
  std::string label;
  for (const Setting& setting : settings)
    label += fmt::format("{}{}{}{}", label.empty() ? "" : ", ", setting.name,
                         setting.name.empty() ? "" : " = ", setting.value);
  return label;
}

fs::path Recorded::file() const {
  if (recording.folder.empty()) return recording.name;  // in memory
  return experiment ? recording.folder / "record.npz" : recording.folder;
}

void Recorded::need(bool holds, const std::string& key, const std::string& found,
                    const std::string& expected) const {
  if (holds) return;
  const fs::path spec = recording.folder.empty() ? fs::path(recording.name) : recording.folder / "spec.toml";
  throw InputError(fmt::format("{}: {} = \"{}\": expected {}", spec.string(), key, found, expected));
}

probe::Trajectory Recorded::trajectory() const {
  const file::Array* weights = file::find(arrays(), "weights");
  if (weights == nullptr)
    throw InputError(fmt::format("{}: no array 'weights'; it has {}", file().string(), names_in(arrays())));
  const file::Shape& shape = weights->shape;
  const auto times = static_cast<std::size_t>(shape[0]), units = static_cast<std::size_t>(shape[1]);
  const auto bias = values_of<float>(arrays(), "bias");
  return {.times = shape[0],
          .units = shape[1],
          .inputs = shape[2],
          .step = values_of<std::int64_t>(arrays(), "step").last(times),
          .weights = values_of<float>(arrays(), "weights"),
          .bias = bias.empty() ? bias : bias.last(times * units),
          .layout = recording.layout};
}

Recorded record_of(file::NamedArrays arrays, const fs::path& path, const FieldsIn& fields) {
  Recorded opened;
  opened.recording.name = path.stem().string();
  opened.recording.folder = path;
  auto [weights, layout] = weights_in(arrays, path, fields);
  require_finite(weights.as<float>(), path, fields.weights);
  const file::Shape shape = weights.shape;
  opened.recording.layout = layout;
  opened.recording.arrays.emplace_back("step", steps_in(arrays, path, shape[0]));
  opened.recording.arrays.emplace_back("weights", std::move(weights));
  if (const file::Array* bias = file::find(arrays, "bias")) {
    opened.recording.arrays.emplace_back("bias", bias_in(*bias, path, shape[0], shape[1]));
    require_finite(opened.recording.arrays.back().second.as<float>(), path, "bias");
  }
  opened.others = std::move(arrays);
  return opened;
}

void require_finite(std::span<const float> values, const fs::path& file, const std::string& name) {
  if (!math::all_finite(values))
    throw InputError(fmt::format("{}: {}: expected finite numbers, in float32", file.string(), name));
}

std::vector<float> floats_of(const file::Array& array, const fs::path& file, const std::string& name,
                             const std::string& expected) {
  if (const auto* floats = std::get_if<std::vector<float>>(&array.data)) return *floats;
  if (const auto* doubles = std::get_if<std::vector<double>>(&array.data)) {
    std::vector<float> floats(doubles->size());
    std::ranges::transform(*doubles, floats.begin(), [](double value) { return static_cast<float>(value); });
    return floats;
  }
  throw InputError(fmt::format("{}: {}: expected {}, found integers {}", file.string(), name, expected,
                               file::to_string(array.shape)));
}

bool is_sweep(const fs::path& folder) {
  return fs::is_directory(folder) &&
         (fs::exists(folder / "summary.csv") || fs::exists(folder / "sweep.json"));
}

void tell_apart(std::vector<Recorded>& runs) {
  std::vector<std::vector<Setting>> specs;
  for (const Recorded& run : runs) {
    std::vector<Setting>& spec = specs.emplace_back();
    for (const spec::KeyInfo& key : keys_of(*run.experiment)) {
      if (key.path.find('.') == std::string::npos && key.path != "seed") continue;  // words for people
      std::string value = key.value;
      if (value.ends_with(".0")) value.resize(value.size() - 2);
      if (value.starts_with('"') && value.size() >= 2) value = value.substr(1, value.size() - 2);
      spec.push_back({key.path, value});
    }
  }
  const auto value_of = [](const std::vector<Setting>& spec, const std::string& name) {
    const auto at = std::ranges::find(spec, name, &Setting::name);
    return at == spec.end() ? std::string("–") : at->value;
  };
  std::vector<std::string> names;
  for (const auto& spec : specs) {
    for (const Setting& setting : spec) {
      const bool differs = std::ranges::any_of(
          specs, [&](const auto& other) { return value_of(other, setting.name) != setting.value; });
      if (differs && std::ranges::find(names, setting.name) == names.end()) names.push_back(setting.name);
    }
  }
  for (std::size_t i = 0; i < runs.size(); ++i) {
    runs[i].settings.clear();
    for (const std::string& name : names)
      runs[i].settings.push_back({name.substr(name.find('.') + 1), value_of(specs[i], name)});
  }
}

std::vector<PlannedPoint> planned_points(const fs::path& sweep) {
  const fs::path sweep_json = sweep / "sweep.json";
  std::vector<PlannedPoint> points;
  if (!fs::exists(sweep_json)) return points;
  const std::optional<file::Json> json = file::Json::parse(file::read_text(sweep_json));
  const file::Json* list = json ? json->find("points") : nullptr;
  if (list == nullptr || list->elements() == nullptr)
    throw InputError(fmt::format("{}: expected the points of a sweep", sweep_json.string()));
  std::set<fs::path> folders;
  for (const file::Json& point : *list->elements()) {
    const file::Json* folder = point.find("folder");
    const file::Json* settings = point.find("settings");
    if (folder == nullptr || folder->text() == nullptr || settings == nullptr ||
        settings->members() == nullptr)
      throw InputError(fmt::format("{}: points: expected a folder and settings each", sweep_json.string()));
    if (!folders.insert(file::normal_path(sweep / *folder->text())).second)
      throw InputError(fmt::format("{}: points: expected a folder of its own for each, found '{}' twice",
                                   sweep_json.string(), *folder->text()));
    points.push_back({*folder->text()});
    for (const auto& [name, value] : *settings->members())
      points.back().settings.push_back({name, value.text() != nullptr ? *value.text() : value.dump()});
  }
  return points;
}

std::vector<Recorded> read_sweep(const fs::path& folder) {
  std::vector<Recorded> found = read_runs(folder);
  const std::vector<PlannedPoint> points = planned_points(folder);
  if (points.empty()) {
    tell_apart(found);
    return found;
  }
  std::vector<Recorded> runs;
  for (const PlannedPoint& point : points) {
    const auto run = std::ranges::find_if(found, [&](const Recorded& each) {
      return each.recording.folder.filename().string() == point.folder;
    });
    if (run == found.end()) continue;
    run->settings = point.settings;
    runs.push_back(std::move(*run));
    found.erase(run);
  }
  if (runs.empty())
    throw InputError(
        fmt::format("{}: none of its points is a finished run", (folder / "sweep.json").string()));
  return runs;
}

Recorded read_run(const fs::path& folder) {
  const fs::path spec = folder / "spec.toml";
  if (is_unfinished(folder)) return {read_unfinished(folder), load({.name_or_file = spec.string()})};
  Recorded run{record::read_recording(folder), load({.name_or_file = spec.string()})};
  const bool has_layout = run.recording.layout.columns > 0;
  require_fitting_record(run);
  if (has_layout) require_fitting_layout(run);
  Experiment made = parse_spec(run.recording.spec, (folder / "spec.toml").string());
  made.start_from_kept();
  if (!run.recording.fingerprint.empty() && !made_by(run.recording.fingerprint, made, run.recording.spec))
    throw InputError(
        fmt::format("{}: not the spec that made {}", (folder / "spec.toml").string(), run.file().string()));
  complete(run, has_layout);
  return run;
}

std::vector<Recorded> read_runs(const fs::path& given) {
  const fs::path folder = without_slash(given);
  std::vector<fs::path> folders;
  const auto holds_run = [](const fs::path& each) {
    return record::is_recording(each) || is_unfinished(each);
  };
  if (holds_run(folder)) {
    folders.push_back(folder);
  } else if (fs::is_directory(folder)) {
    for (const std::string& name : file::names_in(folder))
      if (fs::is_directory(folder / name) && holds_run(folder / name)) folders.push_back(folder / name);
    std::ranges::sort(folders, [](const fs::path& a, const fs::path& b) {
      return strverscmp(a.c_str(), b.c_str()) < 0;  // gain=3 before gain=100
    });
  }
  if (folders.empty())
    throw InputError(fmt::format(
        "{}: expected the folder of a run or of a sweep, with record.npz and run.json, or a checkpoint",
        given.string()));
  std::vector<Recorded> runs;
  for (const fs::path& each : folders) runs.push_back(read_run(each));
  return runs;
}

std::vector<Recorded> read_all(const std::vector<std::string>& folders) {
  std::vector<Recorded> all;
  for (const std::string& folder : folders)
    for (Recorded& run : is_sweep(folder) ? read_sweep(folder) : read_runs(folder))
      all.push_back(std::move(run));
  if (folders.size() > 1) tell_apart(all);
  return all;
}

Recorded open_run_or_file(const fs::path& run_or_file, const FieldsIn& fields) {
  const fs::path path = without_slash(run_or_file);
  if (!fs::is_directory(path)) return record_of(file::read_npz(path), path, fields);
  if (fields.layout != "auto")
    throw InputError(fmt::format("{}: layout \"{}\": expected a file; a run knows how its inputs lie",
                                 path.string(), fields.layout));
  if (is_sweep(path))
    throw InputError(fmt::format("{}: a sweep; expected one of the runs in it", path.string()));
  if (!fs::exists(path / "record.npz") && !is_unfinished(path))
    throw InputError(
        fmt::format("{}: no record.npz; expected the folder of a run, or an npz file", path.string()));
  Recorded run = read_run(path);
  if (fields.weights != "weights") {  // others of its arrays, such as flow_weights
    file::Array weights = weights_in(run.arrays(), run.file(), fields).first;
    std::erase_if(run.recording.arrays, [](const auto& named) { return named.first == "weights"; });
    run.recording.arrays.emplace_back("weights", std::move(weights));
  }
  return run;
}

}  // namespace sluice::lab
