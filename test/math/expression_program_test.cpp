/// Formulas evaluated: against C++, against Eigen, derivatives against differences and exact rules; shapes and names that are refused.
#include "sluice/math/expression_program.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <Eigen/Dense>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>

#include "sluice/math/linear_system.hpp"

namespace sluice::math {
namespace {

constexpr std::size_t kLength = 5;
using EigenMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// Numbers a, b; vectors w, v; a symmetric matrix C and another, A; a sample x and a number t that come later.
struct Trial {
  double a = 0.7, b = -1.3;
  Eigen::VectorXd w{{0.3, -1.1, 0.8, 2.0, -0.4}}, v{{1.5, 0.2, -0.6, 0.9, 0.1}},
      x{{-0.2, 0.7, 1.3, -2.1, 0.5}};
  double t = 0.35;
  EigenMatrix A = EigenMatrix::NullaryExpr(
      kLength, kLength, [](auto i, auto j) { return std::sin(1.7 * double(i * j) + double(i) + 0.5); });
  EigenMatrix C = A * A.transpose() + 2 * EigenMatrix::Identity(kLength, kLength);

  Scope scope() const {
    const auto numbers = [](const auto& values) {
      return std::vector<double>(values.data(), values.data() + values.size());
    };
    return {.symbols = {{.name = "x", .shape = {kLength, 1}},
                        {.name = "t"},
                        {.name = "n", .value = {double(kLength)}},
                        {.name = "a", .value = {a}},
                        {.name = "b", .value = {b}},
                        {.name = "w", .shape = {kLength, 1}, .value = numbers(w)},
                        {.name = "v", .shape = {kLength, 1}, .value = numbers(v)},
                        {.name = "A", .shape = {kLength, kLength}, .value = numbers(A)},
                        {.name = "C", .shape = {kLength, kLength}, .value = numbers(C)},
                        {.name = "u", .shape = {3, 1}, .value = {1, 2, 3}}},
            .maps = {{.name = "twice", .length = kLength, .apply = [](std::span<const double> from) {
                        std::vector<double> to(from.begin(), from.end());
                        for (double& each : to) each *= 2;
                        return to;
                      }}}};
  }
  std::vector<double> evaluate(const Program& program) const {
    std::vector<double> scratch(program.scratch_size()), out(program.shape().size());
    const std::array<std::span<const double>, 2> inputs{std::span(x.data(), kLength), std::span(&t, 1)};
    program.evaluate(inputs, scratch, out);
    return out;
  }
  std::vector<double> operator()(const std::string& text) const {
    return evaluate(compile(parse(text), scope()));
  }
};

TEST(ExpressionProgram, NumbersAreThoseOfCpp) {
  using std::numbers::pi;
  const Trial trial;
  const auto [a, b, t] = std::tuple(trial.a, trial.b, trial.t);
  const std::vector<std::pair<std::string, double>> all{
      {"2 + 3*4", 14},
      {"2^3^2", 512},
      {"-2^2", -4},
      {"2^-1", 0.5},
      {"7 - 2 - 1", 4},
      {"8/4/2", 1},
      {"pi", pi},
      {"-inf", -std::numeric_limits<double>::infinity()},
      {"a*b - a/b", a * b - a / b},
      {"a^b", std::pow(a, b)},
      {"t^2", t * t},
      {"t^3", t * t * t},
      {"t^2.5", std::pow(t, 2.5)},
      {"abs(b)", 1.3},
      {"sqrt(a)", std::sqrt(a)},
      {"exp(b)", std::exp(b)},
      {"log(t)", std::log(t)},
      {"sin(a) + cos(b) - tan(t)", std::sin(a) + std::cos(b) - std::tan(t)},
      {"sinh(a)*cosh(b)*tanh(t)", std::sinh(a) * std::cosh(b) * std::tanh(t)},
      {"arcsin(t) + asin(t)", 2 * std::asin(t)},
      {"arccos(t) + acos(t)", 2 * std::acos(t)},
      {"arctan(b) + atan(b)", 2 * std::atan(b)},
      {"erf(a) + erfc(a)", 1},
      {"erf(t)", std::erf(t)},
      {"Phi(0)", 0.5},
      {"Phi(t)", 0.5 * (1 + std::erf(t / std::numbers::sqrt2))},
      {"relu(a) + relu(b)", a},
      {"sgn(b) + sgn(0) + 2*sgn(a)", 1},
      {"step(a) + step(b)", 1},
      {"step(0)", 0.5},
      {"1(a > b)", 1},
      {"1(a < b)", 0},
      {"1(t >= t)", 0.5},
      {"(t > 0)*(t < 1)", 1},
      {"min(a, b) + 10*max(a, b)", b + 10 * a},
      {"2·π − √4", 2 * pi - 2},
      {"sum(t) + mean(t) + trace(t) + norm(t) + t' + t[0]", 6 * t},
      {"n", 5},
  };
  for (const auto& [text, value] : all) {
    const std::vector<double> found = trial(text);
    ASSERT_EQ(found.size(), 1U) << text;
    if (std::isinf(value)) {
      EXPECT_EQ(found[0], value) << text;
    } else {
      EXPECT_NEAR(found[0], value, 16e-16 * std::max(1.0, std::abs(value))) << text;  // a few roundings
    }
  }
  EXPECT_TRUE(std::isnan(trial("log(-1)")[0]));
  EXPECT_TRUE(std::isnan(trial("step(0/0)")[0]));
  EXPECT_TRUE(std::isnan(trial("1(0/0 > 1)")[0]));
  EXPECT_TRUE(std::isnan(trial("relu(0/0)")[0]));
}

TEST(ExpressionProgram, VectorsAndMatricesAreThoseOfEigen) {
  using std::numbers::pi;
  const Trial trial;
  const auto& [a, b, w, v, x, t, A, C] = trial;
  const EigenMatrix one = EigenMatrix::Identity(kLength, kLength);
  const auto number = [](double value) { return EigenMatrix::Constant(1, 1, value); };
  const std::vector<std::pair<std::string, EigenMatrix>> all{
      {"a*w + v/b - w", a * w + v / b - w},
      {"w + 1", w.array() + 1},
      {"1 - x", 1 - x.array()},
      {"w .* v", w.cwiseProduct(v)},
      {"w ./ v", w.cwiseQuotient(v)},
      {"1 ./ v", v.cwiseInverse()},
      {"x.^2", x.cwiseProduct(x)},
      {"abs(x).^1.5", x.cwiseAbs().array().pow(1.5)},
      {"exp(x)", x.array().exp()},
      {"step(x)", x.unaryExpr([](double s) { return s > 0 ? 1.0 : 0.0; })},
      {"x > 0", x.unaryExpr([](double s) { return s > 0 ? 1.0 : 0.0; })},
      {"max(x, w)", x.cwiseMax(w)},
      {"C*w", C * w},
      {"A*x", A * x},
      {"A'*x", A.transpose() * x},
      {"w'*A*x", number(w.dot(A * x))},
      {"dot(w, A*x)", number(w.dot(A * x))},
      {"dot(w', x)", number(w.dot(x))},
      {"⟨w, x⟩", number(w.dot(x))},
      {"norm(x)", number(x.norm())},
      {"‖w − v‖²", number((w - v).squaredNorm())},
      {"A*C", A * C},
      {"A*C*A'", A * C * A.transpose()},
      {"A + C", A + C},
      {"A .* C", A.cwiseProduct(C)},
      {"arcsin(A)", A.array().asin()},
      {"sum(x)", number(x.sum())},
      {"sum(A)", number(A.sum())},
      {"mean(x)", number(x.mean())},
      {"trace(A)", number(A.trace())},
      {"outer(x, w)", x * w.transpose()},
      {"x*w'", x * w.transpose()},
      {"outer(x, x)*v", x * x.dot(v)},
      {"transpose(A)", A.transpose()},
      {"inv(C)*C", one},
      {"inv(A)", A.inverse()},
      {"solve(C, w)", C.llt().solve(w)},
      {"solve(C, x)", C.llt().solve(x)},
      {"solve(C, A)", C.llt().solve(A)},
      {"x[1]", number(x[1])},
      {"w[n - 1]", number(w[4])},
      {"(A*x)[2]", number((A * x)[2])},
      {"A[1, 3]", number(A(1, 3))},
      {"w'[2]", number(w[2])},
      {"e(2)", one.col(2)},
      {"e(0) + e(n - 1)", one.col(0) + one.col(4)},
      {"twice(w)", 2 * w},
      {"step(dot(w,x))*x", (w.dot(x) > 0 ? 1.0 : 0.0) * x},
      {"C*w/sqrt(2*pi*dot(w, C*w))", C * w / std::sqrt(2 * pi * w.dot(C * w))},
      {"t*x", t * x},
      {"-x", -x},
      {"x'", x.transpose()},
  };
  for (const auto& [text, expected] : all) {
    const Program program = compile(parse(text), trial.scope());
    ASSERT_EQ(program.shape(), (Shape{std::size_t(expected.rows()), std::size_t(expected.cols())})) << text;
    const std::vector<double> found = trial.evaluate(program);
    const double scale = expected.cwiseAbs().maxCoeff() + 1;
    // Condition numbers here are below 100, sums have at most 25 terms.
    for (std::size_t c = 0; c < found.size(); ++c)
      EXPECT_NEAR(found[c], expected.data()[c], 1e-13 * scale) << text;
    EXPECT_EQ(program.known(), text.find_first_of("xt") == std::string::npos || program.scratch_size() == 0)
        << text;
  }
}

TEST(ExpressionProgram, WhatIsKnownIsComputedOnceAndEqualStepsAreOne) {
  const Trial trial;
  const auto scratch = [&](const std::string& text) {
    return compile(parse(text), trial.scope()).scratch_size();
  };
  EXPECT_EQ(scratch("C*w/sqrt(2*pi*dot(w, C*w))"), 0U);
  EXPECT_EQ(scratch("dot(C*w, x)"), 1U);
  EXPECT_EQ(scratch("exp(t) + exp(t)"), 2U) << "exp(t), and the sum";
  // erf(h), h·erf(h); h², −h², exp(−h²), 2/√π·exp, h·that, the sum
  EXPECT_EQ(compile_with_slope(parse("h*erf(h)"), "h").scratch_size(), 8U);
}

TEST(ExpressionProgram, WrongNamesAndShapesAreRefusedInOneLine) {
  const Trial trial;
  const std::vector<std::pair<std::string, std::string>> all{
      {"w + z", "column 5: no symbol 'z'; there are x, t, n, a, b, w, v, A, C, u, pi, inf"},
      {"2*dot", "column 3: dot is a function: dot(…)"},
      {"w(x)", "column 1: w is no function; a product is w*(…)"},
      {"pi(x)", "column 1: pi is no function; a product is pi*(…)"},
      {"srqt(2)",
       "column 1: no function 'srqt'; there are Phi, abs, arccos, arcsin, arctan, cos, cosh, dot, e, erf, "
       "erfc, exp, inv, log, "
       "max, mean, min, norm, outer, relu, sgn, sin, sinh, solve, sqrt, step, sum, tan, tanh, trace, "
       "transpose, twice"},
      {"sqrt(a, b)", "column 1: sqrt: expected 1 argument, found 2"},
      {"dot(w)", "column 1: dot: expected 2 arguments, found 1"},
      {"max()", "column 1: max: expected 2 arguments, found 0"},
      {"w*v",
       "column 2: vector of 5 * vector of 5: expected dot(a, b) for a number, a .* b for the products of "
       "components"},
      {"w'*v'",
       "column 3: row of 5 * row of 5: expected dot(a, b) for a number, a .* b for the products of "
       "components"},
      {"C*u",
       "column 2: matrix 5×5 * vector of 3: expected as many columns on the left as rows on the right"},
      {"w + u", "column 3: vector of 5 + vector of 3: expected equal shapes"},
      {"w + w'", "column 3: vector of 5 + row of 5: expected equal shapes"},
      {"C - 1", "column 3: matrix 5×5 - number: expected equal shapes; c*I for a multiple of the identity"},
      {"w .* C", "column 3: vector of 5 .* matrix 5×5: expected equal shapes"},
      {"1/w", "column 2: number / vector of 5: expected a number to divide by; of components: a ./ b"},
      {"w/C", "column 2: vector of 5 / matrix 5×5: expected a number to divide by; of matrices: solve(A, b)"},
      {"w^2", "column 2: vector of 5 ^ number: expected numbers; of components: a .^ b"},
      {"C^2", "column 2: matrix 5×5 ^ number: expected numbers; of components: A .^ b; of matrices: A*A"},
      {"dot(w, u)", "column 1: dot of a vector of 5 and a vector of 3: expected two vectors of equal length"},
      {"dot(w, C)", "column 1: dot of a vector of 5 and a matrix 5×5: expected two vectors of equal length"},
      {"norm(C)", "column 1: norm of a matrix 5×5: expected a vector"},
      {"trace(w)", "column 1: trace of a vector of 5: expected a square matrix"},
      {"outer(C, w)", "column 1: outer of a matrix 5×5: expected two vectors"},
      {"inv(w)", "column 1: inv of a vector of 5: expected a square matrix"},
      {"inv(outer(w, w))", "column 1: inv: the matrix is singular"},
      {"inv(outer(x, x) + C)", "column 1: inv: expected a matrix that is the same for all samples"},
      {"solve(C, u)", "column 1: solve of a matrix 5×5 and a vector of 3: expected as many rows"},
      {"w[5]", "column 3: index 5: expected an integer from 0 to 4"},
      {"w[-1]", "column 3: index -1: expected an integer from 0 to 4"},
      {"w[0.5]", "column 3: index 0.5: expected an integer from 0 to 4"},
      {"w[x]", "column 3: expected a known number as index"},
      {"w[0, 1]", "column 2: vector of 5: expected one index, v[i]"},
      {"w[]", "column 2: vector of 5: expected one index, v[i]"},
      {"C[0]", "column 2: matrix 5×5: expected two indices, A[i, j]"},
      {"C[0, 7]", "column 6: index 7: expected an integer from 0 to 4"},
      {"e(5)", "column 3: index 5: expected an integer from 0 to 4"},
      {"twice(x)",
       "column 1: twice of a vector of 5: expected a vector of 5 that is the same for all samples"},
      {"twice(u)",
       "column 1: twice of a vector of 3: expected a vector of 5 that is the same for all samples"},
  };
  for (const auto& [text, message] : all) {
    try {
      compile(parse(text), trial.scope());
      ADD_FAILURE() << text << " was taken";
    } catch (const ExpressionError& error) {
      EXPECT_EQ(error.what(), message) << text;
    }
  }
  EXPECT_THROW(compile(parse("e(0)"), {}), ExpressionError) << "nobody said how long it is";
}

/// Value and slope of a formula of h at some points.
std::array<std::vector<double>, 2> with_slope(const std::string& text, const std::vector<double>& points) {
  const Program program = compile_with_slope(parse(text), "h");
  std::vector<double> scratch(Program::kLanes * program.scratch_size());
  std::array<std::vector<double>, 2> out{std::vector<double>(points.size()),
                                         std::vector<double>(points.size())};
  program.evaluate_arrays(std::array{std::span<const double>(points)}, scratch,
                          std::array{std::span(out[0]), std::span(out[1])});
  return out;
}

/// Differences of fourth order: with steps δ and 2δ their error is δ⁴|f⁗'|/30 + ε|f|/δ, about 1e-12 of the scale of f here.
void expect_slope(const std::string& text, const std::vector<double>& points) {
  constexpr double kStep = 1e-3;
  std::vector<double> around;
  for (const double h : points)
    for (const double shift : {-2.0, -1.0, 1.0, 2.0}) around.push_back(h + shift * kStep);
  const std::vector<double> value = with_slope(text, around)[0];
  const std::vector<double> slope = with_slope(text, points)[1];
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double* f = &value[4 * i];
    const double difference = (f[0] - 8 * f[1] + 8 * f[2] - f[3]) / (12 * kStep);
    EXPECT_NEAR(slope[i], difference, 1e-9 * (1 + std::abs(difference))) << text << " at " << points[i];
  }
}

TEST(ExpressionProgram, WhatMemoryHasNoRoomForIsRefusedWhereItStands) {
  Scope scope = Trial().scope();
  const Program program = compile(parse("sum(w*w')"), scope);
  EXPECT_GE(program.held(), 12.0 * kLength * kLength);
  scope.held = 1e18;  // of what was compiled before
  EXPECT_NO_THROW(compile(parse("2*3"), scope));
  try {
    compile(parse("1 + sum(outer(w, w))"), scope);
    FAIL() << "expected a refusal";
  } catch (const ExpressionError& error) {
    const std::string said = error.what();
    EXPECT_TRUE(said.starts_with("column ") &&
                said.find(": its arrays and those before it: 9.31e+08 GiB, expected at most ") !=
                    std::string::npos)
        << said;
  }
}

/// Numbers that were computed and then found too many would have filled the memory already.
TEST(ExpressionProgram, WhatMemoryHasNoRoomForIsNotComputed) {
  constexpr std::size_t kMany = 2'000'000;  // 29 TiB as a product
  const Scope scope{.symbols = {{.name = "v", .shape = {kMany, 1}, .value = std::vector<double>(kMany)}}};
  EXPECT_THROW(compile(parse("sum(outer(v, v))"), scope), ExpressionError);
}

TEST(ExpressionProgram, SlopesAreDifferences) {
  for (const FunctionOfOne& function : functions_of_one()) {
    const std::string name(function.name);
    const bool positive = name == "log" || name == "sqrt";
    expect_slope(name + "(h)", positive ? std::vector{0.4, 1.1, 2.7} : std::vector{-0.7, -0.31, 0.22, 0.83});
    expect_slope(fmt::format("h*{}(0.4 + 0.3*h)^2", name), {-0.7, 0.22, 0.83});
  }
  for (const FunctionOfTwo& function : functions_of_two()) {
    const std::string name(function.name);
    const bool named = name == "max" || name == "min";
    const auto applied = [&](const std::string& x, const std::string& y) {
      return named ? fmt::format("{}({}, {})", name, x, y) : fmt::format("({}) {} ({})", x, name, y);
    };
    expect_slope(applied("exp(h)", "2 + sin(h)"), {-0.7, 0.22, 0.83});
    expect_slope(applied("2 + sin(h)", "exp(h)"), {-0.7, 0.22, 0.83});
    expect_slope(applied("2", "1 + h^2"), {-0.7, 0.22, 0.83});
    expect_slope(applied("1 + h^2", "3"), {-0.7, 0.22, 0.83});
  }
  for (const char* text : {"h", "3", "-h", "h*erf(h)", "h*Phi(h)", "h/(1 + exp(-h))", "h^2^h", "1/(1 + h^2)",
                           "norm(h)*dot(h, 2*h)", "sum(h) + mean(h) + h'", "tanh(tanh(h))", "(1 + h)^0.5"})
    expect_slope(text, {0.21, 0.83, 1.9});
}

TEST(ExpressionProgram, SlopesAreExact) {
  using std::numbers::pi;
  const std::vector<double> points{-3, -1, -0.1, 0, 0.2, 1, 4};
  const auto gelu = with_slope("h*erf(h)", points);
  const auto relu = with_slope("relu(h)", points);
  const auto constant = with_slope("2 + step(h)*0", points);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double h = points[i];
    EXPECT_EQ(gelu[0][i], h * std::erf(h));
    EXPECT_NEAR(gelu[1][i], std::erf(h) + 2 * h / std::sqrt(pi) * std::exp(-h * h), 1e-15);
    EXPECT_EQ(relu[1][i], h > 0 ? 1.0 : h < 0 ? 0.0 : 0.5);
    EXPECT_EQ(constant[0][i], 2);
    EXPECT_EQ(constant[1][i], 0);
  }
}

