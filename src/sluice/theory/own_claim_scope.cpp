#include "sluice/theory/own_claim_scope.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <stdexcept>
#include <utility>

#include "sluice/file/errors.hpp"
#include "sluice/file/npz.hpp"
#include "sluice/flow/class_covariance.hpp"
#include "sluice/flow/operators.hpp"
#include "sluice/net/init.hpp"
#include "sluice/spec/write.hpp"

namespace sluice::theory {
namespace {

std::optional<double> number_of_text(std::string_view text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

/// gain, nu, …: what the task calls its numbers; xi1 and xi0 where there is one for each class.
void add_numbers_of_task(math::Scope& scope, task::Section& task) {
  const auto add = [&](std::string name, std::string_view text) {
    if (const std::optional<double> number = number_of_text(text))
      scope.symbols.push_back({.name = std::move(name), .value = {*number}});
  };
  for (const spec::KeyInfo& key : spec::list_keys([&](spec::Keys& keys) { task.describe(keys); })) {
    if (key.path == "n" || key.path == "dim") continue;  // n is the number of inputs, also of a torus
    add(key.path, key.value);
    if (key.path == "gain") add("g", key.value);
    if (key.path != "xi" && key.path != "coupling" && key.path != "labels") continue;
    const std::string_view pair = key.value;  // "[2.0, 1.0]"
    const std::size_t comma = pair.find(", ");
    add(key.path + "1", pair.substr(1, comma - 1));
    add(key.path + "0", pair.substr(comma + 2, pair.size() - comma - 3));
  }
}

/// E[XX'] = Cov X + m²·11'
std::vector<double> second_moments(const task::Task& task, int which_class) {
  const flow::Covariance covariance = flow::class_covariance(task, which_class);
  const double mean = task.moments(which_class).mean;
  const auto n = static_cast<std::size_t>(task.inputs());
  std::vector<double> matrix(n * n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) matrix[i * n + j] = covariance(i, j) + mean * mean;
  return matrix;
}

std::vector<double> exact_response(const task::Section& task, int which_class, std::span<const double> w) {
  const auto refusal = [&] {
    return InputError(
        fmt::format("f{}: no exact response of {} is known for this vector", 1 - which_class, task.kind()));
  };
  std::vector<double> f(w.size());
  try {
    flow::make_operator("", task, which_class)->single(w, f);
  } catch (const InputError&) {  // there is no such operator
    throw refusal();
  } catch (const std::invalid_argument&) {  // there is, but not for these weights
    throw refusal();
  }
  return f;
}

/// What a claim can speak of before it names anything.
math::Scope given_names(ClaimFile& file, const task::Task& task) {
  const auto n = static_cast<std::size_t>(task.inputs());
  const math::Shape vector{n, 1}, square{n, n};
  math::Scope scope;
  scope.symbols = {{.name = "x", .shape = vector}, {.name = "y"}};
  scope.symbols.push_back({.name = "n", .value = {static_cast<double>(n)}});
  scope.symbols.push_back({.name = "ones", .shape = vector, .value = std::vector<double>(n, 1.0)});
  std::vector<double> identity(n * n);
  for (std::size_t i = 0; i < n; ++i) identity[i * n + i] = 1;
  scope.symbols.push_back({.name = "I", .shape = square, .value = std::move(identity)});
  for (const int label : {1, 0}) {
    const int which_class = 1 - label;  // the notes' class 1 is the first of the task
    const auto named = [&](const char* letter) { return fmt::format("{}{}", letter, label); };
    if (task.stationary())
      scope.symbols.push_back(
          {.name = named("C"), .shape = square, .value = second_moments(task, which_class)});
    scope.symbols.push_back({.name = named("m"), .value = {task.moments(which_class).mean}});
    scope.maps.push_back(
        {.name = named("f"), .length = n, .apply = [&file, which_class](std::span<const double> w) {
           return exact_response(file.task, which_class, w);
         }});
  }
  add_numbers_of_task(scope, file.task);
  return scope;
}

math::Symbol drawn(const OwnSymbol& symbol, std::size_t n) {
  const std::vector<float> weights = net::initial_weights(symbol.init, 1, static_cast<std::int64_t>(n),
                                                          static_cast<std::uint64_t>(symbol.seed));
  return {.name = symbol.name, .shape = {n, 1}, .value = {weights.begin(), weights.end()}};
}

/// [n] as a vector, [m, n] as a matrix.
math::Symbol array_from(const std::filesystem::path& path, const std::string& place) {
  const file::NamedArrays arrays = file::read_npz(path);
  if (arrays.size() != 1)
    throw InputError(fmt::format("{}: {}: {} arrays: expected one", place, path.string(), arrays.size()));
  const file::Array& array = arrays.front().second;
  const file::Shape& shape = array.shape;
  if (shape.empty() || shape.size() > 2 || file::element_count(shape) == 0)
    throw InputError(fmt::format("{}: {}: shape {}: expected an array [n] or [m, n]", place, path.string(),
                                 file::to_string(shape)));
  math::Symbol made{.name = {},
                    .shape = {static_cast<std::size_t>(shape[0]),
                              shape.size() == 2 ? static_cast<std::size_t>(shape[1]) : 1}};
  std::visit([&](const auto& values) { made.value.assign(values.begin(), values.end()); }, array.data);
  return made;
}

void expect_new_name(const OwnSymbol& symbol, const math::Scope& scope, const std::string& place) {
  const std::string& name = symbol.name;
  if (!math::is_name(name))
    throw InputError(fmt::format("{}: expected a name of letters, digits and underscores", place));
  const bool function = math::find_of_one(name) != nullptr || math::find_of_two(name) != nullptr ||
                        math::find_whole(name) != nullptr ||
                        std::ranges::find(scope.maps, name, &math::Map::name) != scope.maps.end();
  if (function || name == "pi" || name == "inf" || scope.find(name) != nullptr)
    throw InputError(fmt::format("{}: expected another name; {} is {}", place, name,
                                 function ? "a function" : "there already"));
}

}  // namespace

math::Program compiled(const spec::Value& value, const math::Scope& scope) {
  try {
    return math::compile(math::parse(std::get<std::string>(value.content)), scope);
  } catch (const math::ExpressionError& error) {
    throw InputError(fmt::format("{}: {}", value.place, error.what()));
  } catch (const InputError& error) {  // of a response
    throw InputError(fmt::format("{}: {}", value.place, error.what()));
  }
}

math::Symbol known_value(const spec::Value& value, const math::Scope& scope,
                         const std::filesystem::path& folder) {
  if (const double* number = std::get_if<double>(&value.content)) return {.name = {}, .value = {*number}};
  if (const auto* list = std::get_if<spec::Value::Row>(&value.content))
    return {.name = {}, .shape = {list->size(), 1}, .value = *list};
  if (const auto* rows = std::get_if<std::vector<spec::Value::Row>>(&value.content)) {
    math::Symbol matrix{.name = {}, .shape = {rows->size(), rows->front().size()}};
    for (const spec::Value::Row& row : *rows) matrix.value.insert(matrix.value.end(), row.begin(), row.end());
    return matrix;
  }
  const std::string& text = std::get<std::string>(value.content);
  if (text.ends_with(".npy")) return array_from(folder / text, value.place);
  const math::Program program = compiled(value, scope);
  if (!program.known())
    throw InputError(fmt::format("{}: expected a formula without x and y; mean alone has them", value.place));
  return {.name = {}, .shape = program.shape(), .value = {program.value().begin(), program.value().end()}};
}

math::Scope scope_of(ClaimFile& file, const task::Task& task) {
  const auto n = static_cast<std::size_t>(task.inputs());
  const std::filesystem::path folder = std::filesystem::path(file.path).parent_path();
  math::Scope scope = given_names(file, task);
  for (const OwnSymbol& symbol : file.symbols) {
    expect_new_name(symbol, scope, symbol.value.place);
    math::Symbol made = symbol.value.is_there() ? known_value(symbol.value, scope, folder) : drawn(symbol, n);
    made.name = symbol.name;
    scope.symbols.push_back(std::move(made));
  }
  return scope;
}

}  // namespace sluice::theory
