#include "sluice/math/expression_functions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <numbers>
#include <vector>

namespace sluice::math {
namespace {

template <double (*f)(double)>
void over_one(const double* x, double* out, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) out[i] = f(x[i]);
}

template <double (*f)(double, double)>
void over_two(const double* x, std::size_t step_x, const double* y, std::size_t step_y, double* out,
              std::size_t count) {
  if (step_x == 1 && step_y == 1) {  // each case a plain loop, for the compiler's vectors
    for (std::size_t i = 0; i < count; ++i) out[i] = f(x[i], y[i]);
  } else if (step_x == 1) {
    for (std::size_t i = 0; i < count; ++i) out[i] = f(x[i], *y);
  } else if (step_y == 1) {
    for (std::size_t i = 0; i < count; ++i) out[i] = f(*x, y[i]);
  } else {
    std::fill_n(out, count, f(*x, *y));
  }
}

/// 1(x > 0), open by half at a tie (J.2) and not a number where x is none.
double step_of(double x) { return x > 0 ? 1.0 : x < 0 ? 0.0 : x == 0 ? 0.5 : x; }
double relu_of(double x) { return x < 0 ? 0.0 : x; }
double sign_of(double x) { return x > 0 ? 1.0 : x < 0 ? -1.0 : x; }
double normal_below(double x) { return std::erfc(-x / std::numbers::sqrt2) / 2; }

double plus(double x, double y) { return x + y; }
double minus(double x, double y) { return x - y; }
double times(double x, double y) { return x * y; }
double divided(double x, double y) { return x / y; }
double above(double x, double y) { return x > y ? 1.0 : x < y ? 0.0 : x == y ? 0.5 : x - y; }
double larger(double x, double y) { return x < y ? y : x; }
double smaller(double x, double y) { return y < x ? y : x; }

constexpr std::array kOfOne{
    FunctionOfOne{"abs", over_one<std::abs>, VectorOfOne::abs, "sgn(x)", "|x|"},
    FunctionOfOne{"arccos", over_one<std::acos>, VectorOfOne::arccos, "-1/sqrt(1 - x^2)", "also acos"},
    FunctionOfOne{"arcsin", over_one<std::asin>, VectorOfOne::arcsin, "1/sqrt(1 - x^2)", "also asin"},
    FunctionOfOne{"arctan", over_one<std::atan>, VectorOfOne::arctan, "1/(1 + x^2)", "also atan"},
    FunctionOfOne{"cos", over_one<std::cos>, VectorOfOne::cos, "-sin(x)", "cosine"},
    FunctionOfOne{"cosh", over_one<std::cosh>, VectorOfOne::cosh, "sinh(x)", "hyperbolic cosine"},
    FunctionOfOne{"erf", over_one<std::erf>, VectorOfOne::erf, "2/sqrt(pi)*exp(-x^2)",
                  "(2/√π) ∫₀ˣ exp(−t²) dt"},
    FunctionOfOne{"erfc", over_one<std::erfc>, VectorOfOne::erfc, "-2/sqrt(pi)*exp(-x^2)", "1 − erf x"},
    FunctionOfOne{"exp", over_one<std::exp>, VectorOfOne::exp, "f", "exponential"},
    FunctionOfOne{"log", over_one<std::log>, VectorOfOne::log, "1/x", "natural logarithm"},
    FunctionOfOne{"Phi", over_one<normal_below>, VectorOfOne::normal_below, "exp(-x^2/2)/sqrt(2*pi)",
                  "P(Z ≤ x) of a standard normal Z"},
    FunctionOfOne{"relu", over_one<relu_of>, VectorOfOne::relu, "step(x)", "max(x, 0)"},
    FunctionOfOne{"sgn", over_one<sign_of>, VectorOfOne::sgn, "0", "−1, 0 or 1"},
    FunctionOfOne{"sin", over_one<std::sin>, VectorOfOne::sin, "cos(x)", "sine"},
    FunctionOfOne{"sinh", over_one<std::sinh>, VectorOfOne::sinh, "cosh(x)", "hyperbolic sine"},
    FunctionOfOne{"sqrt", over_one<std::sqrt>, VectorOfOne::sqrt, "1/(2*f)", "√x"},
    FunctionOfOne{"step", over_one<step_of>, VectorOfOne::step, "0", "1(x > 0): 1, 0, and ½ at x = 0"},
    FunctionOfOne{"tan", over_one<std::tan>, VectorOfOne::tan, "1 + f^2", "tangent"},
    FunctionOfOne{"tanh", over_one<std::tanh>, VectorOfOne::tanh, "1 - f^2", "hyperbolic tangent"},
};

constexpr std::array kOfTwo{
    FunctionOfTwo{"+", over_two<plus>, VectorOfTwo::plus, "1", "1", "sum"},
    FunctionOfTwo{"-", over_two<minus>, VectorOfTwo::minus, "1", "-1", "difference"},
    FunctionOfTwo{".*", over_two<times>, VectorOfTwo::times, "y", "x", "product"},
    FunctionOfTwo{"./", over_two<divided>, VectorOfTwo::divided, "1/y", "-f/y", "quotient"},
    FunctionOfTwo{".^", over_two<std::pow>, VectorOfTwo::power, "y*x^(y - 1)", "f*log(x)", "power"},
    FunctionOfTwo{">", over_two<above>, VectorOfTwo::above, "0", "0", "1, 0, and ½ at a tie"},
    FunctionOfTwo{"max", over_two<larger>, VectorOfTwo::larger, "step(x - y)", "step(y - x)", "the larger"},
    FunctionOfTwo{"min", over_two<smaller>, VectorOfTwo::smaller, "step(y - x)", "step(x - y)",
                  "the smaller"},
};

constexpr std::array kWhole{
    WholeFunction{"dot", Whole::dot, 2, "dot(v, w)", "Σ_i v_i w_i; also ⟨v, w⟩ and v'*w"},
    WholeFunction{"norm", Whole::norm, 1, "norm(v)", "√Σ_i v_i²; also ‖v‖"},
    WholeFunction{"sum", Whole::sum, 1, "sum(v)", "of all components"},
    WholeFunction{"mean", Whole::mean, 1, "mean(v)", "of all components"},
    WholeFunction{"trace", Whole::trace, 1, "trace(A)", "Σ_i A_ii"},
    WholeFunction{"outer", Whole::outer, 2, "outer(v, w)", "v w'; also v*w'"},
    WholeFunction{"transpose", Whole::transpose, 1, "transpose(A)", "A'"},
    WholeFunction{"inv", Whole::inverse, 1, "inv(A)", "A⁻¹, of a matrix that does not depend on the sample"},
    WholeFunction{"solve", Whole::solve, 2, "solve(A, b)", "A⁻¹b, likewise"},
    WholeFunction{"e", Whole::basis, 1, "e(i)", "the i-th of the n basis vectors, from 0"},
};

template <class Table>
auto find_in(const Table& table, std::string_view name) -> decltype(table.data()) {
  const auto found = std::ranges::find(table, name, &Table::value_type::name);
  return found == table.end() ? nullptr : &*found;
}

}  // namespace

std::span<const FunctionOfOne> functions_of_one() { return kOfOne; }
std::span<const FunctionOfTwo> functions_of_two() { return kOfTwo; }
std::span<const WholeFunction> whole_functions() { return kWhole; }

const FunctionOfOne* find_of_one(std::string_view name) {
  if (name == "acos" || name == "asin" || name == "atan")
    return find_in(kOfOne, fmt::format("arc{}", name.substr(1)));
  return find_in(kOfOne, name);
}
const FunctionOfTwo* find_of_two(std::string_view name) { return find_in(kOfTwo, name); }
const WholeFunction* find_whole(std::string_view name) { return find_in(kWhole, name); }

std::string function_names() {
  std::vector<std::string_view> names;
  for (const FunctionOfOne& each : kOfOne) names.push_back(each.name);
  for (const FunctionOfTwo& each : kOfTwo)
    if (std::isalpha(static_cast<unsigned char>(each.name[0])) != 0) names.push_back(each.name);
  for (const WholeFunction& each : kWhole) names.push_back(each.name);
  std::ranges::sort(names);
  std::string text;
  for (const std::string_view name : names) text += (text.empty() ? "" : ", ") + std::string(name);
  return text;
}

}  // namespace sluice::math
