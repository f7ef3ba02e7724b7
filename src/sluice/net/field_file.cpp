#include "sluice/net/field_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "sluice/file/errors.hpp"
#include "sluice/file/npz.hpp"

namespace sluice::net {
namespace {

const file::Array& pick_array(const file::NamedArrays& arrays, const FieldFile& file,
                              std::string_view section) {
  if (file.array.empty() && arrays.size() == 1) return arrays.front().second;
  if (const file::Array* found = file::find(arrays, file.array)) return *found;
  std::string names;
  for (const auto& [name, array] : arrays) names += (names.empty() ? "" : ", ") + name;
  throw InputError(
      fmt::format("{}: {}.array = \"{}\": expected one of {}", file.path, section, file.array, names));
}

}  // namespace

std::vector<float> read_fields(const FieldFile& file, std::string_view section, std::int64_t units,
                               std::int64_t inputs) {
  const file::NamedArrays arrays = file::read_npz(file.path);
  const file::Array& array = pick_array(arrays, file, section);
  const file::Shape field_shape{units, inputs};
  const file::Shape& shape = array.shape;
  const bool has_time = shape.size() == 3 && file::Shape(shape.begin() + 1, shape.end()) == field_shape;
  if (shape != field_shape && !has_time) {
    throw InputError(
        fmt::format("{}: array has shape {}, expected [{}, {}] or [T, {}, {}] (network.hidden, task.n)",
                    file.path, file::to_string(shape), units, inputs, units, inputs));
  }
  std::int64_t entry = 0;
  if (has_time) {
    entry = file.index < 0 ? shape[0] + file.index : file.index;
    if (entry < 0 || entry >= shape[0]) {
      throw InputError(fmt::format("{}: {}.index = {}: expected an entry of [T, K, n] with T = {}", file.path,
                                   section, file.index, shape[0]));
    }
  }
  const auto size = static_cast<std::size_t>(units * inputs);
  std::vector<float> fields(size);
  std::visit(
      [&](const auto& values) {
        const auto from = std::span(values).subspan(static_cast<std::size_t>(entry) * size, size);
        std::transform(from.begin(), from.end(), fields.begin(),
                       [](auto w) { return static_cast<float>(w); });
      },
      array.data);
  if (!std::all_of(fields.begin(), fields.end(), [](float w) { return std::isfinite(w); })) {
    throw InputError(fmt::format("{}: weights contain NaN or infinity", file.path));
  }
  return fields;
}

}  // namespace sluice::net
