#include "sluice/net/field_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <span>
#include <utility>

#include "sluice/file/errors.hpp"
#include "sluice/math/finite.hpp"

namespace sluice::net {
namespace {

const file::Array& pick_array(const file::Archive& arrays, const FieldFile& file, std::string_view section) {
  const std::vector<std::string>& names = arrays.names();
  const std::string usual = names.size() == 1 ? names.front() : "weights";
  if (const file::Array* found = arrays.find(file.array.empty() ? usual : file.array)) return *found;
  throw InputError(fmt::format("{}: {}.array = \"{}\": expected one of {}", file.path, section, file.array,
                               fmt::join(names, ", ")));
}

file::Shape over_times(std::int64_t times, const file::Shape& shape) {
  file::Shape all{times};
  all.insert(all.end(), shape.begin(), shape.end());
  return all;
}

}  // namespace

std::filesystem::path arrays_at(const std::string& path) {
  const std::filesystem::path given(path);
  return std::filesystem::is_directory(given) ? given / "record.npz" : given;
}

PartFile::PartFile(FieldFile file, std::string_view section)
    : file_(std::move(file)), section_(section), arrays_(arrays_at(file_.path)) {}

std::vector<float> PartFile::fields(std::int64_t units, std::int64_t inputs) const {
  return entry_of(pick_array(arrays_, file_, section_), {units, inputs}, "", " (network.hidden, task.n)");
}

bool PartFile::holds_at_index(const std::string& name, const file::Shape& shape) const {
  if (!holds(name)) return false;
  const file::Shape& fields = pick_array(arrays_, file_, section_).shape;
  const bool last = fields.size() != 3 || file_.index == -1 || file_.index == fields[0] - 1;
  return last || arrays_.find(name)->shape != shape;
}

std::vector<float> PartFile::part(const std::string& name, const file::Shape& shape) const {
  return entry_of(*arrays_.find(name), shape, name + ": ", "");
}

std::vector<float> PartFile::entry_of(const file::Array& array, const file::Shape& shape,
                                      const std::string& name, const std::string& where_from) const {
  const bool has_time = !array.shape.empty() && array.shape == over_times(array.shape[0], shape);
  if (array.shape != shape && !has_time) {
    std::string times = file::to_string(shape);
    times.insert(1, shape.empty() ? "T" : "T, ");
    throw InputError(fmt::format("{}: {}array has shape {}, expected {} or {}{}", file_.path, name,
                                 file::to_string(array.shape), file::to_string(shape), times, where_from));
  }
  std::int64_t entry = 0;
  if (has_time) {
    entry = file_.index < 0 ? array.shape[0] + file_.index : file_.index;
    if (entry < 0 || entry >= array.shape[0]) {
      throw InputError(fmt::format("{}: {}{}.index = {}: expected an entry of [T, K, n] with T = {}",
                                   file_.path, name, section_, file_.index, array.shape[0]));
    }
  }
  const auto size = static_cast<std::size_t>(file::element_count(shape));
  std::vector<float> numbers(size);
  std::visit(
      [&](const auto& values) {
        const auto from = std::span(values).subspan(static_cast<std::size_t>(entry) * size, size);
        std::transform(from.begin(), from.end(), numbers.begin(),
                       [](auto w) { return static_cast<float>(w); });
      },
      array.data);
  if (!math::all_finite(numbers)) {
    throw InputError(fmt::format("{}: {}contain{} NaN or infinity", file_.path,
                                 name.empty() ? "weights " : name, name.empty() ? "" : "s"));
  }
  return numbers;
}

std::vector<float> read_fields(const FieldFile& file, std::string_view section, std::int64_t units,
                               std::int64_t inputs) {
  return PartFile(file, section).fields(units, inputs);
}

}  // namespace sluice::net
