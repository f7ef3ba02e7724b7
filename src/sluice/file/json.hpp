/// JSON, as run folders, pages and --json have it. nlohmann/json reads and writes it behind this header: its own headers
/// cost four seconds of compilation wherever they are included, so json.cpp alone does.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace sluice::file {

/// A value: null, a truth, an integer, a number, a text, an array, or an object that keeps the order of its members.
class Json {
 public:
  using Array = std::vector<Json>;
  using Object = std::vector<std::pair<std::string, Json>>;

  Json() = default;  // null
  template <std::integral Integer>
  Json(Integer value) {
    if constexpr (std::same_as<Integer, bool>)
      value_ = value;
    else if (std::in_range<std::int64_t>(value))
      value_ = static_cast<std::int64_t>(value);
    else
      value_ = static_cast<std::uint64_t>(value);
  }
  Json(double value) : value_(value) {}
  Json(std::string text) : value_(std::move(text)) {}
  Json(std::string_view text) : value_(std::string(text)) {}
  Json(const char* text) : value_(std::string(text)) {}
  template <class Value>
  Json(const std::vector<Value>& values) : value_(Array(values.begin(), values.end())) {}
  /// {{"step", 3}, {"loss", 0.5}}
  Json(std::initializer_list<Object::value_type> members) : value_(Object(members)) {}

  static Json array(std::initializer_list<Json> elements = {});
  static Json object();
  /// Nothing when the text is not JSON, or has more than 256 arrays and objects in each other.
  static std::optional<Json> parse(std::string_view text);

  bool is_null() const { return std::holds_alternative<std::monostate>(value_); }
  bool is_number() const;
  /// Null where the value is of another kind. A number is also an integer's value; an integer is no rounded number.
  const bool* truth() const { return std::get_if<bool>(&value_); }
  const std::int64_t* integer() const { return std::get_if<std::int64_t>(&value_); }
  const std::uint64_t* large_integer() const {
    return std::get_if<std::uint64_t>(&value_);
  }  ///< from 2⁶³ on: a seed
  const std::string* text() const { return std::get_if<std::string>(&value_); }
  const Array* elements() const { return std::get_if<Array>(&value_); }
  const Object* members() const { return std::get_if<Object>(&value_); }
  std::optional<double> number() const;
  /// The member of an object; null when there is none, or this is no object.
  const Json* find(std::string_view name) const;
  /// Its text; empty when there is no such member, or it is no text.
  std::string text_at(std::string_view name) const;

  /// The member of this object, or of null, which becomes one; made where it is missing.
  Json& operator[](std::string_view name);
  /// At the end of this array, or of null, which becomes one.
  void push_back(Json element);

  /// In one line, or with `indent` blanks for each level. Not a number is null, bytes that are not UTF-8 are replaced.
  std::string dump(int indent = -1) const;

 private:
  class Builder;

  std::variant<std::monostate, bool, std::int64_t, std::uint64_t, double, std::string, Array, Object> value_;
};

/// What a file says; nothing where it is not there, cannot be read, or is no JSON (read_or_nothing, errors.hpp).
std::optional<Json> json_in(const std::filesystem::path& path, std::uint64_t most);

}  // namespace sluice::file
