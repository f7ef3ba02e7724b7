#include "sluice/math/expression_program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <numbers>
#include <numeric>
#include <optional>
#include <tuple>
#include <utility>

#include "sluice/math/assert.hpp"
#include "sluice/math/linear_system.hpp"
#include "sluice/math/memory.hpp"

namespace sluice::math {

std::string to_string(const Shape& shape) {
  if (shape.is_number()) return "number";
  if (shape.columns == 1) return fmt::format("vector of {}", shape.rows);
  if (shape.rows == 1) return fmt::format("row of {}", shape.columns);
  return fmt::format("matrix {}×{}", shape.rows, shape.columns);
}

const Symbol* Scope::find(std::string_view name) const {
  const auto found = std::ranges::find(symbols, name, &Symbol::name);
  return found == symbols.end() ? nullptr : &*found;
}

/// Turns a tree into steps. Values are numbered in the order in which they are computed.
class ProgramBuilder {
 public:
  explicit ProgramBuilder(const Scope& scope) : scope_(scope), held_(scope.held) {
    std::size_t inputs = 0;
    for (const Symbol& symbol : scope.symbols) {
      held_ += sizeof(double) * static_cast<double>(symbol.value.size());
      if (!symbol.value.empty()) continue;
      inputs_.emplace(symbol.name, add({.place = Place::input, .at = inputs, .shape = symbol.shape}));
      ++inputs;
    }
  }

  using Place = Program::Place;
  using Operand = Program::Operand;
  using Step = Program::Step;
  using Value = std::size_t;  ///< its number

  Value of(const Expression& expression) {
    switch (expression.kind) {
      case Expression::Kind::number:
        return known(expression.number);
      case Expression::Kind::symbol:
        return symbol(expression);
      case Expression::Kind::call:
        break;
    }
    return call(expression);
  }

  /// The derivative of a value by an input, both numbers: tangents of all values up to it, in their order.
  Value slope(Value of, std::string_view variable) {
    std::vector<std::optional<Value>> tangents(values_.size());  // none: zero
    tangents[inputs_.at(std::string(variable))] = known(1);
    const auto made = makers_;  // the values so far; tangents add some of their own
    for (const auto& [value, maker] : made) {
      std::optional<Value> sum;
      for (const auto& [argument, partial] : maker.partials) {
        if (!tangents[argument]) continue;
        const Value rule = by_rule(partial, maker, value);
        sum = added(sum, multiplied(rule, *tangents[argument]));
      }
      tangents[value] = sum;
    }
    return tangents[of] ? *tangents[of] : known(0);
  }

  Program finish(const std::vector<Value>& outputs) && {
    for (const Value output : outputs) program_.outputs_.push_back(values_[output]);
    for (const double number : program_.known_) program_.known_floats_.push_back(static_cast<float>(number));
    return std::move(program_);
  }

 private:
  const Shape& shape(Value value) const { return values_[value].shape; }
  bool is_known(Value value) const { return values_[value].place == Place::known; }
  std::span<const double> numbers(Value value) const {
    return std::span<const double>(program_.known_).subspan(values_[value].at, shape(value).size());
  }

  Value add(const Operand& operand) {
    values_.push_back(operand);
    program_.of_numbers_ =
        program_.of_numbers_ && (operand.place == Place::known || operand.shape.is_number());
    return values_.size() - 1;
  }
  Value known(std::span<const double> value, const Shape& shape) {
    require_room(value.size());
    const std::size_t at = program_.known_.size();
    program_.known_.insert(program_.known_.end(), value.begin(), value.end());
    return add({.place = Place::known, .at = at, .shape = shape});
  }
  /// For so many numbers more, before they are computed and copied; one alone needs no look.
  void require_room(std::size_t more) const {
    if (more == 1) return;
    const double most = affordable_bytes();
    const double bytes = held_ + program_.held() + 2 * sizeof(double) * static_cast<double>(more);
    if (bytes > most)
      throw ExpressionError(
          column_, fmt::format("its arrays and those before it: {:.3g} GiB, expected at most {:.3g} GiB",
                               bytes / kGibibyte, most / kGibibyte));
  }
  Value known(double number) {
    const auto bits = std::bit_cast<std::uint64_t>(number);  // 0 and -0 are two
    const auto before = constants_.find(bits);
    return before != constants_.end() ? before->second : constants_[bits] = known(std::span(&number, 1), {});
  }

