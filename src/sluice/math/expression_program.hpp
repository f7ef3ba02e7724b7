/// A formula made ready to be evaluated many times: names are looked up and shapes checked once, what is known is computed once, and
/// what is left is a flat list of steps over arrays, equal ones only once. Evaluating allocates nothing.
///
///   const Program f = compile(parse("step(dot(w, x))*x"), scope);          // of samples x, one after the other
///   const Program s = compile_with_slope(parse("h*erf(h)"), "h");          // σ(h) and σ'(h), of arrays
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sluice/math/expression.hpp"
#include "sluice/math/expression_functions.hpp"

namespace sluice::math {

/// Numbers are 1 × 1, vectors n × 1; stored row by row.
struct Shape {
  std::size_t rows = 1;
  std::size_t columns = 1;

  std::size_t size() const { return rows * columns; }
  bool is_number() const { return size() == 1; }
  bool is_vector() const { return columns == 1 || rows == 1; }
  bool operator==(const Shape&) const = default;
};
/// "number", "vector of 16", "row of 16", "matrix 16×16"
std::string to_string(const Shape& shape);

/// A name of a formula: known, or an input whose values come with each evaluation, in the order of the inputs in their scope.
struct Symbol {
  std::string name;
  Shape shape = {};
  std::vector<double> value = {};  ///< empty: an input
};
/// A function of vectors that the language does not have itself, of known arguments alone.
struct Map {
  std::string name;
  std::size_t length;  ///< of its argument and of its value
  std::function<std::vector<double>(std::span<const double>)> apply;
};
struct Scope {
  std::vector<Symbol> symbols = {};  ///< beside pi and inf; e(i) reads n
  std::vector<Map> maps = {};
  double held = 0;  ///< bytes that formulas made before still have, beside the symbols

  const Symbol* find(std::string_view name) const;
};

class Program {
 public:
  const Shape& shape() const { return outputs_.front().shape; }
  /// Whether it depends on no input, and what it then is.
  bool known() const { return outputs_.front().place == Place::known; }
  std::span<const double> value() const;
  /// What one of its outputs is, a number, where it depends on no input.
  std::optional<double> known_number(std::size_t output) const;

  /// Bytes of what is known in it.
  double held() const { return static_cast<double>(known_.size()) * (sizeof(double) + sizeof(float)); }

  std::size_t scratch_size() const { return scratch_; }
  /// Of one value of every input. `scratch` has scratch_size() numbers, `out` as many as shape() has.
  void evaluate(std::span<const std::span<const double>> inputs, std::span<double> scratch,
                std::span<double> out) const;

  /// Whether everything in it is a number; it can then be evaluated over arrays of each input, kLanes numbers at a time.
  bool of_numbers() const { return of_numbers_; }
  static constexpr std::size_t kLanes = 256;
  /// Arrays of equal length, one for each input and each output; `scratch` has kLanes * scratch_size() numbers.
  void evaluate_arrays(std::span<const std::span<const double>> inputs, std::span<double> scratch,
                       std::span<const std::span<double>> outputs) const;
  /// The same in float and in vector code; lengths are multiples of kWidestVector (lanes.hpp).
  void evaluate_floats(std::span<const std::span<const float>> inputs, std::span<float> scratch,
                       std::span<const std::span<float>> outputs) const;

 private:
  friend class ProgramBuilder;

  enum class Place { known, input, scratch };
  struct Operand {
    Place place = Place::known;
    std::size_t at = 0;  ///< offset among the known numbers or in the scratch; number of the input
    Shape shape = {};
  };
  struct Step {
    enum class Kind { of_one, of_two, product, transpose, component, sum, trace };

    Kind kind = Kind::of_one;
    OverOne one = nullptr;
    OverTwo two = nullptr;
    VectorOfOne vector_one = {};
    VectorOfTwo vector_two = {};
    Operand a = {}, b = {};
    std::size_t component = 0;
    Operand out = {};
  };
  static void run(const Step& step, const double* a, const double* b, double* out);

  /// What evaluate_arrays() and evaluate_floats() have in common.
  template <class Real, class Run>
  void over_lanes(std::span<const Real> known, std::span<const std::span<const Real>> inputs,
                  std::span<Real> scratch, std::span<const std::span<Real>> outputs, const Run& run) const;

  std::vector<double> known_;
  std::vector<float> known_floats_;
  std::vector<Step> steps_;
  std::vector<Operand> outputs_;
  std::size_t scratch_ = 0;
  bool of_numbers_ = true;
};

/// Throws ExpressionError: names that are not there, shapes that do not fit, a matrix that has no inverse, arrays that memory has no room for beside those of the scope.
Program compile(const Expression& expression, const Scope& scope);

/// A formula of one variable, a number, with its derivative as the second output.
Program compile_with_slope(const Expression& expression, const std::string& variable);

}  // namespace sluice::math
