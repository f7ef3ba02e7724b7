#include "sluice/lab/opened_record.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>

#include "sluice/file/errors.hpp"
#include "sluice/file/npz.hpp"
#include "sluice/lab/record_forms.hpp"

namespace sluice::lab {
namespace fs = std::filesystem;
namespace {

std::string names_in(const file::NamedArrays& arrays) {
  std::string names;
  for (const auto& [name, array] : arrays)
    names += fmt::format("{}{} {}", names.empty() ? "" : ", ", name, file::to_string(array.shape));
  return names.empty() ? "no array" : names;
}

void read_weights(OpenedRecord& record, const std::string& asked) {
  const bool only_one = record.arrays.size() == 1 && asked == "weights";
  const std::string name = only_one ? record.arrays.front().first : asked;
  const file::Array* weights = file::find(record.arrays, name);
  if (weights == nullptr) {
    throw InputError(fmt::format("{}: no array '{}'; name one with --weights: {}", record.file.string(), name,
                                 names_in(record.arrays)));
  }
  const std::string expected = "float32 or float64 weights [T, K, n] or [K, n]";
  const file::Shape& shape = weights->shape;
  if ((shape.size() != 2 && shape.size() != 3) || file::element_count(shape) == 0) {
    throw InputError(fmt::format("{}: {}: expected {}, found {}", record.file.string(), name, expected,
                                 file::to_string(shape)));
  }
  record.times = shape.size() == 3 ? shape.front() : 1;
  record.units = shape[shape.size() - 2];
  record.inputs = shape.back();
  record.weights = floats_of(*weights, record.file, name, expected);
}

void read_steps(OpenedRecord& record) {
  record.step.resize(static_cast<std::size_t>(record.times));
  std::iota(record.step.begin(), record.step.end(), std::int64_t{0});
  const file::Array* step = file::find(record.arrays, "step");
  if (step == nullptr) return;
  const auto* steps = std::get_if<std::vector<std::int64_t>>(&step->data);
  const bool fits = steps != nullptr && step->shape == file::Shape{record.times};
  if (!fits || std::ranges::adjacent_find(*steps, std::greater_equal{}) != steps->end()) {
    throw InputError(
        fmt::format("{}: step: expected [{}] increasing integers, as weights has times, found {}",
                    record.file.string(), record.times, file::to_string(step->shape)));
  }
  record.step = *steps;
}

void read_bias(OpenedRecord& record) {
  const file::Array* bias = file::find(record.arrays, "bias");
  if (bias == nullptr) return;
  const std::string expected =
      fmt::format("floats [{}, {}], as weights has times and units", record.times, record.units);
  const bool fits = bias->shape == file::Shape{record.times, record.units} ||
                    (record.times == 1 && bias->shape == file::Shape{record.units});
  if (!fits) {
    throw InputError(fmt::format("{}: bias: expected {}, found {}", record.file.string(), expected,
                                 file::to_string(bias->shape)));
  }
  record.bias = floats_of(*bias, record.file, "bias", expected);
}

}  // namespace

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

OpenedRecord open_record(const fs::path& run_or_file, const std::string& weights_name) {
  OpenedRecord record;
  const fs::path path = run_or_file.has_filename() ? run_or_file : run_or_file.parent_path();  // "runs/x/"
  const bool is_run = fs::is_directory(path);
  record.name = is_run ? path.filename().string() : path.stem().string();
  record.file = is_run ? path / "record.npz" : path;
  if (is_run && !fs::exists(record.file)) {
    const bool sweep = fs::exists(path / "summary.csv");
    throw InputError(fmt::format("{}: {}", path.string(),
                                 sweep ? "a sweep; expected one of the runs in it"
                                       : "no record.npz; expected the folder of a run, or an npz file"));
  }
  record.arrays = file::read_npz(record.file);
  if (is_run) {
    record.experiment = load({.name_or_file = (path / "spec.toml").string()});
    require_fitting_record(record.arrays, *record.experiment, record.file);
  }
  read_weights(record, weights_name);
  read_steps(record);
  read_bias(record);
  return record;
}

}  // namespace sluice::lab