  // --- names

  Value symbol(const Expression& expression) {
    const std::string& name = expression.name;
    if (const auto seen = named_.find(name); seen != named_.end()) return seen->second;
    if (const auto input = inputs_.find(name); input != inputs_.end()) return input->second;
    if (const Symbol* symbol = scope_.find(name))
      return named_[name] =
                 symbol->shape.is_number() ? known(symbol->value[0]) : known(symbol->value, symbol->shape);
    if (name == "pi") return known(std::numbers::pi);
    if (name == "inf") return known(std::numeric_limits<double>::infinity());
    if (is_function(name))
      throw ExpressionError(expression.column, fmt::format("{0} is a function: {0}(…)", name));
    std::string there;
    for (const Symbol& symbol : scope_.symbols) there += symbol.name + ", ";
    throw ExpressionError(expression.column, fmt::format("no symbol '{}'; there are {}pi, inf", name, there));
  }
  bool is_function(std::string_view name) const {
    return find_of_one(name) != nullptr || find_of_two(name) != nullptr || find_whole(name) != nullptr ||
           std::ranges::find(scope_.maps, name, &Map::name) != scope_.maps.end();
  }

  // --- steps

  /// A step, unless it was made before; computed at once where all it needs is known.
  Value step(Step step, std::optional<Value> a, std::optional<Value> b) {
    const auto function = step.one != nullptr ? reinterpret_cast<std::uintptr_t>(step.one)
                                              : reinterpret_cast<std::uintptr_t>(step.two);
    const auto key = std::tuple(step.kind, function, a.value_or(0), b.value_or(0), step.component);
    if (const auto before = steps_.find(key); before != steps_.end()) return before->second;
    if (a) step.a = values_[*a];
    if (b) step.b = values_[*b];
    Value made = 0;
    if (step.a.place == Place::known && step.b.place == Place::known) {
      require_room(step.out.shape.size());
      std::vector<double> result(step.out.shape.size());
      Program::run(step, program_.known_.data() + step.a.at, program_.known_.data() + step.b.at,
                   result.data());
      made = step.out.shape.is_number() ? known(result[0]) : known(result, step.out.shape);
    } else {
      step.out.place = Place::scratch;
      step.out.at = program_.scratch_;
      program_.scratch_ += step.out.shape.size();
      made = add(step.out);
      program_.steps_.push_back(step);
    }
    steps_.emplace(key, made);
    return made;
  }
  Value whole_step(Step::Kind kind, const Shape& shape, Value a, std::optional<Value> b = {},
                   std::size_t component = 0) {
    return step({.kind = kind, .component = component, .out = {.shape = shape}}, a, b);
  }

  /// f of every component.
  Value each(const FunctionOfOne& function, Value x) {
    const Value made = step({.kind = Step::Kind::of_one,
                             .one = function.over,
                             .vector_one = function.vector,
                             .out = {.shape = shape(x)}},
                            x, {});
    makers_.try_emplace(made, Maker{x, x, {{x, function.derivative}}});
    return made;
  }
  /// f of every pair of components; a number goes with all of the other's.
  Value each(const FunctionOfTwo& function, Value x, Value y) {
    const Shape of = shape(x).is_number() ? shape(y) : shape(x);
    const Value made = step({.kind = Step::Kind::of_two,
                             .two = function.over,
                             .vector_two = function.vector,
                             .out = {.shape = of}},
                            x, y);
    makers_.try_emplace(made, Maker{x, y, {{x, function.by_x}, {y, function.by_y}}});
    return made;
  }
  Value each(std::string_view sign, Value x, Value y) { return each(*find_of_two(sign), x, y); }

  Value transposed(Value a) {
    const Shape turned{shape(a).columns, shape(a).rows};
    return turned.is_number() ? a : whole_step(Step::Kind::transpose, turned, a);
  }
  Value product(Value a, Value b) {
    if (shape(a).is_number() || shape(b).is_number()) return each(".*", a, b);
    return whole_step(Step::Kind::product, {shape(a).rows, shape(b).columns}, a, b);
  }
  Value power(Value base, Value exponent) {
    if (is_known(exponent) &&
        shape(exponent).is_number()) {  // squares and cubes are products, fast and exact
      const double number = numbers(exponent)[0];
      if (number == 2) return each(".*", base, base);
      if (number == 3) return each(".*", each(".*", base, base), base);
    }
    return each(".^", base, exponent);
  }
  Value summed(Value a) { return shape(a).is_number() ? a : whole_step(Step::Kind::sum, {}, a); }