TEST(ExpressionProgram, ArraysAreNumbersOneByOne) {
  const Scope scope{.symbols = {{.name = "s"}, {.name = "t"}}};
  const Program program = compile(parse("s*erf(t) + max(s, 2) - 3^t/(1 + t^2)"), scope);
  ASSERT_TRUE(program.of_numbers());
  const std::size_t count = 3 * Program::kLanes - 5;
  std::vector<double> s(count), t(count), out(count), scratch(Program::kLanes * program.scratch_size());
  for (std::size_t i = 0; i < count; ++i) s[i] = std::sin(double(i)), t[i] = std::cos(double(i) * 0.7);
  program.evaluate_arrays(std::array{std::span<const double>(s), std::span<const double>(t)}, scratch,
                          std::array{std::span(out)});
  for (std::size_t i = 0; i < count; ++i) {
    double one = 0;
    program.evaluate(std::array{std::span<const double>(&s[i], 1), std::span<const double>(&t[i], 1)},
                     scratch, std::span(&one, 1));
    EXPECT_EQ(out[i], one) << i;
  }
  EXPECT_FALSE(compile(parse("sum(x)*t"), Trial().scope()).of_numbers());
}

/// Whatever is typed, it is a formula or it is refused.
/// Vector code in float beside the standard library in double, for every function there is, where it is defined and at its ends.
TEST(ExpressionProgram, FloatsAreDoublesRounded) {
  constexpr std::size_t kCount = 256;
  const auto in_float = [&](const std::string& formula, const std::vector<double>& at) {
    const Program program = compile(parse(formula), {.symbols = {{.name = "x"}}});
    std::vector<float> x(at.begin(), at.end()), out(kCount),
        scratch(Program::kLanes * program.scratch_size());
    const std::array inputs{std::span<const float>(x)};
    const std::array outputs{std::span<float>(out)};
    program.evaluate_floats(inputs, scratch, outputs);
    return out;
  };
  const auto in_double = [&](const std::string& formula, double x) {
    const Program program = compile(parse(formula), {.symbols = {{.name = "x"}}});
    std::vector<double> scratch(program.scratch_size());
    double out = 0;
    const std::array inputs{std::span<const double>(&x, 1)};
    program.evaluate(inputs, scratch, std::span(&out, 1));
    return out;
  };
  std::vector<std::string> formulas;
  for (const FunctionOfOne& each : functions_of_one()) formulas.push_back(fmt::format("{}(x)", each.name));
  for (const char* each : {"x + 0.7", "0.7 - x", "x*x", "1/(2 + x^2)", "x^2", "x^3", "x^-2", "(x^2)^0.3",
                           "2^x", "x > 0.25", "max(x, 0.5)", "min(x, 0.5)"})
    formulas.emplace_back(each);
  for (const std::string& formula : formulas) {
    const bool within_one = formula == "arccos(x)" || formula == "arcsin(x)";
    const bool positive = formula == "log(x)" || formula == "sqrt(x)";
    std::vector<double> at(kCount);
    for (std::size_t i = 0; i < kCount; ++i) {
      const double share = (static_cast<double>(i) + 0.5) / kCount;  // never 0 or a tie
      at[i] = within_one ? 2 * share - 1 : positive ? 8 * share : 12 * share - 6;
      at[i] = static_cast<float>(at[i]);
    }
    const std::vector<float> found = in_float(formula, at);
    for (std::size_t i = 0; i < kCount; ++i) {
      const double expected = in_double(formula, at[i]);
      // Four units in the last place of a float; where a function crosses zero, of its argument's size.
      EXPECT_NEAR(found[i], expected, 5e-7 * std::max(1.0, std::abs(expected))) << formula << " at " << at[i];
    }
  }
  std::vector<double> far(kCount);
  for (std::size_t i = 0; i < kCount; ++i) far[i] = static_cast<float>(1e5 * (static_cast<double>(i) - 100));
  for (const char* formula : {"sin(x)", "cos(x)"}) {
    const std::vector<float> found = in_float(formula, far);
    for (std::size_t i = 0; i < kCount; ++i)
      EXPECT_NEAR(found[i], in_double(formula, far[i]), 5e-7) << formula << " at " << far[i];
  }
  // The ends: what a run that diverges meets.
  const double inf = std::numeric_limits<double>::infinity(), none = std::nan("");
  std::vector<double> ends(kCount, 0.0);
  ends[0] = inf, ends[1] = -inf, ends[2] = none, ends[3] = 200, ends[4] = -200;
  for (const char* formula :
       {"exp(x)", "tanh(x)", "erf(x)", "relu(x)", "step(x)", "sgn(x)", "Phi(x)", "x > 0", "cosh(x)"}) {
    const std::vector<float> found = in_float(formula, ends);
    for (std::size_t i = 0; i < 6; ++i) {
      const double expected = in_double(formula, ends[i]);
      if (std::string(formula) == "erf(x)" && i == 2) continue;  // a unit of the table, too, takes NaN for 1
      if (std::string(formula) == "Phi(x)" && i == 2) continue;
      if (std::isnan(expected))
        EXPECT_TRUE(std::isnan(found[i])) << formula << " at " << ends[i];
      else
        EXPECT_FLOAT_EQ(found[i], static_cast<float>(expected)) << formula << " at " << ends[i];
    }
  }
}

