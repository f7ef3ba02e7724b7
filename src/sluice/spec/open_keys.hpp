/// Keys of files in which people name things of their own, as a claim names its symbols: what such a file has beside the keys of a spec.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "sluice/spec/keys.hpp"

namespace sluice::spec {

/// What may be written behind a name: a number, a list of numbers, rows of numbers, or a text; and where it stands, for what can only be
/// found wrong later.
struct Value {
  using Row = std::vector<double>;

  std::string place = {};  ///< "own.toml:12: expect.equals"
  std::variant<std::monostate, double, Row, std::vector<Row>, std::string> content = {};

  bool is_there() const { return !std::holds_alternative<std::monostate>(content); }
};

class OpenKeys : public Keys {
 public:
  /// [[name]]: one table after the other.
  virtual void tables(std::string_view name, const std::function<void(OpenKeys&)>& describe) = 0;
  /// [name]: whatever keys the file has there, in its order.
  virtual void own_names(std::string_view name,
                         const std::function<void(OpenKeys&, const std::string& key)>& describe) = 0;
  virtual void value(std::string_view name, Value& value) = 0;
  /// The same, or a table; then the value is not there.
  virtual void value_or_table(std::string_view name, Value& value, const Describe& table) = 0;
};

}  // namespace sluice::spec