  // --- calls

  [[noreturn]] static void refuse(const Expression& at, const std::string& why) {
    throw ExpressionError(at.column, why);
  }

  Value call(const Expression& expression) {
    const std::string& name = expression.name;
    if (!scope_.maps.empty()) {
      const auto map = std::ranges::find(scope_.maps, name, &Map::name);
      if (map != scope_.maps.end()) return mapped(*map, expression);
    }
    std::vector<Value> of;
    const FunctionOfOne* one = find_of_one(name);
    const FunctionOfTwo* two = find_of_two(name);
    const WholeFunction* whole = find_whole(name);
    const bool is_sign = name == "*" || name == "/" || name == "^" || name == "'" || name == "[]";
    if (one == nullptr && two == nullptr && whole == nullptr && !is_sign) refuse_function(expression);
    for (const Expression& argument : expression.arguments) of.push_back(this->of(argument));
    column_ = expression.column;
    if (name == "[]") return component(expression, of);
    if (name == "'") return transposed(of[0]);
    if (name == "-" && of.size() == 1) return each(".*", known(-1), of[0]);
    if (is_sign) return operation(expression, of[0], of[1]);
    if (one != nullptr) {
      expect_arguments(expression, 1);
      return each(*one, of[0]);
    }
    if (two != nullptr) {
      expect_arguments(expression, 2);
      return pairwise(expression, *two, of[0], of[1]);
    }
    expect_arguments(expression, whole->arguments);
    return of_whole(expression, whole->what, of);
  }

  [[noreturn]] void refuse_function(const Expression& expression) const {
    const std::string& name = expression.name;
    if (inputs_.contains(name) || scope_.find(name) != nullptr || name == "pi")
      refuse(expression, fmt::format("{0} is no function; a product is {0}*(…)", name));
    std::string there = function_names();
    for (const Map& map : scope_.maps) there += ", " + map.name;
    refuse(expression, fmt::format("no function '{}'; there are {}", name, there));
  }
  static void expect_arguments(const Expression& expression, std::size_t count) {
    if (expression.arguments.size() != count)
      refuse(expression, fmt::format("{}: expected {} argument{}, found {}", expression.name, count,
                                     count == 1 ? "" : "s", expression.arguments.size()));
  }

  /// * / ^
  Value operation(const Expression& expression, Value a, Value b) {
    const Shape left = shape(a), right = shape(b);
    const std::string both = fmt::format("{} {} {}", to_string(left), expression.name, to_string(right));
    if (expression.name == "*") {
      if (left.is_number() || right.is_number() || left.columns == right.rows) return product(a, b);
      const bool vectors = left == right && left.is_vector();
      refuse(expression,
             both + (vectors ? ": expected dot(a, b) for a number, a .* b for the products of components"
                             : ": expected as many columns on the left as rows on the right"));
    }
    if (expression.name == "/") {
      if (right.is_number()) return each("./", a, b);
      refuse(expression,
             both + (right.is_vector() ? ": expected a number to divide by; of components: a ./ b"
                                       : ": expected a number to divide by; of matrices: solve(A, b)"));
    }
    if (left.is_number() && right.is_number()) return power(a, b);
    refuse(expression,
           both + (left.is_vector() ? ": expected numbers; of components: a .^ b"
                                    : ": expected numbers; of components: A .^ b; of matrices: A*A"));
  }

  /// + - > .* ./ .^ min max
  Value pairwise(const Expression& expression, const FunctionOfTwo& function, Value a, Value b) {
    const Shape left = shape(a), right = shape(b);
    const bool with_number = left.is_number() || right.is_number();
    const bool adds = function.name == "+" || function.name == "-";
    if (left != right && !with_number)
      refuse(expression, fmt::format("{} {} {}: expected equal shapes", to_string(left), function.name,
                                     to_string(right)));
    if (left != right && adds && !(left.is_vector() && right.is_vector()))
      refuse(expression, fmt::format("{} {} {}: expected equal shapes; c*I for a multiple of the identity",
                                     to_string(left), function.name, to_string(right)));
    return function.name == ".^" ? power(a, b) : each(function, a, b);
  }

