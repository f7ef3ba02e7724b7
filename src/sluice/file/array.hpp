/// An n-dimensional array of one of the three element types a record holds, in C order.
#pragma once

#include <cstdint>
#include <functional>
#include <numeric>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "sluice/math/assert.hpp"

namespace sluice::file {

using Shape = std::vector<std::int64_t>;

inline std::int64_t element_count(const Shape& shape) {
  return std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
}

/// "[101, 100, 40]"
inline std::string to_string(const Shape& shape) {
  std::string text = "[";
  for (std::size_t i = 0; i < shape.size(); ++i) text += (i > 0 ? ", " : "") + std::to_string(shape[i]);
  return text + "]";
}

struct Array {
  using Data = std::variant<std::vector<float>, std::vector<double>, std::vector<std::int64_t>>;

  Shape shape;
  Data data;

  /// The elements; the caller knows that they are of this type and as many as the shape says.
  template <class T>
  const std::vector<T>& as() const {
    SLUICE_ASSERT(std::holds_alternative<std::vector<T>>(data));
    SLUICE_ASSERT(std::get<std::vector<T>>(data).size() == static_cast<std::size_t>(element_count(shape)));
    return std::get<std::vector<T>>(data);
  }

  bool operator==(const Array&) const = default;
};

/// Arrays in the order in which they are written to the file.
using NamedArrays = std::vector<std::pair<std::string, Array>>;

/// The same of arrays that somebody else holds.
using NamedViews = std::vector<std::pair<std::string, const Array*>>;

inline NamedViews views_of(const NamedArrays& arrays) {
  NamedViews views;
  for (const auto& [name, array] : arrays) views.emplace_back(name, &array);
  return views;
}

inline const Array* find(const NamedArrays& arrays, const std::string& name) {
  for (const auto& [key, array] : arrays) {
    if (key == name) return &array;
  }
  return nullptr;
}
inline const Array* find(const NamedViews& arrays, const std::string& name) {
  for (const auto& [key, array] : arrays) {
    if (key == name) return array;
  }
  return nullptr;
}

}  // namespace sluice::file
