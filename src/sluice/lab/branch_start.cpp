#include "sluice/lab/branch_start.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numbers>
#include <optional>
#include <string_view>

#include "sluice/file/errors.hpp"
#include "sluice/file/npz.hpp"
#include "sluice/math/finite.hpp"

namespace sluice::lab {
namespace {

/// K of "mode:K"; nothing where it is no integer from 0 to `most`.
std::optional<std::int64_t> number_after(std::string_view text, std::size_t at, std::int64_t most) {
  std::int64_t number = -1;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data() + at, end, number);
  if (error != std::errc{} || rest != end || number < 0 || number > most) return std::nullopt;
  return number;
}

struct Shape {
  std::vector<double> field;
  bool wave = false;
};

template <class Value>
std::vector<double> on_ring(std::int64_t n, const Value& value) {
  std::vector<double> field;
  for (std::int64_t i = 0; i < n; ++i) field.push_back(value(static_cast<double>(i)));
  return field;
}

Shape wave(std::int64_t n, std::int64_t periods) {
  const double turn = 2 * std::numbers::pi * static_cast<double>(periods) / static_cast<double>(n);
  return {on_ring(n, [turn](double i) { return std::cos(turn * i); }), true};
}

Shape bump(std::int64_t n, double centre) {
  return {on_ring(n,
                  [&](double i) {
                    const double apart = std::abs(i - centre),
                                 d = std::min(apart, static_cast<double>(n) - apart);
                    return std::exp(-d * d / 2);
                  }),
          false};
}

std::vector<double> finite_numbers(const file::Array& array, const std::string& name) {
  std::vector<double> numbers;
  std::visit([&](const auto& values) { numbers.assign(values.begin(), values.end()); }, array.data);
  if (!math::all_finite(numbers)) throw InputError(name + ": expected finite numbers");
  if (std::ranges::all_of(numbers, [](double w) { return w == 0; }))
    throw InputError(name + ": expected weights, found zeros alone");
  return numbers;
}

Shape from_file(const std::string& path, std::int64_t n) {
  const file::NamedArrays arrays = file::read_npz(path);
  if (arrays.size() != 1) throw InputError(fmt::format("{}: {} arrays: expected one", path, arrays.size()));
  const file::Array& array = arrays.front().second;
  if (array.shape != file::Shape{n})
    throw InputError(fmt::format("{}: shape {}: expected [{}]", path, file::to_string(array.shape), n));
  return {finite_numbers(array, path), false};
}

/// Of one unit alone the second is the negative.
void oppose(std::vector<double>& fields) {
  const std::vector<double> first = fields;
  for (const double w : first) fields.push_back(-w);
}

Shape shape_of(const std::string& text, std::int64_t n) {
  if (text.starts_with('-')) {
    Shape shape = shape_of(text.substr(1), n);
    for (double& w : shape.field) w = -w;
    return shape;
  }
  if (text == "flat") return wave(n, 0);
  if (text.starts_with("mode:")) {
    if (const auto periods = number_after(text, 5, n / 2)) return wave(n, *periods);
    throw InputError(fmt::format("{}: expected mode:K with K from 0 to {}", text, n / 2));
  }
  for (const auto& [word, offset] : {std::pair{"site", 0.0}, std::pair{"bond", 0.5}}) {
    if (text == word) return bump(n, offset);
    if (!text.starts_with(std::string(word) + ":")) continue;
    if (const auto place = number_after(text, 5, n - 1)) return bump(n, static_cast<double>(*place) + offset);
    throw InputError(fmt::format("{}: expected {}:I with I from 0 to {}", text, word, n - 1));
  }
  if (text.ends_with(".npy")) return from_file(text, n);
  throw InputError(
      fmt::format("start {}: expected flat, mode:K, site, bond or a file of weights, FILE.npy", text));
}

}  // namespace

BranchStart branch_start(const std::string& text, std::int64_t units, std::int64_t n) {
  const std::size_t comma = units == 2 ? text.find(',') : std::string::npos;
  Shape first = shape_of(text.substr(0, comma), n);
  BranchStart start{text, std::move(first.field), first.wave};
  if (units == 2 && comma == std::string::npos) oppose(start.fields);
  if (comma != std::string::npos) {
    const Shape second = shape_of(text.substr(comma + 1), n);
    start.wave = start.wave && second.wave;
    start.fields.insert(start.fields.end(), second.field.begin(), second.field.end());
  }
  return start;
}

BranchStart branch_start(const std::string& name, const file::Array& fields, std::int64_t units,
                         std::int64_t n) {
  if (fields.shape != file::Shape{n} && fields.shape != file::Shape{units, n})
    throw InputError(fmt::format("{}: shape {}: expected [{}]{}", name, file::to_string(fields.shape), n,
                                 units == 1 ? "" : fmt::format(" or [{}, {}]", units, n)));
  BranchStart start{name, finite_numbers(fields, name)};
  if (units == 2 && fields.shape.size() == 1) oppose(start.fields);
  return start;
}

}  // namespace sluice::lab