  std::size_t index(const Expression& expression, Value value, std::size_t count) const {
    if (!is_known(value) || !shape(value).is_number()) refuse(expression, "expected a known number as index");
    const double at = numbers(value)[0];
    if (!(at >= 0 && at < static_cast<double>(count) && std::floor(at) == at))
      refuse(expression, fmt::format("index {}: expected an integer from 0 to {}", at, count - 1));
    return static_cast<std::size_t>(at);
  }
  Value component(const Expression& expression, const std::vector<Value>& of) {
    const Shape from = shape(of[0]);
    const std::size_t expected = from.is_vector() ? 1 : 2;
    if (of.size() != expected + 1)
      refuse(expression, fmt::format("{}: expected {}", to_string(from),
                                     expected == 1 ? "one index, v[i]" : "two indices, A[i, j]"));
    const auto& places = expression.arguments;
    const std::size_t at = expected == 1 ? index(places[1], of[1], from.size())
                                         : index(places[1], of[1], from.rows) * from.columns +
                                               index(places[2], of[2], from.columns);
    return from.is_number() ? of[0] : whole_step(Step::Kind::component, {}, of[0], {}, at);
  }

  Value of_whole(const Expression& expression, Whole what, const std::vector<Value>& of) {
    const Shape first = of.empty() ? Shape{} : shape(of[0]);
    const auto expect = [&](bool holds, const std::string& expected) {
      if (!holds)
        refuse(expression,
               fmt::format("{} of a {}: expected {}", expression.name, to_string(first), expected));
    };
    switch (what) {
      case Whole::dot:
        if (!first.is_vector() || !shape(of[1]).is_vector() || first.size() != shape(of[1]).size())
          refuse(expression, fmt::format("dot of a {} and a {}: expected two vectors of equal length",
                                         to_string(first), to_string(shape(of[1]))));
        return dot(of[0], of[1]);
      case Whole::norm:
        expect(first.is_vector(), "a vector");
        return each(*find_of_one("sqrt"), dot(of[0], of[0]));
      case Whole::sum:
        return summed(of[0]);
      case Whole::mean:
        return each("./", summed(of[0]), known(static_cast<double>(first.size())));
      case Whole::trace:
        expect(first.rows == first.columns, "a square matrix");
        return first.is_number() ? of[0] : whole_step(Step::Kind::trace, {}, of[0]);
      case Whole::outer:
        expect(first.columns == 1 && shape(of[1]).columns == 1, "two vectors");
        return product(of[0], transposed(of[1]));
      case Whole::transpose:
        return transposed(of[0]);
      case Whole::inverse:
        return solution(expression, of[0], {});
      case Whole::solve:
        return solution(expression, of[0], of[1]);
      case Whole::basis:
        return basis(expression, of[0]);
    }
    return of[0];
  }

  Value dot(Value a, Value b) {
    const Value row = shape(a).rows == 1 ? a : transposed(a);
    return product(row, shape(b).columns == 1 ? b : transposed(b));
  }

  /// A⁻¹b, or A⁻¹ alone; where b comes with the sample, by the inverse.
  Value solution(const Expression& expression, Value a, std::optional<Value> b) {
    const Shape square = shape(a);
    const std::size_t n = square.rows;
    if (square.rows != square.columns)
      refuse(expression,
             fmt::format("{} of a {}: expected a square matrix", expression.name, to_string(square)));
    if (!is_known(a))
      refuse(expression,
             fmt::format("{}: expected a matrix that is the same for all samples", expression.name));
    if (b && shape(*b).rows != n)
      refuse(expression, fmt::format("solve of a {} and a {}: expected as many rows", to_string(square),
                                     to_string(shape(*b))));
    const bool at_once = b && is_known(*b);
    std::vector<double> right;
    if (at_once) {
      right.assign(numbers(*b).begin(), numbers(*b).end());
    } else {
      right.resize(n * n);
      for (std::size_t i = 0; i < n; ++i) right[i * n + i] = 1;
    }
    const std::vector<double> result =
        solved({numbers(a).begin(), numbers(a).end()}, std::move(right), at_once ? shape(*b).columns : n);
    if (result.empty()) refuse(expression, fmt::format("{}: the matrix is singular", expression.name));
    const Value made = known(result, at_once ? shape(*b) : square);
    return b && !at_once ? product(made, *b) : made;
  }

