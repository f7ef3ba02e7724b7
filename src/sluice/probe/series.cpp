#include "sluice/probe/series.hpp"

#include <stdexcept>

namespace sluice::probe {
namespace {

file::Shape shape(const Series::Column& column, std::int64_t times) {
  return column.width == 0 ? file::Shape{times} : file::Shape{times, column.width};
}

}  // namespace

std::size_t Series::place(const std::string& name) const {
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (columns_[i].name == name) return i;
  }
  return columns_.size();
}

bool Series::has(const std::string& name) const { return place(name) < columns_.size(); }

void Series::put(const std::string& name, std::span<const double> values) {
  const std::size_t at = place(name);
  if (at == columns_.size()) throw std::logic_error("no column named " + name);
  values_[at].insert(values_[at].end(), values.begin(), values.end());
}

file::NamedArrays Series::arrays() const {
  const auto times = static_cast<std::int64_t>(steps_.size());
  file::NamedArrays arrays{{"step", file::Array{{times}, steps_}}};
  for (std::size_t i = 0; i < columns_.size(); ++i)
    arrays.emplace_back(columns_[i].name, file::Array{shape(columns_[i], times), values_[i]});
  return arrays;
}

bool Series::restore(const file::NamedArrays& arrays) {
  const file::Array* steps = file::find(arrays, "step");
  if (steps == nullptr || steps->shape.size() != 1 || steps->shape[0] < 1 ||
      !std::holds_alternative<std::vector<std::int64_t>>(steps->data))
    return false;
  std::vector<std::vector<double>> values;
  for (const Column& column : columns_) {
    const file::Array* array = file::find(arrays, column.name);
    if (array == nullptr || array->shape != shape(column, steps->shape[0]) ||
        !std::holds_alternative<std::vector<double>>(array->data)) {
      return false;
    }
    values.push_back(array->as<double>());
  }
  steps_ = steps->as<std::int64_t>();
  values_ = std::move(values);
  return true;
}

}  // namespace sluice::probe
