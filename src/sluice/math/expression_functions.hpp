/// What formulas may call: functions of one or two numbers, which act on every component of vectors and matrices, the operators among
/// them, and functions of vectors and matrices as a whole. Adding one of numbers is a line in expression_functions.cpp, with its
/// derivatives as formulas; docs/reference/expressions.md is printed from these tables (expression_reference.hpp).
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "sluice/math/expression_vectors.hpp"

namespace sluice::math {

/// f(x) over an array.
using OverOne = void (*)(const double* x, double* out, std::size_t count);
/// f(x, y) over arrays; a step of 0 takes the first number of an array again and again.
using OverTwo = void (*)(const double* x, std::size_t step_x, const double* y, std::size_t step_y,
                         double* out, std::size_t count);

struct FunctionOfOne {
  std::string_view name;
  OverOne over;
  VectorOfOne vector;           ///< the same over floats
  std::string_view derivative;  ///< in x and f = f(x)
  std::string_view meaning;
};
struct FunctionOfTwo {
  std::string_view name;  ///< or the sign of an operator
  OverTwo over;
  VectorOfTwo vector;     ///< the same over floats
  std::string_view by_x;  ///< ∂f/∂x in x, y and f
  std::string_view by_y;
  std::string_view meaning;
};

/// Functions whose result has another shape than their arguments.
enum class Whole { dot, norm, sum, mean, trace, outer, transpose, inverse, solve, basis };
struct WholeFunction {
  std::string_view name;
  Whole what;
  std::size_t arguments;
  std::string_view form;  ///< "dot(v, w)"
  std::string_view meaning;
};

std::span<const FunctionOfOne> functions_of_one();
std::span<const FunctionOfTwo> functions_of_two();
std::span<const WholeFunction> whole_functions();
const FunctionOfOne* find_of_one(std::string_view name);
const FunctionOfTwo* find_of_two(std::string_view name);
const WholeFunction* find_whole(std::string_view name);

/// "abs, arccos, …": what can be written before a bracket.
std::string function_names();

}  // namespace sluice::math