  Value basis(const Expression& expression, Value i) {
    const Symbol* sites = scope_.find("n");
    if (sites == nullptr || sites->value.empty())
      refuse(expression, "e(i): expected a symbol n, the length of the vector");
    std::vector<double> unit(static_cast<std::size_t>(sites->value[0]));
    unit[index(expression.arguments[0], i, unit.size())] = 1;
    return known(unit, {unit.size(), 1});
  }

  Value mapped(const Map& map, const Expression& expression) {
    expect_arguments(expression, 1);
    const Value argument = of(expression.arguments[0]);
    if (!is_known(argument) || shape(argument) != Shape{map.length, 1})
      refuse(expression, fmt::format("{} of a {}: expected a vector of {} that is the same for all samples",
                                     map.name, to_string(shape(argument)), map.length));
    return known(map.apply(numbers(argument)), shape(argument));
  }

  // --- derivatives

  /// How a value came about: its arguments, and the partial derivatives as formulas of them and of itself, f.
  struct Maker {
    Value x = 0, y = 0;
    std::vector<std::pair<Value, std::string_view>> partials;
  };

  Value by_rule(std::string_view rule, const Maker& maker, Value f) {
    const auto outside = std::exchange(named_, {{"x", maker.x}, {"y", maker.y}, {"f", f}});
    const Value made = of(parse(rule));
    named_ = outside;
    return made;
  }
  /// Products with 0 and 1 and sums with nothing are left out.
  std::optional<Value> multiplied(Value rule, Value tangent) {
    if (is_known(rule) && numbers(rule)[0] == 0) return std::nullopt;
    if (is_known(rule) && numbers(rule)[0] == 1) return tangent;
    if (is_known(tangent) && numbers(tangent)[0] == 1) return rule;
    return each(".*", rule, tangent);
  }
  std::optional<Value> added(std::optional<Value> a, std::optional<Value> b) {
    return a && b ? each("+", *a, *b) : a ? a : b;
  }