TEST(ExpressionProgram, GarbageIsRefusedNotBelieved) {
  const Trial trial;
  const Scope scope = trial.scope();
  const std::vector<std::string> pieces{"a",    "w", "C",   "x",     "t",   "u",     "1", "2.5", "(",  ")",
                                        "[",    "]", ",",   "+",     "-",   "*",     "/", "^",   ".*", "'",
                                        ">",    "<", "≥",   "²",     "√",   "⟨",     "⟩", "‖",   "π",  "sqrt",
                                        "dot",  "e", "inv", "solve", "sum", "outer", ".", "e5",  " ",  "\xff",
                                        "\xce", "#", "1(",  "inf",   "max", "twice", "\n"};
  std::mt19937 random(7);
  std::size_t taken = 0;
  for (int i = 0; i < 20'000; ++i) {
    std::string text;
    for (std::size_t length = 1 + random() % 12; length > 0; --length)
      text += pieces[random() % pieces.size()];
    try {
      const Program program = compile(parse(text), scope);
      trial.evaluate(program);
      ++taken;
    } catch (const ExpressionError&) {
    }
  }
  EXPECT_GT(taken, 200U);
}

RC_GTEST_PROP(LinearSystem, IsSolved, ()) {
  std::mt19937 random(*rc::gen::arbitrary<std::uint32_t>());
  std::normal_distribution<double> normal;
  const auto n = *rc::gen::inRange<std::size_t>(1, 12);
  std::vector<double> a(n * n), x(n * 2), b(n * 2);
  for (double& value : a) value = normal(random);
  for (std::size_t i = 0; i < n; ++i)
    a[i * n + i] += 4 * std::sqrt(double(n)) * (normal(random) > 0 ? 1 : -1);  // well away from singular
  for (double& value : x) value = normal(random);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = 0; k < n; ++k)
      for (std::size_t j = 0; j < 2; ++j) b[i * 2 + j] += a[i * n + k] * x[k * 2 + j];
  const std::vector<double> found = solved(a, b, 2);
  RC_ASSERT(found.size() == x.size());
  for (std::size_t i = 0; i < x.size(); ++i) RC_ASSERT(std::abs(found[i] - x[i]) < 1e-11);
}

TEST(LinearSystem, SingularIsSaidSo) {
  EXPECT_TRUE(solved({1, 2, 2, 4}, {1, 1}, 1).empty());
  EXPECT_TRUE(solved({0, 0, 0, 0}, {1, 1}, 1).empty());
  EXPECT_TRUE(solved({NAN, 0, 0, 1}, {1, 1}, 1).empty());
  EXPECT_EQ(solved({0, 1, 2, 0}, {3, 4}, 1), (std::vector<double>{2, 3})) << "rows change places";
}

}  // namespace
}  // namespace sluice::math