  const Scope& scope_;
  double held_;             ///< bytes, by the scope
  std::size_t column_ = 1;  ///< of the call that is at hand
  Program program_;
  std::vector<Operand> values_;
  std::map<std::string, Value> inputs_;
  std::map<std::string, Value> named_;        ///< symbols that are known and were used
  std::map<std::uint64_t, Value> constants_;  ///< by their bits
  std::map<std::tuple<Step::Kind, std::uintptr_t, Value, Value, std::size_t>, Value> steps_;
  std::map<Value, Maker> makers_;
};

std::span<const double> Program::value() const {
  SLUICE_ASSERT(known());
  return std::span(known_).subspan(outputs_.front().at, shape().size());
}

std::optional<double> Program::known_number(std::size_t output) const {
  const Operand& operand = outputs_[output];
  if (operand.place != Place::known || !operand.shape.is_number()) return std::nullopt;
  return known_[operand.at];
}

namespace {

/// Small and dense; a vector on the right is one sum for each row.
void plain_product(const double* a, const Shape& left, const double* b, const Shape& right, double* out) {
  for (std::size_t i = 0; i < left.rows; ++i, a += left.columns, out += right.columns) {
    if (right.columns == 1) {
      *out = std::inner_product(a, a + left.columns, b, 0.0);
      continue;
    }
    std::fill_n(out, right.columns, 0.0);
    for (std::size_t k = 0; k < left.columns; ++k)
      for (std::size_t j = 0; j < right.columns; ++j) out[j] += a[k] * b[k * right.columns + j];
  }
}

}  // namespace

void Program::run(const Step& step, const double* a, const double* b, double* out) {
  const Shape& of = step.a.shape;
  switch (step.kind) {
    case Step::Kind::of_one:
      step.one(a, out, of.size());
      break;
    case Step::Kind::of_two:
      step.two(a, of.is_number() ? 0 : 1, b, step.b.shape.is_number() ? 0 : 1, out, step.out.shape.size());
      break;
    case Step::Kind::product:
      plain_product(a, of, b, step.b.shape, out);
      break;
    case Step::Kind::transpose:
      for (std::size_t i = 0; i < of.rows; ++i)
        for (std::size_t j = 0; j < of.columns; ++j) out[j * of.rows + i] = a[i * of.columns + j];
      break;
    case Step::Kind::component:
      *out = a[step.component];
      break;
    case Step::Kind::sum:
      *out = 0;
      for (std::size_t i = 0; i < of.size(); ++i) *out += a[i];
      break;
    case Step::Kind::trace:
      *out = 0;
      for (std::size_t i = 0; i < of.rows; ++i) *out += a[i * of.columns + i];
      break;
  }
}

void Program::evaluate(std::span<const std::span<const double>> inputs, std::span<double> scratch,
                       std::span<double> out) const {
  SLUICE_ASSERT(scratch.size() >= scratch_);
  const auto at = [&](const Operand& operand) {
    switch (operand.place) {
      case Place::known:
        return known_.data() + operand.at;
      case Place::input:
        return inputs[operand.at].data();
      case Place::scratch:
        break;
    }
    return static_cast<const double*>(scratch.data() + operand.at);
  };
  for (const Step& step : steps_) run(step, at(step.a), at(step.b), scratch.data() + step.out.at);
  std::size_t written = 0;
  for (const Operand& output : outputs_) {
    SLUICE_ASSERT(out.size() >= written + output.shape.size());
    std::copy_n(at(output), output.shape.size(), out.begin() + static_cast<std::ptrdiff_t>(written));
    written += output.shape.size();
  }
}

template <class Real, class Run>
void Program::over_lanes(std::span<const Real> known, std::span<const std::span<const Real>> inputs,
                         std::span<Real> scratch, std::span<const std::span<Real>> outputs,
                         const Run& run) const {
  SLUICE_ASSERT(of_numbers_ && scratch.size() >= kLanes * scratch_ && outputs.size() == outputs_.size());
  const std::size_t length = outputs[0].size();
  for (std::size_t first = 0; first < length; first += kLanes) {
    const std::size_t lanes = std::min(kLanes, length - first);
    const auto at = [&](const Operand& operand) {
      switch (operand.place) {
        case Place::known:
          return known.data() + operand.at;
        case Place::input:
          return inputs[operand.at].data() + first;
        case Place::scratch:
          break;
      }
      return static_cast<const Real*>(scratch.data() + operand.at * kLanes);
    };
    const auto stride = [](const Operand& operand) {
      return operand.place == Place::known ? std::size_t{0} : std::size_t{1};
    };
    for (const Step& step : steps_)
      run(step, at(step.a), stride(step.a), at(step.b), stride(step.b), scratch.data() + step.out.at * kLanes,
          lanes);
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      Real* out = outputs[i].data() + first;
      if (stride(outputs_[i]) == 0) {
        std::fill_n(out, lanes, *at(outputs_[i]));
      } else {
        std::copy_n(at(outputs_[i]), lanes, out);
      }
    }
  }
}

void Program::evaluate_arrays(std::span<const std::span<const double>> inputs, std::span<double> scratch,
                              std::span<const std::span<double>> outputs) const {
  over_lanes<double>(known_, inputs, scratch, outputs,
                     [](const Step& step, const double* a, std::size_t step_a, const double* b,
                        std::size_t step_b, double* out, std::size_t lanes) {
                       if (step.kind == Step::Kind::of_one)
                         step.one(a, out, lanes);
                       else
                         step.two(a, step_a, b, step_b, out, lanes);
                     });
}

void Program::evaluate_floats(std::span<const std::span<const float>> inputs, std::span<float> scratch,
                              std::span<const std::span<float>> outputs) const {
  over_lanes<float>(known_floats_, inputs, scratch, outputs,
                    [](const Step& step, const float* a, std::size_t step_a, const float* b,
                       std::size_t step_b, float* out, std::size_t lanes) {
                      if (step.kind == Step::Kind::of_one)
                        over_floats(step.vector_one, a, out, lanes);
                      else
                        over_floats(step.vector_two, a, step_a, b, step_b, out, lanes);
                    });
}

Program compile(const Expression& expression, const Scope& scope) {
  ProgramBuilder builder(scope);
  const auto value = builder.of(expression);
  return std::move(builder).finish({value});
}

Program compile_with_slope(const Expression& expression, const std::string& variable) {
  const Scope scope{.symbols = {{.name = variable}}};
  ProgramBuilder builder(scope);
  const auto value = builder.of(expression);
  const auto slope = builder.slope(value, variable);
  return std::move(builder).finish({value, slope});
}

}  // namespace sluice::math
